"""Base classes of all commands, and how their help fits a terminal."""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable

import click

from cellstats._native import UsageError
from cellstats.core.words import did_you_mean

_HYPHEN = "\N{NON-BREAKING HYPHEN}"
_VERBATIM = "\b"
"""Begins a paragraph whose lines Click does not join."""


class HelpFormatter(click.HelpFormatter):
    """Help in which no line is longer than the terminal and no word is broken.

    Click breaks words at hyphens. It leaves verbatim lines as long as they are.
    """

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the command's name and its arguments."""
        super().write_usage(prog, _unbroken(args), prefix)

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        columns = self.width - self.current_indent
        paragraphs = [
            "\n".join(fitted(line, columns) for line in part.split("\n"))
            if part.startswith(_VERBATIM)
            else part
            for part in text.split("\n\n")
        ]
        super().write_text(_unbroken("\n\n".join(paragraphs)))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write names and what they mean, in two columns."""
        super().write_dl(
            [(first, _unbroken(second)) for first, second in rows], col_max, col_spacing
        )

    def getvalue(self) -> str:
        """All that was written."""
        return super().getvalue().replace(_HYPHEN, "-")


def _unbroken(text: str) -> str:
    """The text with hyphens at which Click does not break lines."""
    return text.replace("-", _HYPHEN)


def fitted(line: str, columns: int) -> str:
    r"""A line that is too long, as several: a command with backslashes, else a row of a table.

    >>> print(fitted("  cellstats matrix -f mailbox --machine host", 32))
      cellstats matrix -f mailbox \
          --machine host
    >>> print(fitted("  coherence  from the request to the response", 32))
      coherence  from the request to
                 the response
    """
    if len(line) <= columns:
        return line
    indent = len(line) - len(line.lstrip())
    if line.lstrip().startswith("cellstats "):
        flags = re.split(r" (?=-)", line)
        lines = [flags[0]]
        for flag in flags[1:]:
            if len(f"{lines[-1]} {flag} \\") <= columns:
                lines[-1] += f" {flag}"
            else:
                lines.append(" " * (indent + 4) + flag)
        return " \\\n".join(lines)
    column = re.match(r".*\S {2,}(?=\S)", line)
    return textwrap.fill(
        line,
        columns,
        subsequent_indent=" " * (column.end() if column else indent),
        break_on_hyphens=False,
    )


class Context(click.Context):
    """What Click knows of a command line."""

    formatter_class = HelpFormatter


class Command(click.Command):
    """A command that refuses a flag given twice, where Click would silently take the last value."""

    context_class = Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line. Raises UsageError for an option with one value, given twice."""
        if not ctx.resilient_parsing:
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
            for param, times in Counter(given).items():
                single = isinstance(param, click.Option) and not (param.is_flag or param.multiple)
                if single and times > 1:
                    flags = " or ".join(param.opts)
                    raise UsageError(f"{flags} is given {times} times; give it once")
        return super().parse_args(ctx, args)


class Group(Command, click.Group):
    """A command with sub-commands. The error for an unknown sub-command lists the known names."""

    command_class = Command

    def refuse(self, name: str) -> None:
        """Raise UsageError for an unknown command that deserves a special message."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the sub-command that the first argument names."""
        name = args[0]
        if self.get_command(ctx, name) is None and not ctx.resilient_parsing:
            self.refuse(name)
            path = " ".join([*ctx.command_path.split()[1:], name])
            near = did_you_mean(name, self.list_commands(ctx))
            raise UsageError(f"no such command {path!r}; {near}")
        return super().resolve_command(ctx, args)
