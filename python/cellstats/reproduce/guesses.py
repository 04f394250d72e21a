"""Guesses of machines, and the claims that lean on them.

A guess is a value of a machine that is fitted or assumed, and could as well lie anywhere in its
range. A claim that agrees only with the value itself says little about the Cell.

Brief rows: what moves 32 MB for each SPE moves an eighth of that where only differences count.

Such rows are nearly all of the time that papers take. Bandwidth is an average, and has settled long
before: with brief rows hardly a claim of the papers has another verdict, and those that have are
answered by whole rows here, too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

from cellstats.measure.machine import find_simulated
from cellstats.measure.request import request
from cellstats.reproduce.claims import Claim
from cellstats.reproduce.experiments import Answer, Ask
from cellstats.reproduce.judging import Judged, Outcome, Paper, outcomes
from cellstats.reproduce.running import Store, answered, built_in

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

    @property
    def ranges(self) -> str:
        """Its value and range in words, with the machines' names where they differ.

        >>> Guess("eib.hop", "cycles", "", {"ps3": (1, 1, 2), "qs20": (1, 1, 2)}).ranges
        '1 in 1 to 2 cycles'
        >>> Guess("bif.pages", "pages", "", {"qs20": (2, 1, 4), "blade": (3, 3, 4)}).ranges
        '2 in 1 to 4 (qs20), 3 in 3 to 4 (blade) pages'
        """
        same: dict[tuple[int, int, int], list[str]] = {}
        for machine, values in self.values.items():
            same.setdefault(values, []).append(machine)
        texts = [
            f"{value} in {least} to {most}" + (f" ({', '.join(names)})" if len(same) > 1 else "")
            for (value, least, most), names in same.items()
        ]
        return f"{', '.join(texts)} {self.unit}"

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
        for row in find_simulated(name).values():
            if row["basis"] in GUESSES and row["range"] is not None:
                entry = found.setdefault(row["key"], {**row, "values": {}})
                entry["values"][name] = (row["value"], *row["range"])
    return [
        Guess(key, entry["unit"], entry["meaning"], entry["values"]) for key, entry in found.items()
    ]


_SHARE = 8
_IN_BULK = ("couples", "cycle", "hotspot")


def brief(ask: Ask) -> Ask:
    """The row with an eighth of its iterations; the row itself unless it moves a pattern's 32 MB.

    >>> from cellstats.reproduce.experiments import measured
    >>> [row] = measured("ps3", "couples", spes=2)
    >>> brief(row).given
    (('spes', 2), ('iterations', 128))
    """
    if ask.function not in _IN_BULK or "iterations" in dict(ask.given):
        return ask
    [row, *_] = ask.rows(built_in(ask.machine))
    whole = request(built_in(ask.machine).native, row.function, row.parameters).iterations()
    return replace(ask, given=(*ask.given, ("iterations", max(whole // _SHARE, 1))))


@dataclass(frozen=True)
class Part:
    """Claims of a paper that are judged in one way: all by whole rows, or all by brief ones."""

    paper: Paper
    """With only these claims."""
    rows: Mapping[Ask, Ask]
    """For each row that answers them the one that is measured."""
    known: Mapping[Ask, Answer]
    """The answer to each row on the machines as they are."""
    outcomes: Mapping[str, Outcome]
    """By claim, on the machines as they are."""

    def judged(self, claims: Iterable[Claim], measured: Mapping[Ask, Answer]) -> list[Outcome]:
        """These of its claims, by what was measured elsewhere, and as known where nothing was."""
        found = {ask: measured.get(as_) or self.known[ask] for ask, as_ in self.rows.items()}
        return outcomes(self.paper.with_claims(claims), found)

    def asks_of(self, claim: Claim) -> set[Ask]:
        """The rows that are measured for a claim."""
        return {self.rows[ask] for ask in self.paper.asks_of(claim)}


def parts(
    judged: Sequence[Judged],
    store: Store | None = None,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> list[Part]:
    """The claims of each paper: by brief rows, and by whole ones where brief rows judge otherwise.

    store, jobs, executor: as for `cellstats.reproduce.running.answered`.
    """
    known = [_known(one) for one in judged]
    instead = {ask: brief(ask) for its in known for ask in its}
    new = [as_ for ask, as_ in instead.items() if as_ != ask]
    measured = answered(new, store, jobs=jobs, executor=executor) if new else {}
    found = []
    for one, its in zip(judged, known, strict=True):
        quick = {ask: measured.get(instead[ask]) or answer for ask, answer in its.items()}
        pairs = list(zip(one.outcomes, outcomes(one.paper, quick), strict=True))
        same = [short for whole, short in pairs if whole.agrees == short.agrees]
        other = [whole for whole, short in pairs if whole.agrees != short.agrees]
        found.append(_part(one.paper, same, instead, quick))
        found.append(_part(one.paper, other, {ask: ask for ask in its}, its))
    return [part for part in found if part.paper.claims]


def _known(judged: Judged) -> dict[Ask, Answer]:
    """The answers to the rows of its claims, in the order of its figures."""
    needed = {ask for claim in judged.paper.claims for ask in judged.paper.asks_of(claim)}
    pairs = (zip(figure.asks, rows, strict=True) for figure, rows in judged.rows.items())
    return {ask: answer for figure in pairs for ask, answer in figure if ask in needed}


def _part(
    paper: Paper,
    judged: Sequence[Outcome],
    rows: Mapping[Ask, Ask],
    known: Mapping[Ask, Answer],
) -> Part:
    own = paper.with_claims(each.claim for each in judged)
    return Part(own, {ask: rows[ask] for ask in known}, known, {o.claim.id: o for o in judged})
