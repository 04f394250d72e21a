"""One Cell drawn as a wheel: elements on the rim, routes inside, segment loads in the middle.

Coordinates are in inches, so that distances and line widths have the same unit.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from cellstats.placement.rings import CLOCKWISE, GATE, SPE, Element, Part, Route, lanes, segment

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#00326f", "#d55e00")
"""Colours of the clockwise direction and of the counterclockwise direction."""
TURNS = ("\N{CLOCKWISE OPEN CIRCLE ARROW}", "\N{ANTICLOCKWISE OPEN CIRCLE ARROW}")
THREAD, IDLE, OTHER = "#fbe9a9", "0.9", "white"
"""Colours of SPEs with a thread, of SPEs without one, and of other elements."""
MARGIN = 0.12
"""Free space around the rim, in inches."""
HEIGHT = 0.74
"""Height of an element in inches. The element extends inwards from the rim."""
_ELEMENT = 1.45
_POINTS = 72
# Space in inches for the arrowheads, the numbers of each direction, and the thickest segment.
_HEADS, _NUMBERS, _THICKEST = 0.26, 0.26, 0.16
_LANE_MAX, _SLOT_MAX, _LINE_MAX = 0.14, 0.17, 4.0
# Minimum radius of the ring in the middle, as a fraction of the rim's inner radius.
_RING_LEAST = 0.38


def radius(elements: int) -> float:
    """Radius of the rim in inches, large enough for the elements' labels and the legend."""
    return max(_ELEMENT * elements / math.tau, 2.7) + HEIGHT


def short_bytes(size: float) -> str:
    """A number of bytes as text, with a binary prefix and at most four digits.

    >>> short_bytes(16384), short_bytes(8200), short_bytes(100), short_bytes(3 * 2**20)
    ('16K', '8.008K', '100', '3M')
    """
    power = min(2, max(0, int(size).bit_length() - 1) // 10)
    return f"{size / 1024**power:.4g}" + ("", "K", "M")[power]


class Wheel:
    """Draws one Cell on axes whose unit is an inch."""

    def __init__(
        self,
        axes: "Axes",
        elements: Sequence[Element],
        middle: tuple[float, float],
        *,
        gate: float | None,
    ) -> None:
        """Create a wheel around the point `middle`, in the coordinates of the axes.

        elements: the elements of the ring in clockwise order.
        gate: angle of IOIF0 in degrees, counterclockwise from the right; None puts IOIF0 at the
            lower right, as in the output of `cellstats machine show`.
        """
        self._axes, self._elements, self._middle = axes, elements, middle
        self._rim = radius(len(elements))
        self._inner = self._rim - HEIGHT
        self._step = 360 / len(elements)
        at = next((n for n, each in enumerate(elements) if each.kind == GATE), len(elements) // 2)
        self._first = at * self._step + (-self._step / 2 if gate is None else gate)

    def _angle(self, position: float) -> float:
        """Angle of a ring position in degrees, which decreases in the clockwise direction."""
        return self._first - position * self._step

    def point(self, position: float, distance: float) -> tuple[float, float]:
        """Coordinates in inches of a point at a ring position and at a distance from the middle."""
        angle = math.radians(self._angle(position))
        x, y = self._middle
        return x + distance * math.cos(angle), y + distance * math.sin(angle)

    def _sector(
        self, position: float, width: float, inner: float, outer: float, **style: Any
    ) -> None:
        from matplotlib.patches import Wedge

        ends = self._angle(position + width / 2), self._angle(position - width / 2)
        self._axes.add_patch(Wedge(self._middle, outer, *ends, width=outer - inner, **style))

    def _text(self, position: float, distance: float, text: str, **style: Any) -> None:
        x, y = self.point(position, distance)
        self._axes.text(x, y, text, ha="center", va="center", **style)

    def draw_elements(self, threads: Mapping[Element, str], usable: set[Element]) -> None:
        """Draw the rim. SPEs with a thread are filled, and unusable SPEs are in parentheses.

        threads: the name of the thread on each element.
        """
        for position, each in enumerate(self._elements):
            is_spe = each.kind == SPE
            fill = THREAD if each in threads else IDLE if is_spe else OTHER
            lost = is_spe and each not in usable
            style = {"facecolor": fill, "edgecolor": "0.3", "linestyle": ":" if lost else "-"}
            self._sector(position, 0.95, self._inner, self._rim, label=str(each), zorder=4, **style)
            name = str(each) if is_spe else each.kind
            text = f"{threads[each]}\n{name}" if each in threads else name
            text = f"({name})" if lost else text
            shade = "black" if each in threads else "0.35"
            self._text(position, self._rim - HEIGHT / 2, text, fontsize=9, color=shade, zorder=5)

    def draw_routes(self, routes: Sequence[Route], widest: float) -> float:
        """Draw an arrow for each route. Returns the inner radius of the last lane in inches."""
        by_direction = [[route for route in routes if route.direction == turn] for turn in (0, 1)]
        found = [lanes(each, len(self._elements)) for each in by_direction]
        counts = [max(each, default=-1) + 1 for each in found]
        room = self._inner * (1 - _RING_LEAST) - _HEADS - _NUMBERS - _THICKEST
        pitch = min(_LANE_MAX, room / max(1, sum(counts)))
        # Clockwise routes are in the outer lanes.
        placed = [
            (route, lane + counts[0] * route.direction)
            for several, its in zip(by_direction, found, strict=True)
            for route, lane in zip(several, its, strict=True)
        ]
        slots, slot = self._slots(placed)
        thickest = min(_LINE_MAX, 0.62 * _POINTS * min(pitch, 0.8 * slot * self._inner))
        for nth, (route, lane) in enumerate(placed):
            distance = self._inner - _HEADS - (lane + 0.5) * pitch
            width = max(0.5, thickest * route.bytes / widest)
            self._arrow(route, distance, slots[nth], width, slot * self._inner)
        return self._inner - _HEADS - sum(counts) * pitch

    def _slots(
        self, placed: Sequence[tuple[Route, int]]
    ) -> tuple[list[tuple[float, float]], float]:
        """The ring positions at which each arrow begins and ends, and the angle between adjacent
        arrows.

        The ends of an arrow are on the sides of the elements where its route leaves and arrives.
        Arrows whose lanes are nearer to the rim are farther from the element's middle, so that the
        arrows of one element do not cross. The angle is in radians.
        """
        ends: defaultdict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
        for nth, (route, lane) in enumerate(placed):
            ahead = 1 if route.direction == CLOCKWISE else -1
            target = (route.start + ahead * route.hops) % len(self._elements)
            ends[route.start, ahead].append((-lane, nth, 0))
            ends[target, -ahead].append((-lane, nth, 1))
        most = max(map(len, ends.values()), default=1)
        step = math.radians(self._step)
        slot = min(_SLOT_MAX / self._inner, 0.45 * step / (most + 0.5))
        slots = [[0.0, 0.0] for _ in placed]
        for (position, side), several in ends.items():
            for order, (_, nth, end) in enumerate(sorted(several)):
                slots[nth][end] = position + side * (order + 0.7) * slot / step
        return [(start, end) for start, end in slots], slot

    def _arrow(
        self, route: Route, distance: float, ends: tuple[float, float], width: float, slot: float
    ) -> None:
        from matplotlib.patches import FancyArrowPatch
        from matplotlib.path import Path

        ahead = 1 if route.direction == CLOCKWISE else -1
        start = ends[0]
        span = ahead * ((ends[1] - start) * ahead % len(self._elements))
        steps = max(2, round(abs(span) * self._step / 2))
        round_ = [self.point(start + span * n / steps, distance) for n in range(steps + 1)]
        path = [self.point(start, self._inner), *round_, self.point(ends[1], self._inner + 0.01)]
        colour = COLOURS[route.direction]
        self._axes.add_patch(
            FancyArrowPatch(
                path=Path(path),
                arrowstyle="-|>",
                # A wide outline would fill a small hollow arrowhead.
                mutation_scale=min(18 + 2 * width, 3.2 * slot * _POINTS),
                linewidth=width,
                edgecolor=colour,
                # Counterclockwise arrowheads are hollow, so that directions also differ without
                # colour.
                facecolor=colour if route.direction == CLOCKWISE else "white",
                joinstyle="round",
                label=f"{route.source} to {route.destination}",
                zorder=3,
            )
        )

    def draw_loads(self, loads: Mapping[Part, int], thickest: float, outside: float) -> None:
        """Draw the ring within a radius of `outside` inches. Busier segments are thicker."""
        ring = outside - _NUMBERS - _THICKEST
        count = len(self._elements)
        for position in range(count):
            spoke = [self.point(position, ring), self.point(position, self._inner)]
            self._axes.plot(*zip(*spoke, strict=True), color="0.85", linewidth=0.8, zorder=1)
        self._sector(0, count, ring - 0.01, ring + 0.01, color="0.5", zorder=2)
        after = [*self._elements[1:], self._elements[0]]
        pairs = list(zip(self._elements, after, strict=True))
        for direction in (0, 1):
            parts = [segment(*pair[:: 1 - 2 * direction]) for pair in pairs]
            sizes = [loads.get(part, 0) for part in parts]
            outward = 1 if direction == CLOCKWISE else -1
            for position, (part, size) in enumerate(zip(parts, sizes, strict=True)):
                edge = ring + outward * _THICKEST * size / max(1.0, thickest)
                if size:
                    inner, outer = sorted((ring, edge))
                    style = {"color": COLOURS[direction], "label": str(part), "zorder": 2}
                    self._sector(position + 0.5, 0.96, inner, outer, **style)
            distance = ring + outward * (_THICKEST + _NUMBERS / 2)
            for where, size in _busiest(sizes):
                text = f"{TURNS[direction]} {short_bytes(size)}"
                # The text is parallel to the ring, where there is more space than across the ring.
                turn = (self._angle(where) % 180) - 90
                style = {"fontsize": 9, "color": COLOURS[direction], "fontweight": "bold"}
                self._text(where, distance, text, rotation=turn, zorder=5, **style)


def _busiest(sizes: Sequence[int]) -> list[tuple[float, int]]:
    """The midpoint of each run of adjacent busiest segments, and the bytes of one such segment."""
    most = max(sizes, default=0)
    if not most:
        return []
    busy = [size == most for size in sizes]
    first = busy.index(False) if False in busy else 0
    turned = [(first + n) % len(sizes) for n in range(len(sizes))]
    found: list[tuple[float, int]] = []
    nth = 0
    for is_busy, group in groupby(turned, key=busy.__getitem__):
        length = len(list(group))
        if is_busy:
            found.append((first + nth + length / 2, most))
        nth += length
    return found
