"""The best placement by the communication model.

All placements are judged where there are few; on two Cells, a partition and then the orders on each
Cell; otherwise a search decides.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import perm

from cellstats.placement.messages import Phase
from cellstats.placement.solvers import Found, search_all, search_local
from cellstats.placement.task import ALL_MAX, EVALUATIONS, Placement, Task


def by_model(task: Task, evaluations: int | None) -> Found:
    """The best placement; `evaluations` limits a search, None chooses the limit."""

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
    """The partition with the least bytes between the Cells, then the best order on each Cell.

    This is the paper's algorithm. The order on one Cell hardly changes the load of the other's
    rings, so each Cell's is the best of all orders. Only the messages that touch it are judged:
    those on the other Cell, in whatever order, could take longer and hide what is good here.
    """
    _, on_first = task.partition
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
    placement = _joined(split, spes)
    cores = tuple(task.spes.index(spe) for spe in placement)
    return Found(cores, task.model([placement])[0], evaluations)


def _touching(task: Task, threads: Sequence[int]) -> Task | None:
    """The task with only those messages that these threads send or get, None if there are none."""
    phases = tuple(
        Phase(tuple(t for t in phase.transfers if t.source in threads or t.destination in threads))
        for phase in task.pattern.phases
    )
    if not any(phase.transfers for phase in phases):
        return None
    return replace(task, pattern=replace(task.pattern, phases=phases))


def _joined(split: Sequence[Sequence[int]], spes: Sequence[Sequence[int]]) -> Placement:
    """The SPE of each thread, from the threads and the SPEs of each Cell."""
    pairs = [
        pair
        for threads, on in zip(split, spes, strict=True)
        for pair in zip(threads, on, strict=True)
    ]
    return tuple(spe for _, spe in sorted(pairs))
