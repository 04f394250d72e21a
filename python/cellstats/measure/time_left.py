"""Estimates how long the remaining rows of a command will take.

Before a row runs, its work is guessed from its parameters. What rows took corrects the guesses of
the other rows of their kind, and more weakly those of all kinds. The more of a kind was measured,
the less its guess matters, so the estimate changes smoothly.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from cellstats._native import UsageError
from cellstats.core.parameters import TRAFFIC, named
from cellstats.measure.sweeps import Row

"""FUNCTIONs that simulate most of their transfers one by one, without fast-forward."""
_TRAFFIC_BYTES = 1 << 25
"""Bytes that each SPE moves in these FUNCTIONs by default."""
_SETTLED_SHARE = 0.4
"""Share of these bytes that is simulated, on average, if runs may end once they have settled."""
_OTHERS_BYTES_MAX = 1 << 26
"""Other FUNCTIONs are soon repetitive, so that fast-forward skips what exceeds this number."""
_BYTES_PER_S = 2.5e8
_ROW_S = 0.005
_KIND_TRUST_S = 8.0
"""Seconds of guessed work that weigh as much as the kind's guess."""
_TRUST_S = 60.0
"""Seconds of guessed work that weigh as much as the guess of an average computer."""


class Work(NamedTuple):
    """The work that a row is expected to be."""

    kind: Hashable
    """Rows of one kind are alike: if one takes longer than guessed, so will the others."""
    seconds: float
    """A guess of the processor time."""


class TimeLeft:
    """An estimate of the processor time of rows, which learns from the rows that have ended.

    >>> left = TimeLeft()
    >>> left.expect({"a": Work("get", 1.0), "b": Work("get", 2.0)})
    >>> left.seconds
    3.0
    """

    def __init__(self) -> None:
        self._works: dict[Hashable, Work] = {}
        self._left: defaultdict[Hashable, float] = defaultdict(float)
        self._guessed: defaultdict[Hashable, float] = defaultdict(float)
        self._took: defaultdict[Hashable, float] = defaultdict(float)

    def expect(self, works: Mapping[Hashable, Work]) -> None:
        """Add rows that have not begun."""
        self._works |= works
        for work in works.values():
            self._left[work.kind] += work.seconds

    def took(self, keys: Sequence[Hashable], seconds: float) -> None:
        """Note that these rows have ended, after this processor time altogether."""
        works = [self._works.pop(key) for key in keys if key in self._works]
        guessed = sum(work.seconds for work in works)
        for work in works:
            self._left[work.kind] -= work.seconds
            self._guessed[work.kind] += work.seconds
            self._took[work.kind] += seconds * work.seconds / guessed

    @property
    def rows(self) -> int:
        """The number of rows that have not ended."""
        return len(self._works)

    @property
    def seconds(self) -> float:
        """The expected processor time of the rows that have not ended."""
        pace = _pace(self._took.values(), self._guessed.values(), 1.0, _TRUST_S)
        return sum(
            left * _pace([self._took[kind]], [self._guessed[kind]], pace, _KIND_TRUST_S)
            for kind, left in self._left.items()
        )


def _pace(took: Iterable[float], guessed: Iterable[float], before: float, trust_s: float) -> float:
    """Time taken per guessed time; `before` counts as much as `trust_s` of measured work."""
    return (before * trust_s + sum(took)) / (trust_s + sum(guessed))


def work_of(row: Row) -> Work:
    """The work that a row is expected to be."""
    kind = (row.machine.name, row.function, row.parameters.get("level"))
    iterations, size, spes = (_number(row, name) for name in ("iterations", "size", "spes"))
    placement = row.parameters.get("placement")
    count = spes or (len(placement) if isinstance(placement, list | tuple) else 1)
    if row.function in TRAFFIC:
        each = _TRAFFIC_BYTES if iterations is None else iterations * (size or 1 << 14)
        moved = each * count * (_SETTLED_SHARE if row.parameters.get("settle") else 1)
    else:
        moved = min((iterations or 1 << 20) * (size or 128) * count, _OTHERS_BYTES_MAX)
    return Work(kind, _ROW_S + moved / _BYTES_PER_S)


def _number(row: Row, name: str) -> int | None:
    value, parameter = row.parameters.get(name), named(name)
    try:
        return None if value is None or parameter is None else int(parameter.read(value, name))
    except (UsageError, TypeError, ValueError):
        return None  # the row's own check reports it
