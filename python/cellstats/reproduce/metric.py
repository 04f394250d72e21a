"""Metrics: the number, from the rows of a figure, that a claim is about.

    metric = { of = "latency_ns", where = { private = true } }

is the column `latency_ns` of the rows with these values (a list allows several, and "" is a column
that a row lacks). If several rows are left, the one that agrees least counts. Further steps, in
this order:

    over = { private = false }   each row's number over that of the row that differs in these
                                 columns
    less = { private = false }   the same, the difference
    over = "latency_ns_min"      each number over another column of its row; less likewise
    apart_from = ["placement"]   further columns in which rows that are compared may differ
    along = "spes"               each number over the one before it, in the order of that column
    per = "spes"                 each number over that column
    take = "max"                 one number of them: min, max, mean, range (max - min), or spread
                                 (max / min)

Either `over` or `less` may be given, not both.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from statistics import fmean
from typing import Any

from cellstats._native import UsageError
from cellstats.core.words import did_you_mean
from cellstats.reproduce.experiments import Answer, Ask

TAKES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "min": min,
    "max": max,
    "mean": fmean,
    "range": lambda values: max(values) - min(values),
    "spread": lambda values: max(values) / min(values),
}
_NO_MATTER = ("iterations",)
"""Columns in which compared rows may differ: they say how often a loop runs, not what it does."""


@dataclass(frozen=True)
class Metric:
    """A number, or several, of the rows of a figure."""

    of: str
    where: Mapping[str, Any] = field(default_factory=dict)
    over: Mapping[str, Any] | str | None = None
    less: Mapping[str, Any] | str | None = None
    apart_from: Sequence[str] = ()
    along: str | None = None
    per: str | None = None
    take: str | None = None

    @classmethod
    def of_table(cls, table: Mapping[str, Any], where: str) -> "Metric":
        """A metric from its TOML table. Raises UsageError, which begins with `where`."""
        known = [each.name for each in fields(cls)]
        for name in table:
            if name not in known:
                raise UsageError(f"{where}: metric {name!r}; {did_you_mean(name, known)}")
        if "of" not in table:
            raise UsageError(f'{where}: a metric needs a column, of = "latency_ns"')
        if table.get("take") not in (None, *TAKES):
            raise UsageError(f"{where}: take {did_you_mean(table['take'], list(TAKES))}")
        if "over" in table and "less" in table:
            raise UsageError(f"{where}: over or less, not both")
        return cls(**table)

    def asks(self, figure: Sequence[Ask]) -> list[Ask]:
        """The rows that it needs; the selected ones first."""
        compared = self.less if self.over is None else self.over
        others = self._others(compared, figure) if isinstance(compared, Mapping) else []
        return list(dict.fromkeys([*self._selected(figure), *others]))

    def values(self, figure: Mapping[Ask, Answer]) -> list[float]:
        """Its numbers, one if `take` is given. Raises UsageError if there are no such rows."""
        asks = list(figure)
        chosen = self._selected(asks)
        if not chosen:
            raise UsageError(f"no row has {_words(self.where)}; the figure asks for {_some(asks)}")

        def number(ask: Ask, of: str = self.of) -> float:
            columns = figure[ask].columns
            if not isinstance(columns.get(of), int | float):
                raise UsageError(f"{of} is no number; {did_you_mean(of, list(columns))}")
            return float(columns[of])

        values = [number(ask) for ask in chosen]
        compared = self.less if self.over is None else self.over
        if compared is not None:
            if isinstance(compared, str):
                others = [number(ask, compared) for ask in chosen]
            else:
                among = self._others(compared, asks)
                others = [number(self._partner(ask, compared, among)) for ask in chosen]
            both = zip(values, others, strict=True)
            values = [a / b if self.over is not None else a - b for a, b in both]
        if self.along is not None:
            values = self._steps(chosen, values, self.along)
        if self.per is not None:
            places = [float(ask.columns[self.per]) for ask in chosen]
            values = [value / place for value, place in zip(values, places, strict=True)]
        return values if self.take is None else [TAKES[self.take](values)]

    def _selected(self, asks: Sequence[Ask]) -> list[Ask]:
        return [ask for ask in asks if _has(ask, self.where)]

    def _others(self, changes: Mapping[str, Any], asks: Sequence[Ask]) -> list[Ask]:
        return [ask for ask in asks if _has(ask, {**self.where, **changes})]

    def _partner(self, ask: Ask, changes: Mapping[str, Any], among: Sequence[Ask]) -> Ask:
        """The row of `among` that differs in these columns and in no others."""
        free = (*self.where, *changes, *_NO_MATTER, *self.apart_from)

        def rest(one: Ask) -> dict[str, Any]:
            return {name: value for name, value in one.columns.items() if name not in free}

        # A column of `where` that allows several values is compared too, unless it changes.
        kept = [name for name, value in self.where.items() if isinstance(value, list)]
        kept = [name for name in kept if name not in changes]
        found = [
            other
            for other in among
            if rest(other) == rest(ask)
            and all(other.columns.get(name) == ask.columns.get(name) for name in kept)
        ]
        if len(found) != 1:
            what = f"{len(found)} rows have {_words(changes)} and are else as {_words(ask.columns)}"
            raise UsageError(f"{what}; one should be")
        return found[0]

    def _steps(self, asks: Sequence[Ask], values: Sequence[float], column: str) -> list[float]:
        """Quotients of neighbours, within each group of rows that differ in nothing else."""
        groups: dict[str, list[tuple[float, float]]] = {}
        for ask, value in zip(asks, values, strict=True):
            rest = {n: v for n, v in ask.columns.items() if n not in (column, *_NO_MATTER)}
            groups.setdefault(str(rest), []).append((ask.columns[column], value))
        steps = []
        for group in groups.values():
            ordered = [value for _, value in sorted(group)]
            steps += [after / before for before, after in pairwise(ordered)]
        if not steps:
            raise UsageError(f"{column} has one value only; a trend takes two at least")
        return steps


def _has(ask: Ask, where: Mapping[str, Any]) -> bool:
    """Whether a row has these values.

    >>> one = Ask("measurement", "ps3", "dmaget", (("spes", 2),))
    >>> _has(one, {"spes": [1, 2], "list_elements": ""}), _has(one, {"spes": ""})
    (True, False)
    """

    def fits(name: str, wanted: Any) -> bool:
        value = ask.columns.get(name, "")
        return value in wanted if isinstance(wanted, list) else value == wanted

    return all(fits(name, wanted) for name, wanted in where.items())


def _words(columns: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in columns.items()) or "any columns"


def _some(asks: Sequence[Ask]) -> str:
    """The values of each column, as far as there is room."""
    values: dict[str, list[str]] = {}
    for ask in asks:
        for name, value in ask.columns.items():
            if str(value) not in values.setdefault(name, []):
                values[name].append(str(value))
    return "; ".join(f"{name}: {' '.join(found[:12])}" for name, found in values.items())
