"""Factors: values in machine files, each with the levels that the bench may try."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from benches.rules.machines import Value, check_known, overridden, rows
from cellstats._native import UsageError

GUESSES = ("fitted", "assumed")


@dataclass(frozen=True)
class Factor:
    """A value and its possible levels."""

    name: str
    value: Value
    """The value in the machine file."""
    grid: Sequence[Value]
    """All levels in order: a `range` of numbers, or several numbers or words."""
    basis: str = "assumed"

    @property
    def start(self) -> int:
        """Index of the file's value in the grid."""
        return self.grid.index(self.value)

    @property
    def ends(self) -> tuple[Value, Value]:
        """The low and the high level of a two-level design."""
        return self.grid[0], self.grid[-1]

    @property
    def is_word(self) -> bool:
        """Whether the levels have no order."""
        return isinstance(self.value, str)


def factors(given: Iterable[str], machines: frozenset[str]) -> list[Factor]:
    """Parses factors as people write them, and keeps their order.

    given: `eib.*` means all guesses that match the pattern, over their ranges;
        `eib.hop_bus_cycles=1,2` means any value with its levels, which may be words.

    Raises UsageError for values that no machine has.
    """
    found: dict[str, Factor] = {}
    for text in given:
        name, equals, levels = text.partition("=")
        some = [_listed(name, levels, machines)] if equals else list(_guesses(name, machines))
        if not some:
            raise UsageError(f"{name!r}: no fitted or assumed number of the machines fits it")
        found |= {each.name: each for each in some}
    return list(found.values())


def settings(given: Iterable[str], machines: frozenset[str]) -> dict[str, Value]:
    """Parses values such as `eib.hop_bus_cycles=2`. Raises UsageError for unknown names."""
    pairs = (text.partition("=")[::2] for text in given)
    found = {name: _value(text) for name, text in pairs}
    check_known(found, machines)
    return found


def _guesses(pattern: str, machines: frozenset[str]) -> Iterator[Factor]:
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for machine in sorted(machines):
        for name, row in rows(machine).items():
            if row["basis"] in GUESSES and row["range"] is not None and fnmatchcase(name, pattern):
                found.setdefault(name, (machine, row))
    for name, (machine, row) in found.items():
        low, high = row["range"]
        yield Factor(name, row["value"], _grid(machine, name, low, high), row["basis"])


def _grid(machine: str, name: str, low: int, high: int) -> Sequence[int]:
    """All numbers of a range, or only its powers of two if the machine refuses other numbers."""
    try:
        for probe in {low + 1, high - 1} & set(range(low, high + 1)):
            overridden(machine, {name: probe})
    except UsageError as error:
        if "power of two" in str(error):
            return [1 << each for each in range(high.bit_length()) if low <= 1 << each <= high]
    return range(low, high + 1)


def _listed(name: str, levels: str, machines: frozenset[str]) -> Factor:
    check_known([name], machines)
    row = next(rows(machine)[name] for machine in machines if name in rows(machine))
    grid = [_value(each) for each in levels.split(",")]
    if row["value"] not in grid:
        grid = sorted([*grid, row["value"]], key=lambda each: (isinstance(each, str), each))
    return Factor(name, row["value"], grid, row["basis"])


def _value(text: str) -> Value:
    return int(text.replace("_", "")) if text.replace("_", "").isdecimal() else text
