"""Ctrl-C where Python's KeyboardInterrupt would do harm: in imports, and in an executor's locks.

Nothing catches a KeyboardInterrupt before `cellstats.cli.main` runs, so until then Ctrl-C ends the
command without a traceback. A program that imports the package keeps its own handler of Ctrl-C.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_INTERRUPTED = 130
_SCRIPTS = ("cellstats", "CellStats")


def _leave(_signal: int, _frame: FrameType | None) -> None:
    # Skips clean-up: nothing is open yet, and only some of the modules are imported.
    os._exit(_INTERRUPTED)


def end_quietly() -> None:
    """If this process is the command, let Ctrl-C end it until `raise_again` is called."""
    # argv[0] is `-m` while Python looks for `cellstats.__main__`.
    name = os.path.basename((getattr(sys, "argv", None) or [""])[0])  # noqa: PTH119
    if name != "-m" and name.removesuffix(".exe") not in _SCRIPTS:
        return
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def raise_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, now that `main` catches it."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
