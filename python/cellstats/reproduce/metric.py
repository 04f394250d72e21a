"""Metrics, which compute the number that a claim is about from the rows of a figure.

    metric = { of = "latency_ns", where = { private = true } }

selects the column `latency_ns` of the rows in which `private` is true. A list allows several
values, and "" matches rows that lack the column. If several rows remain, the number that agrees
least is used. Further steps, in this order:

    over = { private = false }   divides each row's number by the number of the row that has these
                                 values and otherwise the same columns
    less = { private = false }   subtracts the number of that row
    over = "latency_ns_min"      divides each number by another column of its row; less subtracts it
    apart_from = ["placement"]   further columns in which two compared rows may differ
    along = "spes"               divides each number by the preceding one, in this column's order
    per = "spes"                 divides each number by this column
    take = "max"                 takes one number: min, max, mean, range (max - min), or spread
                                 (max / min)

A metric has `over` or `less`, not both.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from statistics import fmean
from typing import Any

from cellstats._native import UsageError
from cellstats.core.words import did_you_mean
from cellstats.reproduce.experiments import Experiment, Row

TAKES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "min": min,
    "max": max,
    "mean": fmean,
    "range": lambda values: max(values) - min(values),
    "spread": lambda values: max(values) / min(values),
}
_NO_MATTER = ("iterations",)
"""Columns in which compared rows may always differ, because these columns only contain iteration
counts."""


@dataclass(frozen=True)
class Metric:
    """One or several numbers from the rows of a figure. The module's docstring explains the
    fields.
    """

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
        """Create a metric from its TOML table. Raises UsageError, whose message begins with
        `where`.
        """
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

    def experiments(self, figure: Sequence[Experiment]) -> list[Experiment]:
        """The experiments of a figure that the metric needs. Selected experiments come first."""
        compared = self.less if self.over is None else self.over
        others = self._others(compared, figure) if isinstance(compared, Mapping) else []
        return list(dict.fromkeys([*self.selected(figure), *others]))

    def values(self, figure: Mapping[Experiment, Row]) -> list[float]:
        """The metric's numbers, reduced to one number if the metric has `take`.

        Raises UsageError if no row has the values of `where`.
        """
        every = list(figure)
        chosen = self.selected(every)
        if not chosen:
            raise UsageError(f"no row has {_words(self.where)}; the figure asks for {_some(every)}")

        def number(of_row: Experiment, of: str = self.of) -> float:
            columns = figure[of_row].columns
            if not isinstance(columns.get(of), int | float):
                raise UsageError(f"{of} is no number; {did_you_mean(of, list(columns))}")
            return float(columns[of])

        values = [number(each) for each in chosen]
        compared = self.less if self.over is None else self.over
        if compared is not None:
            if isinstance(compared, str):
                others = [number(each, compared) for each in chosen]
            else:
                among = self._others(compared, every)
                others = [number(self._partner(each, compared, among)) for each in chosen]
            both = zip(values, others, strict=True)
            values = [a - b if self.over is None else _ratio(a, b) for a, b in both]
        if self.along is not None:
            values = self._steps(chosen, values, self.along)
        if self.per is not None:
            divisors = [float(each.columns[self.per]) for each in chosen]
            values = [value / divisor for value, divisor in zip(values, divisors, strict=True)]
        return values if self.take is None else [TAKES[self.take](values)]

    def selected(self, figure: Iterable[Experiment]) -> list[Experiment]:
        """The experiments whose rows have the values of `where`."""
        return [each for each in figure if _has(each, self.where)]

    def _others(self, changes: Mapping[str, Any], figure: Sequence[Experiment]) -> list[Experiment]:
        return [each for each in figure if _has(each, {**self.where, **changes})]

    def _partner(
        self, one: Experiment, changes: Mapping[str, Any], among: Sequence[Experiment]
    ) -> Experiment:
        """The experiment in `among` that differs from `one` only in the columns of `changes`."""
        free = (*self.where, *changes, *_NO_MATTER, *self.apart_from)

        def rest(of: Experiment) -> dict[str, Any]:
            return {name: value for name, value in of.columns.items() if name not in free}

        # If `where` lists several values of a column, both rows must have the same value.
        # This does not apply to the columns of `changes`.
        kept = [name for name, value in self.where.items() if isinstance(value, list)]
        kept = [name for name in kept if name not in changes]
        found = [
            other
            for other in among
            if rest(other) == rest(one)
            and all(other.columns.get(name) == one.columns.get(name) for name in kept)
        ]
        if len(found) != 1:
            what = f"{len(found)} rows have {_words(changes)} and are else as {_words(one.columns)}"
            raise UsageError(f"{what}; one should be")
        return found[0]

    def _steps(
        self, chosen: Sequence[Experiment], values: Sequence[float], column: str
    ) -> list[float]:
        """Quotients of neighbouring values in each group of rows that differ only in this
        column.
        """
        groups: dict[str, list[tuple[float, float]]] = {}
        for each, value in zip(chosen, values, strict=True):
            rest = {n: v for n, v in each.columns.items() if n not in (column, *_NO_MATTER)}
            groups.setdefault(str(rest), []).append((each.columns[column], value))
        steps = []
        for group in groups.values():
            ordered = [value for _, value in sorted(group)]
            steps += [after / before for before, after in pairwise(ordered)]
        if not steps:
            raise UsageError(f"{column} has one value only; a trend takes two at least")
        return steps


def _has(experiment: Experiment, where: Mapping[str, Any]) -> bool:
    """Whether the row of an experiment has these values.

    >>> one = Experiment("measurement", "ps3", "dmaget", (("spes", 2),))
    >>> _has(one, {"spes": [1, 2], "list_elements": ""}), _has(one, {"spes": ""})
    (True, False)
    """

    def fits(name: str, wanted: Any) -> bool:
        value = experiment.columns.get(name, "")
        return value in wanted if isinstance(wanted, list) else value == wanted

    return all(fits(name, wanted) for name, wanted in where.items())


def _ratio(a: float, b: float) -> float:
    """The ratio, infinite if only b is 0, as if placements differ in one pattern alone."""
    return a / b if b else math.inf if a else math.nan


def _words(columns: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in columns.items()) or "any columns"


def _some(figure: Sequence[Experiment]) -> str:
    """The first values of each column, as text for error messages."""
    values: dict[str, list[str]] = {}
    for each in figure:
        for name, value in each.columns.items():
            if str(value) not in values.setdefault(name, []):
                values[name].append(str(value))
    return "; ".join(f"{name}: {' '.join(found[:12])}" for name, found in values.items())
