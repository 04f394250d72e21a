"""Words in messages and labels.

Suggests corrections of misspelt words. Makes text and file names safe for every terminal. Rewords
errors of the operating system and of libraries, so that they fit into the middle of a message.
Formats parameters and numbers for plots.
"""

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from cellstats._native import RunError, UsageError

# Characters that a terminal obeys instead of showing: C0 and C1 without tab and line feed, and
# characters that change the direction of text.
_OBEYED = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (
        *(code for code in range(0x20) if code not in b"\t\n"),
        *range(0x7F, 0xA0),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    )
}
_DISK = {errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EROFS, getattr(errno, "EDQUOT", errno.ENOSPC)}
_CELLS = {"0": "Cell 0", "1": "Cell 1", "01": "Cell 0 first", "10": "Cell 1 first"}
_MEMORY = {"0": "memory 0", "1": "memory 1", "interleave": "memory interleaved"}


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """The end of an error message: a similar known word, if there is one, and all known words.

    >>> did_you_mean("dmagte", ["dmaget", "dmaput"])
    'did you mean dmaget? Known are dmaget, dmaput'
    """
    import difflib  # needed only for an error message

    listed = ", ".join(known)
    begun = [each for each in known if word and each.startswith(word.lower())]
    near = begun or difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"did you mean {near[0]}? Known are {listed}" if near else f"known are {listed}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with what it counts.

    >>> counted(1, "entry", "entries"), counted(2, "entry", "entries"), counted(0, "run")
    ('1 entry', '2 entries', '0 runs')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def printable(text: str) -> str:
    """The text made safe for standard output by `harmless` and `encodable`."""
    return encodable(harmless(text))


def encodable(text: str) -> str:
    """The text, with replacements for characters that standard output's encoding lacks."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("µ", "u").encode(encoding, "backslashreplace").decode(encoding)
    return text


def harmless(text: str) -> str:
    r"""The text, with escapes instead of control characters that a terminal would obey.

    >>> harmless("\x1b[31mred")
    '\\x1b[31mred'
    """
    return text.translate(_OBEYED)


def file_name(path: object) -> str:
    r"""The name of a file as text for every output; bytes that are not UTF-8 become `\xff`.

    Python represents bytes that are not UTF-8 as lone surrogates, which no encoding accepts. In the
    C locale, every character beyond ASCII becomes a surrogate.
    """
    name = str(path)
    try:
        text = os.fsencode(name).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return harmless(text)


def reason(error: OSError) -> str:
    """The operating system's text for an error, without the error number and the file name.

    >>> reason(FileNotFoundError(2, "No such file or directory", "notes.txt"))
    'no such file or directory'
    """
    return (error.strerror or str(error)).lower()


def kind_and_reason(error: BaseException) -> str:
    """The first line that Python would print for an error that CellStats does not define.

    >>> kind_and_reason(ValueError("no such port"))
    'ValueError: no such port'
    """
    return f"{type(error).__name__}: {error}".splitlines()[0]


def unwritable(
    path: object, error: OSError, instead: str = "another file"
) -> UsageError | RunError:
    """The error to raise for an output that cannot be written.

    Returns a RunError if the disk is full or broken. Otherwise returns a UsageError, because
    another path may work.

    >>> unwritable("r.csv", OSError(28, "No space left on device"))
    RunError("cannot write 'r.csv': no space left on device")
    """
    line = f"cannot write {str(path)!r}: {reason(error)}"
    return RunError(line) if error.errno in _DISK else UsageError(f"{line}; give {instead}")


@contextmanager
def few_threads() -> Iterator[None]:
    """Raise RunError if the system cannot start another thread or process.

    >>> with few_threads():
    ...     raise RuntimeError("can't start new thread")
    Traceback (most recent call last):
    ...
    cellstats._native.RunError: no more threads or processes can be started; ...
    """
    try:
        yield
    except (RuntimeError, BlockingIOError) as error:
        if not isinstance(error, BlockingIOError) and "start new thread" not in str(error):
            raise
        raise RunError(
            "no more threads or processes can be started; "
            "raise the limit (ulimit -u), or end other programs"
        ) from None


def short_number(value: int, column: str) -> str:
    """A number as a plot's axis shows it: K is 1024 for bytes, k is 1000 for other columns.

    >>> short_number(16384, "size_bytes"), short_number(100000, "iterations")
    ('16K', '100k')
    """
    factor, letters = (
        (1024, ("", "K", "M")) if column.endswith("_bytes") else (1000, ("", "k", "m"))
    )
    power = 0
    while value and value % factor == 0 and power < 2:
        value //= factor
        power += 1
    return f"{value}{letters[power]}"


def described(column: str, value: Any, element: str = "SPE") -> str:
    """A parameter's name and value in a plot's legend.

    >>> described("spes", 1), described("size_bytes", 2048), described("private", True)
    ('1 SPE', '2K bytes', 'private')
    """
    plural = "" if value == 1 else "s"
    phrases = {
        "cells": _CELLS.get(str(value), str(value)),
        "memory": _MEMORY.get(str(value), f"memory {value}"),
        "spes": f"{value} {element}{plural}",
        "private": "private" if value else "shared",
        "spe_to_spe": f"between {element}s" if value else "with PPE or memory",
        "list_elements": f"{value} element{plural}",
        "batch": "one wait at the end" if value == 0 else f"batch {value}",
        "placement": f"{element}{'' if ',' not in str(value) else 's'} {value}",
    }
    if column in phrases and value is not None:
        return phrases[column]
    if isinstance(value, int) and not isinstance(value, bool):
        unit = column.removesuffix("_bytes") if column != "size_bytes" else ""
        number = short_number(value, column)
        return f"{unit} {number}".strip() + (" bytes" if column.endswith("_bytes") else "")
    return "none" if value is None else str(value)
