"""Files that appear only when they are complete."""

import os
from collections.abc import Callable
from pathlib import Path

from cellstats._native import UsageError
from cellstats.text.reasons import reason


def write_whole(path: Path, text: str) -> None:
    """Write a text file, under another name until it is complete.

    Raises UsageError where it cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            # /dev/stdout or a pipe cannot be replaced by a file.
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        unfinished = path.parent / f".{path.name}.{os.getpid()}"
        try:
            unfinished.write_text(text, encoding="utf-8", newline="\n")
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(
            f"cannot write {str(path)!r}: {reason(error)}; give another file"
        ) from None


def check_place(path: Path, flag: str) -> None:
    """Raise UsageError for a directory, and for a file in a directory that does not exist."""
    if path.is_dir() or not path.parent.is_dir():
        what = "is a directory" if path.is_dir() else "there is no such directory"
        raise UsageError(f"{flag} {path}: {what}; give another file")


def replace(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` write a file of another name beside `path`, then rename it.

    Raises UsageError where it cannot be written.
    """
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        write(part)
        part.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: {reason(error)}; give another file") from None
    finally:
        part.unlink(missing_ok=True)
