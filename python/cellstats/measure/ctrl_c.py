"""Holds Ctrl-C back while an executor's locks are in use."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ctrl_c_calls(wake: Callable[[], object]) -> Iterator[None]:
    """Let Ctrl-C call a function instead; raise KeyboardInterrupt at the end if it was pressed.

    Python raises KeyboardInterrupt between any two instructions of the main thread, even while
    `threading.Condition` holds or gives back its lock. A worker that shares the lock then fails.

    wake: must be reentrant, because it may interrupt itself.

    Does nothing outside the main thread, which alone receives signals, and under another handler.
    """
    pressed = False

    def note(_signal: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        wake()

    held = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if held:
        try:
            signal.signal(signal.SIGINT, note)
        except ValueError:  # another thread
            held = False
    try:
        yield
    finally:
        if held:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if pressed:
            raise KeyboardInterrupt
