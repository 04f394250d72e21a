"""Finds the best placement by simulation.

`times` simulates a pattern with many placements, on all processors. If there are few placements,
`by_simulation` simulates every one; otherwise, it starts a local search from good placements.
"""

import itertools
import json
from collections.abc import Callable, Sequence
from concurrent.futures import Executor

from cellstats import _native
from cellstats.core.machine import Hardware
from cellstats.core.pattern import Pattern
from cellstats.measure.workers import run_calls
from cellstats.placement.search import (
    ALL_MAX,
    EVALUATIONS,
    FINAL_ITERATIONS,
    Placement,
    Task,
    by_model,
)
from cellstats.placement.solvers import Found, search_local

_CHUNK = 32
"""Number of placements that a thread simulates in one call, in a fraction of a second."""
_FINALISTS = 32
"""Number of placements that are simulated again with more iterations."""


def times(
    machine: _native.Machine,
    pattern: Pattern,
    placements: Sequence[Sequence[int]],
    *,
    iterations: int = 1,
    memory: str = "0",
    jobs: int | None = None,
    executor: Executor | None = None,
    source: Sequence[str] = (),
    advance: Callable[[int, int], object] = lambda _done, _all: None,
) -> list[int]:
    """For each placement, the bus cycles that the slowest SPE takes for all iterations.

    Same as `cellstats.measure.exchanges.times`, but takes a machine of the compiled simulator.

    source: the `Machine.source` from which an executor's workers make the machine.
    """
    plain = {"pattern": pattern.to_request(), "iterations": iterations, "memory": memory}
    text = json.dumps({"function": "exchange", **plain})
    request = _native.Request(machine, text)
    listed = [list(spes) for spes in placements]
    same_as = request.same_runs(listed)
    different = sorted(set(same_as))
    chunks = [different[start : start + _CHUNK] for start in range(0, len(different), _CHUNK)]
    found: dict[int, int] = {}

    def finished(nth: int, cycles: list[int]) -> None:
        found.update(zip(chunks[nth], cycles, strict=True))
        advance(len(found), len(different))

    parts = [[listed[number] for number in chunk] for chunk in chunks]
    if executor is None:
        here = {nth: (part,) for nth, part in enumerate(parts)}
        run_calls(request.times, here, finished, jobs=jobs)
    else:
        there = {nth: (source, text, part) for nth, part in enumerate(parts)}
        run_calls(times_there, there, finished, executor=executor, jobs=jobs)
    return [found[number] for number in same_as]


def times_there(source: Sequence[str], text: str, placements: list[list[int]]) -> list[int]:
    """Simulate placements on a worker; a module-level function, so that it can be pickled.

    source: name of a built-in machine, or text and name of a machine file (`Machine.source`).
    """
    return _native.Request(Hardware.from_source(*source).native, text).times(placements)


def simulated(task: Task, placements: Sequence[Placement], iterations: int = 1) -> list[int]:
    """Costs of placements, as simulated bus cycles of all iterations together."""
    return times(
        task.machine,
        task.pattern,
        placements,
        iterations=iterations,
        memory=task.memory,
        jobs=task.jobs,
        executor=task.executor,
        source=task.source,
        advance=task.advance,
    )


def by_simulation(task: Task, evaluations: int | None) -> Found:
    """Find the best placement by simulating all of them, or by a search if there are too many.

    Without a search, the fastest placements are compared by longer runs. evaluations: maximum
    number of simulated placements in a search, or None for the default.
    """

    def costs(cores: list[tuple[int, ...]]) -> list[int]:
        return simulated(task, [task.on_spes(each) for each in cores])

    threads, spes = task.pattern.threads, task.spes
    if task.count <= ALL_MAX:
        every = list(itertools.permutations(spes, threads))
        cycles = simulated(task, every)
        order = sorted(range(len(every)), key=lambda nth: (cycles[nth], nth))[:_FINALISTS]
        finalists = [every[nth] for nth in order]
        longer = simulated(task, finalists, FINAL_ITERATIONS)
        nth = min(range(len(finalists)), key=lambda nth: (longer[nth], nth))
        cores = tuple(spes.index(spe) for spe in finalists[nth])
        return Found(cores, longer[nth], len(every))
    limit = EVALUATIONS["simulation"] if evaluations is None else evaluations
    first = [by_model(task, None).placement, tuple(range(threads))]
    first += [tuple(spes.index(spe) for spe in each) for each in task.named().values()]
    return search_local(
        costs, threads, len(spes), seed=task.seed, evaluations=limit, first=first, batch=64
    )
