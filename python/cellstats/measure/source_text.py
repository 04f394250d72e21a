"""The text of the source lines in a trace's positions, as far as their files can be read."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cellstats._native import UsageError
from cellstats.core.files import TEXT_BYTES_MAX, open_ordinary

_SOURCE = re.compile(r"\.(c|cc|cpp|cxx|h|hh|hpp|hxx|inc|s|f|f90)\Z", re.IGNORECASE)
"""Suffixes of source files. No other files are read: the author of the executable named them."""
_CHARACTERS_MAX = 200
"""Length of a line after which it is cut off."""


def with_text(lines: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The columns of source lines, with text, and with the names of files instead of their paths.

    lines: `file`, the paths, and `number`, the numbers of the lines. The text of a line is None if
        its file cannot be read. Paths are omitted for privacy: the trace may be sent to others.
    """
    contents = cache(_content)
    rows = zip(lines["file"], lines["number"], strict=True)
    texts = [_line(contents(file), number) for file, number in rows]
    names = [file.rpartition("/")[2] for file in lines["file"]]
    return {"file": names, "number": list(lines["number"]), "text": texts}


def _line(content: Sequence[str], number: int) -> str | None:
    return content[number - 1][:_CHARACTERS_MAX].rstrip() if number <= len(content) else None


def _content(file: str) -> Sequence[str]:
    """The lines of a source file; empty unless it is an ordinary file of limited size."""
    if not _SOURCE.search(file) or "\0" in file:
        return ()
    try:
        with open_ordinary(Path(file)) as opened:
            content = opened.read(TEXT_BYTES_MAX + 1)
    except (OSError, UsageError):
        return ()
    if len(content) > TEXT_BYTES_MAX:
        return ()
    return content.decode("utf-8", "replace").split("\n")
