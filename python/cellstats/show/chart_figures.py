"""Pictures of the charts in papers, all in one style. Needs matplotlib.

Simulated lines are thin, and each line has a different marker. Line colours range from dark blue to
a sandy grey. The colours are taken from cividis, a colour map for colour-blind readers, without its
bright end, which is faint on paper and on dark pages. Published values are red-orange, and drawn as
thick dashed lines or as crosses, so that a reader need not distinguish colours.
"""

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cellstats.core.words import short_number
from cellstats.reproduce.figures import Axis, Bars, Chart, Line, Number
from cellstats.show.chart_legend import add_legends, legend_inches, published_label
from cellstats.show.figures import figure_class
from cellstats.show.pictures import (
    TITLE_MARGIN_INCHES,
    TITLE_POINTS,
    heading,
    image,
    lines_that_fit,
    more_inches,
    slim_svg,
    style,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation
    from PIL.Image import Image

PUBLISHED_COLOUR = "#d55e00"
_DASHES = ((0, (2.2, 1.1)), (0, (0.6, 0.8)), (0, (2.6, 0.8, 0.6, 0.8)))
"""Dashes, dots, and dashes with dots. Each is short enough to be repeated in a legend."""
_RANGE_COLOUR = "#8a8a8a"
"""Colour of the range behind a bar, which must stand out from the bar and from the page."""
_PUBLISHED_MARKERS = "x+12"
_BRIGHTEST = 0.74
"""Position of the brightest colour used, from 0 to 1 in the colour map cividis."""
_NAMES_MAX = 45
"""Maximum total length of the names below the bars; longer names are rotated."""
_MARKERS = "osD^v*PX<>hp"
_PANEL_INCHES = (4.8, 3.7)
"""Width and height of a panel without its legend."""
_MARGINS = (0.85, 0.2, 0.35, 0.85)
"""Margins of a panel's axes in inches: left, right, top, bottom."""
_TITLE_INCHES = 0.6
"""Height above the panels of a figure with a one-line title."""
_ACROSS_MAX = 4
"""Maximum number of panels side by side."""
_NAME_INCHES, _NAME_LINES = 0.165, 3
"""Height of a text line of the names below the bars, and the number of such lines that fit above
the legend."""
_DIGIT_INCHES = 0.075
"""Width of a digit in the numbers on top of the bars."""
_OCTAVES_MAX = 9
"""Maximum number of octaves on an axis of sizes whose labels fit without being rotated."""


class Panel:
    """A picture of a chart. Its matplotlib figure is built once and kept, because building a figure
    takes as long as drawing it.

    title_lines: number of title lines to leave room for.
    """

    def __init__(self, chart: Chart, title_lines: int) -> None:
        with style():
            self.figure = _figure(chart, title_lines)

    def svg(self, prefix: str) -> str:
        """The picture as an `<svg>` element for a page, with ids that begin with `prefix`."""
        file = io.BytesIO()
        with style():
            # The picture is transparent, because the background of the page may be dark.
            self.figure.savefig(file, format="svg", metadata={"Date": None}, transparent=True)
        return slim_svg(file.getvalue().decode(), prefix)

    def image(self) -> "Image":
        """The picture as pixels."""
        with style():
            return image(self.figure)


def panels(charts: Sequence[Chart]) -> list[Panel]:
    """A panel for each chart. The titles of all panels have equal height, so the axes align."""
    lines = _title_lines(charts)
    return [Panel(chart, lines) for chart in charts]


def _figure(chart: Chart, title_lines: int) -> "Figure":
    """One panel with fixed margins, because computing the smallest possible margins takes long."""
    from matplotlib.figure import Figure

    height = _PANEL_INCHES[1] + _below_inches(chart) + more_inches(title_lines)
    figure = Figure(figsize=(_PANEL_INCHES[0], height))
    _add_panel(figure, chart, (0, 0), height, title_lines)
    return figure


def _title(chart: Chart) -> tuple[str, ...]:
    """The title, broken into text lines that fit into the panel when centred above the axes."""
    room = _axes_inches() + 2 * (min(_MARGINS[:2]) - TITLE_MARGIN_INCHES)
    return lines_that_fit(chart.title, room, TITLE_POINTS, "bold")


def _title_lines(charts: Sequence[Chart]) -> int:
    return max((len(_title(chart)) for chart in charts), default=1)


def _below_inches(chart: Chart) -> float:
    """Height of everything below the axes: the names below the bars and the legend."""
    return _name_inches(chart) + legend_inches(chart, _PANEL_INCHES[0])


def _add_panel(
    figure: "Figure",
    chart: Chart,
    corner: tuple[float, float],
    height: float,
    title_lines: int,
) -> None:
    """Add a panel with this lower left corner and height, in inches."""
    left, right, up, down = _MARGINS
    width, axes_height = _PANEL_INCHES[0], _PANEL_INCHES[1] - up - down
    up += more_inches(title_lines)
    whole_width, whole_height = figure.get_size_inches()
    bounds = (
        (corner[0] + left) / whole_width,
        (corner[1] + height - up - axes_height) / whole_height,
        (width - left - right) / whole_width,
        axes_height / whole_height,
    )
    _panel(figure.add_axes(bounds), chart)


def across(count: int) -> int:
    """Number of panels side by side, chosen so that the last row is as full as possible."""
    return min(
        range(1, min(count, _ACROSS_MAX) + 1), key=lambda n: (-(-count // n) * n - count, -n)
    )


def panels_figure(charts: Sequence[Chart], title: str) -> "Figure":
    """All panels in one figure, side by side below its title."""
    columns = across(len(charts))
    rows = -(-len(charts) // columns)
    width, height = _PANEL_INCHES
    title_lines = _title_lines(charts)
    height += max(map(_below_inches, charts), default=0) + more_inches(title_lines)
    head = heading(title, columns * width)
    whole = columns * width, rows * height + _TITLE_INCHES + more_inches(len(head))
    with style():
        figure = figure_class()(figsize=whole)
        looks: dict[str, Any] = {"va": "top", "fontsize": TITLE_POINTS, "parse_math": False}
        figure.suptitle("\n".join(head), y=1 - 0.1 / whole[1], **looks)
        for number, chart in enumerate(charts):
            left = number % columns * width
            bottom = (rows - 1 - number // columns) * height
            _add_panel(figure, chart, (left, bottom), height, title_lines)
    return figure


def _panel(axes: "Axes", chart: Chart) -> None:
    axes.set_title("\n".join(_title(chart)))
    values = [x for line in chart.lines for x in line.x]
    _axis(axes.xaxis, chart.x, values, [*values, *(x for mark in chart.marks for x in mark.x)])
    _axis(axes.yaxis, chart.y, [], [])
    colours = _colours(len(chart.lines) or len(chart.bars) or len(chart.steps))
    for nth, (line, colour) in enumerate(zip(chart.lines, colours, strict=False)):
        # Every second line has hollow, larger markers, to distinguish overlapping lines.
        hollow: dict[str, Any] = {"markerfacecolor": "none", "markersize": 8} if nth % 2 else {}
        style: dict[str, Any] = {
            "linestyle": "-" if line.joined else "none",
            "marker": _MARKERS[nth % 12],
        }
        axes.plot(line.x, line.y, color=colour, label=line.label, **style, **hollow)
        _spread(axes, line.x, line, line.y, colour)
    _bars(axes, chart, colours)
    _steps(axes, chart, colours)
    _published(axes, chart)
    axes.margins(x=0.04, y=0.06)
    _ends(chart.x, axes.dataLim.intervalx, axes.set_xlim)
    _ends(chart.y, axes.dataLim.intervaly, axes.set_ylim)
    axes_height = _PANEL_INCHES[1] - sum(_MARGINS[2:])
    add_legends(axes, chart, _PANEL_INCHES[0], axes_height, _name_inches(chart))


def _ends(axis: Axis, data: Sequence[float], set_ends: Callable[..., object]) -> None:
    """Set the axis limits that the chart specifies, with some room above the data."""
    if axis.least is not None:
        set_ends(axis.least, data[1] + 0.06 * (data[1] - axis.least))
    if axis.most is not None:
        set_ends(None, axis.most)


def _axis(axis: Any, asked: Axis, values: Sequence[Number], shown: Sequence[Number]) -> None:
    """Set the label, the scale and the ticks of an axis.

    values: the values that may have ticks. shown: all values on the axis.
    """
    axis.set_label_text(asked.label)
    if asked.log is not None:
        getattr(axis.axes, f"set_{axis.axis_name}scale")("log", base=asked.log)
    if asked.log == 10:
        from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

        axis.set_major_locator(LogLocator(10, subs=(1, 2, 5)))
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_formatter(NullFormatter())
    if asked.ticks is not None:
        ticks = sorted(set(values))
        as_bytes = asked.ticks == "bytes"
        labels = [short_number(int(x), "size_bytes") if as_bytes else f"{x:g}" for x in ticks]
        axis.set_ticks(ticks, labels)
        axis.set_minor_locator(_no_ticks())
        octaves = max(shown) / min(shown) if as_bytes and min(shown, default=0) > 0 else 1
        if as_bytes and (len(ticks) > 7 or octaves > 2**_OCTAVES_MAX):
            axis.set_tick_params(rotation=60)


def _no_ticks() -> Any:
    from matplotlib.ticker import NullLocator

    return NullLocator()


def _bars(axes: "Axes", chart: Chart, colours: Sequence[Any]) -> None:
    if not chart.bars:
        return
    width = 0.8 / len(chart.bars)
    heights = [each for group in chart.bars for each in group.heights]
    for nth, (bars, colour) in enumerate(zip(chart.bars, colours, strict=False)):
        shift = width * (nth - (len(chart.bars) - 1) / 2)
        middles = [group + shift for group in range(len(bars.heights))]
        if chart.y.log:
            _points(axes, middles, bars, colour, _MARKERS[nth % 12])
            continue
        drawn = axes.bar(middles, bars.heights, 0.95 * width, color=colour, label=bars.label)
        _spread(axes, middles, bars, bars.heights, _RANGE_COLOUR)
        numbers = [_number(value) for value in bars.heights]
        room = 0.95 * width * _axes_inches() / max(len(chart.names), 1)
        upright: dict[str, Any] = (
            {"rotation": 90} if max(map(len, numbers)) * _DIGIT_INCHES > room else {}
        )
        if upright:
            # Vertical numbers need more room above the bars.
            axes.update_datalim([(0, 1.12 * max(heights))])
        labels = axes.bar_label(drawn, numbers, fontsize=8, padding=1, **upright)
        _lift(labels, chart, bars, 1.1 * axes.dataLim.y1, is_upright=bool(upright))
        for text in labels:
            # Keeps a number legible where the line of a published value crosses it.
            text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.6})
            text.set_zorder(6)
    names = _names(chart)
    turned: dict[str, Any] = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(range(len(names)), names, **(turned if _are_turned(chart) else {}))
    axes.grid(visible=False, axis="x")


def _points(axes: "Axes", x: Sequence[float], bars: Bars, colour: Any, marker: str) -> None:
    """Draw points in place of bars, which would have no foot on a logarithmic axis."""
    # The numbers need room above the points.
    axes.update_datalim([(x[0], 1.5 * max(bars.heights))])
    axes.plot(x, bars.heights, marker, color=colour, markersize=7, label=bars.label)
    _spread(axes, x, bars, bars.heights, colour)
    for middle, value in zip(x, bars.heights, strict=True):
        at: dict[str, Any] = {"xytext": (0, 5), "textcoords": "offset points"}
        axes.annotate(_number(value), (middle, value), ha="center", fontsize=8, **at)


def _number(value: Number) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _spread(
    axes: "Axes", x: Sequence[Number], of: Line | Bars, means: Sequence[Number], colour: Any
) -> None:
    """Draw the range of the values behind each mean as a thin bar."""
    if of.ends:
        below = [mean - low for mean, (low, _) in zip(means, of.ends, strict=True)]
        above = [high - mean for mean, (_, high) in zip(means, of.ends, strict=True)]
        axes.errorbar(x, means, (below, above), fmt="none", ecolor=colour, elinewidth=1, capsize=3)


def _lift(
    numbers: Sequence["Annotation"], chart: Chart, bars: Bars, height: float, *, is_upright: bool
) -> None:
    """Move each number above the range of its bar, and above a published value that it would cover.

    height: approximate height of the axes, in units of the bars.
    """
    unit = height / (_PANEL_INCHES[1] - sum(_MARGINS[2:]))
    for nth, number in enumerate(numbers):
        x, bottom = number.xy
        if bars.ends:
            bottom = max(bottom, bars.ends[nth][1])
        letters = len(number.get_text()) if is_upright else 2
        length = letters * _DIGIT_INCHES * unit
        for mark in sorted(chart.marks, key=lambda each: max(each.y)):
            covered = mark.x[0] - 0.5 <= nth <= mark.x[-1] + 0.5
            if covered and bottom - 0.05 * unit <= max(mark.y) <= bottom + length:
                bottom = max(mark.y) + 0.04 * unit
        number.xy = (x, bottom)


def _names(chart: Chart) -> list[str]:
    return [name.replace(" ", "\n") for name in chart.names]


def _are_turned(chart: Chart) -> bool:
    """Whether the names below the bars are rotated because they do not fit side by side."""
    names = _names(chart)
    longest = max((len(word) for name in names for word in name.split("\n")), default=0)
    return len(names) * longest > _NAMES_MAX


def _name_inches(chart: Chart) -> float:
    """Height by which the names below the bars extend into the area of the legend."""
    lines = max((name.count("\n") + 1 for name in _names(chart)), default=0)
    return 0.0 if _are_turned(chart) else max(0, lines - _NAME_LINES) * _NAME_INCHES


def _axes_inches() -> float:
    return _PANEL_INCHES[0] - _MARGINS[0] - _MARGINS[1]


def _steps(axes: "Axes", chart: Chart, colours: Sequence[Any]) -> None:
    bottoms: dict[Number, float] = {}
    for steps, colour in zip(chart.steps, colours, strict=False):
        starts = [low for low, _ in steps.edges]
        widths = [high - low for low, high in steps.edges]
        below = [bottoms.get(start, 0.0) for start in starts]
        axes.bar(
            starts,
            steps.heights,
            widths,
            bottom=below,
            align="edge",
            color=colour,
            edgecolor="white",
            linewidth=0.4,
            label=steps.label,
        )
        for start, under, height in zip(starts, below, steps.heights, strict=True):
            bottoms[start] = under + height


def _published(axes: "Axes", chart: Chart) -> None:
    """Draw published points as crosses, and lines as thick dashes (vertical on a histogram).

    Points that a line connects have a cross, too. A value with a margin has a pale band or a bar.
    """
    named: dict[str, int] = {}
    for mark in chart.marks:
        label = published_label(mark) if mark.label not in named else None
        nth = named.setdefault(mark.label, len(named))
        style = _DASHES[nth % len(_DASHES)]
        drawn: dict[str, Any] = {"color": PUBLISHED_COLOUR, "label": label}
        if chart.steps:
            axes.axvline(float(mark.x[0]), linestyle=style, **drawn)
        elif chart.bars:
            # The line of a published value extends by half a bar on both sides.
            ends = [mark.x[0] - 0.42, mark.x[-1] + 0.42]
            axes.plot(ends, [mark.y[0], mark.y[-1]], linestyle=style, linewidth=2.5, **drawn)
        elif len(mark.x) == 1:
            marker = _PUBLISHED_MARKERS[nth % len(_PUBLISHED_MARKERS)]
            drawn |= {"linestyle": "none", "marker": marker, "zorder": 5}
            axes.plot(mark.x, mark.y, markersize=10, markeredgewidth=2.5, **drawn)
            if mark.margin:
                margins = [mark.margin * y for y in mark.y]
                axes.errorbar(mark.x, mark.y, margins, color=PUBLISHED_COLOUR, capsize=4)
        else:
            if len(mark.x) > 2:
                drawn |= {"marker": "x", "markersize": 9, "markeredgewidth": 2.5}
            # Published lines are drawn below simulated lines and thicker, so they stay visible.
            axes.plot(mark.x, mark.y, linestyle=style, linewidth=3.5, zorder=1.5, **drawn)
            if mark.margin:
                low, high = (
                    [(1 + part) * y for y in mark.y] for part in (-mark.margin, mark.margin)
                )
                axes.fill_between(mark.x, low, high, color=PUBLISHED_COLOUR, alpha=0.15, lw=0)


def _colours(count: int) -> list[Any]:
    import matplotlib as mpl

    ramp = mpl.colormaps["cividis"]
    return [ramp(_BRIGHTEST * nth / max(1, count - 1)) for nth in range(count)]
