"""Guesses of machines, and the claims that lean on them.

A guess is a value of a machine that is fitted or assumed, and could as well lie anywhere in its
range. A claim that agrees only with the value itself says little about the Cell.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellstats.machine import machine as find_machine
from cellstats.reproduce.judging import Outcome

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
        for row in find_machine(name).values():
            if row["basis"] in GUESSES and row["range"] is not None:
                entry = found.setdefault(row["key"], {**row, "values": {}})
                entry["values"][name] = (row["value"], *row["range"])
    return [
        Guess(key, entry["unit"], entry["meaning"], entry["values"]) for key, entry in found.items()
    ]
