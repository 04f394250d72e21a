"""The best placement by simulation: of all, or by a search from good ones."""

import itertools

from cellstats.placement.model_search import by_model
from cellstats.placement.solvers import Found, search_local
from cellstats.placement.task import ALL_MAX, EVALUATIONS, FINAL_ITERATIONS, Task

_FINALISTS = 32


def by_simulation(task: Task, evaluations: int | None) -> Found:
    """The best of all placements, the fastest simulated again for longer; or that of a search.

    evaluations: limits a search; None chooses the limit.
    """

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
    first = [by_model(task, None).placement, tuple(range(threads))]
    first += [tuple(spes.index(spe) for spe in each) for each in task.named().values()]
    return search_local(
        costs, threads, len(spes), seed=task.seed, evaluations=limit, first=first, batch=64
    )
