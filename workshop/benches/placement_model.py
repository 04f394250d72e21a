"""Compares the communication model's times of placements with simulations.

Each pattern is simulated on random placements, and the model predicts the same placements. The
output has Spearman's rank correlation (1 is the same order) and the errors of the model's times.
With --best, all placements are simulated as well, which takes some minutes. The model may choose
any of the placements with its lowest cost. The output then also has the extra time of these
placements over the best placement. The bench has no pass criterion.

    python workshop/benches/placement_model.py [--machine NAME] [--both] [--placements N]
        [--seed N] [--best]
"""

import argparse
import itertools
from collections.abc import Sequence
from statistics import correlation, fmean

import cellstats as cs
from cellstats import _native
from cellstats.affinities import affinity
from cellstats.measure.exchanges import times
from cellstats.patterns import Pattern, pattern
from cellstats.placement.search import task_of

PATTERNS = (
    "ring",
    "pairwise",
    "recursive-doubling",
    "all-to-all",
    "binomial-tree",
    "nearest-neighbour",
    "pipeline",
)
SIZE = "64k"
SMALLER = {"nearest-neighbour": "32k"}
"""Message size of each pattern whose messages of 64 KB would not fit in a local store."""
THREADS = 8
ROW = "{:<20} {:>6} {:>12} {:>12} {}"


def main() -> None:
    """Print a row for each pattern."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machine", default="eval-board", help="by default eval-board")
    parser.add_argument("--placements", type=int, default=60, help="random ones, by default 60")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first of them")
    parser.add_argument("--both", action="store_true", help="on both Cells, by default on Cell 0")
    parser.add_argument("--best", action="store_true", help="simulate all placements, too")
    options = parser.parse_args()
    machine = cs.machine(options.machine)
    seeds = range(options.seed, options.seed + options.placements)
    cells = None if options.both else "0"
    listed = [affinity(machine, "default", THREADS, cells=cells, seed=seed) for seed in seeds]
    heads = ("its choice", "its worst", "any") if options.best else ()
    chosen = "".join(f"{head:>12}" for head in heads)
    print(ROW.format("pattern", "rank", "mean error", "worst", chosen))
    for name in PATTERNS:
        wanted = pattern(name, THREADS, SMALLER.get(name, SIZE))
        rank, errors = compared(machine, wanted, listed, cells)
        worst = max(errors, key=abs)
        mean = fmean(map(abs, errors))
        beside = against_best(machine, wanted) if options.best else ""
        print(ROW.format(name, f"{rank:.2f}", f"{mean:.1%}", f"{worst:+.1%}", beside), flush=True)


def compared(
    machine: cs.Machine, wanted: Pattern, listed: list[tuple[int, ...]], cells: str | None
) -> tuple[float, list[float]]:
    """The rank correlation over these placements, and the error of each modelled time."""
    task = task_of(machine.native, wanted, cells=cells)
    simulated = times(machine, wanted, listed)
    modelled = [_native.cost_bus_cycles(cost) for cost in task.model(listed)]
    pairs = zip(modelled, simulated, strict=True)
    return spearman(modelled, simulated), [model / run - 1 for model, run in pairs]


def spearman(one: Sequence[int], other: Sequence[int]) -> float:
    """The correlation of ranks; equal numbers share the mean of their ranks."""
    if min(len(set(one)), len(set(other))) < 2:
        return float("nan")
    return correlation(ranks(one), ranks(other))


def ranks(numbers: Sequence[int]) -> list[float]:
    """The rank of each number, starting at 0."""
    ordered = sorted(numbers)
    return [ordered.index(each) + (ordered.count(each) - 1) / 2 for each in numbers]


def against_best(machine: cs.Machine, wanted: Pattern) -> str:
    """Extra time over the best placement: mean and maximum over the placements with the lowest cost
    in the model, and mean over all placements.
    """
    task = task_of(machine.native, wanted, cells="0")
    every = list(itertools.permutations(task.spes, wanted.threads))
    simulated, modelled = times(machine, wanted, every), task.model(every)
    least = min(modelled)
    chosen = [run for run, cost in zip(simulated, modelled, strict=True) if cost == least]
    longer = [
        cycles / min(simulated) - 1 for cycles in (fmean(chosen), max(chosen), fmean(simulated))
    ]
    return "{:>11.1%} {:>11.1%} {:>11.1%}".format(*longer)


if __name__ == "__main__":
    main()
