"""The overview of this computer as one picture. Needs matplotlib."""

from typing import TYPE_CHECKING

from cellstats.core.quantities import format_latency
from cellstats.host.overview import Overview
from cellstats.show.figures import figure_class
from cellstats.show.matrix_figure import draw_matrix
from cellstats.show.overview import explained, mark, name_of, place, size_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("0.55", "tab:blue")


def overview_figure(of: Overview) -> "Figure":
    """Latency by level, bandwidths, latency under load, and messages between CPUs."""
    figure = figure_class()(figsize=(13, 9), layout="constrained")
    axes = figure.subplots(2, 2)
    _curves(axes[0, 0], of)
    _bandwidths(axes[0, 1], of)
    _loaded(axes[1, 0], of)
    if of.matrix:
        draw_matrix(figure, axes[1, 1], of.matrix)
        axes[1, 1].set_title("Messages through memory, round trip")
    else:
        _empty(axes[1, 1])
    name = of.environment.get("cpu_model") or "this computer"
    figure.suptitle("\n".join([f"{name}, CPU {of.cpu}", "; ".join(explained(of))]).rstrip())
    return figure


def _empty(axes: "Axes") -> None:
    axes.set_axis_off()
    axes.text(0.5, 0.5, "not measured", ha="center", va="center", color="0.4")


def _curves(axes: "Axes", of: Overview) -> None:
    points = [point for curve in of.curves.values() for point in curve]
    if not points:
        _empty(axes)
        return
    for (name, curve), colour in zip(of.curves.items(), _COLOURS, strict=True):
        if not curve:
            continue
        sizes = [point.size_bytes for point in curve]
        axes.plot(
            sizes, [point.latency_ns for point in curve], "o-", ms=3, label=name, color=colour
        )
        known = [point for point in curve if point.low_ns is not None]
        axes.fill_between(
            [point.size_bytes for point in known],
            [point.low_ns or 0.0 for point in known],
            [point.high_ns or 0.0 for point in known],
            color=colour,
            alpha=0.15,
            lw=0,
        )
    least_bytes, most_bytes = (end(each.size_bytes for each in points) for end in (min, max))
    for level in of.levels:
        words = f"{name_of(level)} {format_latency(level.latency_ns)}{mark(level.grade)}"
        axes.axhline(level.latency_ns, color="0.8", lw=0.8, zorder=0)
        # The curve is above a cache's line beyond its end, and right of the start of memory's line.
        start = least_bytes if level.up_to_bytes is None else 3 * level.up_to_bytes
        fits = start < most_bytes / 16
        axes.annotate(
            words,
            (start if fits else most_bytes, level.latency_ns),
            xytext=(0, 2),
            textcoords="offset points",
            ha="left" if fits else "right",
        )
        if level.reported_bytes:
            axes.axvline(level.reported_bytes, color="0.8", lw=0.8, ls=":", zorder=0)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    heights = [each.latency_ns for each in points]
    axes.set_ylim(min(heights) / 2, max(heights) * 2)
    ticks = [1 << power for power in range(12, 40, 3)]
    ticks = [tick for tick in ticks if tick <= most_bytes]
    axes.set_xticks(ticks, [size_words(tick) for tick in ticks])
    axes.set_xlabel("Working set (dotted: caches as reported)")
    axes.set_ylabel("Latency of a load (ns)")
    axes.set_title("Load to use, random order")
    axes.legend(loc="lower right", fontsize="small")


def _bandwidths(axes: "Axes", of: Overview) -> None:
    for nth, each in enumerate(of.bandwidths):
        value = each.bandwidth_gb_s
        axes.barh(nth, value, color="tab:blue" if each.cores == 1 else "tab:orange")
        axes.text(value, nth, f" {value:.3g}{mark(each.grade)}", va="center", fontsize=8)
    labels = [f"{place(each.level, each.cores)}: {each.operation}" for each in of.bandwidths]
    axes.set_yticks(range(len(labels)), labels, fontsize=8)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_xlabel("Bandwidth, loads and stores together (GB/s)")
    axes.set_title("Bandwidth")


def _loaded(axes: "Axes", of: Overview) -> None:
    if len(of.loaded) < 2:
        _empty(axes)
        return
    x, y = [[each.bandwidth_gb_s for each in of.loaded], [each.latency_ns for each in of.loaded]]
    axes.plot(x, y, "o-", color="tab:blue")
    for each in of.loaded:
        letter = mark(each.grade)
        if letter:
            where = (each.bandwidth_gb_s, each.latency_ns)
            axes.annotate(letter, where, xytext=(4, 4), textcoords="offset points", color="red")
    axes.set_ylim(0, 1.15 * max(y))
    axes.set_xlim(left=0)
    axes.set_xlabel("Bandwidth of other cores' loads (GB/s)")
    axes.set_ylabel("Latency of a load from memory (ns)")
    axes.set_title("Latency under load")
