"""How long a pattern takes on each of many placements, on all processors."""

from collections.abc import Callable, Sequence

from cellstats.machine import Machine
from cellstats.patterns import Pattern
from cellstats.placement import exchange_times


def times(
    machine: Machine,
    pattern: Pattern,
    placements: Sequence[Sequence[int]],
    *,
    iterations: int = 1,
    memory: str = "0",
    jobs: int | None = None,
    advance: Callable[[int, int], object] = lambda _done, _all: None,
) -> list[int]:
    """Bus cycles of `iterations` iterations on each placement: the longest that an SPE takes.

    It is what `machine.measure("exchange", ...)` runs. Placements that only call SPEs by other
    threads are one run, exactly, which is made once.

    jobs: threads; by default one for each processor.
    advance: told now and then how many runs are done, and of how many.

    Raises UsageError for a pattern or placement that cannot be, RunError when a run fails.

    >>> import cellstats as cs
    >>> from cellstats.placement.pattern_choice import pattern
    >>> board, ring = cs.machine("eval-board"), pattern("ring", threads=2, size="1k")
    >>> there, back = times(board, ring, [(0, 1), (1, 0)])
    >>> there == back
    True
    """
    return exchange_times.times(
        machine.native,
        pattern,
        placements,
        iterations=iterations,
        memory=memory,
        jobs=jobs,
        advance=advance,
    )


def bandwidth_gb_s(machine: Machine, pattern: Pattern, cycles: int, iterations: int = 1) -> float:
    """What all threads together move, GB = 10^9 bytes, if it takes so many bus cycles."""
    return pattern.total_bytes * iterations / (cycles / machine.bus_hz) / 1e9
