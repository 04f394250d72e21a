"""Sweeps: one measurement for each combination of many values.

A `Row` is one measurement before it runs, and `rows_of` makes all rows of a sweep. A `Sweep` is the
list of results, shown as a table or a picture. `varying_columns` finds the columns that distinguish
results.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from cellstats._native import UsageError
from cellstats.core.parameters import Parameter, named
from cellstats.core.quantities import parse_values
from cellstats.core.refusal import quoted, refusal
from cellstats.core.showing import Showing, picture
from cellstats.measure.machine import Measuring, find_simulated
from cellstats.measure.result import Measured, columns_of, to_frame

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

ROWS_MAX = 1_000_000
"""Largest number of rows in a sweep; a larger number is taken for a typing error."""
_MEASURED = ("latency_", "bandwidth_", "simulated_", "wall_", "schema")
# On the host, these columns depend on the clock or on disturbances.
_MEASURED_ON_HOST = ("iterations", "samples", "repetitions", "working_set_bytes", "disturbed")


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement of a sweep, before it runs."""

    machine: Measuring
    function: str
    parameters: Mapping[str, Any]
    """Keywords of `Machine.measure`."""

    def __str__(self) -> str:
        given = [f"{name}={value!r}" for name, value in self.parameters.items()]
        return f"{self.function} on {self.machine.name}" + "".join(f", {each}" for each in given)

    def recipe(self) -> dict[str, Any]:
        """All values that decide the result, in plain form: `size="1k"` equals `size=1024`."""
        return self.machine.recipe(self.function, self.parameters)


def parameter_columns(results: Sequence[Measured]) -> list[str]:
    """The columns that hold parameters, not measured numbers."""
    names = [name for name in columns_of(results) if not name.startswith(_MEASURED)]
    if any(result.machine == "host" for result in results):
        names = [name for name in names if name not in _MEASURED_ON_HOST]
    return names


def varying_columns(results: Sequence[Measured]) -> list[str]:
    """The parameter columns that distinguish all results; earlier columns take precedence.

    Leaves out a column that follows from others: the placement changes with the number of SPEs, but
    adds nothing unless one number has several placements.

    >>> import cellstats as cs
    >>> varying_columns(cs.sweep("dmaget", spes="1..3", size="128..1k", iterations=10))
    ['spes', 'size_bytes']
    """
    rows = [result.row() for result in results]
    chosen: list[str] = []
    apart = 1
    for name in parameter_columns(results):
        now = len({tuple(row.get(each) for each in (*chosen, name)) for row in rows})
        if now > apart:
            chosen.append(name)
            apart = now
    return chosen


Each = TypeVar("Each", bound=Measured)


class Sweep(list[Each], Showing):
    """The results of many measurements; `cellstats.sweep` makes it.

    A `Sweep` is a list; `Sweep(results)` makes a sweep from any other list of results.

    >>> import cellstats as cs
    >>> print(cs.sweep("mailbox", spes=[2, 4], spe_to_spe=True))
    function  spes  latency_ns  latency_ns_min  latency_ns_max
    mailbox      2       158.1           158.1           158.1
    mailbox      4       159.4           158.1           160.6
    """

    def __repr__(self) -> str:
        # Omits the results, which would fill the terminal.
        names = (sorted({getattr(each, name) for each in self}) for name in ("function", "machine"))
        what = " on ".join(", ".join(each) for each in names)
        return f"<Sweep {what}: {len(self)} results>" if self else "<Sweep: no results>"

    def plot(self, y: Literal["latency", "bandwidth"] | str | None = None) -> "Figure":
        """A line chart against size, or against the first number that varies.

        y: `latency` or `bandwidth`; by default bandwidth if data moves.

        Raises UsageError if nothing varies, if there are too many lines to distinguish, and if
        matplotlib is missing.
        """
        return picture(self, y=y)

    def to_frame(self) -> "pd.DataFrame":
        """A pandas DataFrame with a row for each result. Raises ImportError without pandas."""
        return to_frame(self)


def rows_of(
    function: str | Iterable[str],
    machine: Any,
    parameters: Mapping[str, Any],
    flags: Mapping[str, str] | None = None,
    *,
    find: Callable[[str | Path], Measuring] = find_simulated,
) -> list[Row]:
    """All rows of a sweep, in order, each checked.

    flags: names of parameters in messages, if different from the keywords.
    find: returns the machine with this name or in this file.

    Raises UsageError for an invalid combination.
    """
    called = flags or {}
    machines = [
        find(each) if isinstance(each, str | Path) else each
        for each in _words(machine, called.get("machine", "machine"))
    ]
    functions = _words(function, called.get("function", "function"))
    axes = {
        name: _values(name, value, called.get(name, name)) for name, value in parameters.items()
    }
    count = prod(map(len, (machines, functions, *axes.values())))
    if count > ROWS_MAX:
        raise UsageError(
            f"a sweep of {count} rows; give fewer values, {ROWS_MAX} rows are the limit"
        )
    rows = []
    for each, what, *values in itertools.product(machines, functions, *axes.values()):
        given = dict(zip(axes, values, strict=True))
        each.check(what, **given)
        rows.append(Row(each, what, given))
    return rows


def _values(name: str, value: Any, label: str) -> list[Any]:
    """The values of one parameter."""
    parameter = named(name)
    if parameter and parameter.kind == "placement":
        values = _placements(value)
    elif parameter and parameter.is_number:
        values = _numbers(parameter, value, label)
    elif parameter and parameter.kind == "word":
        values = _words(value, label)
    else:
        values = list(value) if isinstance(value, Iterable) else [value]
    return _some(values, label)


def _placements(value: Any) -> list[Any]:
    if value is None or isinstance(value, str):
        return [value]
    placements = list(value)
    return placements if all(isinstance(each, Iterable) for each in placements) else [placements]


def _numbers(parameter: Parameter, value: Any, label: str) -> list[Any]:
    values: list[Any] = []
    for each in value if isinstance(value, Iterable) and not isinstance(value, str) else [value]:
        if isinstance(each, str):
            values += parse_values(each, label, parameter.read, doubles=parameter.doubles)
        else:
            values.append(None if each is None else parameter.read(each, label))
    return values


def _words(value: Any, label: str) -> list[Any]:
    """One or several words; a text may be a comma-separated list."""
    if isinstance(value, str):
        words = [word.strip() for word in value.split(",")]
        if not all(words):
            raise refusal(f"{label} {quoted(value)} has an empty entry; write words as in a,b")
        return list(dict.fromkeys(words))
    return _some(list(value) if isinstance(value, Iterable) else [value], label)


def _some(values: list[Any], label: str) -> list[Any]:
    if not values:
        raise refusal(f"{label} has no values; give at least one")
    return values
