"""Files that appear only when they are complete."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from cellstats._native import UsageError
from cellstats.text.reasons import reason, unwritable

_LINKS_MAX = 40
"""As many as Linux follows."""


def write_whole(path: Path, content: str | bytes | Iterable[str]) -> None:
    """Write a file, at once or in pieces, under another name until it is complete.

    A pipe, a device and an output of this process (`/dev/stdout`) get the content directly.
    Raises UsageError where no file can be, RunError where the disk is full or broken.
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
    """The file descriptor of this process that a path stands for, as `/dev/stdout` does.

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
    """Write where the descriptor is: opening its path anew would cut a file off at its start."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    with os.fdopen(os.dup(number), "wb") as file:
        file.writelines(map(_encoded, pieces))


def _encoded(piece: str | bytes) -> bytes:
    return piece.encode() if isinstance(piece, str) else piece
