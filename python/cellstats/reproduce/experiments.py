"""Rows of a figure, measured.

Columns of a figure's rows that results have no columns for: single DMAs, Cells, rings.

Asks: the rows of a figure before they are measured.

An ask knows the columns with parameters, so that a claim can be answered without its whole figure,
and the runs that it takes, so that the runs of all figures go through one pool.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from statistics import fmean, pstdev
from typing import Any, Literal, Protocol, TypeAlias

from cellstats import montecarlo
from cellstats._native import UsageError
from cellstats.architecture import LINE_BYTES
from cellstats.core.parameters import NAMES, named
from cellstats.core.words import did_you_mean
from cellstats.measure.machine import Machine
from cellstats.measure.over_placements import Placements, Summary, plan
from cellstats.measure.result import Latencies, Result
from cellstats.measure.sweeps import Row
from cellstats.reproduce import spe_programs


@dataclass(frozen=True)
class Answer:
    """One row: its columns, and the whole result where it is one measurement."""

    columns: Mapping[str, Any]
    result: Result | None = None

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]


class Answers(Sequence[Answer]):
    """The rows of a figure, in the order in which they were asked for.

    >>> rows = Answers([Answer({"spes": 1, "ns": 5.0}), Answer({"spes": 2, "ns": 7.0})])
    >>> rows.where(spes=2).column("ns")
    [7.0]
    """

    def __init__(self, rows: Iterable[Answer]) -> None:
        self._rows = list(rows)

    def __getitem__(self, nth: Any) -> Any:
        return self._rows[nth]

    def __len__(self) -> int:
        return len(self._rows)

    def where(self, **columns: Any) -> "Answers":
        """The rows with these values; `None` is also the value of a column that a row lacks."""
        return Answers(
            row
            for row in self._rows
            if all(row.columns.get(name) == value for name, value in columns.items())
        )

    def column(self, name: str) -> list[Any]:
        """One column of all rows."""
        return [row.columns[name] for row in self._rows]

    def groups(self, *names: str) -> Iterator[tuple[Any, "Answers"]]:
        """The rows by the values of one column, or of several, in the order of their first rows."""

        def key(row: Answer) -> tuple[Any, ...]:
            return tuple(row.columns.get(name) for name in names)

        groups: dict[Any, list[Answer]] = {}
        for row in self._rows:
            groups.setdefault(key(row), []).append(row)
        for values, rows in groups.items():
            yield (values[0] if len(names) == 1 else values), Answers(rows)


def derived(machine: Machine, result: Result) -> dict[str, float]:
    """Those that this result can give.

    `bandwidth_gb_s` in place of the result's: the sum of what each SPE has over its own time. So
    the papers count (kistler2006, "Collective communications": "the sum of the communication
    bandwidths reached by each SPE"), whose SPEs measure with their decrementers.
    `dma_mode_ns`, `dma_median_ns`, `dma_mean_ns` and `dma_max_ns` of single DMAs, with a histogram.
    `latency_ns_cell_0` and `_1`, the averages of each Cell's SPEs, where both take part.
    `ring_busy`: share of bus cycles in which a ring of a Cell is in use, the mean of its rings.
    `clockwise_share`: of the lines on these rings, those that went clockwise. `ring_evenness`:
    of the direction with more lines, the least busy ring's bus cycles over the busiest one's.
    `bandwidth_gb_s_stored` between L1 and L2, where a result counts a line for each access: of
    stores only the bytes stored, as the L1 hands on no more.
    """
    single, rings = _of_single_dmas(result.dma_latency), _of_rings(machine, result)
    own = result.bandwidth_gb_s_own
    moved = {} if own is None else {"bandwidth_gb_s": own}
    return moved | single | _by_cell(machine, result) | rings | _as_stored(result)


def _of_single_dmas(latencies: Latencies | None) -> dict[str, float]:
    if latencies is None:
        return {}
    fullest = max(latencies.bins, key=lambda bar: bar.count)
    return {
        "dma_mode_ns": (fullest.from_ns + fullest.to_ns) / 2,
        "dma_median_ns": latencies.median_ns,
        "dma_mean_ns": latencies.mean_ns,
        "dma_max_ns": latencies.max_ns,
    }


def _as_stored(result: Result) -> dict[str, float]:
    own = result.bandwidth_gb_s_own
    if result.level != "l1l2" or own is None:
        return {}
    stored = (result.size_bytes or 0) / LINE_BYTES
    share = {"load": 1.0, "store": stored, "copy": (1 + stored) / 2}[result.function]
    return {"bandwidth_gb_s_stored": own * share}


def _by_cell(machine: Machine, result: Result) -> dict[str, float]:
    """The average latency of each Cell's SPEs, where both take part."""
    cells: dict[int, list[float]] = {}
    for spe in result.per_spe:
        cells.setdefault(machine.chip_of(spe.spe), []).append(spe.latency_ns)
    if len(cells) < 2:
        return {}
    return {f"latency_ns_cell_{cell}": fmean(values) for cell, values in cells.items()}


def _of_rings(machine: Machine, result: Result) -> dict[str, float]:
    """Of the Cell whose rings carry most; the counters have each Cell's clockwise ones first."""
    values = {row["key"]: row["value"] for row in machine.values()}
    clockwise, counter = values["eib.clockwise_rings"], values["eib.counterclockwise_rings"]
    every, each = result.counters["rings"], clockwise + counter
    cells = [every[first : first + each] for first in range(0, len(every), each)]
    rings = max(cells, key=_lines)
    ways = rings[:clockwise], rings[clockwise:]
    if not _lines(rings):
        return {}
    busy = [ring["busy_bus_cycles"] for ring in max(ways, key=_lines)]
    cycles = result.counters["bus_cycles"]
    return {
        "ring_busy": fmean(ring["busy_bus_cycles"] for ring in rings) / cycles,
        "clockwise_share": _lines(ways[0]) / _lines(rings),
        "ring_evenness": min(busy) / max(busy),
    }


def _lines(rings: Sequence[Mapping[str, int]]) -> int:
    return sum(ring["grants"] for ring in rings)


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
