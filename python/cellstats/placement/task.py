"""What is to be placed, and where; and what its judges say of a placement."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, perm
from typing import TypeAlias

from cellstats import _native
from cellstats._native import UsageError
from cellstats.placement.exchange_times import times
from cellstats.placement.messages import MEMORY, Pattern
from cellstats.placement.pattern_choice import PatternLike
from cellstats.placement.pattern_choice import pattern as find_pattern
from cellstats.placement.spe_orders import NAMES, named_order
from cellstats.refusal import refusal, verbatim

ALL_MAX = 50_000
"""With so many placements every one is judged; 8 threads on 8 SPEs have 40,320."""
EVALUATIONS = {"model": 20_000, "simulation": 400}
"""How many placements a search judges where there are more."""
FINAL_ITERATIONS = 10
"""How often the best of all placements, and those it is compared with, run the pattern."""
TIME_SHIFT = 36
"""The model's cost as one number: bus cycles so many bits up, and below how uneven the load is."""

Placement: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Task:
    """What is to be placed, and where."""

    machine: _native.Machine
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
        costs = _native.model_costs(self.machine, self.pattern.to_native(), placements, self.memory)
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
    advance: Callable[[int, int], object] = lambda _done, _all: None,
) -> Task:
    """The task that these keywords of `cellstats.place` say.

    Raises UsageError for what cannot be, but for what only the machine knows.
    """
    where = None if cells is None else str(cells)
    spes = usable_spes(machine, where)
    wanted = find_pattern(pattern, threads, size, most=min(8, len(spes)))
    if wanted.threads > len(spes):
        raise UsageError(
            f"{wanted.threads} threads: {machine.name} has {len(spes)} SPEs there, "
            f"give 1 to {len(spes)}"
        )
    home = "0" if memory is None else str(memory)
    return Task(machine, wanted, spes, where, home, seed, jobs, advance)


def usable_spes(machine: _native.Machine, cells: str | None) -> list[int]:
    """The SPEs that `cells` leaves, those of the Cell that is named first in front."""
    if cells is None:
        return list(machine.spes)
    choices = ("0", "01", "1", "10") if machine.chips > 1 else ("0",)
    if cells not in choices:
        raise refusal(f"{{cells}} {verbatim(cells)}: {machine.name} has {', '.join(choices)}")
    order = [int(chip) for chip in cells]
    return [spe for chip in order for spe in machine.spes if machine.chip_of(spe) == chip]


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
