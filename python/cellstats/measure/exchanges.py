"""Times of a pattern with each of many placements, simulated on all processors."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cellstats.core.patterns import Pattern
from cellstats.core.refusal import known_keywords
from cellstats.measure import simulated_search as exchange_times
from cellstats.measure.machine import Machine

if TYPE_CHECKING:
    from concurrent.futures import Executor

if TYPE_CHECKING:
    from concurrent.futures import Executor


@known_keywords()
def times(
    machine: Machine,
    pattern: Pattern,
    placements: Sequence[Sequence[int]],
    *,
    iterations: int = 1,
    memory: str = "0",
    executor: "Executor | None" = None,
    jobs: int | None = None,
    advance: Callable[[int, int], object] = lambda _done, _all: None,
) -> list[int]:
    """Bus cycles of all iterations with each placement: the time of the slowest SPE.

    The runs are those of `machine.measure("exchange", ...)`. Placements that differ only in the
    numbers of equal threads are one run, which is made once.

    placements: each the physical SPE of each thread.
    iterations: iterations of the pattern in a run.
    memory: as for `Machine.measure`.
    executor, jobs: where the runs are made, as for `cellstats.sweep`.
    advance: called now and then with the number of finished runs, and of all runs.

    Raises UsageError for a pattern or placement that cannot be, RunError when a run fails.

    >>> import cellstats as cs
    >>> from cellstats.core.patterns import pattern
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
        executor=executor,
        source=machine.source,
        advance=advance,
    )


def bandwidth_gb_s(machine: Machine, pattern: Pattern, cycles: int, iterations: int = 1) -> float:
    """Bandwidth of all threads together in GB/s, GB = 10^9 bytes.

    cycles: bus cycles of all `iterations`, as `times` answers them.
    """
    return pattern.total_bytes * iterations / (cycles / machine.bus_hz) / 1e9
