"""Guesses, which are machine values that are fitted or assumed, and their ranges.

The true value of a guess could be anywhere in its range. If a claim agrees at only one value of the
range, its agreement says little about the Cell.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cellstats.measure.machine import find_simulated

GUESSES = ("fitted", "assumed")
"""The values of `basis` that make a machine value a guess."""


@dataclass(frozen=True)
class Guess:
    """A machine value that is fitted or assumed on at least one machine."""

    key: str
    unit: str
    meaning: str
    values: Mapping[str, tuple[int, int, int]]
    """Value and both ends of the range, for each machine."""

    @property
    def ranges(self) -> str:
        """The value and its range as text, with machine names if the machines differ.

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
        """Pairs of a machine and an end of its range, except ends that are equal to the value."""
        return [
            (machine, end)
            for machine, (value, *ends) in self.values.items()
            for end in ends
            if end != value
        ]


def guesses(machines: Iterable[str]) -> list[Guess]:
    """All guesses of these machines, in the order of the machine files."""
    found: dict[str, dict[str, Any]] = {}
    for name in machines:
        for row in find_simulated(name).values():
            if row["basis"] in GUESSES and row["range"] is not None:
                entry = found.setdefault(row["key"], {**row, "values": {}})
                entry["values"][name] = (row["value"], *row["range"])
    return [
        Guess(key, entry["unit"], entry["meaning"], entry["values"]) for key, entry in found.items()
    ]
