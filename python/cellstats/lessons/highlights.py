"""What a step may highlight: elements and their parts, rings, cache lines.

page/src/lessons/spotlight.ts finds the same names in the picture.
"""

import re
from typing import Any

from cellstats._native import UsageError
from cellstats.core.words import did_you_mean
from cellstats.lessons.quantities import Situation

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


def find(name: str, here: Situation) -> None:
    """Check that a valid name is on the machine and in the window. Raises UsageError otherwise."""
    head, _, rest = name.partition(" ")
    data = here.data
    if head == "line":
        here.value(f"{name} hops")
    elif head == "ring" and int(rest) >= len(data["rings"]):
        raise UsageError(f"highlight: {name!r}: the rings are 0 to {len(data['rings']) - 1}")
    elif name == "link" and data["chips"] == 1:
        raise UsageError("highlight: 'link' joins two chips; this machine has one")
    elif head not in ("ring", *GROUPS, *data["elements"]):
        known = did_you_mean(head, list(data["elements"]))
        raise UsageError(f"highlight: {head!r} is not on this machine; {known}")
