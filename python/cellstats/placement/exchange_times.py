"""Times of a pattern with each of many placements, simulated on all processors."""

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from cellstats import _native
from cellstats.measure.processors import usable_cpus
from cellstats.placement.messages import Pattern

_CHUNK = 32
"""Placements that a thread gets at a time; they take a fraction of a second."""


def times(
    machine: _native.Machine,
    pattern: Pattern,
    placements: Sequence[Sequence[int]],
    *,
    iterations: int = 1,
    memory: str = "0",
    jobs: int | None = None,
    advance: Callable[[int, int], object] = lambda _done, _all: None,
) -> list[int]:
    """Bus cycles of `iterations` iterations on each placement: the longest that an SPE takes.

    As `cellstats.exchanges.times`, for a machine of the compiled simulator.
    """
    plain = {"pattern": pattern.to_request(), "iterations": iterations, "memory": memory}
    request = _native.Request(machine, json.dumps({"function": "exchange", **plain}))
    listed = [list(spes) for spes in placements]
    same_as = request.same_runs(listed)
    different = sorted(set(same_as))
    chunks = [different[start : start + _CHUNK] for start in range(0, len(different), _CHUNK)]
    stop = threading.Event()

    def run(chunk: list[int]) -> list[int]:
        return request.times([listed[number] for number in chunk], stop)

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
