"""Figures 2 to 4 of abellan2008blade: what is measured for each, and how it is drawn.

Latency above, bandwidth below, a line for each number of SPEs, as in the paper. Figure 3 has a twin
with all buffers in the other memory, of which the paper says in words that it is just the opposite.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cellstats as cs
from cellstats.labels import described, short_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SPES = [1, 2, 4, 8, 12, 16]
SMALL, LARGE = [1, 4, 16, 64, 128, 256, 512, 1024, 2048, 4096], [16384]
SIZES = [*SMALL, *LARGE]
# Who reads from the local store of SPE 0, which itself does nothing.
WITHIN = [[0, *range(1, 1 + readers)] for readers in (1, 2, 4, 7)]
ACROSS = [[0, *range(8, 8 + readers)] for readers in (1, 2, 4, 8)]
ITERATIONS, ITERATIONS_OF_LARGE = 500, 200
PUBLISHED: dict[str, Any] = {"color": "0.45", "linestyle": ":", "linewidth": 1.2, "zorder": 1}
"""How what the paper says is drawn."""


@dataclass(frozen=True)
class Measured:
    """One figure."""

    name: str
    measure: Callable[[cs.Machine], list[cs.Result]]
    draw: Callable[[Sequence[cs.Result]], "Figure"]


def _atomic(machine: cs.Machine) -> list[cs.Result]:
    return cs.sweep(
        "fetchadd",
        machine=machine,
        private=[True, False],
        memory=["0", "1"],
        spes=range(1, 17),
        iterations=ITERATIONS,
    )


def _gets(memory: str, spes: Sequence[int]) -> Callable[[cs.Machine], list[cs.Result]]:
    def measure(machine: cs.Machine) -> list[cs.Result]:
        return _by_size(
            machine, memory=memory, private=[False, True], cells=["01", "10"], spes=spes
        )

    return measure


def _moves(machine: cs.Machine) -> list[cs.Result]:
    return _by_size(machine, spe_to_spe=True, placement=[*WITHIN, *ACROSS])


def _by_size(machine: cs.Machine, **parameters: Any) -> list[cs.Result]:
    """Gets of all sizes; large ones repeat so evenly that few iterations tell all."""
    results = []
    for sizes, iterations in ((SMALL, ITERATIONS), (LARGE, ITERATIONS_OF_LARGE)):
        given = {**parameters, "size": sizes, "iterations": iterations}
        results += cs.sweep("dmaget", machine=machine, **given)
    return results


def _draw_atomic(results: Sequence[cs.Result]) -> "Figure":
    figure, ((axes,),) = _figure(1, 1, figsize=(7, 5))
    for nth, (private, memory) in enumerate((p, m) for p in (False, True) for m in ("0", "1")):
        line = [row for row in results if (row.private, row.memory) == (private, memory)]
        label = f"{'separate' if private else 'shared'}, {described('memory', memory)}"
        latencies = [row.latency_ns for row in line]
        axes.plot([row.spes for row in line], latencies, label=label, **_style(nth, 4))
    axes.axhline(111, **PUBLISHED)
    axes.plot([16], [7500], "k_", markersize=16, label="published")
    axes.set(xlabel="SPEs", ylabel="latency (ns)", xticks=range(1, 17))
    axes.set_title("fetchadd (Figure 2)")
    axes.legend()
    axes.grid(visible=True, alpha=0.3)
    return figure


def _draw_gets(results: Sequence[cs.Result]) -> "Figure":
    columns = [(private, cells) for private in (False, True) for cells in ("01", "10")]
    figure, grid = _figure(2, len(columns), figsize=(17, 8), sharex=True, sharey="row")
    for (private, cells), panels in zip(columns, grid.T, strict=True):
        rows = [row for row in results if (row.private, row.cells) == (private, cells)]
        title = f"{'private' if private else 'shared'}, {described('cells', cells)}"
        counts = sorted({row.spes for row in rows})
        _panels(panels, rows, counts, lambda row: row.spes, title)
        near = results[0].memory == cells[0]
        panels[1].axhline(24.6 if near else 13.6, **PUBLISHED, label="published, 8 SPEs")
    # Where nothing is in its way.
    grid[0, 2].legend(loc="upper left")
    grid[1, 0].legend(loc="upper left")
    figure.suptitle(f"Gets from {described('memory', results[0].memory)} (Figure 3)")
    return figure


def _draw_moves(results: Sequence[cs.Result]) -> "Figure":
    figure, grid = _figure(2, 2, figsize=(10, 8), sharex=True, sharey="row")
    places = ((WITHIN, "within Cell 0", 25.6), (ACROSS, "from Cell 0 to Cell 1", 13.6))
    for (placements, title, most), panels in zip(places, grid.T, strict=True):
        rows = [row for row in results if list(row.placement) in placements]
        _panels(
            panels, rows, [len(spes) - 1 for spes in placements], lambda row: row.spes - 1, title
        )
        panels[1].axhline(most, **PUBLISHED, label=f"published: at most {most} GB/s")
        panels[0].legend(loc="upper left")
        panels[1].legend(loc="upper left")
    figure.suptitle("Moves from the local store of SPE 0 (Figure 4)")
    return figure


def _panels(
    panels: "Sequence[Axes]",
    results: Sequence[cs.Result],
    counts: Sequence[int],
    count: Callable[[cs.Result], int],
    title: str,
) -> None:
    above, below = panels
    for nth, spes in enumerate(counts):
        line = [row for row in results if count(row) == spes]
        sizes: list[Any] = [row.size_bytes for row in line]
        bandwidths: list[Any] = [row.bandwidth_gb_s for row in line]
        style = _style(nth, len(counts)) | {"label": described("spes", spes)}
        above.plot(sizes, [row.latency_ns for row in line], **style)
        below.plot(sizes, bandwidths, **style | {"label": None})
    above.set(title=title, ylabel="latency (ns)", yscale="log")
    below.set(xlabel="DMA size (bytes)", ylabel="bandwidth, all SPEs (GB/s)")
    below.set_xscale("log", base=2)
    below.set_xticks(SIZES, [short_number(size, "size_bytes") for size in SIZES], rotation=60)
    for axes in panels:
        axes.grid(visible=True, alpha=0.3)
        axes.label_outer()


def _figure(rows: int, columns: int, **settings: Any) -> "tuple[Figure, Any]":
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained", figsize=settings.pop("figsize"))
    return figure, figure.subplots(rows, columns, squeeze=False, **settings)


def _style(nth: int, of: int) -> dict[str, Any]:
    # cividis is made for colour-blind readers; markers tell the lines apart without colour.
    import matplotlib as mpl

    colour = mpl.colormaps["cividis"](0.9 * nth / max(1, of - 1))
    return {"color": colour, "marker": "osD^v*"[nth], "markersize": 4}


FIGURES = (
    Measured("figure2", _atomic, _draw_atomic),
    Measured("figure3", _gets("0", SPES), _draw_gets),
    Measured("figure3_memory1", _gets("1", [1, 8, 16]), _draw_gets),
    Measured("figure4", _moves, _draw_moves),
)
