"""Generates the manual pages and completions of wheels from the commands.

    python workshop/release/manual.py [DIR]     by default into the folder that maturin packs

Each command has a manual page (`cellstats.1`, `cellstats-machine-show.1` …). Each shell's
completion script is in the folder where the shell searches for scripts of installed programs.
click-man is not used, because it omits lazily imported commands, reflows examples and tables, and
truncates summaries.
"""

import contextlib
import io
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from cellstats.cli.group import SHELLS, completion
from cellstats.cli.group import cellstats as group
from cellstats.core.version import version
from changelog import newest_release
from wheels import PREFIX

COMPLETIONS = {
    "bash": "share/bash-completion/completions/cellstats",
    "zsh": "share/zsh/site-functions/_cellstats",
    "fish": "share/fish/vendor_completions.d/cellstats.fish",
}
# So wide that no line is wrapped and no summary is cut off: the viewer wraps the lines.
_WIDTH = 10_000
_ESCAPES = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}


class _Roff(click.HelpFormatter):
    """The output of `--help` in the format of manual pages."""

    def __init__(self) -> None:
        super().__init__(width=_WIDTH)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        del prefix
        self._lines(".SH SYNOPSIS", f"{_bold(prog)} {roff(args)}", ".SH DESCRIPTION")

    def write_heading(self, heading: str) -> None:
        self._lines(f".SH {roff(heading.upper())}")

    def write_paragraph(self) -> None:
        """Does nothing, because `write_text` itself starts each paragraph."""

    def write_text(self, text: str) -> None:
        for number, paragraph in enumerate(re.split(r"\n\s*\n", text)):
            lines = paragraph.splitlines()
            if number:
                self._lines(".PP")
            if lines and lines[0].strip() == "\b":  # Click's mark against wrapping
                self._lines(".nf", *map(roff, lines[1:]), ".fi")
            else:
                self._lines(*(roff(line.strip()) for line in lines))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 0, col_spacing: int = 0
    ) -> None:
        del col_max, col_spacing
        for name, meaning in rows:
            flags = re.sub(r"(?<!\S)(--?[\w-]+)", lambda flag: _bold(flag[1]), name)
            self._lines(".TP", flags if flags != name else _bold(name), roff(meaning))

    def _lines(self, *lines: str) -> None:
        self.write("".join(f"{line}\n" for line in lines))


def roff(text: str) -> str:
    """Escape a text for troff, so that no text line is interpreted as a troff request."""
    shown = "".join(
        _ESCAPES.get(char, char if char.isascii() else f"\\[u{ord(char):04X}]") for char in text
    )
    return f"\\&{shown}" if shown.startswith(".") else shown


def _bold(text: str) -> str:
    return f"\\fB{roff(text)}\\fR"


def pages() -> Iterator[tuple[str, str]]:
    """Name (`cellstats-machine-show`) and text of each page."""
    yield from _pages(_context(group, "cellstats"))


def _pages(context: click.Context) -> Iterator[tuple[str, str]]:
    command = context.command
    name = context.command_path.replace(" ", "-")
    formatter = _Roff()
    command.format_help(context, formatter)
    subs = _sub_commands(context)
    # Determined after `format_help`, because a command may generate its help on demand.
    summary = roff(command.get_short_help_str(limit=_WIDTH).rstrip("."))
    head = f'.TH "{name.upper()}" "1" "{newest_release().date}" "CellStats {version()}" "CellStats"'
    above = [context.parent.command_path.replace(" ", "-")] if context.parent else []
    beside = [*above, *(sub.command_path.replace(" ", "-") for sub in subs)]
    also = ",\n".join(f"{_bold(other)}(1)" for other in beside)
    text = f"{head}\n.SH NAME\n{roff(name)} \\- {summary}\n{formatter.getvalue()}"
    yield name, f"{text}.SH SEE ALSO\n{also}\n" if beside else text
    for sub in subs:
        yield from _pages(sub)


def _sub_commands(context: click.Context) -> list[click.Context]:
    command = context.command
    if not isinstance(command, click.Group):
        return []
    named = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
    return [_context(sub, name, context) for name, sub in named if sub and not sub.hidden]


def _context(
    command: click.Command, name: str, parent: click.Context | None = None
) -> click.Context:
    settings = command.context_settings
    return command.context_class(command, info_name=name, parent=parent, **settings)


def completions() -> Iterator[tuple[str, str]]:
    """Path and text of each shell's completion script, as `cellstats completion` prints it."""
    for shell in SHELLS:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            completion.main([shell], standalone_mode=False)
        yield COMPLETIONS[shell], printed.getvalue()


def write(folder: Path) -> list[Path]:
    """Write all files below a folder, and return their paths."""
    texts = {f"share/man/man1/{name}.1": text for name, text in pages()} | dict(completions())
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


if __name__ == "__main__":
    written = write(Path(sys.argv[1]) if sys.argv[1:] else PREFIX)
    print(f"{len(written)} files below {written[0].parents[3]}")
