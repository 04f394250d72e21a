"""Files that appear only when they are complete."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from cellstats._native import UsageError
from cellstats.text.reasons import unwritable


def write_whole(path: Path, text: str | Iterable[str]) -> None:
    """Write a text file, whole or in pieces, under another name until it is complete.

    Raises UsageError where no file can be, RunError where the disk is full or broken.
    """
    pieces = [text] if isinstance(text, str) else text

    def write(place: Path) -> None:
        with place.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)

    try:
        if path.exists() and not path.is_file():
            # /dev/stdout or a pipe cannot be replaced by a file.
            write(path)
            return
        unfinished = path.parent / f".{path.name}.{os.getpid()}"
        try:
            write(unfinished)
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise unwritable(path, error) from None


def check_place(path: Path, flag: str) -> None:
    """Raise UsageError for a directory, and for a file in a directory that does not exist."""
    if path.is_dir() or not path.parent.is_dir():
        what = "is a directory" if path.is_dir() else "there is no such directory"
        raise UsageError(f"{flag} {path}: {what}; give another file")


def replace(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` write a file of another name beside `path`, then rename it.

    Raises UsageError where no file can be, RunError where the disk is full or broken.
    """
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        write(part)
        part.replace(path)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        part.unlink(missing_ok=True)
