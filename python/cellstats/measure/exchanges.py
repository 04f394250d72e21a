"""Simulates the duration of a pattern with each of many placements."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor

from cellstats.core.refusal import known_keywords
from cellstats.measure import simulated_search
from cellstats.measure.machine import Machine
from cellstats.patterns import Pattern


@known_keywords()
def times(
    machine: Machine,
    pattern: Pattern,
    placements: Sequence[Sequence[int]],
    *,
    iterations: int = 1,
    memory: str = "0",
    executor: Executor | None = None,
    jobs: int | None = None,
    advance: Callable[[int, int], object] = lambda _done, _all: None,
) -> list[int]:
    """For each placement, the bus cycles that the slowest SPE takes for all iterations.

    Each run is the same as with `machine.measure("exchange", ...)`. Placements that differ only by
    swapping equal threads share one run.

    placements: for each placement, the physical SPE of each thread.
    iterations: iterations of the pattern in a run.
    memory: as for `Machine.measure`.
    executor, jobs: where to run the simulations, as for `cellstats.sweep`.
    advance: called from time to time with the number of finished placements and the number of all.

    Raises UsageError for an invalid pattern or placement, RunError when a run fails.

    >>> import cellstats as cs
    >>> from cellstats.patterns import pattern
    >>> board, ring = cs.machine("eval-board"), pattern("ring", threads=2, size="1k")
    >>> there, back = times(board, ring, [(0, 1), (1, 0)])
    >>> there == back
    True
    """
    done = 0

    def finished(cycles: Mapping[int, int]) -> None:
        nonlocal done
        done += len(cycles)
        advance(done, len(placements))

    return simulated_search.times(
        machine.native,
        pattern,
        placements,
        iterations=iterations,
        memory=memory,
        jobs=jobs,
        executor=executor,
        source=machine.source,
        finished=finished,
    )


def bandwidth_gb_s(machine: Machine, pattern: Pattern, cycles: int, iterations: int = 1) -> float:
    """Bandwidth of all threads together in GB/s, GB = 10^9 bytes.

    cycles: bus cycles of all `iterations`, from `times`.
    """
    return pattern.total_bytes * iterations / (cycles / machine.bus_hz) / 1e9
