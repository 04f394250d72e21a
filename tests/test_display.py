"""Representations of objects: text (as the command prints it), HTML in notebooks, and pictures."""

import re
import sys
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest

import cellstats as cs
import recorded
from cellstats.host.matrices import HostMatrix, measure_matrix
from cellstats.linux.result import LinuxResult
from cellstats.patterns import Pattern, Phase, Transfer
from cellstats.reproduce.verdicts import chosen, judge
from command_line import cellstats
from host_answers import Answers

PS3 = cs.machine("ps3")
LARGE_HTML = 80_000
"""Maximum number of characters in an object's HTML, so that notebooks stay small."""


def large_matrix() -> HostMatrix:
    answers = Answers()
    host = answers.on(recorded.host("eight-nodes", answers))
    return measure_matrix("mailbox", machine=host, budget="300ms")


def host_result() -> object:
    answers = Answers()
    return answers.on(recorded.host("desktop", answers)).measure("mailbox")


def claims() -> Any:
    return judge(chosen(["chen2007"], None), progress=False)


EVERYTHING: dict[str, Callable[[], Any]] = {
    "machine": lambda: PS3,
    "result": lambda: PS3.measure("dmaget", spes=6, iterations=1000),
    "histogram": lambda: PS3.measure("dmaget", spes=6, iterations=1000, histogram=True),
    "host result": host_result,
    "sweep": lambda: cs.sweep("dmaget", spes="1..6", size="128..16k", iterations=10),
    "many results": lambda: cs.sweep("mkthread", iterations="1..1000:1", spes=1),
    "no results": lambda: cs.Sweep([]),
    "matrix": lambda: cs.matrix("mailbox", iterations=1000),
    "large matrix": large_matrix,
    "placements": lambda: cs.placements("couples", which="all", spes=4, iterations=2),
    "placed": lambda: cs.place("ring", by="model"),
    "breakdown": PS3.breakdown,
    "large result": lambda: cs.machine("qs20").measure("dmaget", spes=16, iterations=100),
    "trace": lambda: PS3.trace("dmaget", spes=6, size="1k"),
    "long trace": lambda: PS3.trace("dmaget", spes=6, size="1k", window=20_000),
    "pattern": lambda: cs.patterns.pattern("all-to-all", threads=8),
    "claims": claims,
    "judged": lambda: claims()[0],
    "outcome": lambda: claims()[0].outcomes[0],
    "linux": lambda: LinuxResult(0, "a < b", '{"a": 1}', 1500, 9, 12, {"exit_group": 1}, []),
    "run": lambda: cs.run("ps3", {0: waits}),
}
DRAWN = ["histogram", "sweep", "matrix", "large matrix", "placed", "breakdown", "trace"]
DRAWN += ["long trace", "judged"]
made = cache(lambda name: EVERYTHING[name]())


async def waits(spu: cs.Spu) -> None:
    await spu.compute(10)


class Balanced(HTMLParser):
    """Checks that elements are closed in order. `open` lists the unclosed elements."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def balanced(html: str) -> bool:
    parser = Balanced()
    parser.feed(html)
    parser.close()
    return parser.open == []


def without_pictures(html: str) -> str:
    return re.sub(r"base64,[\w+/=]+", "", html)


@pytest.mark.parametrize("name", EVERYTHING)
def test_a_notebook_shows_a_bounded_page(name: str) -> None:
    html = made(name)._repr_html_()
    assert balanced(html)
    assert 10 < len(without_pictures(html)) < 30_000
    assert len(html) < LARGE_HTML
    assert "Traceback" not in html
    # Only part of a large table is shown.
    assert html.count("<tr>") <= 50


@pytest.mark.parametrize("name", EVERYTHING)
def test_a_text_is_short_where_nobody_asked_for_all(name: str) -> None:
    thing = made(name)
    assert len(repr(thing)) < 1500
    assert not str(thing).endswith("\n")
    if name != "many results":  # the command prints every result on its own line
        assert len(str(thing)) < 40_000


@pytest.mark.parametrize("name", EVERYTHING)
def test_there_is_a_picture_where_there_is_one_to_draw(name: str) -> None:
    html = made(name)._repr_html_()
    inside = [*DRAWN, "many results"]
    # Traces are shown as text, because text contains more. Papers have several figures.
    traces = ("trace", "long trace", "judged")
    assert ("data:image/png;base64," in html) == (name in inside and name not in traces)


@pytest.mark.parametrize("name", DRAWN)
def test_a_plot_is_a_figure_that_notebooks_show(name: str) -> None:
    from matplotlib.figure import Figure

    figure = made(name).plot()
    assert isinstance(figure, Figure)
    assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", EVERYTHING)
def test_without_matplotlib_there_is_no_picture_and_no_failure(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    thing = made(name)
    for module in [each for each in sys.modules if each.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    html = thing._repr_html_()
    assert "<img" not in html
    assert balanced(html)
    if name in DRAWN:
        with pytest.raises(cs.UsageError, match=r"^plots need matplotlib; .*cellstats\[plot\]'$"):
            thing.plot()


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        (lambda: PS3.measure("dmaget", iterations="10k"), "-f dmaget -i 10k"),
        (
            lambda: PS3.measure("dmaget", iterations="1k", histogram=True),
            "-f dmaget -i 1k --histogram",
        ),
        (lambda: cs.sweep("dmaget", spes="1..3"), "sweep dmaget -n 1..3"),
        (lambda: cs.matrix("mailbox", iterations="1k"), "matrix -f mailbox -i 1k"),
        (PS3.breakdown, "breakdown"),
        (lambda: PS3.trace("dmaget", spes=2, size="1k"), "trace dmaget -n 2 -b 1k"),
        (lambda: cs.place("ring", by="model", threads=4), "place ring --by model -n 4"),
        (
            lambda: cs.placements("couples", which=4, iterations=20),
            "couples -i 20 --placements 4",
        ),
        (lambda: cs.patterns.pattern("ring", threads=3), "pattern show ring -n 3"),
    ],
)
def test_print_shows_what_the_command_prints(shown: Callable[[], object], line: str) -> None:
    words = line.split()
    done = cellstats(*(words if words[0] != "couples" else ["-f", *words]))
    assert done.status == 0, done.err
    assert str(shown()) == done.out.rstrip("\n")


def test_what_people_name_is_escaped() -> None:
    named = Pattern("<script>alert(1)</script>", 2, (Phase((Transfer(0, 1, 128),)),))
    result = PS3.measure("exchange", pattern=named, iterations=2)
    for html in (named._repr_html_(), result._repr_html_(), cs.Sweep([result])._repr_html_()):
        assert "<script" not in html
    placed = cs.place(named, by="model")
    assert "<script" not in placed._repr_html_()


def test_rows_that_are_left_out_are_counted() -> None:
    html = made("many results")._repr_html_()
    assert "… 980 more" in html
    assert html.count("<tr>") == 1 + 20 + 1


def test_a_matrix_of_hundreds_of_cpus_is_seen_in_part() -> None:
    matrix = made("large matrix")
    assert len(matrix.labels) == 256
    assert "… 240 more" in matrix._repr_html_()
    assert repr(matrix) == "<HostMatrix mailbox on host: latency_ns between 256 CPUs>"


def test_a_sweep_is_a_list() -> None:
    sweep = made("sweep")
    assert sweep == list(sweep)
    assert repr(sweep) == "<Sweep dmaget on ps3: 48 results>"
    assert list(sweep.to_frame()["latency_ns"]) == [each.latency_ns for each in sweep]


def test_one_result_without_a_histogram_has_no_picture() -> None:
    with pytest.raises(cs.UsageError, match="measure it with histogram"):
        made("result").plot()
    with pytest.raises(cs.UsageError, match="nothing varies"):
        cs.Sweep([made("result")]).plot()


def test_a_long_window_is_printed_with_more_cycles_to_a_column() -> None:
    assert "a column is 42 bus cycles" in str(made("long trace"))
    assert "a column is a bus cycle" in str(made("trace"))


def test_what_cannot_be_drawn_of_a_paper_is_said() -> None:
    with pytest.raises(cs.UsageError, match="figure figure77: "):
        made("judged").plot("figure77")


def test_phases_are_drawn_in_panels_of_their_own() -> None:
    tree = cs.place("binomial-tree", by="model", threads=4)
    assert len(tree.plot(by_phase=True).axes) == len(cs.patterns.pattern("binomial-tree", 4).phases)
    assert len(tree.plot().axes) == 1
