"""Measures an overview of this computer.

All measurements share a budget. They take turns, so that what changes from one moment to the next
shows in the numbers of all of them. In the first round, which is always completed, each measurement
has one repetition. The rest of the time is shared out evenly (`_turns`): a load from the L1 takes a
hundredth of the time of a copy by all cores in memory, and is repeated more often.

The latency of a load comes from two curves of chases in random order. One is on small pages, as
most programs have them. On the other one, nearly all translations of addresses hit: it is on huge
pages, or where the kernel gives none, in an order by pages. The second curve shows the levels, and
the difference of both is what translations cost.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from cellstats._native import RunError, UsageError
from cellstats.core.refusal import refusal
from cellstats.host.cores import LEVELS, working_set_bytes
from cellstats.host.disturbances import Noticed, Watch
from cellstats.host.environment import read_environment
from cellstats.host.host_machine import HostMachine
from cellstats.host.latency_levels import MEMORY, plateaus
from cellstats.host.matrices import QUICK_BUDGET, measure_matrix
from cellstats.host.overview import Bandwidth, Level, Loaded, NodeMemory, Overview, Point
from cellstats.host.repetitions import REPETITIONS, Effort, Measurement
from cellstats.host.request import parse_duration_ns
from cellstats.host.statistics import Similar, estimate, verdict
from cellstats.host.topology import as_list

BUDGET = "55s"
_MATRIX_SHARE = 0.2
_EFFORT = Effort(samples=10, warm_up_ns=5_000_000, budget_ns=20_000_000)
_QUICK_EFFORT = Effort(samples=4, warm_up_ns=500_000, budget_ns=2_000_000)
_LEAST_BYTES, _FINE_BYTES = 4096, 2 << 20
_LITTLE_NS = 15_000_000
_RATES = (0.15, 0.3, 0.5, 0.7, 0.85)  # shares of the bandwidth that other cores reach without limit
_WIDTHS = (64, 32, 16)
_RESTING = 0.0
SMALL, HUGE, BY_PAGES = "small pages", "huge pages", "small pages, 16 at a time"
"""The names of curves."""
_CURVES: Mapping[str, Mapping[str, str]] = {
    SMALL: {"chase": "lines", "pages": "small"},
    HUGE: {"chase": "lines", "pages": "huge"},
    BY_PAGES: {"chase": "pages", "pages": "small"},
}
_SIMPLE: tuple[str, ...] = ("load", "store", "copy")
_OPERATIONS: Mapping[str, tuple[str, dict[str, Any]]] = {
    **{name: (name, {}) for name in _SIMPLE},
    "copy 2:1": ("copy", {"mix": "2:1", "size": 16}),
    "copy 3:1": ("copy", {"mix": "3:1", "size": 16}),
    "store, non-temporal": ("store", {"non_temporal": True}),
    "copy, non-temporal": ("copy", {"non_temporal": True}),
}
_KINDS = {
    "curve": "latency on",
    "node": "latency between nodes",
    "from node": "bandwidth between nodes",
    "bandwidth": "bandwidth of",
    "loaded": "latency under load",
}
Key = tuple[Any, ...]
"""The kind of a measurement, and what tells it from others of its kind."""
Planned = tuple[Key, str, Mapping[str, Any]]
"""A measurement: its key, FUNCTION and keywords."""


def overview(
    host: HostMachine | None = None,
    *,
    cpu: int | None = None,
    budget: str | float | None = None,
    quick: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Overview:
    """Measure a first picture of this computer.

    cpu: the CPU whose loads are measured; the first one by default.
    budget: time for all measurements, 55s by default; one round is always completed.
    quick: measure only the levels, simple bandwidths and messages, in about a second.
    progress: called with the milliseconds that are spent, and those of the budget.

    Raises UsageError for an invalid CPU or budget, RunError when a run fails.
    """
    host = host or HostMachine()
    usual = QUICK_BUDGET if quick else BUDGET
    budget_ns = parse_duration_ns(usual if budget is None else budget, "{budget}") or 0
    cpus = _cpus(host, cpu)
    several = len(host.cpus) > 1
    # What befalls other CPUs does not concern the measurements of a single one.
    watch, watch_one = (Watch(host.tree, host.topology, each) for each in (host.cpus, cpus[:1]))
    start_ns = time.monotonic_ns()

    def spent() -> int:
        spent_ns = time.monotonic_ns() - start_ns
        if progress is not None:
            progress(min(spent_ns, budget_ns) // 1_000_000, budget_ns // 1_000_000)
        return spent_ns

    survey = _Survey(host, cpus, quick=quick)
    survey.measure(int(budget_ns * (1 - _MATRIX_SHARE * several)), spent)
    matrix = None
    if several:
        left_s = max(budget_ns - spent(), budget_ns * _MATRIX_SHARE / 2, 1e6) / 1e9
        try:
            matrix = measure_matrix(
                "mailbox", machine=host, budget=left_s, progress=lambda *_: spent()
            )
        except RunError as error:
            survey.missing.append(f"messages between CPUs: {error}")
    environment, happened = read_environment(host.tree, host.topology), watch.noticed()
    return Overview(
        cpu=cpus[0],
        **survey.found(environment, happened, watch_one.noticed()),
        matrix=matrix,
        environment=environment,
        disturbed=tuple(each.words for each in happened),
        wall_ns=spent(),
    )


def _cpus(host: HostMachine, cpu: int | None) -> tuple[int, ...]:
    """The CPU whose loads are measured, and one CPU of each other core."""
    every = host.topology.placement(host.topology.cores())
    first = every[0] if cpu is None else cpu
    if first not in host.cpus:
        raise refusal(f"{{cpu}} {first}: this process may use CPUs {as_list(host.cpus)}")
    own = {first, *host.topology.cpu(first).siblings}
    return (first, *(each for each in every if each not in own))


class _Survey:
    """All measurements but the matrix, in rounds."""

    def __init__(self, host: HostMachine, cpus: Sequence[int], *, quick: bool) -> None:
        self._host, self._cpus, self._quick = host, cpus, quick
        self._effort = _QUICK_EFFORT if quick else _EFFORT
        topology = host.topology
        self._caches = {
            f"L{level}": cache.size_bytes
            for level in range(1, 5)
            if (cache := topology.cache(cpus[0], level))
        }
        self._memory_bytes = working_set_bytes(topology, host.tree, cpus[:1], MEMORY)
        self.missing: list[str] = []
        self._curve = self._which_curve()
        self._begun: dict[Key, Measurement] = {}
        self._cost_ns: dict[Key, int] = {}
        """What the first repetition of each measurement took."""

    def measure(self, until_ns: int, spent: Callable[[], int]) -> None:
        """Begin all measurements, and repeat them in turn until this time is spent.

        Each has the same share of the time, so those that take little are repeated more often.
        """
        for step in (self._latencies, self._bandwidths, self._loaded):
            for key, function, given in step():
                self._begin(key, function, given)
                spent()
        # One repetition says nothing of the next, so those that take little have a second one.
        for key, cost_ns in self._cost_ns.items():
            if spent() <= until_ns or cost_ns < _LITTLE_NS:
                self._repeat(key)
        for key in _turns(self._cost_ns, until_ns - spent()):
            if spent() > until_ns:
                return
            self._repeat(key)

    def _begin(self, key: Key, function: str, given: Mapping[str, Any]) -> None:
        """Begin a measurement. If it fails, it is missing, and all others go on."""
        start_ns = time.monotonic_ns()
        try:
            self._begun[key] = self._measurement(function, given)
        except (RunError, UsageError) as error:
            self._lacks(key, error)
        else:
            self._repeat(key)
            self._cost_ns[key] = max(1, time.monotonic_ns() - start_ns)

    def _measurement(self, function: str, given: Mapping[str, Any]) -> Measurement:
        return self._host.begin(self._host.ask(function, {"placement": self._cpus[:1], **given}))

    def _repeat(self, key: Key) -> None:
        try:
            self._begun[key].repeat(self._effort)
        except (RunError, UsageError) as error:
            # At this moment, the kernel may have too few huge pages for a large working set.
            if self._begun[key].asked.pages != "huge":
                self._lacks(key, error)

    def _lacks(self, key: Key, error: object) -> None:
        kind, *which = key
        where = " ".join(str(word) for word in which if word is not None)
        lacking = f"{_KINDS[kind]} {where}".strip() + f": {error}"
        if lacking not in self.missing:
            self.missing.append(lacking)

    def _which_curve(self) -> str:
        """The name of the curve that shows the levels: on huge pages if there are some."""
        try:
            self._once("load", working_set=_LEAST_BYTES, **_CURVES[HUGE])
        except RunError as error:
            self.missing.append(f"latency on huge pages: {error}")
            return BY_PAGES
        return HUGE

    def _width(self) -> int:
        """The size of the widest elements that this processor loads."""
        for width in _WIDTHS[:-1]:
            try:
                self._once("load", working_set=_LEAST_BYTES, size=width)
            except UsageError:
                continue
            return width
        return _WIDTHS[-1]

    def _once(self, function: str, **given: Any) -> None:
        """Run a measurement for a moment, to see whether it is possible here."""
        effort = Effort(samples=1, warm_up_ns=0, budget_ns=1_000_000)
        self._measurement(function, given).repeat(effort)

    def _latencies(self) -> Iterator[Planned]:
        for curve in (self._curve,) if self._quick else (SMALL, self._curve):
            fine = curve == self._curve and not self._quick
            for size in _sizes(self._memory_bytes, fine=fine):
                key = ("curve", curve, size)
                yield key, "load", {"working_set": size, **_CURVES[curve]}
        for one, node, cpus in self._between_nodes():
            given = {"memory": node, "placement": cpus[:1], **_CURVES[self._curve]}
            yield ("node", one, node), "load", {"level": MEMORY, **given}

    def _between_nodes(self) -> Iterator[tuple[int, int, list[int]]]:
        """Each node with each node of memory, and the first one's CPUs, one of each core."""
        topology = self._host.topology
        of_node: dict[int, list[int]] = {}
        for cpu in self._cpus:
            of_node.setdefault(topology.cpu(cpu).node, []).append(cpu)
        for one, cpus in sorted(of_node.items()) if len(topology.nodes) > 1 else ():
            if not self._quick or self._cpus[0] in cpus:
                yield from ((one, node, cpus) for node in topology.nodes)

    def _bandwidths(self) -> Iterator[Planned]:
        width = self._width()
        names_of_levels = [name.lower() for name in self._caches if name.lower() in LEVELS]
        for one, node, own in self._between_nodes():
            given = {"size": width, "level": MEMORY, "memory": node, "placement": own}
            yield ("from node", one, node), "load", given
        places = [(name, self._cpus[:1], _SIMPLE) for name in names_of_levels]
        if len(self._cpus) > 1:
            places.append((MEMORY, self._cpus[:1], _SIMPLE))
        places.append((MEMORY, self._cpus, _SIMPLE if self._quick else tuple(_OPERATIONS)))
        for level, cpus, names in places:
            for name in names:
                function, more = _OPERATIONS[name]
                given = {"size": width, **more, "level": level, "placement": cpus}
                yield ("bandwidth", name, level, len(cpus)), function, given

    def _loaded(self) -> Iterator[Planned]:
        if self._quick:
            return
        chase: dict[str, Any] = {"level": MEMORY, **_CURVES[self._curve]}
        yield ("loaded", _RESTING), "load", chase
        if len(self._cpus) < 2:
            self.missing.append("latency under load: there is only one core")
            return
        chase |= {"background": "load", "placement": self._cpus}
        yield (most := ("loaded", None)), "load", chase
        without_limit = self._begun.get(most)
        # The other cores may get no processor time while this one measures.
        most_gb_s = None
        if without_limit is not None and without_limit.repetitions_ns:
            most_gb_s = without_limit.result({}).bandwidth_gb_s
        if not most_gb_s:
            self.missing.append("latency under load: the other cores had no time for loads")
            return
        for share in _RATES:
            rate = float(f"{share * most_gb_s:.3g}")
            yield ("loaded", rate), "load", {"rate": rate, **chase}

    def found(
        self,
        environment: Mapping[str, Any],
        happened: Sequence[Noticed],
        happened_to_one: Sequence[Noticed],
    ) -> dict[str, Any]:
        """The results, by the names of columns of `Overview`."""
        begun = {key: each for key, each in self._begun.items() if each.repetitions_ns}
        curves: dict[str, dict[int, Measurement]] = {SMALL: {}, self._curve: {}}
        results: dict[str, list[tuple[Any, ...]]] = {}
        similar = _similar(begun)
        for key, each in begun.items():
            kind, *which = key
            if kind == "curve":
                curves[which[0]][which[1]] = each
            else:
                alone = len(each.asked.cpus) == 1
                noticed = happened_to_one if alone else happened
                row = (*which, each.result(environment, noticed, similar[key]))
                results.setdefault(kind, []).append(row)
        loaded = [
            Loaded(rate, one.bandwidth_gb_s or 0.0, one.latency_ns, one.grade, one.why)
            for rate, one in results.get("loaded", [])
        ]
        return {
            "curves": {name: _points(curve, happened_to_one) for name, curve in curves.items()},
            "levels": tuple(self._found_levels(curves, happened_to_one)),
            "nodes": tuple(
                NodeMemory(start, node, one.latency_ns, None, one.grade, one.why)
                for start, node, one in results.get("node", [])
            )
            + tuple(
                NodeMemory(start, node, None, one.bandwidth_gb_s, one.grade, one.why)
                for start, node, one in results.get("from node", [])
            ),
            "bandwidths": tuple(
                Bandwidth(name, level, cores, one.bandwidth_gb_s or 0.0, one.grade, one.why)
                for name, level, cores, one in results.get("bandwidth", [])
            ),
            "loaded": tuple(sorted(loaded, key=lambda each: each.bandwidth_gb_s)),
            "missing": tuple(self.missing),
        }

    def _found_levels(
        self, curves: Mapping[str, Mapping[int, Measurement]], happened: Sequence[Noticed]
    ) -> Iterator[Level]:
        curve, small = curves[self._curve], curves[SMALL]
        heights = {size: each.estimate().value for size, each in curve.items()}
        for plateau in plateaus(heights, self._caches):
            # In each round, the latency of a level is the median over its working sets.
            every = [curve[size].repetitions_ns for size in plateau.sizes_bytes if size in curve]
            rounds = [median(times) for times in zip(*every, strict=False)]
            found = estimate(rounds, happened, Similar(every, alike=True))
            judged = verdict(found, len(rounds), rounds, happened)
            common = [size for size in plateau.sizes_bytes if size in small and size in heights]
            # Translations miss in the larger working sets of a level, if at all.
            larger = common[len(common) // 2 :]
            more = [small[size].estimate().value - heights[size] for size in larger]
            is_memory = plateau.name == MEMORY
            yield Level(
                name=plateau.name,
                latency_ns=found.value,
                up_to_bytes=None if is_memory else plateau.sizes_bytes[-1],
                reported_bytes=self._caches.get(plateau.name),
                translation_ns=median(more) if more else None,
                grade=judged.grade,
                why=judged.why,
            )


def _turns(cost_ns: Mapping[Key, int], left_ns: int) -> Iterator[Key]:
    """The order of further repetitions, of which all measurements have the same time in `left_ns`.

    None has more than `REPETITIONS` in all. The repetitions of each are spread over the time.
    """
    ordered = sorted(cost_ns, key=cost_ns.__getitem__)
    counts: dict[Key, int] = {}
    for nth, key in enumerate(ordered):
        share_ns = left_ns / (len(ordered) - nth)
        counts[key] = max(0, min(REPETITIONS - 2, int(share_ns / cost_ns[key])))
        left_ns -= counts[key] * cost_ns[key]
    every = [((nth + 0.5) / counts[key], key) for key in cost_ns for nth in range(counts[key])]
    every.sort(key=lambda each: each[0])
    yield from (key for _, key in every)


def _similar(begun: Mapping[Key, Measurement]) -> dict[Key, Similar]:
    """For each measurement, those of its kind; what goes to memory varies more."""
    alike: dict[tuple[Any, ...], list[Key]] = {}
    for key in begun:
        alike.setdefault((key[0], MEMORY in key), []).append(key)
    shared = [(keys, Similar(begun[key].repetitions_ns for key in keys)) for keys in alike.values()]
    return {key: similar for keys, similar in shared for key in keys}


def _points(curve: Mapping[int, Measurement], happened: Sequence[Noticed]) -> tuple[Point, ...]:
    similar = Similar(each.repetitions_ns for each in curve.values())
    found = [(size, each.estimate(happened, similar)) for size, each in sorted(curve.items())]
    return tuple(Point(size, each.value, each.low, each.high) for size, each in found)


def _sizes(most_bytes: int, *, fine: bool) -> list[int]:
    """The working sets of a curve: two for each doubling, and the largest.

    fine: four for each doubling while they cost little, to tell small caches apart.
    """
    found = []
    for doublings in range(most_bytes.bit_length()):
        size = _LEAST_BYTES << doublings
        parts = (4, 5, 6, 7) if fine and size < _FINE_BYTES else (4, 6)
        found += [size // 4 * part for part in parts]
    return [size for size in found if size < most_bytes] + [most_bytes]
