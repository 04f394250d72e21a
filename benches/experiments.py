"""How long the experiments of the papers take, all together: part of `make bench`.

Everything runs in this process tree with all its processors; seconds are of the wall and depend on
this computer. Nothing here passes or fails.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cellstats as cs

ROOT = Path(__file__).resolve().parents[1]
PAPERS = {
    "kistler2006": "papers/kistler2006/kistler2006.py",
    "jimenez2007": "papers/jimenez2007/figures.py",
}
ITERATIONS = 20
"""Of 16 KB each way for each SPE that is active: 640 KB."""


def main() -> None:
    """Print a row for each."""
    together = 0.0
    for paper, script in PAPERS.items():
        seconds = timed(lambda script=script: experiments(script))  # type: ignore[misc]
        together += seconds
        row(f"all experiments of {paper}, figures too", seconds)
    row("both together", together)
    board = cs.machine("eval-board")
    seconds = timed(
        lambda: cs.placements("couples", machine=board, which="all", iterations=ITERATIONS)
    )
    row(f"couples -n 8 -i {ITERATIONS}, all 40,320 placements", seconds)


def experiments(script: str) -> None:
    """What `make run` does for one paper."""
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, str(ROOT / script), out]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def timed(work: Callable[[], object]) -> float:
    """Seconds that it takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def row(name: str, seconds: float) -> None:
    """A line of the table."""
    print(f"{name:<52} {seconds:>10.1f} s", flush=True)


if __name__ == "__main__":
    main()
