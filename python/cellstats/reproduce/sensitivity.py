"""Sensitivity: all claims measured again, with each guess at both ends of its range.

Rows that cannot depend on a guess (`dependence`) are not measured again: they keep their answers.
The others are as brief as a verdict allows (`brief`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from cellstats._native import RunError, UsageError
from cellstats.core.refusal import known_keywords
from cellstats.measure.dispatch import WorkersError
from cellstats.measure.machine import Machine, what_if
from cellstats.measure.progress import Progress
from cellstats.measure.sweeps import Row
from cellstats.measure.workers import check_workers
from cellstats.reproduce.claims import Claim
from cellstats.reproduce.dependence import may_depend
from cellstats.reproduce.experiments import Answer, Ask
from cellstats.reproduce.guesses import Guess, Leaning, Part, Shift, guesses, parts
from cellstats.reproduce.judging import Judged
from cellstats.reproduce.running import (
    Store,
    answers_of,
    built_in,
    recipe_text,
    results_of,
    runs_of,
)

_TOGETHER = 4000
"""Rows that are measured together, of several guesses: no worker waits for the last row of each."""

_Claims: TypeAlias = Sequence[tuple[Claim, set[Ask]]]
"""Claims, and the rows that answer each."""


@dataclass(frozen=True)
class _End:
    """A guess at one end of its range, on one machine."""

    guess: Guess
    machine: str
    value: int
    there: Machine
    moving: Sequence[tuple[Part, Sequence[Claim]]]
    """The claims that may depend on it."""
    asks: Sequence[Ask]
    """The rows that may change."""

    def machines(self, _name: str) -> Machine:
        """The machine to measure them on."""
        return self.there


@known_keywords()
def leanings(
    judged: Sequence[Judged],
    store: Store | None = None,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> list[Leaning]:
    """Measure the claims again for each guess; the guesses with most changes come first.

    store: keeps every run as soon as it is made, so that after an interrupt only the rest is run.
    jobs, executor: as for `cellstats.measure.workers.run_rows`.
    """
    check_workers(executor, jobs)
    about = _about_machines(parts(judged, store, jobs=jobs, executor=executor))
    every = guesses(sorted(about))
    shifts: dict[str, list[Shift]] = {guess.key: [] for guess in every}
    refused: dict[str, list[tuple[str, float]]] = {guess.key: [] for guess in every}
    ends = []
    for guess in every:
        for machine, value in guess.ends():
            end = _end(guess, machine, value, about[machine])
            if end is None:
                refused[guess.key].append((machine, value))
            elif end.asks:
                ends.append(end)
    counts = {id(end): _count(end) for end in ends}
    with Progress(sum(counts.values()), always=True, what="runs") as bar:
        for some in _together(ends, counts):
            for end, answers in _measured(some, store, bar, jobs=jobs, executor=executor):
                if answers is None:
                    refused[end.guess.key].append((end.machine, end.value))
                    continue
                for part, claims in end.moving:
                    for each in part.judged(claims, answers):
                        before = part.outcomes[each.claim.id]
                        shift = Shift(before, end.value, each.simulated)
                        if shift.flips or shift.moves:
                            shifts[end.guess.key].append(shift)
    found = [Leaning(guess, shifts[guess.key], refused[guess.key]) for guess in every]
    return sorted(found, key=lambda each: (-len(each.flips), -len(each.moves)))


def _about_machines(every: Iterable[Part]) -> dict[str, list[tuple[Part, _Claims]]]:
    """For each machine the parts, and their claims about only this one, with the rows of each."""
    about: dict[str, list[tuple[Part, _Claims]]] = {}
    for part in every:
        needs = [(claim, part.asks_of(claim)) for claim in part.paper.claims]
        for machine in sorted({ask.machine for _, asks in needs for ask in asks}):
            claims = [(c, asks) for c, asks in needs if {ask.machine for ask in asks} == {machine}]
            about.setdefault(machine, []).append((part, claims))
    return about


def _end(
    guess: Guess, machine: str, value: int, about: Sequence[tuple[Part, _Claims]]
) -> _End | None:
    """What there is to measure; None if the machine's other values do not allow this one."""
    try:
        there = what_if(machine, {guess.key: value})
    except UsageError:
        return None
    moving: list[tuple[Part, list[Claim]]] = []
    rows: set[Ask] = set()
    for part, claims in about:
        moved = {
            claim.id: {ask for ask in asks if may_depend(guess.key, ask, there.chips)}
            for claim, asks in claims
        }
        moving.append((part, [claim for claim, _ in claims if moved[claim.id]]))
        rows.update(*moved.values())
    return _End(guess, machine, value, there, moving, sorted(rows, key=repr))


def _count(end: _End) -> int:
    """How many runs it takes: as many as on the machine itself."""
    return len({name for ask in end.asks for name in _names(ask)})


@cache
def _names(ask: Ask) -> tuple[str, ...]:
    return tuple(recipe_text(row) for row in ask.rows(built_in(ask.machine)))


def _together(ends: Iterable[_End], counts: Mapping[int, int]) -> Iterator[list[_End]]:
    some: list[_End] = []
    rows = 0
    for end in ends:
        some.append(end)
        rows += counts[id(end)]
        if rows >= _TOGETHER:
            yield some
            some, rows = [], 0
    if some:
        yield some


def _measured(
    ends: Sequence[_End],
    store: Store | None,
    bar: Progress,
    *,
    jobs: int | None,
    executor: Executor | None,
) -> Iterator[tuple[_End, dict[Ask, Answer] | None]]:
    """The answers of each end; None if a run fails there."""
    plans: list[dict[Ask, list[str]]] = []
    runs: dict[str, Row] = {}
    try:
        for end in ends:
            names, its_runs = runs_of(end.asks, end.machines)
            plans.append(names)
            runs.update(its_runs)
        results = results_of(runs, store, bar, jobs=jobs, executor=executor)
    except WorkersError:
        raise
    except (UsageError, RunError):
        if len(ends) == 1:
            yield ends[0], None
            return
        # One by one, to see whose it is. What is finished is in the store.
        for end in ends:
            yield from _measured([end], store, bar, jobs=jobs, executor=executor)
        return
    for end, names in zip(ends, plans, strict=True):
        try:
            yield end, answers_of(names, end.machines, results, store)
        except (UsageError, RunError):
            yield end, None
