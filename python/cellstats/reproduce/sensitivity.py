"""Sensitivity analysis, which measures all claims again with each guess at both ends of its range.

Experiments that cannot depend on a guess (`dependence`) keep their rows and are not measured again.
Long experiments are shortened (`short_runs`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from cellstats._native import RunError, UsageError
from cellstats.core.refusal import known_keywords
from cellstats.measure.dispatch import WorkersError
from cellstats.measure.machine import Machine
from cellstats.measure.progress import Progress
from cellstats.measure.sweeps import Row as Run
from cellstats.measure.workers import check_workers
from cellstats.reproduce.claims import Claim
from cellstats.reproduce.dependence import may_depend
from cellstats.reproduce.experiments import Experiment, Row
from cellstats.reproduce.guesses import Guess, guesses
from cellstats.reproduce.runs import (
    Store,
    built_in,
    recipe_text,
    results_of,
    rows_of,
    runs_of,
)
from cellstats.reproduce.short_runs import Baseline, baselines
from cellstats.reproduce.verdicts import Judged, Outcome

MOVES = 0.05
"""Minimum relative change of a claim's number that counts as a dependence on a guess."""
_TOGETHER = 4000
"""Minimum number of runs in one pool. A pool combines several guesses, so that workers do not idle
while the last runs of one guess end."""


@dataclass(frozen=True)
class Change:
    """Effect of a guess, set to one end of its range, on a claim."""

    before: Outcome
    """The claim's outcome on the unchanged machine."""
    value: float
    """The guess's value at this end of its range."""
    after: float | None
    """The claim's number with this value; None if the machine cannot have the value."""

    @property
    def flips(self) -> bool:
        """Whether the verdict changes."""
        return self.after is not None and self.before.claim.agrees(self.after) != self.before.agrees

    @property
    def moves(self) -> bool:
        """Whether the claim's number changes by more than the relative change `MOVES`."""
        before, after = self.before.simulated, self.after
        if before is None or after is None:
            return False
        return abs(after - before) > MOVES * abs(before)


@dataclass(frozen=True)
class Sensitivity:
    """A guess, and the claims that depend on it."""

    guess: Guess
    changes: Sequence[Change]
    refused: Sequence[tuple[str, float]]
    """Pairs of a machine and an end of the range that the machine's other values do not allow."""

    @property
    def flips(self) -> list[Change]:
        """Changes of a verdict."""
        return [change for change in self.changes if change.flips]

    @property
    def moves(self) -> list[Change]:
        """Changes of a claim's number that do not change the verdict."""
        return [change for change in self.changes if change.moves and not change.flips]

    def rows(self) -> Iterator[dict[str, Any]]:
        """One table row for each change."""
        for change in (*self.flips, *self.moves):
            yield {
                "key": self.guess.key,
                "unit": self.guess.unit,
                "value": change.value,
                "claim": change.before.claim.id,
                "paper": change.before.claim.paper,
                "simulated": change.before.simulated,
                "simulated_there": change.after,
                "verdict_changes": change.flips,
            }


@known_keywords()
def sensitivities(
    judged: Sequence[Judged],
    store: Store | None = None,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> list[Sensitivity]:
    """Measure the claims again for each guess. Guesses with the most changes come first.

    store: keeps each run as soon as it ends. After an interrupt, a new call makes only the missing
    runs.
    jobs, executor: as for `cellstats.measure.workers.run_rows`.
    """
    check_workers(executor, jobs)
    about = _about_machines(baselines(judged, store, jobs=jobs, executor=executor))
    every = guesses(sorted(about))
    changes: dict[str, list[Change]] = {guess.key: [] for guess in every}
    refused: dict[str, list[tuple[str, float]]] = {guess.key: [] for guess in every}
    ends = []
    for guess in every:
        for machine, value in guess.ends():
            end = _end(guess, machine, value, about[machine])
            if end is None:
                refused[guess.key].append((machine, value))
            elif end.experiments:
                ends.append(end)
    counts = {id(end): _count(end) for end in ends}
    with Progress(sum(counts.values()), always=True, what="runs") as bar:
        for some in _together(ends, counts):
            for end, rows in _measured(some, store, bar, jobs=jobs, executor=executor):
                if rows is None:
                    refused[end.guess.key].append((end.machine, end.value))
                else:
                    changes[end.guess.key] += end.changes(rows)
    found = [Sensitivity(guess, changes[guess.key], refused[guess.key]) for guess in every]
    return sorted(found, key=lambda each: (-len(each.flips), -len(each.moves)))


_Claims: TypeAlias = Sequence[tuple[Claim, set[Experiment]]]
"""Pairs of a claim and the experiments that the claim needs."""


@dataclass(frozen=True)
class _End:
    """A guess at one end of its range, on one machine."""

    guess: Guess
    machine: str
    value: int
    changed: Machine
    """The machine whose value is changed."""
    claims: Sequence[tuple[Baseline, Sequence[Claim]]]
    """The claims that may depend on the guess."""
    experiments: Sequence[Experiment]
    """The experiments that may depend on the guess."""

    def machines(self, _name: str) -> Machine:
        """The changed machine, for all experiments of this end."""
        return self.changed

    def changes(self, rows: Mapping[Experiment, Row]) -> Iterator[Change]:
        """Yield the claims whose verdict or number these rows change."""
        for baseline, claims in self.claims:
            for each in baseline.judged(claims, rows):
                before = baseline.outcomes[each.claim.id]
                change = Change(before, self.value, each.simulated)
                if change.flips or change.moves:
                    yield change


def _about_machines(every: Iterable[Baseline]) -> dict[str, list[tuple[Baseline, _Claims]]]:
    """For each machine, pairs of a baseline and the claims in it that need only this machine."""
    about: dict[str, list[tuple[Baseline, _Claims]]] = {}
    for baseline in every:
        needs = [(claim, baseline.experiments_of(claim)) for claim in baseline.paper.claims]
        for machine in sorted({each.machine for _, needed in needs for each in needed}):
            only = [(c, needed) for c, needed in needs if {e.machine for e in needed} == {machine}]
            about.setdefault(machine, []).append((baseline, only))
    return about


def _end(
    guess: Guess, machine: str, value: int, about: Sequence[tuple[Baseline, _Claims]]
) -> _End | None:
    """The measurements for one end of a range, or None if the machine's other values do not allow
    this end.
    """
    try:
        changed = Machine.find(machine, {guess.key: value})
    except UsageError:
        return None
    dependent: list[tuple[Baseline, list[Claim]]] = []
    experiments: set[Experiment] = set()
    for baseline, claims in about:
        moved = {
            claim.id: {each for each in needed if may_depend(guess.key, each, changed.chips)}
            for claim, needed in claims
        }
        dependent.append((baseline, [claim for claim, _ in claims if moved[claim.id]]))
        experiments.update(*moved.values())
    return _End(guess, machine, value, changed, dependent, sorted(experiments, key=repr))


def _count(end: _End) -> int:
    """The number of runs for this end, which equals the number on the unchanged machine."""
    return len({recipe for each in end.experiments for recipe in _recipes(each)})


@cache
def _recipes(experiment: Experiment) -> tuple[str, ...]:
    return tuple(recipe_text(run) for run in experiment.runs(built_in(experiment.machine)))


def _together(ends: Iterable[_End], counts: Mapping[int, int]) -> Iterator[list[_End]]:
    some: list[_End] = []
    runs = 0
    for end in ends:
        some.append(end)
        runs += counts[id(end)]
        if runs >= _TOGETHER:
            yield some
            some, runs = [], 0
    if some:
        yield some


def _measured(
    ends: Sequence[_End],
    store: Store | None,
    bar: Progress,
    *,
    jobs: int | None,
    executor: Executor | None,
) -> Iterator[tuple[_End, dict[Experiment, Row] | None]]:
    """Yield the rows of each end, or None for an end at which a run fails."""
    plans: list[dict[Experiment, list[str]]] = []
    runs: dict[str, Run] = {}
    try:
        for end in ends:
            recipes, its_runs = runs_of(end.experiments, end.machines)
            plans.append(recipes)
            runs.update(its_runs)
        results = results_of(runs, store, bar, jobs=jobs, executor=executor)
    except WorkersError:
        raise
    except (UsageError, RunError):
        if len(ends) == 1:
            yield ends[0], None
            return
        # Measure one end at a time to find the end that fails. The store keeps the finished runs.
        for end in ends:
            yield from _measured([end], store, bar, jobs=jobs, executor=executor)
        return
    for end, recipes in zip(ends, plans, strict=True):
        try:
            yield end, rows_of(recipes, end.machines, results, store)
        except (UsageError, RunError):
            yield end, None
