"""The figures of jimenez2007: published value beside simulated value, and plots.

    python papers/jimenez2007/figures.py out

prints the table and writes it to out/jimenez2007_figures.csv; Figures 3, 4, 5 and 7 with the local
stores of 4.2.2 go to out/jimenez2007_accesses, Figures 9, 11, 13 with 14 and 16 with 17 to _memory,
_delay, _couples and _cycle, each as .csv and as .png.

Lists move 16 KB each whatever the size of their elements (-l is 16k / -b). SPEs move less than the
32 MB of the paper: 768 KB, with memory 512 KB. What comes out changes by some per cent, and
traffic that competes for rings repeats too late for fast-forward.
"""

import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import plots
from cellstats.files import write_csv
from task import LIST_BYTES, Task, measured

HERE = Path(__file__).parent
SIZES_BYTES = [2**power for power in range(7, 15)]
# Where little happens in between, some of the paper's sizes are left out: they take long.
BETWEEN_SPES_BYTES = [128, 256, 512, 1024, 4096, 16384]
LIST_SIZES_BYTES = [128, 1024, LIST_BYTES]
OPS = ("get", "put", "copy")
BATCHES = (1, 2, 4, 8, 16, 32, 0)

Row = dict[str, Any]


def main(out: Path) -> None:
    """Measure everything, writing to the directory `out`."""
    out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as executor:
        table = _compared(executor)
        panels = {
            "accesses": _rows(executor, _accesses()),
            "memory": _rows(executor, _memory()),
            "delay": _rows(executor, _delay()),
            "couples": _rows(executor, _between_spes("couples")),
            "cycle": _rows(executor, _between_spes("cycle")),
        }
    _print_table(table)
    write_csv(table, out / "jimenez2007_figures.csv")
    for name, rows in panels.items():
        write_csv(rows, out / f"jimenez2007_{name}.csv")
    for path in plots.draw(panels, out):
        print(path)


def _compared(executor: Executor) -> list[Row]:
    """What the paper says in words, beside what is simulated."""
    figures = tomllib.loads((HERE / "figures.toml").read_text(encoding="utf-8"))["figure"]
    tasks = []
    for figure in figures:
        measure = {"spes": None, "size": LIST_BYTES, **figure["measure"]}
        tasks.append(Task(**measure, placements=10 if "of" in figure else None))
    rows = []
    for figure, summary in zip(figures, executor.map(measured, tasks), strict=True):
        of = figure.get("of", "mean")
        simulated = summary["max"] - summary["min"] if of == "spread" else summary[of]
        rows.append(
            {
                "place": figure["place"],
                "published_gb_s": figure["published_gb_s"],
                "simulated_gb_s": round(simulated, 1),
                "difference_percent": round(100 * (simulated / figure["published_gb_s"] - 1)),
            }
        )
    return rows


def _accesses() -> Iterator[Task]:
    for level in ("l1", "l2", "l1l2", "memory", "ls"):
        for threads in (None,) if level == "ls" else (1, 2):
            for function in ("load", "store", "copy"):
                for size in (1, 2, 4, 8, 16):
                    yield Task(function, None, size, level=level, threads=threads)


def _memory() -> Iterator[Task]:
    for op in OPS:
        for spes in (1, 2, 4, 8):
            yield from (Task("hotspot", spes, size, op=op) for size in SIZES_BYTES)
            yield from (_list(Task("hotspot", spes, size, op=op)) for size in LIST_SIZES_BYTES)


def _delay() -> Iterator[Task]:
    for batch in BATCHES:
        yield from (Task("couples", 2, size, batch=batch) for size in SIZES_BYTES)


def _between_spes(function: str) -> Iterator[Task]:
    for spes in (2, 4, 8):
        yield from (Task(function, spes, size, placements=10) for size in BETWEEN_SPES_BYTES)
        yield from (_list(Task(function, spes, size, placements=10)) for size in LIST_SIZES_BYTES)


def _list(task: Task) -> Task:
    return Task(**{**task.row(), "list_elements": LIST_BYTES // task.size})


def _rows(executor: Executor, tasks: Iterator[Task]) -> list[Row]:
    every = list(tasks)
    results = executor.map(measured, every)
    return [{**task.row(), **result} for task, result in zip(every, results, strict=True)]


def _print_table(rows: list[Row]) -> None:
    print("published  simulated  difference   figure")
    for row in rows:
        cells = (
            f"{row['published_gb_s']:9}",
            f"{row['simulated_gb_s']:9}",
            f"{row['difference_percent']:+8} %",
            f" {row['place']}",
        )
        print("  ".join(cells))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
