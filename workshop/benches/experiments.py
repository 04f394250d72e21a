"""Measures the time of all experiments of the papers: part of `make bench`.

All experiments run in this process and its children, on all processors. Times are wall-clock
seconds and depend on this computer. The bench has no pass criterion.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import cellstats as cs
from cellstats.reproduce.verdicts import paper_keys

ITERATIONS = 20
"""Iterations of 16 KB in each direction; each active SPE moves 640 KB in total."""


def main() -> None:
    """Print a row for each experiment."""
    for paper in paper_keys():
        seconds = timed(lambda paper=paper: reproduce(paper))  # type: ignore[misc]
        row(f"cellstats reproduce {paper}", seconds)
    with tempfile.TemporaryDirectory() as out:
        row("cellstats reproduce", timed(lambda: reproduce(out=out)))
        row("the same, nothing new", timed(lambda: reproduce(out=out)))
    board = cs.machine("eval-board")
    for by in ("model", "simulation"):
        seconds = timed(lambda by=by: cs.place("ring", machine=board, by=by))  # type: ignore[misc]
        row(f"cellstats place ring -n 8 --by {by}, all 40,320 placements", seconds)
    # No two placements of a tree pattern give the same run, so this is the time of all runs.
    seconds = timed(lambda: cs.place("binomial-tree", machine=board, by="simulation"))
    row("cellstats place binomial-tree -n 8, all 40,320 placements", seconds)
    blade = cs.machine("qs20")
    row("cellstats place ring -n 16", timed(lambda: cs.place("ring", machine=blade, threads=16)))
    seconds = timed(
        lambda: cs.placements("couples", machine=board, which="all", iterations=ITERATIONS)
    )
    row(f"couples -n 8 -i {ITERATIONS}, all 40,320 placements", seconds)


def reproduce(*papers: str, out: str | None = None) -> None:
    """Does the work of `make run`, for some papers or for all papers."""
    with tempfile.TemporaryDirectory() as other:
        command = [sys.executable, "-m", "cellstats", "reproduce", *papers, "--out", out or other]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def timed(work: Callable[[], object]) -> float:
    """Wall-clock seconds of a call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def row(name: str, seconds: float) -> None:
    """A line of the table."""
    print(f"{name:<60} {seconds:>10.1f} s", flush=True)


if __name__ == "__main__":
    main()
