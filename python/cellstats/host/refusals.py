"""What a measurement of this computer refuses: what only a Cell has, and what does not go
together.

Also the groups of FUNCTIONs that such rules are about.
"""

from collections.abc import Mapping
from typing import Any

from cellstats import _native
from cellstats.parameters import PARAMETERS, named
from cellstats.refusal import refusal

MAIL = ("mailbox", "signal")
DMA = ("dmaget", "dmaput")
LISTS = ("dmalistget", "dmalistput")
ATOMIC = ("fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset")
TRAFFIC = ("hotspot", "complement", "pairwise", "uniform", "couples", "cycle")
ACCESSES = ("load", "store", "copy")
MOVES_DATA = (*DMA, *LISTS, *TRAFFIC, *ACCESSES, "exchange")

CELL_ONLY = {
    "cells": "a computer has no Cells; --spes says which cores, --memory which NUMA node",
    "threads": "these are a PPE's; give {spes} for cores",
    "spe_program": "there are no SPEs to run it; leave it out",
    "histogram": "results of the host hold every sample anyhow (--format json); leave it out",
}
"""Why the host has not what only a Cell has."""

PARTICULAR = (
    "private",
    *(row.name for row in PARAMETERS if row.particular and row.name not in CELL_ONLY),
)
"""Parameters that not every FUNCTION has."""


def refuse(function: str, values: Mapping[str, Any]) -> None:
    """Raise UsageError for what does not go together, or is not of this computer.

    Which FUNCTION has which parameter is known where the simulated ones are known.
    """
    for name, why in CELL_ONLY.items():
        if _asked(name, values[name]):
            raise refusal(why, name, with_="{machine} host")
    if not values["fast_forward"]:
        raise refusal("nothing is simulated here", "fast_forward", with_=f"{function} on the host")
    _native.refuse_on_host(function, [name for name in PARTICULAR if _asked(name, values[name])])
    if values["stride"] is not None and not values["private"]:
        reason = "it is between private buffers, give {private}"
        raise refusal(reason, "stride", with_=f"{function} on the host")
    if values["pattern"] is None and function == "exchange":
        reason = "say what is exchanged, such as {pattern} ring"
        raise refusal(reason, "pattern", with_=f"{function} on the host")


def _asked(name: str, value: Any) -> bool:
    """Whether a value is not what everybody has."""
    row = named(name)
    return value is not None and value is not False and value != (row.default if row else None)
