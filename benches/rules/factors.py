"""Factors: values of machine files that may be others, and which."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from benches.rules.machines import Value, check_known, overridden, rows
from cellstats._native import UsageError

GUESSES = ("fitted", "assumed")


@dataclass(frozen=True)
class Factor:
    """A value, and all that it may be."""

    name: str
    value: Value
    """What the machine file says."""
    grid: Sequence[Value]
    """All that it may be, in order: a `range` of numbers, or several numbers or words."""
    basis: str = "assumed"

    @property
    def start(self) -> int:
        """Where the file's value lies on the grid."""
        return self.grid.index(self.value)

    @property
    def ends(self) -> tuple[Value, Value]:
        """Low and high of a two-level design."""
        return self.grid[0], self.grid[-1]

    @property
    def is_word(self) -> bool:
        """Whether its levels have no order."""
        return isinstance(self.value, str)


def factors(given: Iterable[str], machines: frozenset[str]) -> list[Factor]:
    """Factors as people write them, in this order.

    given: `eib.*` are all guesses that fit the pattern, over their ranges; `eib.hop_bus_cycles=1,2`
        is any value, and what it may be, words too.

    Raises UsageError for what no machine has.
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
    """Values as people write them, `eib.hop_bus_cycles=2`. Raises UsageError for unknown names."""
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
    """All numbers of a range, or its powers of two where others are refused."""
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
