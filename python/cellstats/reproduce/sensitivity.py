"""Sensitivity: all claims measured again, with each guess at both ends of its range.

A guess is a value of a machine that is fitted or assumed, and could as well lie anywhere in its
range. A claim that agrees only with the value itself says little about the Cell.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cellstats._native import RunError, UsageError
from cellstats.machine import Machine
from cellstats.machine import machine as find_machine
from cellstats.measure.progress import Progress
from cellstats.measure.workers import check_workers
from cellstats.refusal import known_keywords
from cellstats.reproduce.asks import Ask
from cellstats.reproduce.judging import Judged, Outcome, outcomes
from cellstats.reproduce.published import Paper
from cellstats.reproduce.running import answered
from cellstats.reproduce.store import Store
from cellstats.what_if import what_if

if TYPE_CHECKING:
    from concurrent.futures import Executor

GUESSES = ("fitted", "assumed")
MOVES = 0.05
"""Share by which a claim's number has to change to depend on the guess."""


@dataclass(frozen=True)
class Guess:
    """A value that is fitted or assumed on at least one of the machines."""

    key: str
    unit: str
    meaning: str
    values: Mapping[str, tuple[int, int, int]]
    """For each machine its value, and the ends of its range."""

    def ends(self) -> list[tuple[str, int]]:
        """Machines, and ends of the range other than the value itself."""
        return [
            (machine, end)
            for machine, (value, *ends) in self.values.items()
            for end in ends
            if end != value
        ]


@dataclass(frozen=True)
class Shift:
    """A claim, with a guess at one end of its range."""

    before: Outcome
    value: float
    """The end of the range."""
    after: float | None
    """The claim's number there; None if no machine can have this value."""

    @property
    def flips(self) -> bool:
        """Whether the verdict changes."""
        return self.after is not None and self.before.claim.agrees(self.after) != self.before.agrees

    @property
    def moves(self) -> bool:
        """Whether the number changes by more than the share `MOVES`."""
        before, after = self.before.simulated, self.after
        if before is None or after is None:
            return False
        return abs(after - before) > MOVES * abs(before)


@dataclass(frozen=True)
class Leaning:
    """A guess, and the claims that depend on it."""

    guess: Guess
    shifts: Sequence[Shift]
    refused: Sequence[tuple[str, float]]
    """Machines, and ends that their other values do not allow."""

    @property
    def flips(self) -> list[Shift]:
        """Claims whose verdict depends on it."""
        return [shift for shift in self.shifts if shift.flips]

    @property
    def moves(self) -> list[Shift]:
        """Claims with a number, but not a verdict, that depends on it."""
        return [shift for shift in self.shifts if shift.moves and not shift.flips]

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each claim that moves, for a table."""
        for shift in (*self.flips, *self.moves):
            yield {
                "key": self.guess.key,
                "unit": self.guess.unit,
                "value": shift.value,
                "claim": shift.before.claim.id,
                "paper": shift.before.claim.paper,
                "simulated": shift.before.simulated,
                "simulated_there": shift.after,
                "verdict_changes": shift.flips,
            }


def guesses(machines: Iterable[str]) -> list[Guess]:
    """All guesses of these machines, in the order of the files."""
    found: dict[str, dict[str, Any]] = {}
    for name in machines:
        for row in find_machine(name).values():
            if row["basis"] in GUESSES and row["range"] is not None:
                entry = found.setdefault(row["key"], {**row, "values": {}})
                entry["values"][name] = (row["value"], *row["range"])
    return [
        Guess(key, entry["unit"], entry["meaning"], entry["values"]) for key, entry in found.items()
    ]


@known_keywords()
def leanings(
    judged: Sequence[Judged],
    store: Store | None = None,
    *,
    executor: "Executor | None" = None,
    jobs: int | None = None,
) -> list[Leaning]:
    """Measure the claims again for each guess; the guesses with most changes come first.

    executor, jobs: where the runs are made, as for `cellstats.sweep`.
    """
    check_workers(executor, jobs)
    about = _about_machines([each.paper for each in judged])
    before = {each.claim.id: each for one in judged for each in one.outcomes}
    every = guesses(sorted(about))
    found = []
    with Progress(sum(len(guess.ends()) for guess in every), always=True) as bar:
        for guess in every:
            shifts: list[Shift] = []
            refused: list[tuple[str, float]] = []
            for machine, end in guess.ends():
                try:
                    there = what_if(machine, {guess.key: end})
                    after = _outcomes(about[machine], there, store, executor, jobs)
                except (UsageError, RunError):
                    refused.append((machine, end))
                else:
                    both = (Shift(before[each.claim.id], end, each.simulated) for each in after)
                    shifts += (shift for shift in both if shift.flips or shift.moves)
                bar.advance()
            found.append(Leaning(guess, shifts, refused))
    return sorted(found, key=lambda each: (-len(each.flips), -len(each.moves)))


def _about_machines(papers: Iterable[Paper]) -> dict[str, list[tuple[Paper, set[Ask]]]]:
    """For each machine the papers with only their claims about it, and the rows of these."""
    about: dict[str, list[tuple[Paper, set[Ask]]]] = {}
    for paper in papers:
        needs = {claim.id: paper.asks_of(claim) for claim in paper.claims}
        for machine in {ask.machine for asks in needs.values() for ask in asks}:
            claims = [c for c in paper.claims if {ask.machine for ask in needs[c.id]} == {machine}]
            rows = {ask for claim in claims for ask in needs[claim.id]}
            about.setdefault(machine, []).append((paper.with_claims(claims), rows))
    return about


def _outcomes(
    papers: Sequence[tuple[Paper, set[Ask]]],
    there: Machine,
    store: Store | None,
    executor: "Executor | None",
    jobs: int | None,
) -> list[Outcome]:
    """The outcomes of claims about one machine, measured on the machine `there`."""
    asks = [ask for _, rows in papers for ask in rows]
    answers = answered(
        asks, store, machines=lambda _: there, executor=executor, jobs=jobs, progress=False
    )
    return [outcome for paper, _ in papers for outcome in outcomes(paper, answers)]
