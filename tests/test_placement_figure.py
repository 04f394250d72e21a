"""Pictures of placements: arrows, labels and widths. The model determines message paths."""

import math
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Wedge

import cellstats as cs
from cellstats.affinities import affinity
from cellstats.patterns import MEMORY, Pattern, Phase, Transfer
from cellstats.patterns import pattern as find_pattern
from cellstats.placement.rings import (
    CLOCKWISE,
    Part,
    PartKind,
    lanes,
    part_loads,
    rings_of,
    routes,
    segment,
)
from cellstats.show.placement_figure import figure
from cellstats.show.views import save
from cellstats.show.wheel import COLOURS
from chance import examples

BOARD = cs.machine("eval-board")
BLADE = cs.machine("qs20")
SIXTEEN = cs.machine(Path(__file__).parents[1] / "machines/examples/sixteen-spes.toml")
AROUND = (0, 2, 4, 6, 7, 5, 3, 1)


def patches(drawn: Figure, kind: type, panel: int = 0) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for patch in drawn.axes[panel].patches:
        if isinstance(patch, kind):
            found.setdefault(str(patch.get_label()), []).append(patch)
    return found


def arrows(drawn: Figure, panel: int = 0) -> dict[str, list[Any]]:
    return patches(drawn, FancyArrowPatch, panel)


def line(arrow: Any) -> list[tuple[float, float]]:
    """The points of an arrow's shaft, relative to the centre of the wheel."""
    path = arrow.get_path()
    starts = [nth for nth, code in enumerate(path.codes) if code == path.MOVETO]
    middle = arrow.axes.get_ylim()[1] / 2
    return [(x - middle, y - middle) for x, y in path.vertices[: starts[1]]]


def words(drawn: Figure, panel: int = 0) -> list[str]:
    return [text.get_text() for text in drawn.axes[panel].texts]


def one(*transfers: tuple[Any, ...], threads: int) -> Pattern:
    return Pattern("mine", threads, (Phase(tuple(Transfer(*each) for each in transfers)),))


@st.composite
def cases(draw: st.DrawFn) -> tuple[cs.Machine, Pattern, list[int], str]:
    machine = draw(st.sampled_from([BOARD, BLADE, SIXTEEN]))
    count = draw(st.integers(2, len(machine.spes)))
    placement = draw(st.permutations(list(machine.spes)))[:count]
    ends = st.sampled_from([*range(count), MEMORY])
    pairs = st.tuples(ends, ends).filter(lambda pair: pair[0] != pair[1])
    messages = draw(st.lists(st.tuples(pairs, st.integers(1, 4096)), min_size=1, max_size=40))
    transfers = tuple(Transfer(a, b, 16 * units) for (a, b), units in messages)
    kinds = ["0", "1", "interleave"] if machine.chips > 1 else ["0"]
    memory = draw(st.sampled_from(kinds))
    return machine, Pattern("any", count, (Phase(transfers),)), placement, memory


@given(cases())
@examples(60)
def test_ways_load_the_segments_as_the_model_has_it(
    case: tuple[cs.Machine, Pattern, list[int], str],
) -> None:
    machine, pattern, placement, memory = case
    rings = rings_of(machine.native)
    found: Counter[Part] = Counter()
    for way in routes(machine.native, pattern.phases[0].transfers, placement, memory):
        ring = rings[way.cell]
        for place in way.segments(len(ring)):
            a, b = ring[place], ring[(place + 1) % len(ring)]
            part = segment(a, b) if way.direction == CLOCKWISE else segment(b, a)
            found[part] += way.bytes  # type: ignore[assignment]
    (loads,) = part_loads(machine.native, pattern, placement, memory)
    segments = {load.part: load.bytes for load in loads if load.part.kind is PartKind.SEGMENT}
    assert found == segments


@given(cases())
@examples(60)
def test_no_two_ways_in_a_lane_pass_the_same_segment(
    case: tuple[cs.Machine, Pattern, list[int], str],
) -> None:
    machine, pattern, placement, memory = case
    rings = rings_of(machine.native)
    every = routes(machine.native, pattern.phases[0].transfers, placement, memory)
    count = len(rings[0])
    for cell in range(machine.chips):
        for direction in (0, 1):
            several = [way for way in every if (way.cell, way.direction) == (cell, direction)]
            taken = [
                (lane, place)
                for way, lane in zip(several, lanes(several, count), strict=True)
                for place in way.segments(count)
            ]
            assert len(taken) == len(set(taken))


def test_an_arrow_for_each_message() -> None:
    found = arrows(figure(BOARD, "ring", AROUND))
    assert {name: len(several) for name, several in found.items()} == {
        f"SPE{a} to SPE{b}": 1 for a, b in zip(AROUND, AROUND[1:] + AROUND[:1], strict=True)
    }


def test_a_message_half_way_round_goes_where_the_machine_sends_it(tmp_path: Path) -> None:
    # One clockwise arrow, or two arrows of half the width if both directions are allowed.
    ((arrow,),) = arrows(figure(BOARD, one((0, 1, 1024), threads=2), (3, 4))).values()
    assert to_hex(arrow.get_edgecolor()) == COLOURS[CLOCKWISE]
    found = arrows(figure(either_way(tmp_path), "ring", range(8)))
    assert [name for name, several in found.items() if len(several) == 2] == [
        "SPE3 to SPE4",
        "SPE7 to SPE0",
    ]
    whole, *halves = found["SPE0 to SPE1"] + found["SPE3 to SPE4"]
    assert [half.get_linewidth() / whole.get_linewidth() for half in halves] == [0.5, 0.5]


def either_way(folder: Path) -> cs.Machine:
    file = folder / "either-way.toml"
    key = 'value = 0, unit = "flag", basis = "assumed", range = [0, 1], source = "what if"'
    file.write_text(f'base = "eval-board"\n[eib]\nhalfway_clockwise_only = {{ {key} }}\n')
    return cs.machine(file)


@pytest.mark.parametrize(
    ("spes", "direction"), [((0, 2), 1), ((2, 0), 0), ((1, 3), 0), ((0, 1), 0), ((6, 7), 1)]
)
def test_an_arrow_goes_the_shorter_way(spes: tuple[int, int], direction: int) -> None:
    drawn = figure(BOARD, one((0, 1, 1024), threads=2), spes)
    ((arrow,),) = arrows(drawn).values()
    assert to_hex(arrow.get_edgecolor()) == COLOURS[direction]
    # The directions also differ in greyscale, because the arrow head is filled or hollow.
    assert to_hex(arrow.get_facecolor()) == [COLOURS[0], "#ffffff"][direction]
    angles = [math.atan2(y, x) for x, y in line(arrow)]
    turned = sum((b - a + math.pi) % math.tau - math.pi for a, b in pairwise(angles))
    assert (turned < 0) == (direction == CLOCKWISE)
    assert abs(turned) < math.pi


def test_arrows_are_as_wide_as_messages_are_long() -> None:
    pattern = one((0, 1, 16384), (1, 2, 4096), (1, 2, 4096), (2, 3, 2048, 2), threads=4)
    widths = [each.get_linewidth() for (each,) in arrows(figure(BOARD, pattern, AROUND)).values()]
    assert [width / widths[0] for width in widths] == [1, 0.5, 0.25]


def test_clockwise_lanes_are_outside_of_the_others() -> None:
    drawn = figure(BOARD, "all-to-all", range(8))
    nearest: dict[str, list[float]] = {colour: [] for colour in COLOURS}
    for several in arrows(drawn).values():
        for arrow in several:
            distances = [math.hypot(x, y) for x, y in line(arrow)]
            nearest[to_hex(arrow.get_edgecolor())].append(min(distances))
    assert min(nearest[COLOURS[0]]) > max(nearest[COLOURS[1]])


def test_elements_have_their_threads_and_those_not_to_be_used_parentheses() -> None:
    drawn = figure("ps3", "pipeline", [0, 5, 3])
    labels = ["PPE", "thread 2\nSPE3", "thread 1\nSPE5", "SPE1", "(SPE7)", "thread 0\nSPE0", "MIC"]
    assert set(labels) <= set(words(drawn))
    rim = patches(drawn, Wedge)
    colours = [to_hex(rim[name][0].get_facecolor()) for name in ("SPE0", "SPE5", "SPE1", "SPE7")]
    assert colours[0] == colours[1] != colours[2] == colours[3]


def test_elements_lie_clockwise_in_their_physical_order() -> None:
    drawn = figure(BOARD, "ring", range(8))
    rim = patches(drawn, Wedge)
    (ring,) = rings_of(BOARD.native)
    wedges = [rim[str(element)][0] for element in ring]
    middles = [(wedge.theta1 + wedge.theta2) / 2 for wedge in wedges]
    steps = [(a - b) % 360 for a, b in zip(middles, middles[1:] + middles[:1], strict=True)]
    assert steps == pytest.approx([30] * 12)


def test_segments_are_as_thick_as_their_loads_and_the_busiest_have_a_number() -> None:
    # The messages are 1 -> 3, 3 -> 5 and 1 -> 5, so that two of them pass each segment.
    pattern = one((0, 1, 1024), (1, 2, 2048), (0, 2, 2048), threads=3)
    drawn = figure(BOARD, pattern, [1, 3, 5])
    wedges = patches(drawn, Wedge)
    thick = [wedges[name][0].width for name in ("SPE1 to SPE3", "SPE3 to SPE5")]
    assert thick[0] / thick[1] == pytest.approx(3072 / 4096)
    assert "SPE5 to SPE7" not in wedges
    (number,) = [text for text in drawn.axes[0].texts if text.get_text().endswith("K")]
    assert number.get_text() == "↻ 4K"
    busiest, middle = wedges["SPE3 to SPE5"][0], drawn.axes[0].get_ylim()[1] / 2
    x, y = number.get_position()
    angle = math.degrees(math.atan2(y - middle, x - middle))
    assert angle == pytest.approx((busiest.theta1 + busiest.theta2) / 2)


def test_memory_is_reached_at_the_mic_and_the_other_cell_through_ioif0() -> None:
    pattern = one((0, 1, 16384), (MEMORY, 1, 8192), threads=2)
    drawn = figure(BLADE, pattern, [7, 8])
    assert {name: len(several) for name, several in arrows(drawn).items()} == {
        "SPE7 to IOIF0": 1,
        "IOIF0/1 to SPE8": 1,
        "MIC to IOIF0": 1,
        "Cell 0 to Cell 1": 1,
    }
    assert "24K" in words(drawn)
    near = arrows(figure(BLADE, pattern, [7, 8], memory="1"))
    assert "MIC/1 to SPE8" in near
    assert "MIC to IOIF0" not in near


def test_phases_are_drawn_all_in_one_or_each_in_a_panel() -> None:
    drawn = figure(BOARD, "recursive-doubling", range(8))
    assert [axes.get_title() for axes in drawn.axes] == ["All 3 phases"]
    assert sum(map(len, arrows(drawn).values())) == sum(
        len(several)
        for panel in range(3)
        for several in arrows(
            figure(BOARD, "recursive-doubling", range(8), by_phase=True), panel
        ).values()
    )
    panels = figure(BLADE, "recursive-doubling", range(16), by_phase=True)
    assert [axes.get_title() for axes in panels.axes] == [f"Phase {n}" for n in (1, 2, 3, 4)]
    assert "Cell 0 to Cell 1" in arrows(panels, 3)
    assert "Cell 0 to Cell 1" not in arrows(panels, 2)


def test_the_title_says_pattern_machine_and_placement(tmp_path: Path) -> None:
    odd = Pattern("$x_", 2, (Phase((Transfer(0, 1, 1),)),))
    drawn = figure(BLADE, odd, [8, 10], cells="1", memory="interleave")
    assert drawn.get_suptitle() == "$x_ on qs20: SPEs 8,10 (cells 1), memory interleave"
    for ending in (".png", ".svg", ".pdf"):
        save(drawn, tmp_path / f"picture{ending}")


@pytest.mark.parametrize("machine", [BOARD, BLADE, SIXTEEN], ids=lambda each: each.name)
def test_everything_is_within_the_picture_and_no_text_lies_on_another(machine: cs.Machine) -> None:
    placement = affinity(machine, "identity")
    drawn = figure(machine, find_pattern("all-to-all", len(placement)), placement)
    drawn.draw_without_rendering()
    texts = [*drawn.axes[0].texts, *drawn.legends[0].get_texts(), drawn.texts[0]]
    boxes = [text.get_window_extent() for text in texts]
    (right, top), at = drawn.get_size_inches() * drawn.dpi, 0.5
    for box in boxes:
        assert box.x0 > -at
        assert box.y0 > -at
        assert box.x1 < right + at
        assert box.y1 < top + at
    for nth, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:nth]), texts[nth].get_text()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"placement": [0, 0]}, "SPE 0 appears twice"),
        ({"placement": [0, 99]}, "SPE 99 is not usable"),
        ({"placement": []}, "threads 0"),
        ({"placement": [0, 8], "cells": "1"}, "SPE 0 is not one of cells 1; give some of 8, 9"),
        ({"cells": "2"}, "cells 2"),
        ({"memory": "2"}, "2"),
        ({"pattern": "rings"}, "unknown pattern"),
        ({"pattern": "all-to-all", "placement": range(6), "by_phase": True}, "5 phases: 4 can be"),
    ],
)
def test_what_cannot_be_drawn(given: dict[str, Any], says: str) -> None:
    asked = {"pattern": "ring", "placement": [0, 8], **given}
    with pytest.raises(cs.UsageError, match=says) as caught:
        figure(BLADE, **asked)
    assert "\n" not in str(caught.value)
