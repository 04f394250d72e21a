"""How long a pattern takes on each of many placements, on all processors."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from cellstats import _native
from cellstats.machine import Machine
from cellstats.measure.pool import usable_cpus
from cellstats.patterns import Pattern

_CHUNK = 32
"""Placements that a thread is given at a time: a fraction of a second."""


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
    >>> from cellstats.patterns import pattern
    >>> board, ring = cs.machine("eval-board"), pattern("ring", threads=2, size="1k")
    >>> there, back = times(board, ring, [(0, 1), (1, 0)])
    >>> there == back
    True
    """
    native = pattern.to_native()
    listed = [list(spes) for spes in placements]
    same_as = _native.same_runs(machine.native, native, listed)
    different = sorted(set(same_as))
    chunks = [different[start : start + _CHUNK] for start in range(0, len(different), _CHUNK)]
    stop = threading.Event()

    def run(chunk: list[int]) -> list[int]:
        spes = [listed[number] for number in chunk]
        return _native.exchange_times(
            machine.native, native, spes, iterations=iterations, memory=memory, stop=stop
        )

    found: dict[int, int] = {}
    with ThreadPoolExecutor(jobs or usable_cpus(), thread_name_prefix="cellstats") as threads:
        try:
            for chunk, cycles in zip(chunks, threads.map(run, chunks), strict=True):
                found.update(zip(chunk, cycles, strict=True))
                advance(len(found), len(different))
        except BaseException:
            stop.set()
            raise
    return [found[number] for number in same_as]


def bandwidth_gb_s(machine: Machine, pattern: Pattern, cycles: int, iterations: int = 1) -> float:
    """What all threads together move, GB = 10^9 bytes, if it takes so many bus cycles."""
    return pattern.total_bytes * iterations / (cycles / machine.bus_hz) / 1e9
