"""What a step may highlight: elements and their parts, rings, cache lines.

web/src/lessons/spotlight.ts finds the same names in the picture.
"""

import re
from typing import Any

from cellstats._native import UsageError

PARTS = ("SPU", "MFC", "thread", "on-ramp")
GROUPS = ("SPEs", "elements", "threads", "rings", "concentrator", "link")
_ELEMENT = re.compile(rf"(PPE|SPE\d+|MIC|IOIF[01])(/1)?( ({'|'.join(PARTS)}))?")
_NUMBERED = re.compile(r"(line|ring) \d+")


def check(name: Any) -> None:
    """Check the name of something to highlight. Raises UsageError, which lists what is known."""
    valid = isinstance(name, str) and (
        name in GROUPS or _ELEMENT.fullmatch(name) or _NUMBERED.fullmatch(name)
    )
    if not valid:
        raise UsageError(
            f"{name!r} is nothing to highlight; known are SPE0 and other elements, with one of "
            f"their parts as in 'SPE0 MFC' ({', '.join(PARTS)}), 'line 1', 'ring 2', "
            f"{', '.join(GROUPS)}"
        )
