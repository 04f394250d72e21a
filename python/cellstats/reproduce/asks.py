"""Asks: the rows of a figure before they are measured.

An ask knows the columns with parameters, so that a claim can be answered without its whole figure,
and the runs that it takes, so that the runs of all figures go through one pool.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from statistics import pstdev
from typing import Any, Literal, Protocol, TypeAlias

from cellstats import montecarlo
from cellstats._native import UsageError
from cellstats.machine import Machine
from cellstats.measure.over_placements import Placements, Summary, plan
from cellstats.measure.row import Row
from cellstats.parameters import NAMES, named
from cellstats.reproduce import spe_programs
from cellstats.reproduce.answers import Answer
from cellstats.reproduce.derived import derived
from cellstats.result import Result
from cellstats.text.nearest import did_you_mean

Kind: TypeAlias = Literal["measurement", "placements", "breakdown", "program"]


class HasColumns(Protocol):
    """The outcome of a program."""

    def columns(self) -> dict[str, Any]:
        """The columns of a table."""


PROGRAMS: Mapping[str, Callable[..., HasColumns]] = {
    "montecarlo": montecarlo.run,
    "stream": spe_programs.stream,
    "bounce": spe_programs.bounce,
    "loop": spe_programs.loop,
}
"""Programs other than FUNCTIONs: functions of a machine and keywords with an outcome in columns."""


@dataclass(frozen=True)
class Ask:
    """One row: a measurement, one over many placements, a DMA taken apart, or a program run."""

    kind: Kind
    machine: str
    function: str
    given: tuple[tuple[str, Any], ...]
    """Keywords of `Machine.measure`, of placements also `which`; or those of the program."""
    labels: tuple[tuple[str, Any], ...] = ()
    """Columns of our own, such as the panel that the row is drawn in."""

    @cached_property
    def columns(self) -> dict[str, Any]:
        """The columns that are known before it is measured, named as those of a result."""
        known = {"machine": self.machine, "function": self.function}
        return known | dict(_column(name, value) for name, value in self.given) | dict(self.labels)

    def rows(self, machine: Machine) -> list[Row]:
        """The runs that it takes."""
        parameters = dict(self.given)
        if self.kind in ("breakdown", "program"):
            return []
        if self.kind == "placements":
            return list(self._plan(machine).rows.values())
        return [Row(machine, self.function, parameters)]

    def answer(self, machine: Machine, results: Sequence[Result]) -> Answer:
        """The row, from the results of its runs."""
        if self.kind == "breakdown":
            apart = machine.breakdown(self.function, **dict(self.given))
            cycles = {part.component: part.spu_cycles for part in (*apart, apart.total)}
            transfer = ("data_transfer", "completion")
            cycles["transfer_and_completion"] = sum(cycles.get(name, 0) for name in transfer)
            return Answer(self.columns | cycles)
        if self.kind == "program":
            outcome = PROGRAMS[self.function](machine, **dict(self.given))
            return Answer(self.columns | outcome.columns())
        if self.kind == "placements":
            plan = self._plan(machine)
            placed = plan.placements(dict(zip(plan.rows, results, strict=True)))
            return Answer(self.columns | _summary(placed))
        [result] = results
        return Answer(dict(self.labels) | result.row() | derived(machine, result), result)

    def _plan(self, machine: Machine) -> Any:
        given = dict(self.given)
        which, seed = given.pop("which"), given.pop("seed", 0)
        return plan(machine, self.function, which, seed, given)


def measured(machine: str, function: str | Sequence[str], **columns: Any) -> Iterator[Ask]:
    """A measurement for every combination of values, in the order of nested loops.

    columns: keywords of `Machine.measure`, lists for several values (a placement is a text, such as
        "0,8-15"); anything else is a label of the rows.
    """
    return _asks("measurement", machine, function, columns, NAMES)


def over_placements(
    machine: str, function: str, which: int | Literal["all"] = 10, **columns: Any
) -> Iterator[Ask]:
    """As `measured`, over random placements: least, median, mean and most bandwidth."""
    return _asks("placements", machine, function, {"which": which, **columns}, (*NAMES, "which"))


def taken_apart(machine: str, function: str, **columns: Any) -> Iterator[Ask]:
    """One DMA's latency by its components, in SPU cycles; keywords of `Machine.breakdown`."""
    return _asks("breakdown", machine, function, columns, NAMES)


def programmed(machine: str, program: str, **columns: Any) -> Iterator[Ask]:
    """As `measured`, for one of `PROGRAMS`, with keywords of its own.

    >>> [ask] = programmed("ps3", "montecarlo", steps=2, affinity="identity")
    >>> ask.given, ask.labels
    ((('steps', 2),), (('affinity', 'identity'),))
    """
    if program not in PROGRAMS:
        raise UsageError(f"unknown program {program!r}; {did_you_mean(program, list(PROGRAMS))}")
    keywords = tuple(signature(PROGRAMS[program]).parameters)
    return _asks("program", machine, program, columns, keywords)


def _asks(
    kind: Kind,
    machine: str,
    function: str | Sequence[str],
    columns: Mapping[str, Any],
    keywords: Sequence[str],
) -> Iterator[Ask]:
    functions = [function] if isinstance(function, str) else function
    axes = {name: list(value) if _several(value) else [value] for name, value in columns.items()}
    for each, *values in itertools.product(functions, *axes.values()):
        pairs = list(zip(axes, values, strict=True))
        given = tuple(pair for pair in pairs if pair[0] in keywords and pair[1] is not None)
        labels = tuple(pair for pair in pairs if pair[0] not in keywords)
        yield Ask(kind, machine, each, given, labels)


def _several(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)


def _column(name: str, value: Any) -> tuple[str, Any]:
    """A keyword as a column: `size="1k"` is `size_bytes=1024`."""
    parameter = named(name) if name in NAMES else None
    if parameter is None:
        return name, value
    read = parameter.read(value, name) if parameter.is_number else value
    return parameter.column or name, read


def _summary(placed: Placements) -> dict[str, Any]:
    # As the papers count it, see `derived`.
    moved = [placed.results[run].bandwidth_gb_s_own for run in placed.runs]
    values = [value for value in moved if value is not None]
    assert values, "only patterns are measured over placements"
    bandwidth = Summary.of(values)
    return {
        "bandwidth_gb_s": bandwidth.mean,
        "bandwidth_gb_s_min": bandwidth.min,
        "bandwidth_gb_s_median": bandwidth.median,
        "bandwidth_gb_s_max": bandwidth.max,
        "bandwidth_gb_s_range": bandwidth.max - bandwidth.min,
        "bandwidth_gb_s_deviation": pstdev(values),
    }
