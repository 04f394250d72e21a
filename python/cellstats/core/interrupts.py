"""Ends the command without a traceback if the user presses Ctrl-C during the command's imports.

Nothing catches a KeyboardInterrupt before `cellstats.cli.main` runs. A program that imports the
package keeps its own handler of Ctrl-C.
"""

import os
import signal
import sys
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
