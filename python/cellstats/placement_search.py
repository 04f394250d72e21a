"""Which placements are judged, and by whom: all, or a partition and then an order, or a search."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, perm
from typing import TypeAlias

from cellstats import _native
from cellstats._native import UsageError
from cellstats.affinities import NAMES, affinity
from cellstats.assignment import Found, search_all, search_local
from cellstats.exchanges import times
from cellstats.machine import Machine
from cellstats.patterns import MEMORY, Pattern

ALL_MAX = 50_000
"""With so many placements every one is judged; 8 threads on 8 SPEs have 40,320."""
EVALUATIONS = {"model": 20_000, "simulation": 400}
"""How many placements a search judges where there are more."""
FINAL_ITERATIONS = 10
"""How often the best of all placements, and those it is compared with, run the pattern."""
TIME_SHIFT = 36
"""The model's cost as one number: bus cycles so many bits up, and below how uneven the load is."""
_FINALISTS = 32

Placement: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Task:
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
        uneven_max = (1 << TIME_SHIFT) - 1
        return [cycles << TIME_SHIFT | min(uneven, uneven_max) for cycles, uneven in costs]

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

    def chips(self) -> list[list[int]]:
        """The SPEs of each of two Cells."""
        of = self.machine.chip_of
        return [[spe for spe in self.spes if of(spe) == chip] for chip in (0, 1)]

    @cached_property
    def partition(self) -> tuple[float, tuple[int, ...]]:
        """For how many seconds the least that has to cross keeps the interface busy, and which
        threads are on Cell 0 then.
        """
        return _partition(self, self.chips())

    def named(self) -> dict[str, Placement]:
        """The affinities that have a name, but for the default."""
        names = [name for name in NAMES if name != "default"]
        threads = self.pattern.threads
        return {name: affinity(self.machine, name, threads, cells=self.cells) for name in names}


def by_model(task: Task, evaluations: int | None) -> Found:
    """All placements; or partition and then order, on two Cells; or a search."""

    def costs(cores: list[tuple[int, ...]]) -> list[int]:
        return task.model([task.on_spes(each) for each in cores])

    threads, spes = task.pattern.threads, task.spes
    if task.count <= ALL_MAX:
        return _all(task, costs)
    chips = task.chips()
    if all(chips) and max(perm(len(chip), min(threads, len(chip))) for chip in chips) <= ALL_MAX:
        return _partition_and_order(task, chips)
    limit = EVALUATIONS["model"] if evaluations is None else evaluations
    return search_local(costs, threads, len(spes), seed=task.seed, evaluations=limit)


def _all(task: Task, costs: Callable[[list[tuple[int, ...]]], list[int]]) -> Found:
    return search_all(costs, task.pattern.threads, len(task.spes), batch=8192, limit=ALL_MAX)


def _partition_and_order(task: Task, chips: Sequence[Sequence[int]]) -> Found:
    """First what crosses from Cell to Cell, then the order on each: the paper's way.

    The order on one Cell has no effect on what the other's rings carry, so each is chosen among all
    there are.
    """
    _, on_first = task.partition
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
        pair
        for threads, on in zip(split, spes, strict=True)
        for pair in zip(threads, on, strict=True)
    ]
    return tuple(spe for _, spe in sorted(pairs))


def _partition(task: Task, chips: Sequence[Sequence[int]]) -> tuple[float, tuple[int, ...]]:
    """The partition between whose parts the least has to cross: for how many seconds that keeps the
    interface busy, and which threads are on Cell 0.
    """
    values = {row["key"]: row["value"] for row in task.machine.values()}
    lane = values["bif.lane_bytes_per_second"]
    rates = [lane * values[f"bif.lanes_from_chip_{chip}"] for chip in (0, 1)]
    threads = range(task.pattern.threads)
    counts = range(max(0, len(threads) - len(chips[1])), min(len(chips[0]), len(threads)) + 1)
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
            total += max(way / rate for way, rate in zip(ways, rates, strict=True))
        return total

    every = (each for count in counts for each in itertools.combinations(threads, count))
    # As many on the one Cell as on the other, if that is all the same to the interface.
    even = len(threads) / 2
    seconds, _, best = min((crossing(each), abs(len(each) - even), each) for each in every)
    return seconds, best


def by_simulation(task: Task, evaluations: int | None) -> Found:
    """All placements, the best of them once more for longer; or a search from good ones."""

    def costs(cores: list[tuple[int, ...]]) -> list[int]:
        return task.simulated([task.on_spes(each) for each in cores])

    threads, spes = task.pattern.threads, task.spes
    if task.count <= ALL_MAX:
        every = list(itertools.permutations(spes, threads))
        cycles = task.simulated(every)
        order = sorted(range(len(every)), key=lambda nth: (cycles[nth], nth))[:_FINALISTS]
        finalists = [every[nth] for nth in order]
        longer = task.simulated(finalists, FINAL_ITERATIONS)
        nth = min(range(len(finalists)), key=lambda nth: (longer[nth], nth))
        cores = tuple(spes.index(spe) for spe in finalists[nth])
        return Found(cores, longer[nth], len(every))
    limit = EVALUATIONS["simulation"] if evaluations is None else evaluations
    first = [by_model(task, None).placement]
    first += [tuple(spes.index(spe) for spe in each) for each in task.named().values()]
    return search_local(
        costs, threads, len(spes), seed=task.seed, evaluations=limit, first=first, batch=64
    )
