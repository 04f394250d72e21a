"""In the pictures of all papers, no text is cut off, and no title overlaps another text."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure as Picture
from matplotlib.legend import Legend
from matplotlib.text import Text

from cellstats.reproduce.figures import Axis, Chart
from cellstats.reproduce.verdicts import Judged
from cellstats.show.chart_figures import across, panels, panels_figure
from cellstats.show.pictures import DPI, lines_that_fit, style, width_inches
from cellstats.show.whole_pictures import title_strip, whole_png, whole_svg

LONG = "Bandwidth of eight SPEs in four pairs, both directions at once, by who is paired with whom"


def shown(picture: Picture) -> Iterator[Text]:
    """All visible texts, except the labels of ticks outside the range of their axis."""
    unseen = set()
    for axes in picture.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not low <= tick.get_loc() <= high:
                    unseen |= {tick.label1, tick.label2}
    for text in picture.findobj(Text):
        assert isinstance(text, Text)
        if text.get_visible() and text.get_text() and text not in unseen:
            yield text


def laid_out(picture: Picture) -> Picture:
    with style():
        picture.draw_without_rendering()
    return picture


def cut(picture: Picture) -> list[str]:
    """The texts that extend beyond the edges of a picture by more than half a pixel."""
    beyond = []
    for text in shown(picture):
        box, (width, height) = text.get_window_extent(), picture.bbox.size
        if min(box.x0, box.y0, width - box.x1, height - box.y1) < -0.5:
            beyond.append(text.get_text())
    return beyond


def titles(picture: Picture) -> list[Text]:
    head: Any = getattr(picture, "_suptitle", None)
    return [*([head] if head else []), *(axes.title for axes in picture.axes)]


def covered(picture: Picture) -> list[tuple[str, str]]:
    """Pairs of a title and another text that overlaps it."""
    those = titles(picture)
    others = [text for text in shown(picture) if text not in those]
    pairs = [*combinations(those, 2), *((title, text) for title in those for text in others)]
    return [
        (a.get_text(), b.get_text())
        for a, b in pairs
        if a.get_window_extent().overlaps(b.get_window_extent())
    ]


def test_no_text_in_any_picture_of_a_paper_is_cut_or_covered(all_papers: list[Judged]) -> None:
    wrong = []
    for judged in all_papers:
        for figure, rows in judged.rows.items():
            charts = figure.charts(rows)
            if not charts:
                continue
            drawn = [laid_out(panel.figure) for panel in panels(charts)]
            width = across(len(charts)) * drawn[0].get_size_inches()[0]
            drawn.append(laid_out(title_strip(figure.title, width)))
            found = [(cut(each), covered(each)) for each in drawn]
            wrong += [(judged.paper.key, figure.name, each) for each in found if any(each)]
    assert wrong == []


def chart(title: str = LONG) -> Chart:
    return Chart(title, Axis("SPEs"), Axis("GB/s", least=0)).line("get", [1, 2, 8], [20, 40, 96.5])


@pytest.mark.parametrize("count", [1, 2, 3])
def test_long_titles_have_room_in_one_figure(count: int) -> None:
    picture = laid_out(panels_figure([chart()] * count, f"{LONG}, {LONG}, {LONG}"))
    assert (cut(picture), covered(picture)) == ([], [])
    assert all("\n" in title.get_text() for title in titles(picture))


def test_panels_side_by_side_are_level_whatever_their_titles() -> None:
    short, long = panels([chart("Gets"), chart()])
    heights = {panel.figure.get_size_inches()[1] for panel in (short, long)}
    places = {panel.figure.axes[0].get_position().y1 for panel in (short, long)}
    assert len(heights) == len(places) == 1


def test_files_show_the_whole_title() -> None:
    drawn = panels([chart()])
    document = whole_svg([panel.svg("p") for panel in drawn], LONG)
    words = document.replace("<", " <").replace(">", "> ").split()
    assert [word for word in LONG.split() if word not in words] == []
    strip = title_strip(LONG, 4.8)
    assert whole_png(drawn, LONG).startswith(b"\x89PNG")
    high = sum(each.get_size_inches()[1] for each in (strip, drawn[0].figure))
    assert f'viewBox="0 0 345.6 {72 * high:g}"' in document
    assert strip.get_size_inches()[0] * DPI == 576


def test_lines_are_as_wide_as_they_may_be_and_lose_nothing() -> None:
    for inches in (0.1, 1, 2.5, 20):
        lines = lines_that_fit(LONG, inches, 11, "bold")
        assert " ".join(lines) == LONG
        for line, after in zip(lines, (*lines[1:], ""), strict=True):
            assert width_inches(line, 11, "bold") <= inches or " " not in line
            longer = f"{line} {after.split(' ')[0]}"
            assert not after or width_inches(longer, 11, "bold") > inches


def test_published_points_and_margins_are_drawn() -> None:
    curve = chart().published("the curve", [1, 2, 4], [10, 20, 40], margin=0.1)
    curve.published("the end", [8], [90], margin=0.05).published("the limit", [1, 8], [96, 96])
    picture = laid_out(panels([curve])[0].figure)
    assert (cut(picture), covered(picture)) == ([], [])
    (axes,) = picture.axes
    (band,) = (each for each in axes.collections if isinstance(each, PolyCollection))
    (path,) = band.get_paths()
    corners = np.asarray(path.vertices).round().tolist()
    assert {(x, y) for x, y in corners} == {
        (1, 9), (2, 18), (4, 36), (1, 11), (2, 22), (4, 44)
    }  # fmt: skip
    (bar,) = (each for each in axes.collections if isinstance(each, LineCollection))
    ((_, low), (_, high)) = bar.get_segments()[0]
    assert (low, high) == pytest.approx((85.5, 94.5))
    lines = {line.get_label(): line for line in axes.lines}
    assert lines["published: the curve ±10 %"].get_marker() == "x"
    assert lines["published: the limit"].get_marker() == "None"


@pytest.mark.parametrize("length", [3, 12, 25, 40])
def test_legends_have_room(length: int) -> None:
    several = chart()
    for nth in range(5):
        several.line(f"{nth} " * length, [1, 2], [nth, nth])
    several.published("p " * length, [1, 8], [96, 96], margin=0.1)
    picture = laid_out(panels([several])[0].figure)
    assert (cut(picture), covered(picture)) == ([], [])


def test_means_show_the_range_behind_them() -> None:
    curve = chart().line("mean", [1, 8], [20, 50], ends=[(10, 25), (50, 95)])
    bars = Chart("Bars", Axis(""), Axis("GB/s", least=0), names=["a", "b"])
    bars.bar("mean", [20, 50], ends=[(10, 25), (50, 95)])
    for each in (curve, bars):
        picture = laid_out(panels([each])[0].figure)
        assert (cut(picture), covered(picture)) == ([], [])
        (axes,) = picture.axes
        (ranges,) = (found for found in axes.collections if isinstance(found, LineCollection))
        drawn = [(low, high) for (_, low), (_, high) in ranges.get_segments()]
        assert np.array(drawn) == pytest.approx(np.array([(10, 25), (50, 95)]))


def test_a_logarithmic_axis_has_points_in_place_of_bars() -> None:
    found = Chart("Atomic", Axis(""), Axis("µs", log=10), names=list("abc"))
    found.bar("alone", [0.1, 0.2, 0.3]).bar("shared", [8.0, 9.0, 10.0])
    picture = laid_out(panels([found])[0].figure)
    (axes,) = picture.axes
    assert [np.shape(line.get_xydata())[0] for line in axes.lines] == [3, 3]
    assert not axes.patches
    assert [text.get_text() for text in axes.texts] == ["0.1", "0.2", "0.3", "8", "9", "10"]
    assert (cut(picture), covered(picture)) == ([], [])


def test_a_legend_repeats_each_kind_of_dashes() -> None:
    found = chart()
    for nth, label in enumerate(("one", "two", "three")):
        found.published(label, [1, 8], [20 + nth, 90 + nth])
    picture = laid_out(panels([found])[0].figure)
    (axes,) = picture.axes
    lines = [line for each in axes.findobj(Legend) for line in each.get_lines()]
    handles = [line for line in lines if line.is_dashed()]
    assert len(handles) == 3
    for handle in handles:
        start, end = handle.get_window_extent().intervalx
        _, dashes = handle._dash_pattern  # type: ignore[attr-defined]
        points = (end - start) / picture.dpi * 72
        assert points >= 2 * sum(dashes), handle.get_linestyle()


def names(style: str) -> set[str]:
    """The properties in a style."""
    return {rule.partition(":")[0] for rule in style.split(";") if rule}


def test_a_shape_that_is_used_keeps_its_style_once() -> None:
    svg = panels([chart().line("again", [1, 2, 4, 8], [5, 6, 7, 8])])[0].svg("p")
    root = ElementTree.fromstring(svg)
    shapes = {f"#{each.get('id')}": each for each in root.iter() if each.get("id")}
    uses = root.findall(".//{http://www.w3.org/2000/svg}use")
    assert len(uses) > 8
    for each in uses:
        own = shapes[each.attrib["href"]].attrib["style"]
        assert "stroke:" in own
        assert not names(own) & names(each.get("style", ""))
    assert any(names(each.get("style", "")) == {"fill"} for each in uses)


def test_no_number_covers_a_published_value_at_the_top_of_its_bar() -> None:
    bars = Chart("Messages", Axis(""), Axis("ns", least=0), names=list("abcd"))
    bars.bar("simulated", [158.0, 365.0, 487.0, 601.0])
    for place, value in enumerate((160, 362, 505, 620)):
        bars.published("the table", [place], [value])
    picture = laid_out(panels([bars])[0].figure)
    (axes,) = picture.axes
    for line, number in zip(axes.lines, axes.texts, strict=True):
        box = number.get_window_extent()
        _, y = axes.transData.transform(line.get_xydata())[0]
        assert not box.y0 - 2 < y < box.y1, number.get_text()


def test_no_upright_number_covers_a_published_value() -> None:
    bars = Chart("Pairs", Axis(""), Axis("GB/s", least=0), names=list("abcdef"))
    for op in ("get", "put", "copy"):
        bars.bar(op, [186.0, 205.0, 205.0, 205.0, 74.7, 94.5])
    for place, value in enumerate((186, 190, 215, 300, 78, 95)):
        bars.published("the table", [place], [value])
    picture = laid_out(panels([bars])[0].figure)
    (axes,) = picture.axes
    numbers = [text for text in axes.texts if text.get_rotation() == 90]
    assert len(numbers) == 18
    for line in axes.lines:
        (left, y), (right, _) = axes.transData.transform(line.get_xydata())
        for number in numbers:
            box = number.get_window_extent()
            if left < (box.x0 + box.x1) / 2 < right:
                assert not box.y0 < y < box.y1, number.get_text()
