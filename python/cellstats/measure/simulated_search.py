"""Finds the best placement by simulation.

`times` simulates a pattern with many placements, on all processors. If there are few placements,
`by_simulation` simulates every one; otherwise, it starts a local search from good placements.
"""

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace

from cellstats import _native
from cellstats.assignment import Found, search_local
from cellstats.core.machine import Hardware
from cellstats.core.pattern import Pattern
from cellstats.core.quantities import format_latency
from cellstats.measure.workers import run_calls
from cellstats.placement.search import (
    SIMULATED_BYTES_MAX,
    Placement,
    Task,
    by_model,
)

_CHUNK = 32
"""Number of placements that a thread simulates in one call, in a fraction of a second."""
_EVALUATIONS = 400
"""Number of placements that a search simulates, unless there are few or the user says how many."""
_STARTS = 10
"""Number of descents of a search, unless the user limits the evaluations instead."""
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
    settle: bool = False,
    finished: Callable[[Mapping[int, int]], object] = lambda _: None,
) -> list[int]:
    """For each placement, the bus cycles that the slowest SPE takes for all iterations.

    Same as `cellstats.measure.exchanges.times`, but takes a machine of the compiled simulator.

    source: the `Machine.source` from which an executor's workers make the machine.
    settle: whether runs skip the rest once they have settled.
    finished: called from time to time with new times, by the index of the placement.
    """
    plain = {"pattern": pattern.to_request(), "iterations": iterations, "memory": memory}
    plain |= {"settle": settle}
    text = json.dumps({"function": "exchange", **plain})
    request = _native.Request(machine, text)
    listed = [list(spes) for spes in placements]
    same_as = request.same_runs(listed)
    sharing: dict[int, list[int]] = {}
    for number, first in enumerate(same_as):
        sharing.setdefault(first, []).append(number)
    different = sorted(sharing)
    chunks = [different[start : start + _CHUNK] for start in range(0, len(different), _CHUNK)]
    found: dict[int, int] = {}

    def take(nth: int, cycles: list[int]) -> None:
        new = {
            number: each
            for first, each in zip(chunks[nth], cycles, strict=True)
            for number in sharing[first]
        }
        found.update(new)
        finished(new)

    parts = [[listed[number] for number in chunk] for chunk in chunks]
    if executor is None:
        here = {nth: (part,) for nth, part in enumerate(parts)}
        run_calls(request.times, here, take, jobs=jobs)
    else:
        there = {nth: (source, text, part) for nth, part in enumerate(parts)}
        run_calls(times_there, there, take, executor=executor, jobs=jobs)
    return [found[number] for number in range(len(listed))]


def times_there(source: Sequence[str], text: str, placements: list[list[int]]) -> list[int]:
    """Simulate placements on a worker; a module-level function, so that it can be pickled.

    source: name of a built-in machine, or text and name of a machine file (`Machine.source`).
    """
    return _native.Request(Hardware.from_source(*source).native, text).times(placements)


def fastest_folding(task: Task) -> Task:
    """The task with the groups that simulate faster, its own or those of consecutive threads.

    Fewer bytes between groups may take longer, for example if each group sends to more others.
    """
    folded = task.folded
    if folded is None or folded.in_blocks is None or folded.grouping == folded.in_blocks.grouping:
        return task
    blocks = replace(task, pattern=folded.in_blocks.pattern, folded=folded.in_blocks)
    if max(each.pattern.total_bytes for each in (task, blocks)) > SIMULATED_BYTES_MAX:
        return task
    return min((task, blocks), key=_shortest)


def _shortest(task: Task) -> int:
    """Bus cycles of one iteration with the model's placement, or with none if that is faster."""
    modelled = task.on_spes(by_model(task, None).placement)
    placements = [modelled, tuple(task.spes[: task.pattern.threads])]
    return min(times(task.machine, task.pattern, placements, memory=task.memory))


class Course:
    """The course of a task: how many placements are and will be simulated, and the best so far.

    afterwards: number of placements with which the result of the search is compared.
    """

    def __init__(self, task: Task, afterwards: int) -> None:
        self._task, self._afterwards = task, afterwards
        self._done = self._total = self._tried = self._to_try = 0
        self._best: tuple[int, Placement] | None = None

    def search(self, to_try: int, finalists: int = 0) -> None:
        """Say how many placements the search tries, and how many of them it compares."""
        self._to_try = to_try
        self._total = to_try + finalists + self._afterwards
        self._task.advance(self._done, self._total)

    def simulated(
        self, placements: Sequence[Placement], iterations: int = 1, *, trying: bool = False
    ) -> list[int]:
        """Costs of placements, as simulated bus cycles of all iterations together.

        trying: one of them may be the best, after one iteration.
        """
        task = self._task

        def finished(cycles: Mapping[int, int]) -> None:
            self._done += len(cycles)
            if trying:
                self._tried += len(cycles)
                nth = min(cycles, key=lambda nth: (cycles[nth], nth))
                if self._best is None or cycles[nth] < self._best[0]:
                    self._best = cycles[nth], placements[nth]
            task.advance(self._done, self._total)

        return times(
            task.machine,
            task.pattern,
            placements,
            iterations=iterations,
            memory=task.memory,
            jobs=task.jobs,
            executor=task.executor,
            source=task.source,
            settle=task.settle,
            finished=finished,
        )

    def compare(self) -> None:
        """Say that the search is over, maybe with fewer placements than it might have tried."""
        self._total = self._done + self._afterwards

    def so_far(self) -> str:
        """What was tried, and the best placement if there is one."""
        tried = f"{self._tried} of {self._to_try} placements were tried"
        if self._best is None:
            return tried if self._to_try else "no placement was simulated"
        cycles, placement = self._best
        takes = format_latency(cycles / self._task.machine.bus_hz * 1e9)
        return f"{tried}; the best takes {takes}: --placement {','.join(map(str, placement))}"


def by_simulation(task: Task, evaluations: int | None, course: Course) -> Found:
    """Find the best placement by simulating all of them, or by a search if there are too many.

    If few placements exist, the fastest of those that were tried are compared by longer runs.
    evaluations: maximum number of placements to try, or None for the default.
    """
    threads, spes, is_few = task.pattern.threads, task.spes, task.tries_all(None)
    seen: dict[tuple[int, ...], int] = {}

    def costs(cores: list[tuple[int, ...]]) -> list[int]:
        cycles = course.simulated([task.on_spes(each) for each in cores], trying=True)
        seen.update(zip(cores, cycles, strict=True))
        return cycles

    if task.tries_all(evaluations):
        course.search(task.count, min(_FINALISTS, task.count))
        costs(list(itertools.permutations(range(len(spes)), threads)))
    else:
        limit, starts = _EVALUATIONS, _STARTS
        if evaluations is not None:
            limit = starts = evaluations
        course.search(limit, min(_FINALISTS, limit) if is_few else 0)
        first = [by_model(task, None).placement, tuple(range(threads))]
        first += [tuple(spes.index(spe) for spe in each) for each in task.named().values()]
        found = search_local(
            costs,
            threads,
            len(spes),
            seed=task.seed,
            starts=starts,
            evaluations=limit,
            first=first,
            batch=64,
        )
        if not is_few:
            return found
    finalists = sorted(seen, key=lambda cores: (seen[cores], cores))[:_FINALISTS]
    longer = course.simulated([task.on_spes(each) for each in finalists], task.iterations)
    nth = min(range(len(finalists)), key=lambda nth: (longer[nth], nth))
    return Found(finalists[nth], longer[nth], len(seen))
