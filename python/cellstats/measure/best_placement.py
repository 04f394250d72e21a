"""Finds a good placement for a communication pattern, by a model or by simulation.

The communication model of sudheer2009, with the rules of the data arbiter, gives a quick estimate.
The simulation runs the pattern on the full machine. If there are few placements, every one is
simulated; otherwise, a local search starts from good placements.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cellstats import _native
from cellstats.affinities import named_order
from cellstats.assignment import Found
from cellstats.core.display import Showing, picture
from cellstats.core.pattern import Pattern
from cellstats.core.quantities import parse_count
from cellstats.core.refusal import known_keywords, refusal
from cellstats.core.words import did_you_mean
from cellstats.measure.machine import Machine, MachineLike, find_simulated
from cellstats.measure.simulated_search import Course, by_simulation, fastest_folding
from cellstats.measure.workers import check_workers
from cellstats.patterns import PatternLike
from cellstats.placement.folding import Folded, Grouping
from cellstats.placement.rings import PhaseLoads, part_loads
from cellstats.placement.search import (
    SIMULATED_BYTES_MAX,
    Placement,
    Task,
    by_model,
    task_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Judge: TypeAlias = Literal["model", "simulation"]
JUDGES = ("model", "simulation")
"""Methods of judging placements on simulated machines. The host uses measured matrices instead."""

DEFAULTS = 100
"""Number of random placements, which model an operating system without affinity."""


@dataclass(frozen=True)
class Load:
    """The number of bytes that a part of the machine carries in one phase of the pattern."""

    phase: int
    """Number of the phase, counted from 1."""
    part: str
    """A segment of all rings of one direction, such as `SPE0 to SPE2`, or a crossing, such as `Cell
    0 to Cell 1`."""
    identity_bytes: int
    """Number of bytes with the placement identity: thread i on SPE i."""
    placed_bytes: int
    """Number of bytes with the placement that was found."""


@dataclass(frozen=True)
class Placed(Showing):
    """The best placement found, its time by model or simulation, and the loads that it reduces."""

    _kind = "placement"

    pattern: str
    """Name of the pattern."""
    machine: str
    """Name of the machine."""
    by: Judge
    """`model` or `simulation`."""
    cells: str | None
    """The Cells whose SPEs may be used (`0`, `1`, `01` or `10`), or None for all Cells."""
    memory: str
    """The Cell whose memory holds buffers (`0`, `1` or `interleave` for both)."""
    threads: int
    """Threads of the pattern."""
    phases: int
    """Phases of the pattern."""
    placement: Placement
    """Physical SPE of each thread, or of each group."""
    groups: Grouping | None
    """If the pattern has more threads than there are SPEs, the groups of threads that share an SPE;
    otherwise None. With groups, `threads` is their number."""
    in_blocks_ns: float | None
    """Simulated time with groups of consecutive threads, in the order of the machine's SPEs; None
    without groups, and if there are too many bytes to simulate."""
    time_ns: float
    """Time of one iteration through all phases of the pattern."""
    bandwidth_gb_s: float
    """Bandwidth of all threads together, GB = 10^9 bytes."""
    affinities_ns: Mapping[str, float]
    """Time with each named affinity; for `default`, the mean over random placements."""
    default_worst_ns: float
    """Time with the slowest random placement."""
    defaults: int
    """Number of random placements."""
    bound_ns: float
    """Lower bound of any placement's time, from the load of SPEs, memory and the interface."""
    evaluations: int
    """Number of placements that were judged."""
    all_placements: bool
    """Whether all placements were judged."""
    simulated_ns: float | None
    """Simulated time with the search's result, or None if there are too many bytes to simulate."""
    unplaced_simulated_ns: float | None
    """Simulated time without a placement, with the threads in the order of the machine's SPEs."""
    affinities_simulated_ns: Mapping[str, float]
    """By model, the simulated time with each named affinity except `default`, unless there are too
    many bytes to simulate. By simulation, `affinities_ns` has these times."""
    rejected: Placement | None
    """The result of the search, if another placement is faster by simulation; otherwise None. In
    that case, `placement` is the fastest of the named affinities and the order of the machine's
    SPEs."""
    relieved: tuple[Load, ...] = field(repr=False)
    """Parts that carry fewer bytes than with the placement identity, largest difference first."""
    placed_pattern: Pattern = field(repr=False)
    """The pattern with all messages."""
    placed_on: Machine = field(repr=False, compare=False)
    """The machine."""

    @property
    def answer_simulated_ns(self) -> float | None:
        """Simulated time with `placement`, or None if there are too many bytes to simulate. If the
        search went by simulation, `time_ns` is this time.
        """
        if self.by == "simulation":
            return self.time_ns
        times = (self.simulated_ns, self.unplaced_simulated_ns)
        every = [*times, *self.affinities_simulated_ns.values()]
        return min((each for each in every if each is not None), default=None)

    @property
    def gap(self) -> float:
        """Upper bound (0 to 1) of the share of the time that another placement could save."""
        return 1 - self.bound_ns / self.time_ns

    def to_dict(self) -> dict[str, Any]:
        """All fields in plain dicts, lists and numbers, with the names of pattern and machine."""
        itself = ("placed_pattern", "placed_on")
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        own = {name: value for name, value in plain.items() if name not in itself}
        relieved = [asdict(load) for load in self.relieved]
        rejected = None if self.rejected is None else list(self.rejected)
        named = {
            name: dict(getattr(self, name)) for name in ("affinities_ns", "affinities_simulated_ns")
        }
        lists = {"placement": list(self.placement), "rejected": rejected, "relieved": relieved}
        groups = None if self.groups is None else self.groups.to_dict()
        return {**own, **named, **lists, "groups": groups, "gap": self.gap}

    @known_keywords()
    def plot(self, *, by_phase: bool = False) -> "Figure":
        """A chart of the threads on the rings, the routes of messages, and each segment's load.

        by_phase: draw a panel for each phase, four at most, instead of one panel with all messages.

        Raises UsageError if there are more than four phases to draw, or if matplotlib is missing.
        """
        return picture(self, by_phase=by_phase)


def place_on_spes(
    pattern: PatternLike,
    machine: MachineLike,
    *,
    by: str | None = None,
    evaluations: int | None = None,
    **parameters: Any,
) -> Placed:
    """`cellstats.place` on a simulated machine."""
    by = "simulation" if by is None else by
    if by not in JUDGES:
        raise refusal(f"{{by}} {by}: {did_you_mean(by, JUDGES)}")
    found = find_simulated(machine)
    task = task_of(found.native, pattern, source=found.source, **parameters)
    check_workers(task.executor, task.jobs)
    first = task.spes[: task.pattern.threads]
    # Raises UsageError before the search for parameters that the machine cannot run.
    found.check("exchange", pattern=task.pattern, placement=first, memory=task.memory)
    limit = None if evaluations is None else parse_count(evaluations, "{evaluations}")
    both, named = 2, len(task.named())
    compared = both + named if by == "model" else both + 1 + named + DEFAULTS
    folded, task = task.folded, fastest_folding(task)
    course = Course(task, compared)
    try:
        best = by_model(task, limit) if by == "model" else by_simulation(task, limit, course)
        course.compare()
        return _placed(
            found, folded, task, "model" if by == "model" else "simulation", best, course
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(course.so_far()) from None


def _placed(
    machine: Machine, folded: Folded | None, task: Task, by: Judge, best: Found, course: Course
) -> Placed:
    """Determine the times of the placement found, the named affinities, and random placements."""
    found, unplaced = task.on_spes(best.placement), tuple(task.spes[: task.pattern.threads])
    named = task.named()
    # The model errs, so the simulation decides, among what the answer is compared with.
    rivals = [found, unplaced, *(named.values() if by == "model" else ())]
    simulated_ns = _simulated_ns(task, rivals, course)
    fastest = 0 if simulated_ns is None else simulated_ns.index(min(simulated_ns))
    placement, rejected = rivals[fastest], fastest > 0
    defaults = [
        named_order(task.machine, "default", task.pattern.threads, task.cells, seed=task.seed + nth)
        for nth in range(DEFAULTS)
    ]
    listed = [placement, *named.values(), *defaults]
    if by == "model":
        cycles = [float(_native.cost_bus_cycles(cost)) for cost in task.model(listed)]
    else:
        # One iteration is precise enough for the many random placements.
        few = course.simulated(listed[: 1 + len(named)], task.iterations)
        cycles = [each / task.iterations for each in few] + [
            *map(float, course.simulated(defaults))
        ]
    ns = [each / task.machine.bus_hz * 1e9 for each in cycles]
    random = ns[1 + len(named) :]
    affinities = dict(zip(named, ns[1:], strict=False)) | {"default": fmean(random)}
    return Placed(
        pattern=task.pattern.name,
        machine=task.machine.name,
        by=by,
        cells=task.cells,
        memory=task.memory,
        threads=task.pattern.threads,
        groups=None if task.folded is None else task.folded.grouping,
        in_blocks_ns=_in_blocks_ns(folded, task),
        phases=len(task.pattern.phases),
        placement=placement,
        time_ns=ns[0],
        bandwidth_gb_s=task.pattern.total_bytes / ns[0],
        affinities_ns=affinities,
        default_worst_ns=max(random),
        defaults=DEFAULTS,
        bound_ns=_bound_ns(task, placement),
        simulated_ns=None if simulated_ns is None else simulated_ns[0],
        unplaced_simulated_ns=None if simulated_ns is None else simulated_ns[1],
        affinities_simulated_ns=dict(zip(named, (simulated_ns or [])[2:], strict=False)),
        rejected=found if rejected else None,
        evaluations=best.evaluations,
        all_placements=best.evaluations >= task.count,
        relieved=tuple(_relieved(task, named["identity"], placement)),
        placed_pattern=task.pattern,
        placed_on=machine,
    )


def _simulated_ns(task: Task, placements: list[Placement], course: Course) -> list[float] | None:
    """Simulated times of one iteration, or None for more than `SIMULATED_BYTES_MAX` bytes."""
    iterations = min(task.iterations, SIMULATED_BYTES_MAX // task.pattern.total_bytes)
    if iterations == 0:
        return None
    cycles = course.simulated(placements, iterations)
    return [each / iterations / task.machine.bus_hz * 1e9 for each in cycles]


def _in_blocks_ns(folded: Folded | None, task: Task) -> float | None:
    """See `Placed.in_blocks_ns`; `folded` is that with few bytes between groups."""
    if folded is None or folded.in_blocks is None:
        return None
    blocks = replace(task, pattern=folded.in_blocks.pattern, advance=lambda _done, _all: None)
    unplaced = tuple(task.spes[: blocks.pattern.threads])
    times = _simulated_ns(blocks, [unplaced], Course(blocks, 1))
    return None if times is None else times[0]


def _loads(task: Task, placement: Placement) -> list[PhaseLoads]:
    return part_loads(task.machine, task.pattern, placement, task.memory)


def _bound_ns(task: Task, placement: Placement) -> float:
    """Lower bound of the time of any placement.

    Each thread, and memory, transfers the same number of bytes with every placement. If one Cell
    has too few SPEs for all threads, some bytes must cross the interface.
    """
    cycles = sum(
        max((load.bus_cycles for load in phase if load.part.is_fixed), default=0)
        for phase in _loads(task, placement)
    )
    chips = task.chips()
    both = task.pattern.threads > max(map(len, chips)) and all(chips)
    crossing_s = task.partition[0] if both else 0.0
    return max(cycles / task.machine.bus_hz, crossing_s) * 1e9


def _relieved(task: Task, identity: Placement, placement: Placement) -> Iterator[Load]:
    """Find segments and crossings with fewer bytes than with identity, largest difference first."""
    found = []
    both = zip(_loads(task, identity), _loads(task, placement), strict=True)
    for phase, (before, after) in enumerate(both, 1):
        now = {load.part: load.bytes for load in after}
        found += [
            Load(phase, str(load.part), load.bytes, now.get(load.part, 0))
            for load in before
            if load.part.is_route and now.get(load.part, 0) < load.bytes
        ]
    yield from sorted(found, key=lambda load: load.placed_bytes - load.identity_bytes)
