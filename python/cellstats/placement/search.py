"""Search for the placement that is best according to the communication model.

A `Task` has the pattern to place, the SPEs to choose from, and the model's costs. `by_model`
evaluates all placements if there are few. On two Cells, it first chooses a partition of the
threads, and then the order on each Cell. Otherwise it searches.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb, perm
from typing import TYPE_CHECKING, TypeAlias

from cellstats import _native
from cellstats._native import UsageError
from cellstats.affinities import NAMES, named_order
from cellstats.assignment import Found
from cellstats.core.pattern import Pattern, Phase
from cellstats.core.pattern_pairs import MEMORY
from cellstats.core.quantities import parse_count
from cellstats.patterns import PatternLike
from cellstats.patterns import pattern as find_pattern
from cellstats.placement.folding import Folded, fold

if TYPE_CHECKING:
    from concurrent.futures import Executor

FINAL_ITERATIONS = 10
"""Iterations of the pattern in the final comparison of the best placements with other
placements."""
SETTLED_ITERATIONS = 320
"""The same for runs that end once they have settled, which may be after 40."""
SIMULATED_BYTES_MAX = 2**27
"""Maximum number of bytes to simulate for the model's best placement, which takes a few seconds."""

Placement: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Task:
    """A pattern to place, and the SPEs on which to place it."""

    machine: _native.Machine
    pattern: Pattern
    spes: list[int]
    cells: str | None
    memory: str
    seed: int
    jobs: int | None
    advance: Callable[[int, int], object]
    executor: "Executor | None"
    source: Sequence[str]
    """`Machine.source`, from which an executor's workers build the machine."""
    settle: bool
    """Whether placements are compared by long runs, which end once they have settled."""
    folded: Folded | None
    """The groups of threads that share an SPE, or None if each thread has its own."""

    @property
    def count(self) -> int:
        """The number of all placements."""
        return perm(len(self.spes), self.pattern.threads)

    @property
    def iterations(self) -> int:
        """Iterations of the runs by which good placements are compared."""
        return SETTLED_ITERATIONS if self.settle else FINAL_ITERATIONS

    def tries_all(self, evaluations: int | None) -> bool:
        """Whether all placements are evaluated if at most `evaluations` may be."""
        return _native.tries_all(self.pattern.threads, len(self.spes), evaluations)

    def on_spes(self, cores: Iterable[int]) -> Placement:
        """Convert `cores`, which are indices into `spes`, to SPEs."""
        return tuple(self.spes[core] for core in cores)

    def model(self, placements: Sequence[Placement]) -> list[int]:
        """Costs in the model: bus cycles (`_native.cost_bus_cycles`), then the unevenness of the
        load.
        """
        return _native.model_costs(self.machine, self.pattern.to_native(), placements, self.memory)

    def chips(self) -> list[list[int]]:
        """The SPEs of each of two Cells."""
        of = self.machine.chip_of
        return [[spe for spe in self.spes if of(spe) == chip] for chip in (0, 1)]

    @cached_property
    def partition(self) -> tuple[float, tuple[int, ...]]:
        """The best partition: busy time of the interface in seconds, and the threads on Cell 0."""
        return _partition(self, self.chips())

    def named(self) -> dict[str, Placement]:
        """The placements of all named affinities except `default`."""
        names = [name for name in NAMES if name != "default"]
        threads = self.pattern.threads
        return {name: named_order(self.machine, name, threads, self.cells) for name in names}


def task_of(
    machine: _native.Machine,
    pattern: PatternLike,
    *,
    threads: int | str | None = None,
    size: int | str | None = None,
    cells: str | int | None = None,
    memory: str | int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    executor: "Executor | None" = None,
    source: Sequence[str] = (),
    advance: Callable[[int, int], object] = lambda _done, _all: None,
    settle: bool = False,
) -> Task:
    """Create the task from these keywords of `cellstats.place`.

    Raises UsageError for invalid parameters, except parameters that only the machine can check.
    """
    where = None if cells is None else str(cells)
    chosen = parse_count(seed, "{seed}", least=0)
    spes = machine.usable_spes(where)
    wanted = find_pattern(pattern, threads, size, most=min(8, len(spes)))
    folded = None
    if wanted.threads > len(spes) > 1 and threads is None:
        folded = fold(wanted, len(spes), chosen)
        wanted = folded.pattern
    if wanted.threads > len(spes):
        raise UsageError(
            f"{wanted.threads} threads: {machine.name} has {len(spes)} SPEs there, "
            f"give 1 to {len(spes)}"
        )
    home = "0" if memory is None else str(memory)
    own = (jobs, advance, executor, source, settle, folded)
    return Task(machine, wanted, spes, where, home, chosen, *own)


def _partition(task: Task, chips: Sequence[Sequence[int]]) -> tuple[float, tuple[int, ...]]:
    """See `Task.partition`."""
    values = {row["key"]: row["value"] for row in task.machine.values()}
    lane = values["bif.lane_bytes_per_second"]
    rates = [lane * values[f"bif.lanes_from_chip_{chip}"] for chip in (0, 1)]
    threads = range(task.pattern.threads)
    counts = range(max(0, len(threads) - len(chips[1])), min(len(chips[0]), len(threads)) + 1)
    if sum(comb(len(threads), count) for count in counts) > 20 * _native.ALL_PLACEMENTS_MAX:
        raise UsageError(f"{len(threads)} threads on two Cells are too many for the model")

    def crossing(on_first: tuple[int, ...]) -> float:
        here = set(on_first)
        memory = task.memory == "0"

        def is_here(end: object) -> bool:
            return memory if end == MEMORY else end in here

        total = 0.0
        for phase in task.pattern.phases:
            crossed_bytes = [0, 0]
            for transfer in phase.transfers:
                source = is_here(transfer.source)
                if source != is_here(transfer.destination):
                    crossed_bytes[0 if source else 1] += transfer.total_bytes
            total += max(size / rate for size, rate in zip(crossed_bytes, rates, strict=True))
        return total

    every = (each for count in counts for each in itertools.combinations(threads, count))
    # Among equal partitions, prefer the most even, and then the one with more threads on Cell 0.
    even = len(threads) / 2
    seconds, _, _, best = min(
        (crossing(each), abs(len(each) - even), -len(each), each) for each in every
    )
    return seconds, best


def by_model(task: Task, evaluations: int | None) -> Found:
    """Find the best placement according to the model.

    evaluations: maximum number of placements to evaluate; None selects a default.
    """
    threads, spes = task.pattern.threads, task.spes
    first: list[Placement] = []
    if not task.tries_all(evaluations):
        chips = task.chips()
        orders = [perm(len(chip), min(threads, len(chip))) for chip in chips]
        # For each of two partitions, all orders on both Cells are tried.
        enough = evaluations is None or 2 * (sum(orders) + len(NAMES)) <= evaluations
        if all(chips) and max(orders) <= _native.ALL_PLACEMENTS_MAX and enough:
            return _partition_and_order(task, chips)
        if evaluations is not None:
            # Few evaluations find little from random placements.
            first = [tuple(spes.index(spe) for spe in each) for each in task.named().values()]
    placement, cost, tried = _native.model_best(
        task.machine,
        task.pattern.to_native(),
        spes,
        task.memory,
        seed=task.seed,
        evaluations=evaluations,
        first=first,
    )
    return Found(tuple(placement), cost, tried)


def _partition_and_order(task: Task, chips: Sequence[Sequence[int]]) -> Found:
    """Find the partition with the fewest bytes between the Cells, and the best order on each Cell.

    This is the paper's algorithm, which ignores the time of barriers between the Cells. The
    function therefore also tries the best order on one Cell, if it has enough SPEs for all threads,
    and the named affinities.
    """
    home = 1 if task.memory == "1" else 0
    every = tuple(range(task.pattern.threads))
    partitions = {task.partition[1]}
    if len(chips[home]) >= len(every):
        partitions.add(() if home else every)
    ordered = [_ordered(task, chips, on_first) for on_first in sorted(partitions)]
    placements = [*(placement for placement, _ in ordered), *task.named().values()]
    costs = task.model(placements)
    cost, nth = min((cost, nth) for nth, cost in enumerate(costs))
    cores = tuple(task.spes.index(spe) for spe in placements[nth])
    return Found(cores, cost, len(placements) + sum(evaluations for _, evaluations in ordered))


def _ordered(
    task: Task, chips: Sequence[Sequence[int]], on_first: tuple[int, ...]
) -> tuple[Placement, int]:
    """Find the best order of the threads `on_first` on Cell 0, and of the remaining threads on Cell
    1. Also returns the number of orders evaluated.

    The order on one Cell hardly changes the load of the other Cell's rings, so the best order on
    each Cell is chosen independently. Messages that do not involve the Cell are ignored, because
    slower messages on the other Cell would hide the differences.
    """
    split = [list(on_first), [t for t in range(task.pattern.threads) if t not in on_first]]
    spes: list[Sequence[int]] = [chips[0][: len(split[0])], chips[1][: len(split[1])]]
    evaluations = 0
    for chip in (0, 1):
        touching = _touching(task, split[chip])
        if touching is None:
            continue
        orders = list(itertools.permutations(chips[chip], len(split[chip])))
        both = [[spes[0], order] if chip else [order, spes[1]] for order in orders]
        costs = touching.model([_joined(split, each) for each in both])
        evaluations += len(costs)
        spes[chip] = orders[min(range(len(costs)), key=costs.__getitem__)]
    return _joined(split, spes), evaluations


def _touching(task: Task, threads: Sequence[int]) -> Task | None:
    """The task with only the messages that these threads send or receive.

    Returns None if there are no such messages, in which case all orders of these threads are
    equally good.
    """
    phases = tuple(
        Phase(tuple(t for t in phase.transfers if t.source in threads or t.destination in threads))
        for phase in task.pattern.phases
    )
    if not any(phase.transfers for phase in phases):
        return None
    return replace(task, pattern=replace(task.pattern, phases=phases))


def _joined(split: Sequence[Sequence[int]], spes: Sequence[Sequence[int]]) -> Placement:
    """Combine the threads and the SPEs of each Cell into one placement."""
    pairs = [
        pair
        for threads, on in zip(split, spes, strict=True)
        for pair in zip(threads, on, strict=True)
    ]
    return tuple(spe for _, spe in sorted(pairs))
