"""Affinities of a machine: the SPE of each thread, and the hops of messages."""

from collections.abc import Sequence

from cellstats._native import UsageError
from cellstats.core.machine import Hardware
from cellstats.core.pattern import MEMORY, Pattern
from cellstats.core.quantities import parse_count, parse_spes
from cellstats.core.refusal import known_keywords
from cellstats.placement.spe_orders import named_order


@known_keywords()
def affinity(
    machine: Hardware,
    name: str | Sequence[int],
    threads: int | None = None,
    *,
    cells: str | int | None = None,
    seed: int = 0,
) -> tuple[int, ...]:
    """The physical SPE of each thread.

    name: one of `NAMES`; or the SPEs themselves, as a list or a text such as `0,2,4`.
    threads: number of threads; by default as many as there are SPEs.
    cells: as in `Machine.measure`: one Cell's SPEs, or both, this one's first.
    seed: chooses a `default`.

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
    """Hops of each transfer of each phase, the shortest way round the rings.

    >>> import cellstats as cs
    >>> from cellstats.core.pattern_files import pattern
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
