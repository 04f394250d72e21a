"""The plots: bandwidth over the size of a DMA or of a list's elements."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt

Row = dict[str, Any]
SIZES_BYTES = [2**power for power in range(7, 15)]
ACCESS_BYTES = [1, 2, 4, 8, 16]
LEVELS = {
    "l1": "L1",
    "l2": "L2",
    "l1l2": "L1 to L2",
    "memory": "memory",
    "ls": "local store",
}
# Peaks of memory and of 1, 2 and 4 couples, in GB/s; what the paper gives as averages at 16 KB.
MEMORY_PEAK, PEAKS = 23.8, {2: 33.6, 4: 67.2, 8: 134.4}
PUBLISHED = {
    ("couples", False): {2: 33.6, 4: 67.2, 8: 95},
    ("couples", True): {2: 33.6, 4: 67.2, 8: 81},
    ("cycle", False): {2: 33.6, 4: 50, 8: 70},
    ("cycle", True): {2: 33.6, 4: 50, 8: 70},
}


def draw(panels: dict[str, list[Row]], out: Path) -> Iterable[Path]:
    """One picture for each of the figures."""
    yield _save(_accesses(panels["accesses"]), out / "jimenez2007_accesses.png")
    yield _save(_memory(panels["memory"]), out / "jimenez2007_memory.png")
    yield _save(_delay(panels["delay"]), out / "jimenez2007_delay.png")
    for function in ("couples", "cycle"):
        yield _save(_between(function, panels[function]), out / f"jimenez2007_{function}.png")


def _accesses(rows: list[Row]) -> Any:
    """Figures 3, 4, 5 and 7, and the local store, a line each."""
    figure, grid = plt.subplots(len(LEVELS), 3, figsize=(11, 15), sharex=True)
    for line, (level, name) in enumerate(LEVELS.items()):
        for column, function in enumerate(("load", "store", "copy")):
            axes = grid[line, column]
            of = [row for row in rows if (row["level"], row["function"]) == (level, function)]
            counts = sorted({row["threads"] for row in of}, key=lambda count: count or 0)
            for index, threads in enumerate(counts):
                points = [row for row in of if row["threads"] == threads]
                sizes, means = [row["size"] for row in points], [row["mean"] for row in points]
                label = f"{threads} thread{'s' if threads > 1 else ''}" if threads else "an SPU"
                axes.plot(sizes, means, label=label, **_style(index, len(counts)))
            axes.set_title(f"{name}, {function}")
            _axes(axes, ACCESS_BYTES)
            # Lines that are flat would lie on the edge.
            axes.set_ylim(0, 1.08 * max(row["mean"] for row in of))
            axes.legend(fontsize=8)
            if axes.get_subplotspec().is_last_row():
                axes.set_xlabel("element (bytes)")
    figure.suptitle("Loads, stores and copies (Figures 3, 4, 5 and 7; section 4.2.2)", y=0.995)
    return figure


def _memory(rows: list[Row]) -> Any:
    """Figure 9, and below it the same with lists."""
    figure, grid = plt.subplots(2, 3, figsize=(12, 7), sharex=True, sharey=True)
    for column, op in enumerate(("get", "put", "copy")):
        for line, lists in enumerate((False, True)):
            axes = grid[line, column]
            axes.set_title(f"{op}, {'lists' if lists else 'elements'}")
            _lines(axes, rows, _wanted(lists, op))
            if op != "copy":
                axes.axhline(MEMORY_PEAK, color="0.5", linestyle=":", label="peak, one way")
            _axes(axes)
    grid[0, 0].set_ylim(0, 28)
    grid[1, 0].legend(fontsize=8, ncol=2, loc="lower center")
    figure.suptitle("SPEs and main memory (Figure 9)")
    return figure


def _delay(rows: list[Row]) -> Any:
    """Figure 11."""
    figure, axes = plt.subplots(figsize=(7, 5))
    batches = sorted({row["batch"] for row in rows}, key=lambda batch: batch or 1 << 30)
    for index, batch in enumerate(batches):
        line = [row for row in rows if row["batch"] == batch]
        label = f"after {batch} pair{'s' if batch > 1 else ''}" if batch else "at the end"
        sizes = [row["size"] for row in line]
        axes.plot(sizes, [row["mean"] for row in line], label=label, **_style(index, len(batches)))
    axes.axhline(PEAKS[2], color="0.5", linestyle=":", label="peak")
    _axes(axes)
    axes.set_ylim(bottom=0)
    axes.legend(title="waits", fontsize=8)
    axes.set_title("Two SPEs, get and put, by when they wait (Figure 11)")
    return figure


def _between(function: str, rows: list[Row]) -> Any:
    """Averages above, what placement does to eight SPEs below."""
    figure, grid = plt.subplots(2, 2, figsize=(11, 8), sharex=True, sharey=True)
    for column, lists in enumerate((False, True)):
        above, below = grid[:, column]
        _lines(above, rows, _wanted(lists))
        for spes, published in PUBLISHED[function, lists].items():
            label = "published average" if spes == 2 else None
            above.plot([SIZES_BYTES[-1]], [published], "k_", markersize=16, label=label)
        above.set_title(f"{'lists' if lists else 'elements'}, mean of ten placements")
        _spread(below, [row for row in rows if row["spes"] == 8 and _is(row, lists)])
        below.set_title(f"{'lists' if lists else 'elements'}, eight SPEs")
        for axes in (above, below):
            _axes(axes)
    grid[0, 0].set_ylim(0, 1.05 * PEAKS[8])
    grid[0, 0].legend(fontsize=8)
    grid[1, 0].legend(fontsize=8)
    numbers = "13 and 14" if function == "couples" else "16 and 17"
    figure.suptitle(f"{function.capitalize()} of SPEs (Figures {numbers})")
    return figure


def _spread(axes: Any, rows: list[Row]) -> None:
    sizes = [row["size"] for row in rows]
    axes.vlines(sizes, [row["min"] for row in rows], [row["max"] for row in rows], color="0.6")
    for name, marker in (("max", "v"), ("median", "_"), ("mean", "o"), ("min", "^")):
        size = 16 if name == "median" else 5
        values = [row[name] for row in rows]
        axes.plot(sizes, values, marker, color="k", fillstyle="none", markersize=size, label=name)


def _wanted(lists: bool, op: str = "copy") -> Callable[[Row], bool]:
    return lambda row: row["op"] == op and _is(row, lists)


def _is(row: Row, lists: bool) -> bool:
    return (row["list_elements"] is not None) == lists


def _lines(axes: Any, rows: list[Row], wanted: Callable[[Row], bool]) -> None:
    counts = sorted({row["spes"] for row in rows})
    for index, spes in enumerate(counts):
        line = [row for row in rows if row["spes"] == spes and wanted(row)]
        label = f"{spes} SPE{'s' if spes > 1 else ''}"
        sizes = [row["size"] for row in line]
        axes.plot(sizes, [row["mean"] for row in line], label=label, **_style(index, len(counts)))


def _style(index: int, of: int) -> dict[str, Any]:
    # cividis is made for colour-blind readers; markers tell the lines apart without colour.
    colour = mpl.colormaps["cividis"](0.9 * index / max(1, of - 1))
    return {"color": colour, "marker": "osD^v*P"[index], "markersize": 4}


def _axes(axes: Any, sizes: Sequence[int] = SIZES_BYTES) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, [str(size) for size in sizes], rotation=60)
    axes.grid(visible=True, alpha=0.3)
    if axes.get_subplotspec().is_last_row():
        axes.set_xlabel("DMA or list element (bytes)")
    if axes.get_subplotspec().is_first_col():
        axes.set_ylabel("bandwidth (GB/s)")


def _save(figure: Any, path: Path) -> Path:
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return path
