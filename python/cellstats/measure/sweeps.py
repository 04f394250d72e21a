"""Sweeps: one measurement for each combination of many values."""

import itertools
from collections.abc import Iterable, Mapping
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from cellstats._native import UsageError
from cellstats.machine import AnyMachineLike, MachineLike
from cellstats.machine import machine as find_machine
from cellstats.measure.ranges import parse_values
from cellstats.measure.row import Row
from cellstats.measure.swept import Sweep
from cellstats.parameters import HOST_NAMES, Parameter, named
from cellstats.refusal import known_keywords, quoted, refusal
from cellstats.result import Result

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from typing import Unpack

    from cellstats.host.host_machine import HostMachine
    from cellstats.host.host_result import HostResult
    from cellstats.keywords import HostSwept, Swept

ROWS_MAX = 1_000_000
"""More rows than this are taken for a typing error."""


@overload
def sweep(  # type: ignore[overload-overlap]
    function: str | Iterable[str],
    *,
    machine: "Literal['host'] | HostMachine",
    executor: "Executor | None" = None,
    jobs: int | None = None,
    **parameters: "Unpack[HostSwept]",
) -> "Sweep[HostResult]": ...
@overload
def sweep(
    function: str | Iterable[str],
    *,
    machine: "MachineLike | Iterable[MachineLike]" = "ps3",
    executor: "Executor | None" = None,
    jobs: int | None = None,
    **parameters: "Unpack[Swept]",
) -> Sweep[Result]: ...
@known_keywords(*HOST_NAMES)
def sweep(
    function: str | Iterable[str],
    *,
    machine: "AnyMachineLike | Iterable[AnyMachineLike]" = "ps3",
    executor: "Executor | None" = None,
    jobs: int | None = None,
    **parameters: Any,
) -> Any:
    """Measure every combination of values: iterables are axes, single values hold for all rows.

    function, machine: one or several.
    parameters: those of `Machine.measure`. Numbers may also be texts as the command takes them:
        `"1..6"`, `"128..16k"` (doubling), `"1,2,4"`, `"0..8:2"`, `"1k..1m:*10"`. A placement is
        one list of SPEs; several are a list of lists.
    executor: where the rows are measured, any `concurrent.futures.Executor`; by default threads;
        on the host one measurement at a time. Processes must be able to import `cellstats`.
    jobs: number of threads, without an executor; one for each processor by default.

    The order is that of nested loops: machines outermost, then functions, then the parameters as
    they were given, the last one innermost. Raises UsageError, before anything runs, if one of the
    combinations cannot be; RunError when a run fails.

    >>> import cellstats as cs
    >>> results = cs.sweep("dmaget", spes=[1, 2], size="1k..4k", iterations=100)
    >>> [(result.spes, result.size_bytes) for result in results]
    [(1, 1024), (1, 2048), (1, 4096), (2, 1024), (2, 2048), (2, 4096)]
    """
    from cellstats.measure.pool import run_rows
    from cellstats.measure.workers import check_workers

    check_workers(executor, jobs)
    rows = rows_of(function, machine, parameters)
    results: dict[int, Any] = {}
    run_rows(dict(enumerate(rows)), results.__setitem__, executor=executor, jobs=jobs)
    return Sweep(results[number] for number in range(len(rows)))


def rows_of(
    function: str | Iterable[str],
    machine: "AnyMachineLike | Iterable[AnyMachineLike]",
    parameters: Mapping[str, Any],
    flags: Mapping[str, str] | None = None,
) -> list[Row]:
    """All rows of a sweep, in order, each checked.

    flags: the names of parameters in messages, where those are not their keywords.

    Raises UsageError for a combination that cannot be.
    """
    called = flags or {}
    machines = [
        find_machine(each) if isinstance(each, str | Path) else each
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
    """One or several words; a text may be a comma list of them."""
    if isinstance(value, str):
        words = [word.strip() for word in value.split(",")]
        if not all(words):
            raise refusal(f"{label} {quoted(value)} has an empty place; write words as in a,b")
        return list(dict.fromkeys(words))
    return _some(list(value) if isinstance(value, Iterable) else [value], label)


def _some(values: list[Any], label: str) -> list[Any]:
    if not values:
        raise refusal(f"{label} has no values; give at least one")
    return values
