"""Errors of the operating system and of libraries, worded for the middle of a message."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from cellstats._native import RunError, UsageError

_DISK = {errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EROFS, getattr(errno, "EDQUOT", errno.ENOSPC)}


def reason(error: OSError) -> str:
    """The operating system's words for an error, without its number and the file's name.

    >>> reason(FileNotFoundError(2, "No such file or directory", "notes.txt"))
    'no such file or directory'
    """
    return (error.strerror or str(error)).lower()


def kind_and_reason(error: BaseException) -> str:
    """The first line of what Python would print for an error that is not ours.

    >>> kind_and_reason(ValueError("no such port"))
    'ValueError: no such port'
    """
    return f"{type(error).__name__}: {error}".splitlines()[0]


def unwritable(
    path: object, error: OSError, instead: str = "another file"
) -> UsageError | RunError:
    """The error to raise for an output that cannot be written.

    A UsageError where another place would do; a RunError where the place is right, and the disk is
    full or broken.

    >>> unwritable("r.csv", OSError(28, "No space left on device"))
    RunError("cannot write 'r.csv': no space left on device")
    """
    line = f"cannot write {str(path)!r}: {reason(error)}"
    return RunError(line) if error.errno in _DISK else UsageError(f"{line}; give {instead}")


@contextmanager
def few_threads() -> Iterator[None]:
    """Raise RunError where the system starts no further thread or process.

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
            "raise the limit (ulimit -u), or end what else is running"
        ) from None
