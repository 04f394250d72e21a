"""Measures matrices: one function between every two CPUs, within a time budget.

A matrix of n CPUs has n(n-1) cells, too many for half a minute on a machine with hundreds of CPUs.
The pairs are therefore measured in an order that can be cut short. First comes one pair of each
class; the class of a pair is what its CPUs have in common, such as core, cache or node. Next, all
pairs are measured in one direction, in random order, and finally all pairs in the other direction.
Matrix cells without a measurement are marked, and filled with the value of the other direction if
that direction was measured, otherwise with the median of the pair's class.

Pairs are measured one at a time, because simultaneous measurements would disturb each other.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from cellstats._native import UsageError
from cellstats.core.parameters import HOST_NAMES
from cellstats.core.refusal import known_keywords, refusal
from cellstats.core.words import did_you_mean
from cellstats.host import judging
from cellstats.host.asking import parse_duration_ns
from cellstats.host.environment import read_environment
from cellstats.host.host_machine import HostMachine
from cellstats.host.host_result import HostResult
from cellstats.host.measuring import Effort
from cellstats.host.topology import as_list
from cellstats.measure.matrices import MATRIX_FUNCTIONS, QUANTITIES, PairMatrix, check_quantity

if TYPE_CHECKING:
    from typing import Unpack

    from cellstats.core.keywords import HostUntimed

BUDGET = "30s"
_PAIR_NS_LEAST, _PAIR_NS_MOST = 4_000_000, 300_000_000
_SAMPLE_NS = 100_000  # approximate duration of a sample after calibration
_REPEATED_NS = 60_000_000  # a pair with less time is measured in one repetition
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, repr=False)
class HostMatrix(PairMatrix):
    """The cost of one function between every two CPUs; the labels are CPUs in topological order."""

    element = "CPU"

    sources: list[list[str | None]]
    """Origin of each value, either `measured`, `mirrored` (from the other direction), or `class`
    (from pairs of the same class)."""
    relations: list[list[str | None]]
    """Relation of the two CPUs of each matrix cell, such as `same L3`."""
    nodes: tuple[int, ...]
    """NUMA node of each CPU of `labels`."""
    boundaries: tuple[tuple[int, str], ...]
    """Boundaries between packages, nodes, dies and shared caches: the index into `labels` of the
    CPU after the boundary, and the kind of boundary."""
    results: Mapping[Pair, HostResult]
    """The result of each measured pair, keyed by initiator and partner."""
    environment: Mapping[str, Any]
    """The environment, from `read_environment`."""
    disturbed: tuple[str, ...]
    """Disturbances during the whole measurement; each result also lists its own disturbances."""
    wall_ns: int
    """Duration of the measurement of the whole matrix."""

    def counts(self) -> dict[str, int]:
        """The number of matrix values of each origin: measured, mirrored or class."""
        every = [source for row in self.sources for source in row if source is not None]
        return {kind: every.count(kind) for kind in ("measured", "mirrored", "class")}

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
            "disturbed": list(self.disturbed),
            "disturbed_pairs": {
                f"{a},{b}": list(each.disturbed)
                for (a, b), each in self.results.items()
                if each.disturbed
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
        """The 95 % confidence interval of each measured pair's median latency."""
        found = [[self.results.get((a, b)) for b in self.labels] for a in self.labels]
        return [
            [
                None if each is None else [each.latency_ns_ci_low, each.latency_ns_ci_high]
                for each in row
            ]
            for row in found
        ]


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
    progress: called with the number of measured pairs and the number of all pairs.
    parameters: other keywords of `HostMachine.measure`, with a list of CPUs as `placement`.

    Raises UsageError for invalid parameters before any run, RunError when a run fails.
    """
    host = machine or HostMachine()
    check_matrix(function, y)
    budget_ns = parse_duration_ns(BUDGET if budget is None else budget, "{budget}") or 0
    given: dict[str, Any] = {name: value for name, value in parameters.items() if value is not None}
    labels = _labels(host, function, given)
    repetitions, effort = _effort(budget_ns // (len(labels) * (len(labels) - 1)))
    environment = read_environment(host.tree, host.topology)
    ordered = list(_in_order(host, labels))
    before = judging.read_counts(host.tree, host.topology, labels)
    start_ns = time.monotonic_ns()
    results: dict[Pair, HostResult] = {}
    for (a, b), needed in ordered:
        if not needed and time.monotonic_ns() - start_ns > budget_ns:
            break
        asked = host.ask(function, {**given, "placement": _placed(function, a, b)})
        measurement = host.begin(asked)
        for _ in range(repetitions):
            measurement.repeat(effort)
        results[a, b] = measurement.result(environment)
        if progress is not None:
            progress(len(results), len(ordered))
    wall_ns = time.monotonic_ns() - start_ns
    after = judging.read_counts(host.tree, host.topology, labels)
    happened = judging.changes(before, after, labels, wall_ns)
    return _assemble(host, labels, results, QUANTITIES[y], environment, happened, wall_ns)


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


def _effort(pair_ns: int) -> tuple[int, Effort]:
    """The number of repetitions for measuring one pair in the time `pair_ns`, and their effort."""
    time_ns = min(max(pair_ns, _PAIR_NS_LEAST), _PAIR_NS_MOST)
    repetitions = 3 if time_ns >= _REPEATED_NS else 1
    each_ns = time_ns // repetitions
    samples = max(10, each_ns // 2 // _SAMPLE_NS)
    return repetitions, Effort(samples, warm_up_ns=each_ns // 4, budget_ns=each_ns)


def _class(host: HostMachine, a: int, b: int) -> tuple[object, ...]:
    """The class of a pair of CPUs; pairs of the same class have similar costs."""
    one, other = host.topology.cpu(a), host.topology.cpu(b)
    nodes = tuple(sorted((one.node, other.node))) if one.node != other.node else ()
    kinds = tuple(sorted((one.kind or "", other.kind or "")))
    return host.topology.relation(a, b), nodes, kinds


def _in_order(host: HostMachine, labels: tuple[int, ...]) -> Iterator[tuple[Pair, bool]]:
    """All pairs in the order of measurement, with True for pairs that are always measured."""
    forward = [(a, b) for i, a in enumerate(labels) for b in labels[i + 1 :]]
    random.Random(0).shuffle(forward)
    first = {_class(host, *pair): pair for pair in forward}
    yield from ((pair, True) for pair in first.values())
    known = set(first.values())
    yield from ((pair, False) for pair in forward if pair not in known)
    yield from (((b, a), False) for a, b in forward)


def _assemble(
    host: HostMachine,
    labels: tuple[int, ...],
    results: Mapping[Pair, HostResult],
    quantity: tuple[str, str],
    environment: Mapping[str, Any],
    happened: list[str],
    wall_ns: int,
) -> HostMatrix:
    column, unit = quantity
    measured: dict[Pair, float] = {pair: getattr(each, column) for pair, each in results.items()}
    classes: dict[tuple[object, ...], list[float]] = {}
    for pair, value in measured.items():
        classes.setdefault(_class(host, *pair), []).append(value)

    def cell(a: int, b: int) -> tuple[float | None, str | None, str | None]:
        if a == b:
            return None, None, None
        relation = host.topology.relation(a, b)
        if (a, b) in measured:
            return measured[a, b], "measured", relation
        if (b, a) in measured:
            return measured[b, a], "mirrored", relation
        return median(classes[_class(host, a, b)]), "class", relation

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
        environment=environment,
        disturbed=tuple(happened),
        wall_ns=wall_ns,
    )


def _samples(result: HostResult) -> list[float]:
    """The samples of all repetitions, all from the initiator, because other threads have none."""
    return [time for row in result.per_thread for series in row.samples_ns for time in series]
