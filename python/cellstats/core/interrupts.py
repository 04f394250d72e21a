"""Ctrl-C while the command is imported: it ends as quietly as Ctrl-C ends what it does later.

A KeyboardInterrupt would have nobody to catch it before `cellstats.cli.main` runs, and a traceback
would follow. Whoever imports the package for a program of their own keeps their handler.
"""

import os
import signal
import sys
from types import FrameType

_INTERRUPTED = 130
_SCRIPTS = ("cellstats", "CellStats")


def _leave(_signal: int, _frame: FrameType | None) -> None:
    # Without clean-up: nothing is open yet, and half of the modules are not there.
    os._exit(_INTERRUPTED)


def end_quietly() -> None:
    """Let Ctrl-C end the process, if this is the command: until `raise_again`."""
    # `-m` stands there while Python looks for `cellstats.__main__`.
    name = os.path.basename((getattr(sys, "argv", None) or [""])[0])  # noqa: PTH119
    if name != "-m" and name.removesuffix(".exe") not in _SCRIPTS:
        return
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def raise_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, now that it is caught."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)
