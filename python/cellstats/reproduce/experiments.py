"""Experiments, which describe the rows of a figure before and after measurement.

An `Experiment` has its parameters before it is measured. A claim can therefore select only the
experiments that it needs from a figure, and one pool can make the runs of all figures. The `Row` of
a measured experiment has its parameters, the columns of its result, and columns that only figures
need (`derived`).
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import signature
from statistics import fmean, pstdev
from typing import Any, Literal, Protocol, TypeAlias

from cellstats import montecarlo
from cellstats._native import HAS_LINUX, UsageError
from cellstats.architecture import LINE_BYTES
from cellstats.core.parameters import NAMES, named
from cellstats.core.words import did_you_mean
from cellstats.measure.machine import Machine
from cellstats.measure.over_placements import Placements, Summary, Which, plan
from cellstats.measure.result import Result
from cellstats.measure.result_parts import Latencies
from cellstats.measure.sweeps import Row as Run
from cellstats.reproduce import spe_programs
from cellstats.reproduce.settled import IN_BULK, settling_columns

Kind: TypeAlias = Literal["measurement", "placements", "breakdown", "program"]


class HasColumns(Protocol):
    """The outcome of a program."""

    def columns(self) -> dict[str, Any]:
        """The columns of a table."""


PROGRAMS: Mapping[str, Callable[..., HasColumns]] = {
    "montecarlo": montecarlo.run,
    "stream": spe_programs.stream,
    "issue": spe_programs.issue,
    "bounce": spe_programs.bounce,
    "loop": spe_programs.loop,
    "kernel": spe_programs.kernel,
    "timed": spe_programs.timed,
}
"""Programs that are not FUNCTIONs. Each program takes a machine and keywords, and returns
columns."""


@dataclass(frozen=True)
class Row:
    """One measured row: columns, and the complete result if the row is a single measurement."""

    columns: Mapping[str, Any]
    result: Result | None = None

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]


class Rows(Sequence[Row]):
    """The rows of a figure, in the order of its experiments.

    >>> rows = Rows([Row({"spes": 1, "ns": 5.0}), Row({"spes": 2, "ns": 7.0})])
    >>> rows.where(spes=2).column("ns")
    [7.0]
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = list(rows)

    def __getitem__(self, nth: Any) -> Any:
        return self._rows[nth]

    def __len__(self) -> int:
        return len(self._rows)

    def where(self, **columns: Any) -> "Rows":
        """The rows with these values. `None` also matches rows that lack the column."""
        return Rows(
            row
            for row in self._rows
            if all(row.columns.get(name) == value for name, value in columns.items())
        )

    def column(self, name: str) -> list[Any]:
        """The values of one column in all rows."""
        return [row.columns[name] for row in self._rows]

    def ends(self, name: str) -> list[tuple[Any, Any]]:
        """The lowest and the highest value behind the mean `name` in each row: its columns
        `name_min` and `name_max`, or the mean itself in rows of a single run.
        """
        return [
            (row.columns.get(f"{name}_min", row[name]), row.columns.get(f"{name}_max", row[name]))
            for row in self._rows
        ]

    def groups(self, *names: str) -> Iterator[tuple[Any, "Rows"]]:
        """Group the rows by one or several columns. Groups are in the order of their first rows."""

        def key(row: Row) -> tuple[Any, ...]:
            return tuple(row.columns.get(name) for name in names)

        groups: dict[Any, list[Row]] = {}
        for row in self._rows:
            groups.setdefault(key(row), []).append(row)
        for values, rows in groups.items():
            yield (values[0] if len(names) == 1 else values), Rows(rows)


@dataclass(frozen=True)
class Experiment:
    """One row to measure.

    The row describes a single measurement, a summary over random placements, the components of one
    DMA, or a program's result.
    """

    kind: Kind
    machine: str
    function: str
    given: tuple[tuple[str, Any], ...]
    """Keywords of `Machine.measure` (and `which`, for random placements), or of the program."""
    labels: tuple[tuple[str, Any], ...] = ()
    """Columns that only identify the row, such as the name of its panel."""
    settle: bool = False
    """Whether runs may end once they have settled."""

    @cached_property
    def columns(self) -> dict[str, Any]:
        """The columns that are known before the measurement, with the same names as in results."""
        known = {"machine": self.machine, "function": self.function}
        return known | dict(_column(name, value) for name, value in self.given) | dict(self.labels)

    @property
    def runs_here(self) -> bool:
        """Whether this build can measure the row: not every build can run Linux programs."""
        return HAS_LINUX or (self.kind, self.function) != ("program", "timed")

    def by_symmetry(self) -> "Experiment":
        """The experiment with one placement of each orbit, if this one has all placements.

        >>> [one] = over_placements("ps3", "couples", "all", spes=2)
        >>> one.by_symmetry().columns["which"]
        'orbits'
        """
        given = dict(self.given)
        if given.get("which") != "all":
            return self
        return replace(self, given=tuple((given | {"which": "orbits"}).items()))

    def runs(self, machine: Machine) -> list[Run]:
        """The runs that the experiment needs. Breakdowns and programs need no runs."""
        if self.kind in ("breakdown", "program"):
            return []
        if self.kind == "placements":
            return list(self._plan(machine).rows.values())
        return [Run(machine, self.function, self._parameters())]

    def row(self, machine: Machine, results: Sequence[Result]) -> Row:
        """Compute the measured row from the results of `runs`."""
        if self.kind == "breakdown":
            apart = machine.breakdown(self.function, **dict(self.given))
            cycles = {part.component: part.spu_cycles for part in (*apart, apart.total)}
            transfer = ("data_transfer", "completion")
            cycles["transfer_and_completion"] = sum(cycles.get(name, 0) for name in transfer)
            return Row(self.columns | cycles)
        if self.kind == "program":
            outcome = PROGRAMS[self.function](machine, **dict(self.given))
            return Row(self.columns | outcome.columns())
        if self.kind == "placements":
            plan = self._plan(machine)
            placed = plan.placements(dict(zip(plan.rows, results, strict=True)))
            return Row(self.columns | _summary(placed))
        [result] = results
        columns = {
            name: value for name, value in result.row().items() if name not in result.optional()
        }
        columns |= derived(machine, result) | settling_columns([result])
        return Row(dict(self.labels) | columns, result)

    def _parameters(self) -> dict[str, Any]:
        return dict(self.given) | ({"settle": True} if self.settle else {})

    def _plan(self, machine: Machine) -> Any:
        given = self._parameters()
        which, seed = given.pop("which"), given.pop("seed", 0)
        return plan(machine, self.function, which, seed, given)


def _column(name: str, value: Any) -> tuple[str, Any]:
    """Convert a keyword to a column: `size="1k"` becomes `size_bytes=1024`."""
    parameter = named(name) if name in NAMES else None
    if parameter is None:
        return name, value
    read = parameter.read(value, name) if parameter.is_number else value
    return parameter.column or name, read


def measured(machine: str, function: str | Sequence[str], **columns: Any) -> Iterator[Experiment]:
    """Yield a measurement for every combination of values, in the order of nested loops.

    columns: keywords of `Machine.measure`, each with one value or a list of values (a placement is
        one text, such as "0,8-15"). Any other keyword is a label of the rows.
    """
    return _experiments("measurement", machine, function, columns, NAMES)


def over_placements(
    machine: str, function: str, which: Which = 10, **columns: Any
) -> Iterator[Experiment]:
    """Like `measured`, but for the least, median, mean and greatest bandwidth over random
    placements.
    """
    given = {"which": which, **columns}
    return _experiments("placements", machine, function, given, (*NAMES, "which"))


def taken_apart(machine: str, function: str, **columns: Any) -> Iterator[Experiment]:
    """Like `measured`, but for the components of one DMA's latency. Takes keywords of
    `Machine.breakdown`.
    """
    return _experiments("breakdown", machine, function, columns, NAMES)


def programmed(machine: str, program: str, **columns: Any) -> Iterator[Experiment]:
    """Like `measured`, but for a program in `PROGRAMS` and its keywords.

    >>> [one] = programmed("ps3", "montecarlo", steps=2, affinity="identity")
    >>> one.given, one.labels
    ((('steps', 2),), (('affinity', 'identity'),))
    """
    if program not in PROGRAMS:
        raise UsageError(f"unknown program {program!r}; {did_you_mean(program, list(PROGRAMS))}")
    keywords = tuple(signature(PROGRAMS[program]).parameters)
    return _experiments("program", machine, program, columns, keywords)


def _experiments(
    kind: Kind,
    machine: str,
    function: str | Sequence[str],
    columns: Mapping[str, Any],
    keywords: Sequence[str],
) -> Iterator[Experiment]:
    functions = [function] if isinstance(function, str) else function
    axes = {name: list(value) if _several(value) else [value] for name, value in columns.items()}
    for each, *values in itertools.product(functions, *axes.values()):
        pairs = list(zip(axes, values, strict=True))
        given = tuple(pair for pair in pairs if pair[0] in keywords and pair[1] is not None)
        labels = tuple(pair for pair in pairs if pair[0] not in keywords)
        yield Experiment(kind, machine, each, given, labels)


def _several(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)


def _summary(placed: Placements) -> dict[str, Any]:
    # Bandwidth by the papers' definition; see `derived`.
    own = [placed.results[run].bandwidth_gb_s_own for run in placed.runs_counted]
    values = [value for value in own if value is not None]
    assert values, "only patterns are measured over placements"
    bandwidth = Summary.of(values)
    return {
        "bandwidth_gb_s": bandwidth.mean,
        "bandwidth_gb_s_min": bandwidth.min,
        "bandwidth_gb_s_median": bandwidth.median,
        "bandwidth_gb_s_max": bandwidth.max,
        "bandwidth_gb_s_range": bandwidth.max - bandwidth.min,
        "bandwidth_gb_s_deviation": pstdev(values),
        **settling_columns(placed.results),
    }


def settled(experiment: Experiment) -> Experiment:
    """The experiment with runs that may end once they have settled, if its runs are long.

    >>> [one] = measured("ps3", "couples", spes=2)
    >>> settled(one).settle, one.settle
    (True, False)
    """
    return replace(experiment, settle=True) if experiment.function in IN_BULK else experiment


def derived(machine: Machine, result: Result) -> dict[str, float]:
    """Columns that figures have in addition to the columns of a result.

    `bandwidth_gb_s` replaces the result's column of this name. The value is the sum of the
    bandwidths of all SPEs, each computed from the SPE's own time. The papers use this definition
    (kistler2006, "Collective communications": "the sum of the communication bandwidths reached by
    each SPE"), because SPEs measure time with their decrementers. `dma_mode_ns`, `dma_median_ns`,
    `dma_mean_ns` and `dma_max_ns` describe the latency of single DMAs, if the result has a
    histogram. `latency_ns_cell_0` and `latency_ns_cell_1` are the mean latencies of each Cell's
    SPEs, if SPEs of both Cells take part. `ring_busy` is the share of bus cycles in which a ring is
    in use, averaged over one Cell's rings. `clockwise_share` is the share of the cache lines on
    these rings that went clockwise. `ring_evenness` is a quotient: the busy cycles of the least
    busy ring divided by those of the busiest ring, in the direction that carried more cache lines.
    `bandwidth_gb_s_stored` is the bandwidth between L1 and L2 in which a store counts only its own
    bytes, because the L1 forwards only the stored bytes. In a result, each access counts as a whole
    cache line.
    """
    single, rings = _of_single_dmas(result.dma_latency), _of_rings(machine, result)
    own = result.bandwidth_gb_s_own
    bandwidth = {} if own is None else {"bandwidth_gb_s": own}
    return bandwidth | single | _by_cell(machine, result) | rings | _as_stored(result)


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


def _by_cell(machine: Machine, result: Result) -> dict[str, float]:
    """Mean latency of the SPEs on each Cell, if SPEs of both Cells take part."""
    cells: dict[int, list[float]] = {}
    for spe in result.per_spe:
        cells.setdefault(machine.chip_of(spe.spe), []).append(spe.latency_ns)
    if len(cells) < 2:
        return {}
    return {f"latency_ns_cell_{cell}": fmean(values) for cell, values in cells.items()}


def _of_rings(machine: Machine, result: Result) -> dict[str, float]:
    """Columns about the rings of the Cell whose rings carry the most cache lines."""
    values = {row["key"]: row["value"] for row in machine.values()}
    clockwise, counter = values["eib.clockwise_rings"], values["eib.counterclockwise_rings"]
    # The counters list the rings of each Cell, with the clockwise rings first.
    every, each = result.counters["rings"], clockwise + counter
    cells = [every[first : first + each] for first in range(0, len(every), each)]
    rings = max(cells, key=_lines)
    directions = rings[:clockwise], rings[clockwise:]
    if not _lines(rings):
        return {}
    busy = [ring["busy_bus_cycles"] for ring in max(directions, key=_lines)]
    cycles = result.counters["bus_cycles"]
    return {
        "ring_busy": fmean(ring["busy_bus_cycles"] for ring in rings) / cycles,
        "clockwise_share": _lines(directions[0]) / _lines(rings),
        "ring_evenness": min(busy) / max(busy),
    }


def _lines(rings: Sequence[Mapping[str, int]]) -> int:
    return sum(ring["grants"] for ring in rings)


def _as_stored(result: Result) -> dict[str, float]:
    own = result.bandwidth_gb_s_own
    if result.level != "l1l2" or own is None:
        return {}
    stored = (result.size_bytes or 0) / LINE_BYTES
    share = {"load": 1.0, "store": stored, "copy": (1 + stored) / 2}[result.function]
    return {"bandwidth_gb_s_stored": own * share}
