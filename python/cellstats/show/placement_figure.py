"""A placement as a picture: threads on the rings, message routes, and the load of each segment.

The elements of a Cell are drawn as a wheel, in their physical order and direction. The arrows of
the messages are inside the wheel, with the clockwise arrows outermost. The ring is in the middle. A
ring segment is thicker if more bytes pass it. Clockwise bytes are drawn on the outer side of the
segment, so that a reader need not distinguish directions by colour. The loads are computed by the
communication model. Needs matplotlib.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.pattern import Pattern, Phase
from cellstats.core.refusal import refusal
from cellstats.measure.best_placement import Placed
from cellstats.measure.machine import Machine, MachineLike, find_simulated
from cellstats.patterns import PatternLike
from cellstats.patterns import pattern as find_pattern
from cellstats.placement.folding import Grouping
from cellstats.placement.rings import (
    CLOCKWISE,
    COUNTERCLOCKWISE,
    GATE,
    SPE,
    Element,
    Part,
    Route,
    crossing,
    part_loads,
    rings_of,
    routes,
    segment,
)
from cellstats.show.figures import figure_class
from cellstats.show.wheel import COLOURS, IDLE, MARGIN, THREAD, TURNS, Wheel, radius, short_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


PHASES_MAX = 4
"""Maximum number of panels. With more panels, each panel would be too small to read."""
# Space in inches: between two wheels, above each panel, above all panels, and below all panels.
_BETWEEN, _PANEL_TITLE, _HEAD, _FOOT = 1.6, 0.4, 0.6, 0.8
# Number of letters of a title that fit into an inch at a font size of one point.
_LETTERS = 105


def figure(
    machine: MachineLike,
    pattern: PatternLike,
    placement: Sequence[int],
    cells: str | int | None = None,
    *,
    memory: str | int = "0",
    by_phase: bool = False,
    groups: Grouping | None = None,
) -> "Figure":
    """Draw the threads on the rings, the routes of their messages, and the load of each segment.

    pattern: as for `cellstats.place`; a named pattern has as many threads as the placement.
    placement: the physical SPE of each thread.
    cells, memory: as for `Machine.measure`.
    by_phase: draw a panel for each phase, at most `PHASES_MAX`, instead of one for all messages.
    groups: the groups that are the threads of `pattern`; the first thread is a group's name.

    Raises UsageError for an invalid placement.
    """
    found = find_simulated(machine)
    wanted = find_pattern(pattern, most=len(placement))
    spes = found.native.usable_spes(None if cells is None else str(cells))
    # `part_loads` checks the placement.
    loads = part_loads(found.native, wanted, list(placement), str(memory))
    placed = tuple(int(spe) for spe in placement[: wanted.threads])
    astray = [spe for spe in placed if spe not in spes]
    if astray:
        among = ", ".join(map(str, spes))
        reason = f"SPE {astray[0]} is not one of {{cells}} {cells}; give some of {among}"
        raise refusal(f"{{placement}}: {reason}")
    if by_phase and len(wanted.phases) > PHASES_MAX:
        raise UsageError(
            f"{len(wanted.phases)} phases: {PHASES_MAX} can be drawn each in a panel; "
            "draw all in one"
        )
    rings = rings_of(found.native)
    parts = [{load.part: load.bytes for load in phase} for phase in loads]
    if by_phase and len(parts) > 1:
        panels = [
            _Panel(f"Phase {nth}", routes(found.native, phase.transfers, placed, str(memory)), load)
            for nth, (phase, load) in enumerate(zip(wanted.phases, parts, strict=True), 1)
        ]
    else:
        panels = [_all_phases(wanted.phases, found.native, placed, str(memory), parts)]
    names = [f"thread {thread}" for thread in range(len(placed))]
    if groups is not None:
        names = [f"thread {group[0]}\N{HORIZONTAL ELLIPSIS}" for group in groups.threads]
    threads = {Element(SPE, spe): name for spe, name in zip(placed, names, strict=True)}
    usable = {Element(SPE, spe) for spe in spes}
    return _figure(rings, panels, threads, usable, _title(found, wanted, placed, cells, memory))


def _title(
    machine: Machine,
    pattern: Pattern,
    placement: Sequence[int],
    cells: str | int | None,
    memory: str | int,
) -> str:
    listed = ",".join(map(str, placement))
    text = f"{pattern.name} on {machine.name}: SPE{'s' if len(placement) > 1 else ''} {listed}"
    text += "" if cells is None else f" (cells {cells})"
    return text if str(memory) == "0" else f"{text}, memory {memory}"


@dataclass(frozen=True)
class _Panel:
    """The contents of one panel."""

    title: str
    routes: list[Route]
    loads: Mapping[Part, int]
    """Number of bytes that pass through each part of the machine."""


def _all_phases(
    phases: Sequence[Phase],
    machine: _native.Machine,
    placement: Sequence[int],
    memory: str,
    parts: Sequence[Mapping[Part, int]],
) -> _Panel:
    transfers = [transfer for phase in phases for transfer in phase.transfers]
    every = dict.fromkeys(part for phase in parts for part in phase)
    sums = {part: sum(phase.get(part, 0) for phase in parts) for part in every}
    title = f"All {len(phases)} phases" if len(phases) > 1 else ""
    return _Panel(title, routes(machine, transfers, placement, memory), sums)


def _figure(
    rings: Sequence[Sequence[Element]],
    panels: Sequence[_Panel],
    threads: Mapping[Element, str],
    usable: set[Element],
    title: str,
) -> "Figure":
    """Draw the panels in rows. A panel with two Cells is wide and takes a whole row."""
    cells = len(rings)
    side = 2 * (radius(len(rings[0])) + MARGIN)
    width = cells * side + (cells - 1) * _BETWEEN
    across = 1 if cells > 1 or len(panels) == 1 else 2
    row = side + (_PANEL_TITLE if panels[0].title else 0)
    size = (across * width, -(-len(panels) // across) * row + _HEAD + _FOOT)
    made = figure_class()(figsize=size)
    letters = min(15.0, _LETTERS * size[0] / len(title))
    style: dict[str, Any] = {"va": "center", "fontsize": letters, "fontweight": "bold"}
    # The pattern's name may contain dollar signs, which matplotlib would parse as mathematics.
    made.suptitle(title, y=1 - _HEAD / 2 / size[1], parse_math=False, **style)
    widest = max(route.bytes for panel in panels for route in panel.routes)
    busiest = max(load for panel in panels for load in _segments(rings, panel))
    for nth, panel in enumerate(panels):
        left, bottom = nth % across * width, size[1] - _HEAD - (nth // across + 1) * row
        box = (left / size[0], bottom / size[1], width / size[0], side / size[1])
        axes = made.add_axes(box, xlim=(0, width), ylim=(0, side))
        axes.set_axis_off()
        axes.set_title(panel.title, fontsize=12)
        gates = []
        for cell, ring in enumerate(rings):
            middle = side / 2 + cell * (side + _BETWEEN), side / 2
            # The wheels are rotated so that the IOIF0 elements of the two Cells face each other.
            wheel = Wheel(axes, ring, middle, gate=180.0 * cell if cells > 1 else None)
            wheel.draw_elements(threads, usable)
            here = [route for route in panel.routes if route.cell == cell]
            wheel.draw_loads(panel.loads, busiest, wheel.draw_routes(here, widest))
            if cells > 1:
                axes.text(*middle, f"Cell {cell}", ha="center", va="center", fontsize=13)
                gates.append(wheel.point(ring.index(Element(GATE, cell)), radius(len(ring))))
        if gates:
            _draw_link(axes, gates, panel.loads)
    _draw_legend(made, widest, busiest)
    return made


def _segments(rings: Sequence[Sequence[Element]], panel: _Panel) -> Iterator[int]:
    for ring in rings:
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
            yield panel.loads.get(segment(a, b), 0)
            yield panel.loads.get(segment(b, a), 0)


def _draw_link(
    axes: "Axes", gates: Sequence[tuple[float, float]], loads: Mapping[Part, int]
) -> None:
    """Draw the link between the IOIF0 elements of two Cells, with the bytes in each direction."""
    from matplotlib.patches import FancyArrowPatch

    both = [crossing(cell, 1 - cell) for cell in (0, 1)]
    sizes = [loads.get(part, 0) for part in both]
    for cell, size in enumerate(sizes):
        if not size:
            continue
        # The arrow from the first Cell is drawn above the arrow from the second.
        offset = 0.14 if cell == 0 else -0.14
        (x0, y0), (x1, y1) = gates[cell], gates[1 - cell]
        axes.add_patch(
            FancyArrowPatch(
                (x0, y0 + offset),
                (x1, y1 + offset),
                arrowstyle="-|>",
                mutation_scale=18,
                shrinkA=2,
                shrinkB=2,
                linewidth=1 + 4 * size / max(sizes),
                color="0.25",
                label=str(both[cell]),
            )
        )
        middle = (x0 + x1) / 2, (y0 + y1) / 2 + 2.2 * offset
        axes.text(*middle, short_bytes(size), ha="center", va="center", fontsize=9)


def _draw_legend(made: "Figure", widest: float, busiest: int) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    def turning(direction: int, text: str) -> Line2D:
        style: dict[str, Any] = {"marker": "<>"[direction == CLOCKWISE], "markersize": 8}
        hollow = COLOURS[direction] if direction == CLOCKWISE else "white"
        return Line2D([], [], color=COLOURS[direction], markerfacecolor=hollow, label=text, **style)

    def words(text: str) -> Line2D:
        return Line2D([], [], linestyle="none", label=text)

    made.legend(
        handles=[
            turning(CLOCKWISE, f"{TURNS[0]} clockwise: outer arrows, outer side of the ring"),
            turning(COUNTERCLOCKWISE, f"{TURNS[1]} counterclockwise: inner arrows, inner side"),
            words(f"widest arrow: {short_bytes(widest)} bytes"),
            Patch(facecolor=THREAD, edgecolor="0.3", label="SPE with a thread"),
            Patch(facecolor=IDLE, edgecolor="0.3", label="SPE without, (not to be used)"),
            words(f"thickest segment: {short_bytes(busiest)} bytes"),
        ],
        loc="lower center",
        ncols=2,
        fontsize=9,
        frameon=False,
    )


def rings_figure(of: Placed, *, by_phase: bool = False) -> "Figure":
    """The picture of a placement found by `place`, with the pattern for which it was found."""
    return figure(
        of.placed_on,
        of.placed_pattern,
        of.placement,
        of.cells,
        memory=of.memory,
        by_phase=by_phase,
        groups=of.groups,
    )
