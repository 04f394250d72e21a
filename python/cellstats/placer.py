"""A good placement for a pattern of communication: found by the communication model, or by simulation.

The model (`crates/cell/src/communication_model.rs`) is that of sudheer2009: quick, and blind to what
happens when ways overlap in time. The simulation runs the pattern on the machine and leaves nothing
out; it judges every placement where there are few, and goes from good ones to better ones where there
are many.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb, perm
from statistics import fmean
from typing import Any, Literal, TypeAlias

from cellstats import _native
from cellstats._native import UsageError
from cellstats.affinities import NAMES, affinity
from cellstats.assignment import Found, search_all, search_local
from cellstats.exchanges import bandwidth_gb_s, times
from cellstats.machine import Machine
from cellstats.machine import machine as find_machine
from cellstats.nearest import did_you_mean
from cellstats.patterns import MEMORY, Pattern, PatternLike
from cellstats.patterns import pattern as find_pattern
from cellstats.sweeps import MachineLike

Judge: TypeAlias = Literal["model", "simulation"]
JUDGES = ("model", "simulation")
ALL_MAX = 50_000
"""With so many placements every one is judged; 8 threads on 8 SPEs have 40,320."""
EVALUATIONS = {"model": 20_000, "simulation": 400}
"""How many placements a search judges where there are more."""
DEFAULTS = 100
"""Random placements that stand for what an operating system does without affinity."""
_FINALISTS, _FINAL_ITERATIONS = 32, 10
_TIME_SHIFT = 36
_PLACES = ("01", "10", "0", "1")

Placement: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Load:
    """A part of the machine, and what one phase gives it to carry."""

    phase: int
    part: str
    """Such as `SPE0 to SPE2`, one segment of the rings that go this way, or `Cell 0 to Cell 1`."""
    identity_bytes: int
    placed_bytes: int


@dataclass(frozen=True)
class Placed:
    """A placement, how good it is by its judge, and why."""

    pattern: str
    machine: str
    by: Judge
    cells: str | None
    memory: str
    threads: int
    placement: Placement
    """The physical SPE of each thread."""
    time_ns: float
    """Of one run through all phases."""
    bandwidth_gb_s: float
    affinities_ns: Mapping[str, float]
    """The same of the affinities that have a name; `default` is the mean of random ones."""
    default_worst_ns: float
    defaults: int
    """How many random placements."""
    bound_ns: float
    """What no placement takes less than: the ramps of the SPEs and memory alone take so long."""
    evaluations: int
    all_placements: bool
    """Whether every placement was judged, and not some."""
    relieved: tuple[Load, ...]
    """Parts that have less to carry than with identity, those with the greatest relief first."""

    @property
    def gap(self) -> float:
        """By which part of its time another placement could be faster, at most: 0 to 1."""
        return 1 - self.bound_ns / self.time_ns

    def to_dict(self) -> dict[str, Any]:
        """All of it in plain dicts, lists and numbers."""
        return {**asdict(self), "placement": list(self.placement), "gap": self.gap}


def place(
    pattern: PatternLike,
    *,
    machine: MachineLike = "ps3",
    by: Judge | str = "simulation",
    threads: int | str | None = None,
    size: int | str | None = None,
    cells: str | int | None = None,
    memory: str | int = "0",
    seed: int = 0,
    evaluations: int | None = None,
    jobs: int | None = None,
    advance: Callable[[int, int], object] = lambda _done, _all: None,
) -> Placed:
    """Find the SPE of each thread with which a pattern takes the least time.

    pattern: a `Pattern`, the name of one, or of a file; `threads` and `size` as for
        `cellstats.patterns.pattern`, by default as many threads as there are SPEs, up to 8.
    by: who judges, `model` or `simulation`.
    cells, memory: as for `Machine.measure`.
    seed: chooses random placements, and where a search goes.
    evaluations: how many placements a search may judge where there are more than `ALL_MAX`.
    jobs: simulations at a time; by default one for each processor.
    advance: told now and then how many simulations are done, and of how many.

    Raises UsageError for what cannot be.

    >>> import cellstats as cs
    >>> found = cs.place("pairwise", machine="eval-board", by="model")
    >>> found.all_placements, found.evaluations, found.time_ns <= found.affinities_ns["ring"]
    (True, 40320, True)
    """
    if by not in JUDGES:
        raise UsageError(f"--by {by}: {did_you_mean(by, JUDGES)}")
    found = machine if isinstance(machine, Machine) else find_machine(machine)
    where = None if cells is None else str(cells)
    spes = usable_spes(found, where)
    wanted = find_pattern(pattern, threads, size, most=min(8, len(spes)))
    if wanted.threads > len(spes):
        raise UsageError(
            f"{wanted.threads} threads: {found.name} has {len(spes)} SPEs there, "
            f"give 1 to {len(spes)}"
        )
    task = _Task(found, wanted, spes, where, str(memory), seed, jobs, advance)
    # Says at once, in one line, what the machine cannot do.
    found.check("exchange", pattern=wanted, placement=spes[: wanted.threads], memory=task.memory)
    best = _by_model(task, evaluations) if by == "model" else _by_simulation(task, evaluations)
    return _placed(task, "model" if by == "model" else "simulation", best)


def usable_spes(machine: Machine, cells: str | None) -> list[int]:
    """The SPEs that `cells` leaves, those of the Cell that is named first in front."""
    if cells is None:
        return list(machine.spes)
    if cells not in _PLACES[: 4 if machine.chips > 1 else 0] and cells != "0":
        kinds = ", ".join(sorted(_PLACES)) if machine.chips > 1 else "0"
        raise UsageError(f"--cells {cells}: {machine.name} has {kinds}")
    order = [int(chip) for chip in cells]
    return [spe for chip in order for spe in machine.spes if machine.chip_of(spe) == chip]


@dataclass(frozen=True)
class _Task:
    """What is to be placed, and where."""

    machine: Machine
    pattern: Pattern
    spes: list[int]
    cells: str | None
    memory: str
    seed: int
    jobs: int | None
    advance: Callable[[int, int], object]

    @property
    def count(self) -> int:
        """How many placements there are."""
        return perm(len(self.spes), self.pattern.threads)

    def on_spes(self, cores: Iterable[int]) -> Placement:
        """The SPEs of cores, which are numbered from 0 on as `spes` has them."""
        return tuple(self.spes[core] for core in cores)

    def model(self, placements: Sequence[Placement]) -> list[int]:
        """Costs by the model: bus cycles, and among equals how uneven the load is."""
        costs = _native.model_costs(
            self.machine.native, self.pattern.to_native(), placements, self.memory
        )
        uneven_max = (1 << _TIME_SHIFT) - 1
        return [cycles << _TIME_SHIFT | min(uneven, uneven_max) for cycles, uneven in costs]

    def simulated(self, placements: Sequence[Placement], iterations: int = 1) -> list[int]:
        """Bus cycles of so many iterations."""
        return times(
            self.machine,
            self.pattern,
            placements,
            iterations=iterations,
            memory=self.memory,
            jobs=self.jobs,
            advance=self.advance,
        )

    def named(self) -> dict[str, Placement]:
        """The affinities that have a name, but for the default."""
        names = [name for name in NAMES if name != "default"]
        threads = self.pattern.threads
        return {name: affinity(self.machine, name, threads, cells=self.cells) for name in names}


def _by_model(task: _Task, evaluations: int | None) -> Found:
    """All placements; or partition and then order, on two Cells; or a search."""

    def costs(cores: list[tuple[int, ...]]) -> list[int]:
        return task.model([task.on_spes(each) for each in cores])

    threads, spes = task.pattern.threads, task.spes
    if task.count <= ALL_MAX:
        return _all(task, costs)
    chips = [[spe for spe in spes if task.machine.chip_of(spe) == chip] for chip in (0, 1)]
    if all(chips) and max(perm(len(chip), min(threads, len(chip))) for chip in chips) <= ALL_MAX:
        return _partition_and_order(task, chips)
    limit = EVALUATIONS["model"] if evaluations is None else evaluations
    return search_local(costs, threads, len(spes), seed=task.seed, evaluations=limit)


def _all(task: _Task, costs: Callable[[list[tuple[int, ...]]], list[int]]) -> Found:
    return search_all(costs, task.pattern.threads, len(task.spes), batch=8192, limit=ALL_MAX)


def _partition_and_order(task: _Task, chips: Sequence[Sequence[int]]) -> Found:
    """First what crosses from Cell to Cell, then the order on each: the paper's way.

    The order on one Cell has no effect on what the other's rings carry, so each is chosen among all
    there are.
    """
    on_first = _partition(task, chips)
    split = [list(on_first), [t for t in range(task.pattern.threads) if t not in on_first]]
    spes: list[Sequence[int]] = [chips[0][: len(split[0])], chips[1][: len(split[1])]]
    evaluations = 0
    for chip in (0, 1):
        orders = list(itertools.permutations(chips[chip], len(split[chip])))
        both = [[spes[0], order] if chip else [order, spes[1]] for order in orders]
        costs = task.model([_joined(split, each) for each in both])
        evaluations += len(costs)
        spes[chip] = orders[min(range(len(costs)), key=costs.__getitem__)]
    placement = _joined(split, spes)
    cores = tuple(task.spes.index(spe) for spe in placement)
    return Found(cores, task.model([placement])[0], evaluations)


def _joined(split: Sequence[Sequence[int]], spes: Sequence[Sequence[int]]) -> Placement:
    """The SPE of each thread, from the threads and the SPEs of each Cell."""
    pairs = [
        pair for threads, on in zip(split, spes, strict=True) for pair in zip(threads, on, strict=True)
    ]
    return tuple(spe for _, spe in sorted(pairs))


def _partition(task: _Task, chips: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The threads of Cell 0, for the partition between whose parts the least has to cross."""
    values = {row["key"]: row["value"] for row in task.machine.values()}
    lanes = [values["bif.lanes_from_chip_0"], values["bif.lanes_from_chip_1"]]
    threads = range(task.pattern.threads)
    counts = range(
        max(0, len(threads) - len(chips[1])), min(len(chips[0]), len(threads)) + 1
    )
    if sum(comb(len(threads), count) for count in counts) > 20 * ALL_MAX:
        raise UsageError(f"{len(threads)} threads on two Cells are too many for the model")

    def crossing(on_first: tuple[int, ...]) -> float:
        here = set(on_first)
        memory = task.memory == "0"

        def is_here(end: object) -> bool:
            return memory if end == MEMORY else end in here

        total = 0.0
        for phase in task.pattern.phases:
            ways = [0, 0]
            for transfer in phase.transfers:
                source = is_here(transfer.source)
                if source != is_here(transfer.destination):
                    ways[0 if source else 1] += transfer.total_bytes
            total += max(way / lane for way, lane in zip(ways, lanes, strict=True))
        return total

    every = (each for count in counts for each in itertools.combinations(threads, count))
    # As many on the one Cell as on the other, if that is all the same to the interface.
    even = len(threads) / 2
    return min(every, key=lambda each: (crossing(each), abs(len(each) - even), each))


def _by_simulation(task: _Task, evaluations: int | None) -> Found:
    """All placements, the best of them once more for longer; or a search from good ones."""

    def costs(cores: list[tuple[int, ...]]) -> list[int]:
        return task.simulated([task.on_spes(each) for each in cores])

    threads, spes = task.pattern.threads, task.spes
    if task.count <= ALL_MAX:
        every = list(itertools.permutations(spes, threads))
        cycles = task.simulated(every)
        order = sorted(range(len(every)), key=lambda nth: (cycles[nth], nth))[:_FINALISTS]
        finalists = [every[nth] for nth in order]
        longer = task.simulated(finalists, _FINAL_ITERATIONS)
        nth = min(range(len(finalists)), key=lambda nth: (longer[nth], nth))
        cores = tuple(spes.index(spe) for spe in finalists[nth])
        return Found(cores, longer[nth], len(every))
    limit = EVALUATIONS["simulation"] if evaluations is None else evaluations
    first = [_by_model(task, None).placement]
    first += [tuple(spes.index(spe) for spe in each) for each in task.named().values()]
    return search_local(
        costs, threads, len(spes), seed=task.seed, evaluations=limit, first=first, batch=64
    )


def _placed(task: _Task, by: Judge, best: Found) -> Placed:
    """The judge's word on the placement that was found, on those that have names, and on random ones."""
    placement = task.on_spes(best.placement)
    named = task.named()
    defaults = [
        affinity(
            task.machine,
            "default",
            task.pattern.threads,
            cells=task.cells,
            seed=task.seed + nth,
        )
        for nth in range(DEFAULTS)
    ]
    listed = [placement, *named.values(), *defaults]
    if by == "model":
        cycles = [float(cost >> _TIME_SHIFT) for cost in task.model(listed)]
    else:
        # Random ones are many, and differ by more than the first iteration from the others.
        few = task.simulated(listed[: 1 + len(named)], _FINAL_ITERATIONS)
        cycles = [each / _FINAL_ITERATIONS for each in few] + [*map(float, task.simulated(defaults))]
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
        placement=placement,
        time_ns=ns[0],
        bandwidth_gb_s=task.pattern.total_bytes / ns[0],
        affinities_ns=affinities,
        default_worst_ns=max(random),
        defaults=DEFAULTS,
        bound_ns=_bound_cycles(task, placement) / task.machine.bus_hz * 1e9,
        evaluations=best.evaluations,
        all_placements=task.count <= ALL_MAX,
        relieved=tuple(_relieved(task, named["identity"], placement)),
    )


def _loads(task: _Task, placement: Placement) -> list[list[tuple[str, int, int]]]:
    return _native.model_loads(
        task.machine.native, task.pattern.to_native(), placement, task.memory
    )


def _bound_cycles(task: _Task, placement: Placement) -> int:
    """What a thread sends and gets, and what memory moves, is the same wherever threads are."""
    fixed = ("on-ramp of SPE", "off-ramp of SPE", "on-ramp of MIC", "off-ramp of MIC", "memory")
    return sum(
        max((cycles for part, _, cycles in phase if part.startswith(fixed)), default=0)
        for phase in _loads(task, placement)
    )


def _relieved(task: _Task, identity: Placement, placement: Placement) -> Iterator[Load]:
    """Segments and the interface that carry less than with identity, by how much less."""
    found = []
    both = zip(_loads(task, identity), _loads(task, placement), strict=True)
    for phase, (before, after) in enumerate(both, 1):
        now = {part: size for part, size, _ in after}
        found += [
            Load(phase, part, size, now.get(part, 0))
            for part, size, _ in before
            if " to " in part and now.get(part, 0) < size
        ]
    yield from sorted(found, key=lambda load: load.placed_bytes - load.identity_bytes)
