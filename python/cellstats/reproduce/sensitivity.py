"""Which claims lean on which guess: all of them again, with each guess at both ends of its range.

A guess is a value of a machine that is fitted or assumed. Its range is where it could honestly lie,
so a claim that agrees only because of where in it the value is says little about the Cell.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from cellstats._native import RunError, UsageError
from cellstats.machine import Machine, machine_of_text
from cellstats.machine import machine as find_machine
from cellstats.progress import Progress
from cellstats.reproduce.judging import Judged, Outcome, asks_of_claims, outcomes
from cellstats.reproduce.papers import Paper
from cellstats.reproduce.running import Machines, answered
from cellstats.reproduce.store import Store

GUESSES = ("fitted", "assumed")
MOVES = 0.05
"""A number that changes by less than this does not lean on the guess."""


@dataclass(frozen=True)
class Guess:
    """A value that is fitted or assumed on at least one of the machines."""

    key: str
    unit: str
    meaning: str
    values: Mapping[str, tuple[float, float, float]]
    """For each machine its value, and the ends of its range."""


@dataclass(frozen=True)
class Shift:
    """A claim, with a guess at one end of its range."""

    before: Outcome
    value: float
    """The end."""
    after: float | None
    """What the claim's number is there; None if the machine cannot be so."""

    @property
    def flips(self) -> bool:
        """Whether the verdict changes."""
        return self.after is not None and self.before.claim.agrees(self.after) != self.before.agrees

    @property
    def moves(self) -> bool:
        """Whether the number changes by more than a little."""
        before, after = self.before.simulated, self.after
        if before is None or after is None:
            return False
        return abs(after - before) > MOVES * abs(before)


@dataclass(frozen=True)
class Leaning:
    """A guess, and the claims that depend on it."""

    guess: Guess
    shifts: Sequence[Shift]
    refused: Sequence[float]
    """Ends at which a machine cannot be, because of its other values."""

    @property
    def flips(self) -> list[Shift]:
        """Claims whose verdict depends on it."""
        return [shift for shift in self.shifts if shift.flips]

    @property
    def moves(self) -> list[Shift]:
        """Claims whose number does, and whose verdict does not."""
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


def leanings(
    judged: Sequence[Judged], store: Store | None = None, *, jobs: int | None = None
) -> list[Leaning]:
    """Measure the claims again for each guess; those on which most of them lean come first."""
    papers = [each.paper for each in judged]
    machines = {ask.machine for paper in papers for ask in asks_of_claims(paper)}
    before = {each.claim.id: each for one in judged for each in one.outcomes}
    every = guesses(sorted(machines))
    found = []
    with Progress(2 * len(every), always=True) as bar:
        for guess in every:
            shifts: list[Shift] = []
            refused: list[float] = []
            for end in (1, 2):
                try:
                    after = _outcomes_at(papers, guess, end, store, jobs)
                except (UsageError, RunError):
                    refused += sorted({values[end] for values in guess.values.values()})
                else:
                    shifts += _shifts(before, after, guess, end)
                bar.advance()
            found.append(Leaning(guess, shifts, refused))
    return sorted(found, key=lambda each: (-len(each.flips), -len(each.moves)))


def _outcomes_at(
    papers: Sequence[Paper], guess: Guess, end: int, store: Store | None, jobs: int | None
) -> list[Outcome]:
    there = _machines_at(guess, end)
    asks = [ask for paper in papers for ask in asks_of_claims(paper) if ask.machine in guess.values]
    answers = answered(asks, store, machines=there, jobs=jobs, progress=False)
    every = []
    for paper in papers:
        touched = paper.with_claims(
            claim
            for claim in paper.claims
            if claim.metric is not None
            and paper.asks_of(claim)
            and paper.asks_of(claim) <= answers.keys()
        )
        every += outcomes(touched, answers, there)
    return every


def _shifts(
    before: Mapping[str, Outcome], after: Iterable[Outcome], guess: Guess, end: int
) -> Iterator[Shift]:
    value = next(iter(guess.values.values()))[end]
    for outcome in after:
        shift = Shift(before[outcome.claim.id], value, outcome.simulated)
        if shift.flips or shift.moves:
            yield shift


def _machines_at(guess: Guess, end: int) -> Machines:
    @cache
    def machine(name: str) -> Machine:
        if name not in guess.values:
            return find_machine(name)
        section, _, key = guess.key.partition(".")
        _, low, high = guess.values[name]
        value = guess.values[name][end]
        return machine_of_text(
            f'base = "{name}"\nname = "{name}"\n[{section}]\n{key} = {{ value = {value}, '
            f'unit = "{guess.unit}", basis = "assumed", range = [{low}, {high}], '
            f'source = "an end of its range" }}\n',
            f"{name} with another {guess.key}",
        )

    return machine
