"""Text on a terminal: folded to the terminal's width, and coloured if the user wants colours.

Text in a pipe or a file is neither folded nor coloured.
"""

import os
import sys
import textwrap
from typing import TextIO

from cellstats.core.words import encodable, printable

_INDENT = 4
_FOR_PEOPLE = ("text", "table")
# Colours that are legible on light and dark backgrounds, from the 256 that all terminals support.
BLUE, ORANGE, RED = "38;5;33", "38;5;166", "1;38;5;160"
BOLD = "1"


def width(stream: TextIO | None = None) -> int | None:
    """Columns of the terminal that `stream` writes to, or None if `stream` is not a terminal.

    As in other tools, COLUMNS takes precedence over the terminal's own width.
    """
    stream = stream or sys.stdout
    if not stream.isatty():
        return None
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    try:
        # A terminal of width 0 is not a screen: mpirun gives its ranks such terminals, and may
        # redirect their output to a file.
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None


def wants_colour(stream: TextIO | None = None) -> bool:
    """Whether the stream is a terminal and its user wants colours (https://no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return width(stream) is not None and not plain


def coloured(text: str, colour: str) -> str:
    """The text, printed in a colour or in bold."""
    return f"\x1b[{colour}m{text}\x1b[0m"


def folded(text: str, columns: int) -> str:
    r"""The text with long lines wrapped and their continuations indented; long words stay whole.

    A text line that contains colours is not folded, because it already has its final length.

    >>> folded("why:  its CPUs are\n  threads\n", 12)
    'why:  its\n    CPUs are\n  threads\n'
    """
    return "".join(_folded_line(line, columns) for line in text.splitlines(keepends=True))


def _folded_line(line: str, columns: int) -> str:
    if len(line.rstrip("\n")) <= columns or "\x1b" in line:
        return line
    own = len(line) - len(line.lstrip())
    indent = " " * min(own + _INDENT, columns // 2)
    parts = textwrap.wrap(
        line.rstrip("\n"),
        columns,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(parts) + ("\n" if line.endswith("\n") else "")


def show(text: str, form: str = "text", *, has_colours: bool = False) -> None:
    """Write a text to standard output; formats for people are folded to a terminal's width.

    has_colours: the text has colours, and the caller has escaped all other control characters.
    """
    text = encodable(text) if has_colours else printable(text)
    columns = width() if form in _FOR_PEOPLE else None
    sys.stdout.write(text if columns is None else folded(text, columns))
