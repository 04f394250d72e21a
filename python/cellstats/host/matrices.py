"""Measures matrices: one function between every two CPUs, within a time budget.

A matrix of n CPUs has n(n-1) cells, too many for half a minute on a machine with hundreds of CPUs.
The pairs are therefore measured in an order that can be cut short. First comes one pair of each
class; the class of a pair is what its CPUs have in common, such as core, cache or node. Next, all
pairs are measured in one direction, in random order, and finally all pairs in the other direction.
Then repetitions follow until the budget is spent, or until every pair is known to within 1 % and
ten seconds are over: half of them in turn, so that each pair's repetitions are spread over the
budget, and half of them for the pair that is known least.

The spread of a class counts with the spread of each of its pairs (`statistics.Similar`), so a pair
with few repetitions has an interval as well. A pair without a usable number is filled with the
value of the other direction if that is usable, otherwise with the median of the usable pairs of its
class; both are marked.

Pairs are measured one at a time, because simultaneous measurements would disturb each other.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from cellstats._native import UsageError
from cellstats.core.parameters import HOST_NAMES
from cellstats.core.refusal import known_keywords, refusal
from cellstats.core.words import did_you_mean
from cellstats.host import repetitions
from cellstats.host.disturbances import (
    DO_NOT_USE,
    GRADES,
    MOVED,
    Noticed,
    Watch,
    is_bad,
    is_virtual,
)
from cellstats.host.environment import read_environment
from cellstats.host.host_machine import HostMachine
from cellstats.host.host_result import HostResult
from cellstats.host.modes import keep_prevailing
from cellstats.host.repetitions import REPETITIONS, Effort, Measurement
from cellstats.host.request import parse_duration_ns
from cellstats.host.statistics import PARTS, Similar
from cellstats.host.topology import as_list
from cellstats.measure.matrices import MATRIX_FUNCTIONS, QUANTITIES, PairMatrix, check_quantity

if TYPE_CHECKING:
    from typing import Unpack

    from cellstats.core.keywords import HostUntimed

BUDGET, QUICK_BUDGET = "30s", "1s"
_REPETITION_NS_LEAST, _REPETITION_NS_MOST = 4_000_000, 20_000_000
_SAMPLES = 10
_PRECISE = GRADES["1 %"]  # a pair that is known as well as this needs no more repetitions
# A matrix takes so many times as long as a single measurement at least, or its whole budget: pairs
# that happened to be quiet for a moment have too narrow intervals.
_SPREAD_TIMES = 5
Pair = tuple[int, int]
Class = tuple[object, ...]
_RECORDED = ("iterations", "samples", "repetitions", "wall_ns", "grade", "why")


@dataclass(frozen=True, slots=True, repr=False)
class HostMatrix(PairMatrix):
    """The cost of one function between every two CPUs; the labels are CPUs in topological order."""

    element = "CPU"

    sources: list[list[str | None]]
    """Origin of each value, either `measured`, `mirrored` (from the other direction), `class` (from
    pairs of the same class), or `unusable` (not to be used, and nothing is better)."""
    relations: list[list[str | None]]
    """Relation of the two CPUs of each matrix cell, such as `same L3`."""
    nodes: tuple[int, ...]
    """NUMA node of each CPU of `labels`."""
    boundaries: tuple[tuple[int, str], ...]
    """Boundaries between packages, nodes, dies and shared caches: the index into `labels` of the
    CPU after the boundary, and the kind of boundary."""
    results: Mapping[Pair, HostResult]
    """The result of each measured pair, keyed by initiator and partner, with its `grade`."""
    environment: Mapping[str, Any]
    """The environment, from `read_environment`."""
    modes: str
    """The two modes of all pairs where a hypervisor moves CPUs; empty if there is one."""
    disturbed: tuple[str, ...]
    """Disturbances during the whole measurement; each result also lists its own disturbances."""
    wall_ns: int
    """Duration of the measurement of the whole matrix."""

    def counts(self) -> dict[str, int]:
        """The number of matrix values of each origin, in the order of `sources`."""
        every = [source for row in self.sources for source in row if source is not None]
        return {kind: every.count(kind) for kind in ("measured", "mirrored", "class", "unusable")}

    def bad(self) -> dict[Pair, HostResult]:
        """The measured pairs that may be wrong by more than 20 %, the worst first."""
        found = [each for each in self.results.items() if is_bad(each[1].grade)]
        return dict(sorted(found, key=lambda each: -GRADES[each[1].grade]))

    def by_relation(self) -> dict[str, list[float]]:
        """The measured values for each relation of two CPUs, the cheapest relation first."""
        found: dict[str, list[float]] = {}
        for values, sources, relations in zip(
            self.values, self.sources, self.relations, strict=True
        ):
            for value, source, relation in zip(values, sources, relations, strict=True):
                if value is not None and source == "measured" and relation is not None:
                    found.setdefault(relation, []).append(value)
        dear_last = 1 if self.unit == "ns" else -1
        return dict(sorted(found.items(), key=lambda item: dear_last * median(item[1])))

    def to_dict(self) -> dict[str, Any]:
        """The matrix in plain dicts, lists and numbers, as in the JSON format."""
        one = next(iter(self.results.values()))
        plain = ("function", "machine", "quantity", "unit", "values", "sources", "relations")
        return {
            **{name: getattr(self, name) for name in plain},
            "labels": list(self.labels),
            "nodes": {str(cpu): node for cpu, node in zip(self.labels, self.nodes, strict=True)},
            "boundaries": [list(each) for each in self.boundaries],
            "intervals_ns": self._intervals(),
            "samples_ns": {f"{a},{b}": _samples(each) for (a, b), each in self.results.items()},
            "modes": self.modes,
            "disturbed": list(self.disturbed),
            "pairs": {
                f"{a},{b}": {name: getattr(each, name) for name in _RECORDED}
                for (a, b), each in self.results.items()
            },
            "means": one.to_dict()["means"],
            "clock": dict(one.clock),
            "environment": dict(self.environment),
            "wall_ns": self.wall_ns,
            "recipe": {
                **one.recipe,
                "parameters": {**one.recipe["parameters"], "placement": None},
            },
        }

    def _intervals(self) -> list[list[list[float] | None]]:
        """The 95 % interval of each measured pair's latency; None without one."""

        def cell(pair: Pair) -> list[float] | None:
            each = self.results.get(pair)
            if each is None or each.latency_ns_ci_low is None or each.latency_ns_ci_high is None:
                return None
            return [each.latency_ns_ci_low, each.latency_ns_ci_high]

        return [[cell((a, b)) for b in self.labels] for a in self.labels]


@known_keywords(*HOST_NAMES)
def measure_matrix(
    function: str = "mailbox",
    *,
    machine: HostMachine | None = None,
    y: Literal["latency", "bandwidth"] | str = "latency",
    budget: str | float | None = None,
    progress: Callable[[int, int], object] | None = None,
    **parameters: "Unpack[HostUntimed]",
) -> HostMatrix:
    """Measure `function` between every ordered pair of CPUs that this process may use.

    y: quantity in the matrix, `latency` (ns) or, for DMA, `bandwidth` (GB/s).
    budget: time for the whole matrix, 30s by default; one pair of each class is always measured.
    progress: called with the milliseconds that are spent, and those of the budget.
    parameters: other keywords of `HostMachine.measure`, with a list of CPUs as `placement`.

    Raises UsageError for invalid parameters before any run, RunError when a run fails.
    """
    host = machine or HostMachine()
    check_matrix(function, y)
    budget_ns = parse_duration_ns(BUDGET if budget is None else budget, "{budget}") or 0
    given: dict[str, Any] = {name: value for name, value in parameters.items() if value is not None}
    labels = _labels(host, function, given)
    environment = read_environment(host.tree, host.topology)
    watch = Watch(host.tree, host.topology, labels)
    start_ns = time.monotonic_ns()

    def begin(pair: Pair) -> Measurement:
        return host.begin(host.ask(function, {**given, "placement": _placed(function, *pair)}))

    pairs = _Pairs(begin, budget_ns, _effort(budget_ns, len(labels)), progress)
    pairs.measure(*_in_order(host, labels))
    wall_ns = time.monotonic_ns() - start_ns
    happened = watch.noticed()
    results, modes = _results(host, pairs.begun, environment, happened)
    return _assemble(host, labels, results, modes, QUANTITIES[y], environment, happened, wall_ns)


class _Pairs:
    """The measurements of pairs, which share a budget."""

    def __init__(
        self,
        begin: Callable[[Pair], Measurement],
        budget_ns: int,
        effort: Effort,
        progress: Callable[[int, int], object] | None,
    ) -> None:
        self.begun: dict[Pair, Measurement] = {}
        self._begin, self._budget_ns, self._effort = begin, budget_ns, effort
        self._progress, self._start_ns = progress, time.monotonic_ns()
        self._unknown: dict[Pair, tuple[float, int]] = {}

    def measure(self, first: Sequence[Pair], rest: Sequence[Pair]) -> None:
        """Measure pairs until the budget is spent or all are known.

        first: the pair of each class, which has an interval of its own in any case.
        """
        for pair in (*first,) * PARTS:
            self._repeat(pair)
        for pair in rest:
            if self._spent_ns() > self._budget_ns:
                return
            self._repeat(pair)
        for pair in cycle(self.begun):
            least_known = max(self._unknown, key=self._unknown.__getitem__)
            known = self._unknown[least_known][0] <= _PRECISE
            if known and self._spent_ns() >= _SPREAD_TIMES * repetitions.SPREAD_NS:
                return
            for each in (pair, least_known):
                if self._spent_ns() > self._budget_ns:
                    return
                self._repeat(each)

    def _repeat(self, pair: Pair) -> None:
        if pair not in self.begun:
            self.begun[pair] = self._begin(pair)
        measurement = self.begun[pair]
        measurement.repeat(self._effort)
        count = len(measurement.repetitions_ns)
        # Of the pairs with few repetitions, the one with the fewest is next: a burst for one pair
        # would be a single moment.
        far = measurement.estimate().far if count >= REPETITIONS else inf
        self._unknown[pair] = far, -count
        if self._progress is not None:
            spent_ns = min(self._spent_ns(), self._budget_ns)
            self._progress(spent_ns // 1_000_000, self._budget_ns // 1_000_000)

    def _spent_ns(self) -> int:
        return time.monotonic_ns() - self._start_ns


def check_matrix(function: str, y: str) -> None:
    """Raise UsageError for a function or quantity that cannot be measured as a matrix."""
    if function not in MATRIX_FUNCTIONS:
        raise UsageError(f"no matrix of {function!r}; {did_you_mean(function, MATRIX_FUNCTIONS)}")
    check_quantity(y, function)


def _labels(host: HostMachine, function: str, given: dict[str, Any]) -> tuple[int, ...]:
    """Return the matrix's CPUs in topological order; remove `placement` from `given`."""
    path = given.pop("ppe", "library")
    # Messages go through memory with -s, and through the kernel without it.
    given |= {"spes": 2, "ppe": path, "spe_to_spe": path in ("library", "mmio", "memory")}
    listed = given.pop("placement", None)
    if listed is None and len(host.cpus) < 2:
        raise UsageError(
            f"a matrix takes two CPUs, and this process may only use CPU {as_list(host.cpus)}; "
            "allow more (taskset, cpuset)"
        )
    if listed is None:
        host.check(function, **given)
        return host.cpus
    if listed == "random":
        raise refusal(
            "{placement} random with a matrix: give {host_placement} LIST, or leave it out"
        )
    cpus = host.ask("mkthread", {"placement": listed}).cpus
    if len(cpus) < 2:
        raise refusal(
            f"{{host_placement}} {as_list(cpus)}: a matrix takes two CPUs, give at least 2"
        )
    host.check(function, **given, placement=cpus[:2])
    return tuple(cpu for cpu in host.cpus if cpu in cpus)


def _placed(function: str, a: int, b: int) -> tuple[int, int]:
    # Thread 0 of a DMA holds the buffer. Thread 1, the initiator, transfers the data.
    return (b, a) if function.startswith("dma") else (a, b)


def _effort(budget_ns: int, cpus: int) -> Effort:
    """The effort for each repetition of a pair, if all pairs share the budget."""
    each_ns = budget_ns // (cpus * (cpus - 1)) // REPETITIONS
    each_ns = min(max(each_ns, _REPETITION_NS_LEAST), _REPETITION_NS_MOST)
    return Effort(_SAMPLES, warm_up_ns=each_ns // 4, budget_ns=each_ns)


def _class(host: HostMachine, a: int, b: int) -> Class:
    """The class of a pair of CPUs; pairs of the same class have similar costs."""
    one, other = host.topology.cpu(a), host.topology.cpu(b)
    nodes = tuple(sorted((one.node, other.node))) if one.node != other.node else ()
    kinds = tuple(sorted((one.kind or "", other.kind or "")))
    return host.topology.relation(a, b), nodes, kinds


def _in_order(host: HostMachine, labels: tuple[int, ...]) -> tuple[list[Pair], list[Pair]]:
    """A pair of each class, and all other pairs in the order of measurement."""
    forward = [(a, b) for i, a in enumerate(labels) for b in labels[i + 1 :]]
    random.Random(0).shuffle(forward)
    first = {_class(host, *pair): pair for pair in forward}.values()
    known = set(first)
    rest = [pair for pair in forward if pair not in known]
    return list(first), rest + [(b, a) for a, b in forward]


def _results(
    host: HostMachine,
    begun: Mapping[Pair, Measurement],
    environment: Mapping[str, Any],
    happened: Sequence[Noticed],
) -> tuple[dict[Pair, HostResult], str]:
    """The results, and the modes of a virtual machine's pairs."""
    classes: dict[Class, dict[Pair, Measurement]] = {}
    for pair, each in begun.items():
        classes.setdefault(_class(host, *pair), {})[pair] = each
    results, said = {}, ""
    for own in classes.values():
        modes = keep_prevailing(own.values()) if is_virtual(happened) else None
        said = said or (modes.words() if modes else "")
        series = [each.repetitions_ns for each in own.values()]
        similar = Similar(series, alike=True)
        for pair, each in own.items():
            noticed = _near(host, pair, happened)
            if modes and modes.is_rare(each.repetitions_ns) and MOVED not in noticed:
                noticed.append(MOVED)
            results[pair] = each.result(environment, noticed, similar)
    return {pair: results[pair] for pair in begun}, said


def _near(host: HostMachine, pair: Pair, happened: Sequence[Noticed]) -> list[Noticed]:
    """The disturbances of the cores of two CPUs."""
    cores = {sibling for cpu in pair for sibling in host.topology.cpu(cpu).siblings} | set(pair)
    return [each for each in happened if each.cpu is None or each.cpu in cores]


def _assemble(
    host: HostMachine,
    labels: tuple[int, ...],
    results: Mapping[Pair, HostResult],
    modes: str,
    quantity: tuple[str, str],
    environment: Mapping[str, Any],
    happened: list[Noticed],
    wall_ns: int,
) -> HostMatrix:
    column, unit = quantity
    values: dict[Pair, float] = {pair: getattr(each, column) for pair, each in results.items()}
    usable = {pair for pair, each in results.items() if each.grade != DO_NOT_USE}
    first = {_class(host, *pair): pair for pair in reversed(values)}
    classes: dict[Class, list[float]] = {}
    for pair in usable:
        classes.setdefault(_class(host, *pair), []).append(values[pair])

    def cell(a: int, b: int) -> tuple[float | None, str | None, str | None]:
        if a == b:
            return None, None, None
        relation = host.topology.relation(a, b)
        if (a, b) in usable:
            return values[a, b], "measured", relation
        if (b, a) in usable:
            return values[b, a], "mirrored", relation
        kind = _class(host, a, b)
        if kind in classes:
            return median(classes[kind]), "class", relation
        # The first measurements include a pair of each class.
        own = next((p for p in ((a, b), (b, a)) if p in values), first[kind])
        return values[own], "unusable", relation

    cells = [[cell(a, b) for b in labels] for a in labels]
    one = next(iter(results.values()))
    return HostMatrix(
        function=one.function,
        machine="host",
        quantity=column,
        unit=unit,
        labels=labels,
        values=[[each[0] for each in row] for row in cells],
        sources=[[each[1] for each in row] for row in cells],
        relations=[[each[2] for each in row] for row in cells],
        nodes=tuple(host.topology.cpu(cpu).node for cpu in labels),
        boundaries=tuple(host.topology.boundaries(labels)),
        results=dict(results),
        modes=modes,
        environment=environment,
        disturbed=tuple(each.words for each in happened),
        wall_ns=wall_ns,
    )


def _samples(result: HostResult) -> list[float]:
    """The samples of all repetitions, all from the initiator, because other threads have none."""
    return [time for row in result.per_thread for series in row.samples_ns for time in series]
