"""A lock of the whole computer: what measures it must not be disturbed by another measurement.

Workers of one computer share nothing but its files, so the lock is one of them.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone_on_this_computer() -> Iterator[None]:
    """Wait until no other process or thread is in here, on this computer, then keep them out.

    Where the system has no such locks, everybody is let in.
    """
    descriptor = _open(Path(tempfile.gettempdir()) / "cellstats-host.lock")
    if descriptor is None:
        yield
        return
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)  # gives the lock back


def _open(path: Path) -> int | None:
    try:
        import fcntl  # noqa: F401
    except ImportError:
        return None
    # Opened without O_CREAT first: some systems refuse that for another user's file in /tmp.
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CREAT):
        try:
            return os.open(path, flags | os.O_CLOEXEC, 0o644)
        except OSError:
            continue
    return None
