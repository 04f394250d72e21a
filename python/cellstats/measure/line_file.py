"""Files of lines that are added one by one, and outlive a process that is killed meanwhile."""

import os
import stat
from pathlib import Path
from typing import IO

from cellstats._native import UsageError


def locked(path: Path, in_use: str) -> IO[bytes]:
    """Open such a file for this process alone, where the system can lock it.

    Raises UsageError with the text `in_use` if another process has it; OSError if it cannot be
    opened.
    """
    file = path.open("a+b", buffering=0)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise UsageError(f"{path} is a pipe or a device; remove it, or give another file")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise UsageError(in_use) from None
    except (ImportError, OSError):
        pass  # a system, or a file system, without locks
    return file


def whole_lines(file: IO[bytes]) -> list[bytes]:
    """The lines of an earlier start; an unfinished last one is cut off."""
    lines, torn = read_lines(file)
    cut_off(file, torn)
    return lines


def read_lines(file: IO[bytes]) -> tuple[list[bytes], bytes]:
    """The lines of an earlier start, and what there is of an unfinished last one."""
    file.seek(0)
    *lines, torn = file.read().split(b"\n")
    return lines, torn


def cut_off(file: IO[bytes], torn: bytes) -> None:
    """Remove the unfinished last line."""
    file.truncate(file.seek(0, os.SEEK_END) - len(torn))


def add_line(file: IO[bytes], line: bytes) -> None:
    """Add a line. Raises OSError, and leaves the file as it was, where the line does not fit."""
    end = file.seek(0, os.SEEK_END)
    rest = line + b"\n"
    try:
        while rest:
            # On a full disk a part may still fit, and only the next write fails.
            rest = rest[file.write(rest) :]
    except OSError:
        file.truncate(end)
        raise
