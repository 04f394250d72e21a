"""Sweeps as a table, HTML, and a picture that is also legible in shades of grey."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cellstats._native import UsageError
from cellstats.core.headline import overlaps
from cellstats.core.machine import settings_of
from cellstats.core.quantities import format_latency
from cellstats.core.refusal import quoted, refusal
from cellstats.core.words import described, short_number
from cellstats.measure.matrices import QUANTITIES
from cellstats.measure.result import Measured
from cellstats.measure.saturation import is_offered, saturated_from
from cellstats.measure.sweeps import Sweep, lines_of, varying_columns
from cellstats.show.figures import figure_class
from cellstats.show.html_parts import paragraph, table
from cellstats.show.html_parts import picture as small_picture
from cellstats.show.tables import cells, element, text_columns, title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PICTURE_ROWS_MAX = 2000
"""Maximum number of results that HTML shows as a picture. Drawing more takes too long for a
notebook."""
_MARKERS = "osD^v*PX<>hp"
_DASHES = ("-", "--", "-.", ":")
_TICKS_MAX = 14
_LINES_MAX = 48
_AXES = {
    "size_bytes": "Size (bytes)",
    "spes": "{}",
    "list_elements": "List elements",
    "stride_bytes": "Stride (bytes)",
    "working_set_bytes": "Working set (bytes)",
    "rate": "Offered load (share of each port's peak)",
    "rate_gb_s": "Traffic in the background (GB/s)",
    "batch": "DMAs per wait for completion",
    "iterations": "Iterations",
}
_WORD_AXES = {
    "private": "Buffers",
    "ppe": "Path from the PPE",
    "cells": "SPEs of",
    "memory": "Buffers in",
    "placement": "SPEs of the threads",
}
_QUANTITY_LABELS = {
    "latency_ns": "Latency (ns)",
    "dma_mean_ns": "Latency of a DMA from its offer: mean, dotted 99 %",
    "bandwidth_gb_s": "Bandwidth, all {} (GB/s)",
}


def sweep_html(of: Sweep[Any]) -> str:
    """The picture and the table of a sweep."""
    if not of:
        return paragraph("no results")
    columns = text_columns(of)
    shown = [paragraph(f"{title(of, shown=columns)}: {len(of)} results")]
    if len(of) <= PICTURE_ROWS_MAX:
        shown.append(small_picture(of.plot, "the sweep as lines"))
    return "".join([*shown, table(columns, of, lambda each: cells(each, columns))])


def check_drawable(results: Sequence[Measured], y: str | None) -> None:
    """Raise UsageError if `y` is not a quantity, or is bandwidth but a result has no bandwidth."""
    without = next((result for result in results if result.bandwidth_gb_s is None), None)
    if y is not None and y not in QUANTITIES:
        raise refusal(f"{{y}} {quoted(y)} cannot be drawn; give one of {', '.join(QUANTITIES)}")
    if y == "bandwidth" and without:
        raise refusal(f"{without.function} moves no data and has no bandwidth; give {{y}} latency")


def sweep_figure(results: Sequence[Measured], y: str | None = None) -> "Figure":
    """Draw bandwidth or latency against the size or the first other parameter that varies.

    Each combination of the other varying parameters is drawn as one line.

    y: `latency` or `bandwidth`; by default, `bandwidth` if all results have a bandwidth.

    Raises UsageError if nothing varies.
    """
    check_drawable(results, y)
    everywhere = all(result.bandwidth_gb_s is not None for result in results)
    offered = is_offered(results)
    column, _ = QUANTITIES[y or ("bandwidth" if everywhere and not offered else "latency")]
    if offered and column == "latency_ns":
        column = "dma_mean_ns"
    varying = varying_columns(results)
    if not varying:
        raise refusal(
            "nothing varies in this sweep; a plot takes two values of {size} or {spes} at least"
        )
    first = ("rate", *_AXES) if offered else _AXES
    x = next((name for name in first if name in varying), varying[0])
    others = [name for name in varying if name != x]
    lines = lines_of(results, others, element(results))
    if len(lines) > _LINES_MAX:
        raise UsageError(
            f"a plot of {len(lines)} lines; give fewer values, {_LINES_MAX} can be drawn"
        )

    legend_columns = 1 + (len(lines) - 1) // 16 if others else 0
    figure = figure_class()(figsize=(7 + 2 * legend_columns, 4.8), layout="constrained")
    axes = figure.add_subplot()
    has_numbers, values = _is_number(x, results), _values(results, x)
    for (label, along), style in zip(lines.items(), _styles(lines, others), strict=True):
        rows = [result.row() for result in along]
        if not has_numbers:
            style["linestyle"] = "none"  # there are no values between two text values
        positions = [_position(row[x], values, has_numbers) for row in rows]
        heights: list[Any] = [row[column] for row in rows]
        axes.plot(positions, heights, label=label, **style)
        if x == "rate":
            _draw_load(axes, rows, column, style["color"])
    _scale_x(axes, x, results, values, has_numbers)
    _scale_y(axes, column, results)
    axes.set_title(title(results, shown=varying))
    axes.grid(visible=True, alpha=0.3)
    if others:
        # The legend is beside the axes, so that it never covers data.
        figure.legend(
            loc="outside right upper", ncols=legend_columns, fontsize="small", handlelength=3
        )
    return figure


def _draw_load(axes: "Axes", rows: Sequence[Mapping[str, Any]], column: str, colour: Any) -> None:
    """Add the 99th percentile to a line over the offered load, and the rate of saturation."""
    if column == "dma_mean_ns":
        rates, p99 = zip(*((row["rate"], row["dma_p99_ns"]) for row in rows), strict=True)
        axes.plot(rates, p99, color=colour, linestyle=":", linewidth=1)
    at = saturated_from(rows)
    if at is not None:
        axes.axvline(at, color=colour, linewidth=0.8, alpha=0.6)
        axes.annotate(
            f"saturated at {at:g}",
            (at, 1),
            (-3, -3),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            rotation=90,
            ha="right",
            va="top",
            fontsize="small",
            color=colour,
        )


def _styles(
    lines: Mapping[str, Sequence[Measured]], others: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """A style for each line. Numbers select colour and marker; text values select dashes and fill.

    Colours range from dark to bright. Up to a dozen numbers differ by their markers, even without
    colour.
    """
    import matplotlib as mpl

    every = [result for line in lines.values() for result in line]
    number = next((name for name in others if _is_number(name, every)), None)
    rows = [line[0].row() for line in lines.values()]
    colours = [row[number] if number else i for i, row in enumerate(rows)]
    words = [
        tuple(row[name] for name in others if name != number) if number else () for row in rows
    ]
    shades, dashes = list(dict.fromkeys(colours)), list(dict.fromkeys(words))
    for colour, word in zip(colours, words, strict=True):
        shade, dash = shades.index(colour), dashes.index(word)
        yield {
            "color": mpl.colormaps["cividis"](0.88 * shade / max(len(shades) - 1, 1)),
            "marker": _MARKERS[shade % len(_MARKERS)],
            "linestyle": _DASHES[(dash + shade // len(_MARKERS)) % len(_DASHES)],
            "markerfacecolor": "white" if dash % 2 else None,
            "markersize": 5,
        }


def _position(value: Any, values: Sequence[Any], has_numbers: bool) -> float:
    """Position of a value on the x axis: itself if it is a number, or else its index."""
    return float(value) if has_numbers and value is not None else values.index(value)


def _is_number(name: str, results: Sequence[Measured]) -> bool:
    """Whether a column has numbers, of a parameter or of a changed value of the machine."""
    settings = (settings_of(result.machine).get(name) for result in results)
    return name in _AXES or all(isinstance(value, int) for value in settings)


def _values(results: Sequence[Measured], x: str) -> list[Any]:
    return list(dict.fromkeys(result.row()[x] for result in results))


def _scale_x(
    axes: "Axes", x: str, results: Sequence[Measured], values: Sequence[Any], has_numbers: bool
) -> None:
    if not has_numbers:
        words = [described(x, value, element(results)) for value in values]
        axes.set_xticks(range(len(words)), words)
        axes.margins(x=0.2)
        axes.set_xlabel(_WORD_AXES.get(x, x.replace("_", " ").capitalize()))
        return
    values = sorted(values)
    elements = element(results) + "s"
    axes.set_xlabel(_AXES.get(x, x).format(elements[:1].upper() + elements[1:]))
    ticks = values
    doublings = 4 if x in _AXES else 16
    if x not in ("spes", "rate") and values[0] > 0 and values[-1] >= doublings * values[0]:
        axes.set_xscale("log", base=2)
        powers = [2**power for power in range(values[0].bit_length() - 1, 64)]
        ticks = [power for power in powers if values[0] <= power <= values[-1]]
        axes.minorticks_off()
    ticks = ticks[:: 1 + (len(ticks) - 1) // _TICKS_MAX]
    shown = [f"{tick:g}" if x == "rate" else short_number(tick, x) for tick in ticks]
    axes.set_xticks(ticks, shown)


def _scale_y(axes: "Axes", column: str, results: Sequence[Measured]) -> None:
    values: list[float] = [result.row()[column] for result in results]  # type: ignore[misc]
    overlapping = column == "latency_ns" and all(
        overlaps(getattr(result, "batch", None)) for result in results
    )
    label = "Time per iteration (ns)" if overlapping else _QUANTITY_LABELS[column]
    axes.set_ylabel(label.format(element(results) + "s"))
    if column != "bandwidth_gb_s" and max(values) >= 10 * min(values) > 0:
        from matplotlib.ticker import LogLocator

        axes.set_yscale("log", subs=[])
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(
            lambda value, _: format_latency(value) if column == "dma_mean_ns" else f"{value:g}"
        )
    else:
        axes.set_ylim(bottom=0)
