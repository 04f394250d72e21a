"""What a measurement of this computer refuses: what only a Cell has, and what does not go
together.

Also the groups of FUNCTIONs that such rules are about.
"""

from collections.abc import Mapping
from typing import Any

from cellstats._native import UsageError
from cellstats.parameters import named

MAIL = ("mailbox", "signal")
DMA = ("dmaget", "dmaput")
LISTS = ("dmalistget", "dmalistput")
ATOMIC = ("fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset")
TRAFFIC = ("hotspot", "complement", "pairwise", "uniform", "couples", "cycle")
ACCESSES = ("load", "store", "copy")
MOVES_DATA = (*DMA, *LISTS, *TRAFFIC, *ACCESSES, "exchange")

_CELL_ONLY = {
    "cells": "a computer has no Cells; --spes says which cores, --memory which NUMA node",
    "threads": "these are a PPE's; give -n for cores",
    "spe_program": "there are no SPEs to run it; leave it out",
    "histogram": "results of the host hold every sample anyhow (--format json); leave it out",
}


def refuse(function: str, values: Mapping[str, Any]) -> None:
    """Raise UsageError for what does not go together, or is not of this computer."""
    for name, why in _CELL_ONLY.items():
        row = named(name)
        if row is not None and values[name] not in (None, False, row.default):
            raise UsageError(f"{flag_of(name)} with --machine host: {why}")
    private, apart = values["private"], values["spe_to_spe"]
    buffers = function in (*DMA, *LISTS, *ATOMIC)
    moves = function in (*DMA, *LISTS, *TRAFFIC)
    size, stride = values["size"], values["stride"]
    rules = [
        (not values["fast_forward"], "--no-fast-forward", "nothing is simulated here"),
        (values["spe_program"] != "builtin", "--spe-program", "there are no SPEs, leave it out"),
        (private and not buffers, "-N", "only DMA and atomic functions share or not, give -n"),
        (apart and not (buffers or function in MAIL), "-s", "it says nothing here, leave it out"),
        (apart and function in ATOMIC, "-s", "a variable is in memory, leave -s out"),
        (size is not None and function not in MOVES_DATA, "-b", "nothing has a size here"),
        (
            bool(values["list_elements"]) and function not in (*LISTS, *TRAFFIC),
            "-l",
            "only dmalistget, dmalistput and patterns use lists",
        ),
        (stride is not None and not private, "-t", "it is between private buffers, give -N"),
        (
            values["ppe"] != "library" and function not in MAIL,
            "--ppe",
            "only mailboxes and signals take one way or another",
        ),
        (values["batch"] is not None and not moves, "--batch", "only DMA functions are batched"),
        (
            values["op"] is not None and function not in TRAFFIC,
            "--op",
            "only patterns of traffic can go either way",
        ),
        (
            values["target"] is not None and function != "hotspot",
            "--target",
            "only a hotspot has a target to choose",
        ),
        (
            values["level"] is not None and function not in ACCESSES,
            "--level",
            "only load, store and copy have a level",
        ),
        (
            values["pattern"] is not None and function != "exchange",
            "--pattern",
            "only an exchange has one, leave it out",
        ),
        (
            values["pattern"] is None and function == "exchange",
            "--pattern",
            "say what is exchanged, such as --pattern ring",
        ),
        (
            values["signal_mode"] is not None and function != "signal",
            "--signal-mode",
            "only signals have one",
        ),
        (
            values["non_temporal"] and not (moves or function in ("store", "copy")),
            "--non-temporal",
            "nothing is stored in bulk here, leave it out",
        ),
    ]
    for broken, flag, why in rules:
        if broken:
            raise UsageError(f"{flag} with {function} on the host: {why}")


def flag_of(name: str) -> str:
    """What the command line calls a keyword."""
    row = named(name)
    return row.flag if row else name
