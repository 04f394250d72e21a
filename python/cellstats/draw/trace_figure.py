"""A trace as a picture: what each SPU waits for, each memory channel and each ring, against time.

The same spans as the waveform, of longer windows than that can show. Needs matplotlib.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from cellstats.draw.figure_files import figure_class
from cellstats.draw.wheel import COLOURS
from cellstats.measure.activity import Activity
from cellstats.measure.spans import Span

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cellstats.measure.trace import Trace

Lane: TypeAlias = tuple[str, Sequence[Span], str]
"""Name, spans and colour."""
_RUNS, _STALLS, _MEMORY = "#3b6ea8", "#e3b23c", "0.35"
_LANE_INCHES = 0.24


def trace_figure(of: "Trace") -> "Figure":
    """A lane for each SPU, memory channel and ring that did anything, in bus cycles."""
    activity = Activity(of.data)
    lanes = list(_lanes(activity))
    names = list(dict.fromkeys(name for name, _, _ in lanes))
    figure = figure_class()(figsize=(9.0, 1.5 + _LANE_INCHES * len(names)), layout="constrained")
    axes = figure.add_subplot()
    for name, spans, colour in lanes:
        _bars(axes, names.index(name), spans, colour, activity)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(0, activity.end - activity.begin)
    axes.set_xlabel(f"Bus cycles of {1e9 / of.data['bus_hz']:g} ns, from {activity.begin} on")
    axes.set_title(f"{of.data['machine']}: who is busy")
    axes.grid(visible=True, axis="x", alpha=0.3)
    _legend(figure)
    return figure


def _lanes(activity: Activity) -> Iterator[Lane]:
    for spe in activity.spes():
        yield f"SPE{spe} SPU", activity.running(spe), _RUNS
        yield f"SPE{spe} SPU", [span for span, _ in activity.stalls(spe)], _STALLS
    for channel in activity.channels():
        spans = [span for span, _ in activity.accesses(channel)]
        yield f"memory {activity.channel(channel)}", spans, _MEMORY
    for number, (name, direction) in enumerate(activity.rings()):
        rows = [row for row in activity.transfers if row["ring"] == number]
        clockwise = direction == "clockwise"
        colour = COLOURS[0 if clockwise else 1]
        yield f"ring {name} {'>' if clockwise else '<'}", [*map(activity.on_ring, rows)], colour


def _bars(axes: "Axes", lane: int, spans: Sequence[Span], colour: str, activity: Activity) -> None:
    inside = [
        (max(begin, activity.begin) - activity.begin, min(end, activity.end))
        for begin, end in spans
        if activity.inside((begin, end))
    ]
    bars = [(begin, end - activity.begin - begin) for begin, end in inside]
    axes.broken_barh(bars, (lane - 0.4, 0.8), facecolors=colour, edgecolor="white", linewidth=0.4)


def _legend(figure: "Figure") -> None:
    from matplotlib.patches import Patch

    words = (
        (_RUNS, "SPU runs"),
        (_STALLS, "SPU waits"),
        (_MEMORY, "memory reads or writes"),
        (COLOURS[0], "line on a clockwise ring"),
        (COLOURS[1], "line on a counterclockwise ring"),
    )
    handles = [Patch(color=colour, label=text) for colour, text in words]
    figure.legend(handles=handles, loc="outside lower center", ncols=5, fontsize="x-small")
