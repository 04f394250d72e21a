"""Print the table of docs/spe-programs.md that compares the FUNCTIONs in C with the built-in ones.

    python programs/compare.py [--machine ps3] [-i 2k]

Every row is a group of measurements. A point of a group is one number of SPEs with one size. The
first point has the fewest SPEs and the smallest size. The programs in C build their DMA lists
before they measure, so building lists takes no time in the built-in program either.
"""

import argparse
from collections.abc import Mapping
from typing import Any

import cellstats as cs

SPES = "1..6"
PAIRS = "2,4,6"
SIZES = "128..16k"
ATOMIC = ("fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset")

# The measurements: a name, the function, and its axes.
GROUPS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("threads", "mkthread", {"spes": SPES}),
    ("PPE, library", "mailbox", {"spes": SPES}),
    ("PPE, registers", "mailbox", {"spes": SPES, "ppe": "mmio"}),
    ("SPEs", "mailbox", {"spes": PAIRS, "spe_to_spe": True}),
    ("PPE, library", "signal", {"spes": SPES}),
    ("PPE, registers", "signal", {"spes": SPES, "ppe": "mmio"}),
    ("SPEs", "signal", {"spes": PAIRS, "spe_to_spe": True}),
    *(
        (what, function, {"size": SIZES, **axes})
        for function in ("dmaget", "dmaput")
        for what, axes in (
            ("shared", {"spes": SPES}),
            ("private", {"spes": SPES, "private": True}),
            ("SPEs, shared", {"spes": "2..6", "spe_to_spe": True}),
            ("batches of 16", {"spes": SPES, "batch": 16}),
        )
    ),
    *(
        (what, function, {"size": "128..2k", "list_elements": "1..16", **axes})
        for function in ("dmalistget", "dmalistput")
        for what, axes in (
            ("shared", {"spes": "1,2,6"}),
            ("private", {"spes": "1,2,6", "private": True}),
        )
    ),
    *(
        (what, function, axes)
        for function in ATOMIC
        for what, axes in (
            ("shared", {"spes": SPES}),
            ("private", {"spes": SPES, "private": True}),
        )
    ),
)

HEAD = ("FUNCTION", "with", "points", "within 3 %", "the first, ns", "in C", "least", "most", "at")
CLOSE_PERCENT = 3


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, add_help=True)
    parser.add_argument("--machine", default="ps3")
    parser.add_argument("-i", "--iterations", default="2k")
    given = parser.parse_args()
    print("| " + " | ".join(HEAD) + " |")
    print("|" + "---|" * len(HEAD))
    # Programs in C build their DMA lists before they measure.
    machine = cs.machine(given.machine, {"software.list_spu_cycles": 0})
    common = {"machine": machine, "iterations": given.iterations}
    for what, function, axes in GROUPS:
        print("| " + " | ".join(_row(what, function, axes, common)) + " |", flush=True)


def _row(what: str, function: str, axes: dict[str, Any], common: Mapping[str, Any]) -> list[str]:
    def sweep(spe_program: str) -> list[cs.Result]:
        return list(cs.sweep(function, **axes, **common, spe_program=spe_program))

    pairs = list(zip(sweep("builtin"), sweep("c"), strict=True))
    differences = [(100 * (c.latency_ns / own.latency_ns - 1), own) for own, c in pairs]
    least, most = (choose(differences, key=_first) for choose in (min, max))
    farthest = max((least, most), key=lambda pair: abs(pair[0]))[1]
    own, c = pairs[0]
    place = f"{farthest.spes} SPE{'s' if farthest.spes > 1 else ''}"
    if farthest.size_bytes is not None:
        elements = f"{farthest.list_elements} x " if farthest.list_elements else ""
        place += f", {elements}{farthest.size_bytes} B"
    numbers = (f"{own.latency_ns:.1f}", f"{c.latency_ns:.1f}")
    signed = (f"{least[0]:+.1f} %", f"{most[0]:+.1f} %")
    close = sum(abs(difference) <= CLOSE_PERCENT for difference, _ in differences)
    return [f"`{function}`", what, str(len(pairs)), str(close), *numbers, *signed, place]


def _first(pair: tuple[float, cs.Result]) -> float:
    return pair[0]


if __name__ == "__main__":
    main()
