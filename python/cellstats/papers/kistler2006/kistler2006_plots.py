"""Figures 4 to 7 of kistler2006, from measurements of a machine."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cellstats as cs
from cellstats.labels import short_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZES = [2**power for power in range(3, 15)]
BATCHES = [1, 2, 4, 8, 16, 32, 0]
MEMORY: dict[str, Any] = {}
LOCAL_STORE: dict[str, Any] = {"spes": 2, "spe_to_spe": True}
PANELS = (
    ("dmaput", MEMORY, "Put, memory"),
    ("dmaget", MEMORY, "Get, memory"),
    ("dmaput", LOCAL_STORE, "Put, local store"),
    ("dmaget", LOCAL_STORE, "Get, local store"),
)
PATTERNS = ("complement", "pairwise", "uniform")
ITERATIONS = 512
PATTERN_ITERATIONS = 512
HOT_SPOT_ITERATIONS = 256
PUBLISHED: dict[str, Any] = {"color": "0.45", "linestyle": ":", "linewidth": 1.2, "zorder": 1}
"""How what the paper says is drawn."""


def draw_all(machine: cs.Machine, out: Path) -> Iterator[Path]:
    """Measure and draw every figure; the files, as each is written."""
    batches = {
        title: cs.sweep(
            function, machine=machine, batch=BATCHES, size=SIZES, iterations=ITERATIONS, **where
        )
        for function, where, title in PANELS
    }
    figures = {4: _figure_4(batches), 5: _figure_5(batches)}
    figures |= {6: _figure_6(machine), 7: _figure_7(machine)}
    for nth, figure in figures.items():
        path = out / f"kistler2006_figure{nth}.png"
        figure.savefig(path, dpi=120)
        yield path


def _figure(rows: int, columns: int, **settings: Any) -> "tuple[Figure, Any]":
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained", figsize=settings.pop("figsize"))
    return figure, figure.subplots(rows, columns, squeeze=False, **settings)


def _colour(share: float) -> Any:
    # cividis is made for colour-blind readers; markers tell the lines apart without colour.
    import matplotlib as mpl

    return mpl.colormaps["cividis"](0.9 * share)


def _style(where: int, put: bool) -> dict[str, Any]:
    """Memory (0) or local store (1), put or get: told apart where they lie on each other too."""
    colour = _colour(0.8 * where)
    if put:
        hollow = {"marker": "o", "markersize": 8, "markerfacecolor": "none"}
        return {"color": colour, "linestyle": "-", "zorder": 3, **hollow}
    return {"color": colour, "linestyle": "--", "zorder": 2, "marker": "s", "markersize": 4}


def _figure_4(batches: dict[str, list[cs.Result]]) -> "Figure":
    """Blocking: latency and bandwidth by size."""
    figure, [[latency, bandwidth]] = _figure(1, 2, figsize=(11, 4.4))
    latency.plot([8, 512], [91, 91], label="published", **PUBLISHED)
    bandwidth.plot([8, 16384], [22.5, 22.5], label="published at 16K", **PUBLISHED)
    bandwidth.plot([8, 16384], [15, 15], **PUBLISHED)
    for index, (title, results) in enumerate(batches.items()):
        line = [result for result in results if result.batch == 1]
        style = _style(index // 2, title.startswith("Put")) | {"label": title}
        latency.plot(SIZES, [result.latency_ns for result in line], **style)
        bandwidth.plot(SIZES, [result.bandwidth_gb_s for result in line], **style)
    latency.set_yscale("log")
    latency.set_yticks([50, 100, 200, 500, 1000], ["50", "100", "200", "500", "1000"])
    latency.minorticks_off()
    latency.set_ylabel("Latency (ns)")
    bandwidth.set_ylabel("Bandwidth (GB/s)")
    bandwidth.set_ylim(bottom=0)
    for axes in (latency, bandwidth):
        _sizes(axes)
        axes.legend(fontsize="small")
    figure.suptitle("Blocking DMAs of one SPE")
    return figure


def _figure_5(batches: dict[str, list[cs.Result]]) -> "Figure":
    """Batches: time of a whole batch, and bandwidth, by size."""
    figure, grid = _figure(2, 4, figsize=(15, 7), sharex=True, sharey="row")
    for column, (title, results) in enumerate(batches.items()):
        latency, bandwidth = grid[:, column]
        for index, batch in enumerate(BATCHES):
            line = [result for result in results if result.batch == batch]
            style: dict[str, Any] = {"marker": "osD^v*P"[index], "markersize": 4}
            style["color"] = _colour(index / (len(BATCHES) - 1))
            style["label"] = {1: "blocking", 0: "nonblocking"}.get(batch, f"batch {batch}")
            bandwidth.plot(SIZES, [result.bandwidth_gb_s for result in line], **style)
            if batch > 0:
                latency.plot(SIZES, [batch * result.latency_ns for result in line], **style)
        if title.startswith("Put"):
            bandwidth.plot(
                [2048, 16384], [25.6, 25.6], **PUBLISHED | {"color": "black", "zorder": 9}
            )
        latency.set_title(title)
        latency.set_yscale("log")
        _sizes(bandwidth)
        latency.grid(visible=True, alpha=0.3)
    grid[0, 0].set_ylabel("Latency of a batch (ns)")
    grid[1, 0].set_ylabel("Bandwidth (GB/s)")
    grid[1, 0].set_ylim(bottom=0)
    handles, labels = grid[1, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center")
    figure.suptitle("Batches of DMAs of one SPE (dotted: published for nonblocking puts)")
    return figure


def _figure_6(machine: cs.Machine) -> "Figure":
    """Aggregate bandwidth: hot spots by the number of SPEs, and patterns."""
    figure, [[hot, patterns]] = _figure(1, 2, figsize=(12, 4.6), width_ratios=(3, 2))
    hot.axhline(25.6, label="published, get", **PUBLISHED)
    hot.axhline(24.1, label="published, put", **PUBLISHED | {"linestyle": (0, (4, 4))})
    for index, (target, op) in enumerate(
        (target, op) for target in ("memory", 0) for op in ("get", "put")
    ):
        spes = range(1 if target == "memory" else 2, 9)
        line = cs.sweep(
            "hotspot",
            machine=machine,
            op=op,
            target=target,
            spes=spes,
            iterations=HOT_SPOT_ITERATIONS,
        )
        hot.plot(
            spes,
            [result.bandwidth_gb_s for result in line],
            **_style(index // 2, op == "put"),
            label=f"{op}, {'memory' if target == 'memory' else 'local store'}",
        )
    hot.set_ylim(0, 30)
    hot.set_xlabel("SPEs (a hot one counted)")
    hot.set_ylabel("Bandwidth, all SPEs (GB/s)")
    hot.set_title("Hot spots")
    hot.grid(visible=True, alpha=0.3)
    hot.legend(fontsize="small", loc="lower right")
    _pattern_bars(patterns, machine)
    return figure


def _pattern_bars(axes: "Axes", machine: cs.Machine) -> None:
    for index, op in enumerate(("get", "put")):
        results = [_patterns(pattern, machine, op=op)[0] for pattern in PATTERNS]
        places = [place + 0.36 * (index - 0.5) for place in range(len(PATTERNS))]
        heights = [result.bandwidth_gb_s or 0 for result in results]
        bars = axes.bar(places, heights, width=0.34, color=_colour(0.75 * index + 0.1), label=op)
        shade = ("white", "black")[index]
        axes.bar_label(bars, fmt="%.0f", fontsize="small", label_type="center", color=shade)
    for place, published in ((0, 200), (2, 80)):
        label = "published" if place == 0 else None
        style = PUBLISHED | {"linestyle": "-", "color": "black", "zorder": 3}
        axes.plot([place - 0.4, place + 0.4], [published] * 2, label=label, **style)
    axes.text(1, 212, "published: puts\n40 less than gets", ha="center", fontsize="small")
    axes.set_xticks(range(len(PATTERNS)), PATTERNS)
    axes.set_title("Patterns of eight SPEs")
    axes.set_ylim(0, 240)
    axes.grid(visible=True, axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    axes.legend(fontsize="small", loc="upper right")


def _patterns(function: str, machine: cs.Machine, **parameters: Any) -> list[cs.Result]:
    parameters |= {"iterations": PATTERN_ITERATIONS}
    return cs.sweep(function, machine=machine, **parameters)


def _figure_7(machine: cs.Machine) -> "Figure":
    """How long every single DMA took at a hot spot in memory, SPE by SPE."""
    figure, [panels] = _figure(1, 2, figsize=(12, 4.4), sharex=True, sharey=True)
    for axes, op in zip(panels, ("put", "get"), strict=True):
        [result] = _patterns("hotspot", machine, op=op, batch=1, histogram=True)
        _distribution(axes, result)
        axes.set_title(f"{op.capitalize()}s")
        axes.set_xlabel("Latency (µs)")
    panels[0].set_ylabel("DMAs of all SPEs (%)")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center")
    figure.suptitle("Latency of every DMA of 16K: eight SPEs, one hot spot in memory, blocking")
    return figure


def _distribution(axes: "Axes", result: cs.Result) -> None:
    """Bars of all SPEs on top of each other: equal heights are equal distributions."""
    assert result.dma_latency is not None
    whole = result.dma_latency.count
    for published, name in ((5.6, "published mode"), (13, "published maximum")):
        style = PUBLISHED | {"linestyle": ":" if published < 10 else "--", "zorder": 3}
        axes.axvline(published, label=name, **style)
    bottoms: dict[float, float] = {}
    for index, spe in enumerate(result.per_spe):
        assert spe.dma_latency is not None
        bins = spe.dma_latency.bins
        heights = [100 * bar.count / whole for bar in bins]
        starts = [bar.from_ns / 1000 for bar in bins]
        axes.bar(
            starts,
            heights,
            width=[(bar.to_ns - bar.from_ns) / 1000 for bar in bins],
            bottom=[bottoms.get(start, 0.0) for start in starts],
            align="edge",
            color=_colour(index / 7),
            edgecolor="white",
            linewidth=0.4,
            label=f"SPE {spe.spe}",
        )
        for start, height in zip(starts, heights, strict=True):
            bottoms[start] = bottoms.get(start, 0.0) + height
    axes.set_xlim(0, 14)
    axes.grid(visible=True, alpha=0.3)
    axes.set_axisbelow(True)


def _sizes(axes: "Axes", ticks: Sequence[int] = SIZES) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks(ticks, [short_number(size, "size_bytes") for size in ticks], rotation=60)
    axes.minorticks_off()
    axes.set_xlabel("DMA size (bytes)")
    axes.grid(visible=True, alpha=0.3)
