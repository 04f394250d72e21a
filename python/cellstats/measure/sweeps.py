"""Sweeps: one measurement for each combination of many values.

A `Row` is one measurement before it runs, and `rows_of` makes all rows of a sweep. A `Sweep` is the
list of results, which can be shown as a table or a chart. `varying_columns` finds the columns that
distinguish the results.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from cellstats._native import UsageError
from cellstats.core.display import Showing, picture
from cellstats.core.machine import settings_of
from cellstats.core.parameters import Parameter, named
from cellstats.core.quantities import parse_values
from cellstats.core.rates import parse_rates
from cellstats.core.refusal import quoted, refusal
from cellstats.core.words import described
from cellstats.measure.machine import Measuring, find_simulated
from cellstats.measure.result import Measured, columns_of, to_frame

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

ROWS_MAX = 1_000_000
"""Maximum number of rows in a sweep; a larger number is probably a typing error."""
_MEASURED = ("latency_", "bandwidth_", "simulated_", "wall_", "schema")
# On the host, these columns depend on the clock or on disturbances.
_MEASURED_ON_HOST = (
    "iterations",
    "samples",
    "repetitions",
    "working_set_bytes",
    "grade",
    "why",
    "disturbed",
)


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
        """All values that determine the result, in plain form: `size="1k"` becomes 1024."""
        return self.machine.recipe(self.function, self.parameters)


def parameter_columns(results: Sequence[Measured]) -> list[str]:
    """Names of the columns that contain parameters, not measured numbers.

    A machine's changed values come first, because the machine's name follows from them.
    """
    changed = dict.fromkeys(key for result in results for key in settings_of(result.machine))
    # Columns that only some results have are measured, too, except for the offered load.
    optional = {name for result in results for name in result.optional()}
    changed |= dict.fromkeys(name for name in ("rate", "injection") if name in optional)
    columns = [name for name in columns_of(results) if name not in optional]
    names = [name for name in columns if not name.startswith(_MEASURED)]
    if any(result.machine == "host" for result in results):
        names = [name for name in names if name not in _MEASURED_ON_HOST]
        given = [each.recipe["parameters"].get("working_set_bytes") for each in results]
        names += ["working_set_bytes"] if any(given) else []
    return [*changed, *names]


def varying_columns(results: Sequence[Measured]) -> list[str]:
    """The parameter columns that are needed to distinguish the results, earlier columns first.

    A column that other columns determine is left out. For example, the placement changes with the
    number of SPEs, but is left out unless results with equal numbers of SPEs have different
    placements.

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


def lines_of(
    results: Sequence[Measured], names: Sequence[str], element: str = "SPE"
) -> dict[str, list[Measured]]:
    """The results with equal values of these columns, by the values in words.

    element: what a thread runs on.
    """
    lines: dict[str, list[Measured]] = {}
    for result in results:
        row = result.row()
        label = ", ".join(described(name, row.get(name), element) for name in names)
        lines.setdefault(label, []).append(result)
    return lines


Each = TypeVar("Each", bound=Measured)


class Sweep(list[Each], Showing):
    """The list of results that `cellstats.sweep` returns.

    The constructor `Sweep(results)` makes a sweep from any other results.

    >>> import cellstats as cs
    >>> print(cs.sweep("mailbox", spes=[2, 4], spe_to_spe=True))
    function  spes  latency_ns  latency_ns_min  latency_ns_max
    mailbox      2       158.1           158.1           158.1
    mailbox      4       159.4           158.1           160.6
    """

    _kind = "sweep"

    def __repr__(self) -> str:
        # The text omits the results, which would fill the terminal.
        names = (sorted({getattr(each, name) for each in self}) for name in ("function", "machine"))
        what = " on ".join(", ".join(each) for each in names)
        return f"<Sweep {what}: {len(self)} results>" if self else "<Sweep: no results>"

    def plot(self, y: Literal["latency", "bandwidth"] | str | None = None) -> "Figure":
        """A line chart against size, or against the first numeric parameter that varies.

        y: either `latency` or `bandwidth`; by default, bandwidth if data moves, otherwise latency.

        Raises UsageError if no parameter varies, if the chart would have too many lines to
        distinguish, or if matplotlib is missing.
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
    """Make and check all rows of a sweep, in order.

    flags: names of parameters in error messages, if different from the keywords.
    find: function that returns the machine with a given name or in a given file.

    Raises UsageError for an invalid combination.
    """
    called = flags or {}
    machines = [
        find(each) if isinstance(each, str | Path) else each
        for each in _words(machine, called.get("machine", "machine"))
    ]
    functions = _words(function, called.get("function", "function"))
    axes = {
        name: [value]
        if name == "target" and functions == ["permutation"]  # commas separate its partners
        else _values(name, value, called.get(name, name))
        for name, value in parameters.items()
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
    elif name == "rate" and isinstance(value, str):
        values = parse_rates(value, label)
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
    """A list of one or several words; a string may be a comma-separated list of words."""
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
