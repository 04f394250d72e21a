"""Affinities: orders in which threads occupy SPEs, with the names used in sudheer2009.

The paper lists the names and draws the chip, but does not list the SPEs. The orders here are
derived from the order of the elements on the rings:

    PPE  SPE1 SPE3 SPE5 SPE7 IOIF1  clockwise
    MIC  SPE0 SPE2 SPE4 SPE6 IOIF0  and back

The *ring order* of the SPEs begins at SPE 0 and leads away from the memory controller: 0 2 4 6 7 5
3 1. The last column lists the hops of the pattern `ring` with eight threads, thread i to i + 1:

    identity  thread i on SPE i                         0 1 2 3 4 5 6 7    3 4 5 6 5 4 3 6
    ring      the ring order: threads i and i + 1 are   0 2 4 6 7 5 3 1    1 1 1 3 1 1 1 3
              neighbours
    evenodd   even threads on the first half of the     0 4 1 5 2 6 3 7    2 5 2 6 2 5 2 6
              SPEs by number, odd ones on the second
    overlap   the two halves of the ring order in       0 7 2 5 4 3 6 1    6 5 6 5 6 5 6 3
              turn: all routes overlap
    leap2     every other SPE of the ring order, then   0 4 7 3 1 5 6 2    2 4 2 1 2 4 2 1
              the remaining SPEs backwards
    default   random by a seed, like an operating system without affinity

`model` is the placement that the search of `cellstats.place(…, by="model")` finds for a pattern.

On a machine with fewer SPEs, each order skips the missing SPEs. On two chips, both chips have the
same order, and the first threads are on the first chip. The affinity `default` mixes the chips.
"""

from collections.abc import Sequence

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.machine import Hardware
from cellstats.core.pattern import Pattern
from cellstats.core.pattern_pairs import MEMORY
from cellstats.core.quantities import parse_count, parse_spes
from cellstats.core.refusal import known_keywords
from cellstats.core.words import did_you_mean

NAMES = (*_native.affinity_names(), "default")
"""Names of the affinities."""


def named_order(
    machine: _native.Machine,
    name: str,
    threads: int | None,
    cells: str | None,
    seed: int = 0,
) -> tuple[int, ...]:
    """Physical SPE of each thread in a named affinity.

    threads, cells, seed: as for `affinity`.

    Raises UsageError for an unknown name, and for more threads than SPEs.
    """
    if name not in NAMES:
        raise UsageError(f"unknown affinity {name!r}; {did_you_mean(name, NAMES)}, or a list")
    chips = _chips(machine, cells)
    most = sum(machine.chip_of(spe) in chips for spe in machine.spes)
    count = most if threads is None else parse_count(threads, "threads")
    if count > most:
        raise UsageError(
            f"{count} threads: {machine.name} has {most} SPEs to use, give 1 to {most}"
        )
    if name == "default":
        return tuple(machine.random_placement(count, seed, cells))
    return tuple(machine.affinity(name, chips) or ())[:count]


def _chips(machine: _native.Machine, cells: str | None) -> list[int]:
    """The Cells to use, in order."""
    every = list(range(machine.chips))
    chosen = {None: every, "0": [0], "1": [1], "01": [0, 1], "10": [1, 0]}.get(cells)
    if chosen is None or not set(chosen) <= set(every):
        known = "0" if machine.chips == 1 else "0, 1, 01 or 10"
        raise UsageError(f"cells {cells!r}: {machine.name} has {machine.chips}, give {known}")
    return chosen


@known_keywords()
def affinity(
    machine: Hardware,
    name: str | Sequence[int],
    threads: int | None = None,
    *,
    cells: str | int | None = None,
    seed: int = 0,
) -> tuple[int, ...]:
    """Physical SPE of each thread.

    name: one of `NAMES`, or the SPEs as a list or a text such as `0,2,4`.
    threads: number of threads; by default, the number of SPEs.
    cells: the Cells to use, in order, as for `Machine.measure`.
    seed: chooses the placement of `default`.

    Raises UsageError for an unknown name, and for more threads than SPEs.

    >>> import cellstats as cs
    >>> affinity(cs.machine("eval-board"), "ring")
    (0, 2, 4, 6, 7, 5, 3, 1)
    """
    if not isinstance(name, str) or name[:1].isdecimal():
        listed = parse_spes(name, "affinity") if isinstance(name, str) else list(name)
        count = len(listed) if threads is None else parse_count(threads, "threads")
        if count > len(listed):
            raise UsageError(f"affinity of {len(listed)} SPEs for {count} threads; name {count}")
        return tuple(listed[:count])
    return named_order(machine.native, name, threads, None if cells is None else str(cells), seed)


def hops(machine: Hardware, pattern: Pattern, placement: Sequence[int]) -> list[list[int]]:
    """Number of hops of each transfer in each phase, in the shorter direction around the rings.

    >>> import cellstats as cs
    >>> from cellstats.patterns import pattern
    >>> board = cs.machine("eval-board")
    >>> hops(board, pattern("ring"), affinity(board, "leap2"))
    [[2, 4, 2, 1, 2, 4, 2, 1]]
    """
    if len(placement) < pattern.threads:
        raise UsageError(
            f"a placement of {len(placement)} SPEs for {pattern.threads} threads; name all"
        )
    spes: dict[object, int | None] = {MEMORY: None, **dict(enumerate(placement))}
    return [
        [machine.native.hops(spes[t.source], spes[t.destination]) for t in phase.transfers]
        for phase in pattern.phases
    ]
