"""Writes files under a temporary name until they are complete, and reads files up to a size limit.

Also formats rows as CSV, for spreadsheets.
"""

import io
import os
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from cellstats._native import UsageError
from cellstats.core.words import reason, unwritable

TEXT_BYTES_MAX = 64 << 20
"""Longest text that is read; the largest input, a matrix of a thousand CPUs, is half as long."""
_LINKS_MAX = 40
"""Largest number of symbolic links to follow, the same as in Linux."""


def write_whole(path: Path, content: str | bytes | Iterable[str]) -> None:
    """Write a file, whole or in pieces; the file has a temporary name until it is complete.

    A pipe, a device and an output of this process (`/dev/stdout`) are written directly. Raises
    UsageError if the path cannot be written, RunError if the disk is full or broken.
    """
    pieces = [content] if isinstance(content, str | bytes) else content
    try:
        number = descriptor(path)
        if number is not None:
            _append(number, pieces)
        elif path.exists() and not path.is_file():
            _write(path, pieces)
        else:
            _replace(path, pieces)
    except OSError as error:
        raise unwritable(path, error) from None


def check_place(path: Path, flag: str) -> None:
    """Raise UsageError for a directory, and for a file in a directory that does not exist."""
    try:
        what = "is a directory" if path.is_dir() else "there is no such directory"
        if not path.is_dir() and path.parent.is_dir():
            return
    except OSError as error:
        what = reason(error)
    raise UsageError(f"{flag} {path}: {what}; give another file")


def descriptor(path: Path) -> int | None:
    """The file descriptor of this process that a path such as `/dev/stdout` refers to.

    >>> descriptor(Path("/dev/fd/2")), descriptor(Path("r.csv"))
    (2, None)
    """
    for _ in range(_LINKS_MAX):
        directory = path.parent.resolve()
        if str(directory) in (f"/proc/{os.getpid()}/fd", "/dev/fd") and path.name.isdecimal():
            return int(path.name)
        if not path.is_symlink():
            return None
        path = directory / path.readlink()
    return None


def _replace(path: Path, pieces: Iterable[str | bytes]) -> None:
    unfinished = path.parent / f".{path.name}.{os.getpid()}"
    try:
        _write(unfinished, pieces)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _write(path: Path, pieces: Iterable[str | bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(map(_encoded, pieces))


def _append(number: int, pieces: Iterable[str | bytes]) -> None:
    """Write at the descriptor's position; opening the path again would truncate the file."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    with os.fdopen(os.dup(number), "wb") as file:
        file.writelines(map(_encoded, pieces))


def _encoded(piece: str | bytes) -> bytes:
    return piece.encode() if isinstance(piece, str) else piece


def open_ordinary(path: Path) -> IO[bytes]:
    """Open an ordinary file; never blocks, and never reads a device.

    Raises UsageError unless the path names an ordinary file, and OSError if it cannot be opened.
    """
    # An ordinary open of a pipe blocks until a writer opens it. Windows would translate line ends.
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, os.O_RDONLY | flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UsageError("not an ordinary file")
    return os.fdopen(descriptor, "rb")


def whole_input(path: Path, most: int) -> bytes:
    """The content of a file, or of a pipe until its end.

    Raises OSError if the file cannot be read. Raises ValueError, with the reason, if the path is
    not a valid name, or if the content is longer than `most` bytes (a device may never end).
    """
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"has more than {most >> 20} MiB")
    return content


def whole_text(path: Path, what: str, wanted: str) -> str:
    """The content of a file of UTF-8 text.

    On failure, raises a UsageError whose message begins with `what` and ends with `wanted`.
    """
    try:
        return whole_input(path, TEXT_BYTES_MAX).decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{what}: {reason(error)}; {wanted}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{what} is not UTF-8 text; {wanted}") from None
    except ValueError as error:
        # The file is too long, or its name has a zero byte or another forbidden character.
        raise UsageError(f"{what}: {error}; {wanted}") from None


def csv_table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    r"""Rows as CSV, below a header with the names of the columns.

    >>> csv_table(["a", "b"], [{"a": 1, "b": None}])
    'a,b\n1,\n'
    """
    import csv

    text = io.StringIO()
    table = csv.DictWriter(text, columns, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue()
