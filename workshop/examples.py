"""Run the commands that the documents show, and compare their output with the documents.

    .venv/bin/python workshop/examples.py FILE.md ...           # list the differences
    .venv/bin/python workshop/examples.py --write FILE.md ...   # write the output to the files

A ```console block holds commands, each after "$ ". The lines below a command are its output, with
both streams combined. A line "…" stands for any number of omitted lines. The only command is
`cellstats`, optionally followed by `| head -N` or `| tail -N`. A comment on the line before a block
may be

    <!-- not run: REASON -->   the block is skipped: it depends on this computer, or takes long
    <!-- file: NAME -->        the block is the file NAME, which later commands read

A ```python block is also run if a ```text block with its output follows directly. All Python blocks
of a file share one namespace. With --write, a block that contains "…" is only compared, not
rewritten.
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cellstats.cli import main as cellstats

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = "…"
_FENCE = re.compile(r"^(```+)(.*)$")
_NOTE = re.compile(r"^<!-- (not run|file): (.*?) -->$")
_FILTER = re.compile(r"^(head|tail) -(\d+)$")


@dataclass(frozen=True)
class Block:
    """One fenced block of a file."""

    first: int
    """Index of the line after the opening fence, counted from 0."""
    language: str
    lines: list[str]
    note: str | None
    """Kind of the comment before the block: `not run` or `file`."""
    name: str
    """The reason or the file name in the comment before the block."""

    @property
    def end(self) -> int:
        """Index of the line with the closing fence."""
        return self.first + len(self.lines)


@dataclass(frozen=True)
class Shown:
    """A command or Python block, and the lines of the file that show its output."""

    source: str
    first: int
    output: list[str]
    is_python: bool = False

    @property
    def is_shortened(self) -> bool:
        """Whether some lines of the output are omitted."""
        return LEFT_OUT in self.output


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a Markdown file."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        opening = _FENCE.match(lines[number])
        if opening is not None:
            end = lines.index(opening[1], number + 1)
            before = _NOTE.match(lines[number - 1]) if number else None
            note, name = (before[1], before[2]) if before else (None, "")
            yield Block(number + 1, opening[2].strip(), lines[number + 1 : end], note, name)
            number = end
        number += 1


def shown(text: str) -> Iterator[Shown]:
    """All commands and Python blocks to be run, in file order."""
    found = list(blocks(text))
    for number, block in enumerate(found):
        if block.note == "not run":
            continue
        if block.language == "console":
            yield from _commands(block)
        if block.language == "python" and number + 1 < len(found):
            after = found[number + 1]
            gap = text.splitlines()[block.end + 1 : after.first - 1]
            if after.language == "text" and not "".join(gap).strip():
                yield Shown("\n".join(block.lines), after.first, after.lines, is_python=True)


def _commands(block: Block) -> Iterator[Shown]:
    starts = [n for n, line in enumerate(block.lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(block.lines)], strict=True):
        output = block.lines[start + 1 : end]
        while output and not output[-1]:
            output = output[:-1]
        yield Shown(block.lines[start][2:], block.first + start + 1, output)


def printed(one: Shown, names: dict[str, object]) -> list[str]:
    """Run an example in the current directory, and return its output lines."""
    text = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        if one.is_python:
            exec(compile(one.source, "<example>", "exec"), names)
        else:
            command, *filters = (part.strip() for part in one.source.split(" | "))
            program, *arguments = shlex.split(command)
            assert program == "cellstats", f"only cellstats is run: {one.source}"
            cellstats(arguments)
    text.seek(0)
    lines = [line.rstrip() for line in text.read().splitlines()]
    for each in [] if one.is_python else filters:
        kind = _FILTER.match(each)
        assert kind is not None, f"only head -N and tail -N: {one.source}"
        lines = lines[: int(kind[2])] if kind[1] == "head" else lines[-int(kind[2]) :]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def agree(expected: list[str], found: list[str]) -> bool:
    """Whether the output matches the expected lines, in which "…" stands for any lines.

    >>> agree(["a", "…", "d"], ["a", "b", "c", "d"]), agree(["a", "…"], ["b", "a"])
    (True, False)
    """
    parts = [re.escape("\n".join(part)) for part in _split(expected)]
    pattern = r"(?:^|\n)?(?:.*\n)*?".join(part + r"(?:\n|$)" if part else "" for part in parts)
    return re.fullmatch(pattern, "\n".join(found) + "\n") is not None


def _split(lines: list[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for line in lines:
        if line.strip() == LEFT_OUT:
            yield part
            part = []
        else:
            part.append(line)
    yield part


@contextlib.contextmanager
def workplace(text: str) -> Iterator[None]:
    """Change to a temporary directory with programs, machines and the document's files."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        here = Path(name)
        for each in ("machines", "programs", "linux"):
            (here / each).symlink_to(ROOT / each)
        for block in blocks(text):
            if block.note == "file":
                (here / block.name).write_text("\n".join(block.lines) + "\n", encoding="utf-8")
        os.chdir(here)
        try:
            yield
        finally:
            os.chdir(before)


def differences(path: Path) -> Iterator[tuple[Shown, list[str]]]:
    """Yield the examples whose output differs from the document, with their actual output."""
    text = path.read_text(encoding="utf-8")
    names: dict[str, object] = {}
    with workplace(text):
        for one in shown(text):
            found = printed(one, names)
            if not agree(one.output, found):
                yield one, found


def rewrite(path: Path) -> None:
    """Write the actual outputs to the file, except where lines are omitted."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for one, found in reversed(list(differences(path))):
        if one.is_shortened:
            print(
                f"{path}:{one.first}: {one.source}\n  differs; shorten it by hand",
                *found,
                sep="\n  ",
            )
        else:
            lines[one.first : one.first + len(one.output)] = found
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Compare or write the files. Return the exit status: 1 if anything differs."""
    write = "--write" in arguments
    status = 0
    for path in [Path(each).resolve() for each in arguments if each != "--write"]:
        if write:
            rewrite(path)
            continue
        for one, found in differences(path):
            status = 1
            print(f"{path}:{one.first}: {one.source}\n  prints", *found, sep="\n    ")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
