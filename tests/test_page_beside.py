"""Two runs side by side in the page: one clock, one scale, and their difference in a sentence."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page

import cellstats as cs
from browser import Open
from cellstats.show.page import PAGE
from parts import needs
from test_page import on_rings
from test_page_steady import settled

pytestmark = needs("page", "chromium")

WELL = [0, 4, 2, 6, 5, 1, 3, 7]
BADLY = [0, 7, 2, 5, 4, 3, 1, 6]
COUPLES = "machine=eval-board&function=couples&spes=8&size=16384"
TWO = f"{COUPLES}&placement={'.'.join(map(str, WELL))}&at=1500&beside.placement=0.7.2.5.4.3.1.6"


@pytest.fixture
def opened(visited: Open) -> Open:
    """A function that opens the page."""

    def open_page(hash_: str, width: int = 1280, height: int = 900, dark: bool = False) -> Page:
        return visited(
            f"{PAGE.as_uri()}#{hash_}",
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )

    return open_page


def drawn(page: Page) -> list[list[dict[str, Any]]]:
    """The cache lines in the first picture, and in the picture beside it."""
    pictures = page.evaluate("[cellstats.shown().lines, cellstats.beside().drawn.lines]")
    return [sorted(lines, key=lambda row: row["line"]) for lines in pictures]


def sentence(page: Page) -> str:
    """The comparison, once both runs are measured."""
    said = "document.getElementById('comparison').textContent"
    page.wait_for_function(f"/operation|moves|same/.test({said})", timeout=60_000)
    return str(page.evaluate(said))


def trace_of(placement: list[int]) -> dict[str, Any]:
    board = cs.machine("eval-board")
    return dict(board.trace("couples", spes=8, size=16384, placement=placement, window=4000).data)


def figure(value: float) -> str:
    return f"{value:#.3g}".rstrip(".")


def quantity(scene: dict[str, Any]) -> tuple[float, str]:
    """What the tool measures: bandwidth or latency, as a number and as the sentence says it."""
    given = {name: value for name, value in scene.items() if name != "function"}
    result = cs.measure(scene["function"], **given)
    if result.bandwidth_gb_s is not None:
        return result.bandwidth_gb_s, f"{figure(result.bandwidth_gb_s)} GB/s"
    latency = result.latency_ns
    short = latency < 1000
    return latency, f"{figure(latency)} ns" if short else f"{figure(latency / 1e3)} µs"


def test_both_pictures_show_what_their_traces_say_on_one_clock(opened: Open) -> None:
    page = opened(TWO)
    traces = [trace_of(placement) for placement in (WELL, BADLY)]

    def agrees(at: int) -> None:
        assert page.evaluate("[cellstats.state().at, cellstats.beside().scene.at]") == [at, at]
        for lines, data in zip(drawn(page), traces, strict=True):
            assert lines == on_rings(data, data["triggered_at"] + at)
            assert lines

    agrees(1500)
    for key, at in (("ArrowRight", 1501), ("Shift+ArrowRight", 1511), ("End", 3999)):
        page.keyboard.press(key)
        agrees(at)
    page.locator("#scrub").fill("777")
    agrees(777)
    page.locator("#speed").fill("9")
    page.locator("#play").click()
    page.wait_for_function("cellstats.state().at > 1000")
    page.locator("#play").click()
    agrees(page.evaluate("cellstats.state().at"))
    # A click in the other run's diagram moves the same clock.
    page.locator("#bandwidth-beside svg").click()
    agrees(page.evaluate("cellstats.state().at"))
    assert abs(page.evaluate("cellstats.state().at") - 2000) < 20


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (
            {"machine": "eval-board", "function": "couples", "spes": 8, "placement": WELL},
            {"machine": "eval-board", "function": "couples", "spes": 8, "placement": BADLY},
            ("Placed on SPEs 0,4,2,6,5,1,3,7,", "placed on SPEs 0,7,2,5,4,3,1,6."),
        ),
        (
            {"machine": "ps3", "function": "couples", "spes": 4, "size": 4096},
            {"machine": "ps3", "function": "couples", "spes": 6},
            ("With size 4k, with 4 SPEs,", "with size 16k, with 6 SPEs."),
        ),
        (
            {"machine": "ps3", "function": "mailbox", "spes": 2, "spe_to_spe": True},
            {"machine": "ps3", "function": "mailbox", "spes": 2},
            ("Between SPEs,", "between SPEs and memory or the PPE."),
        ),
        (
            {"machine": "ps3", "function": "cycle", "spes": 6},
            {"machine": "qs20", "function": "couples", "spes": 6},
            ("On ps3, as cycle,", "on qs20, as couples."),
        ),
    ],
    ids=["placement", "size", "flag", "machine"],
)
def test_the_sentence_names_what_differs_and_has_the_numbers_of_the_tool(
    opened: Open, first: dict[str, Any], second: dict[str, Any], words: tuple[str, str]
) -> None:
    def text(scene: dict[str, Any], prefix: str = "") -> str:
        def value(given: Any) -> str:
            return ".".join(map(str, given)) if isinstance(given, list) else str(given).lower()

        return "&".join(f"{prefix}{name}={value(given)}" for name, given in scene.items())

    page = opened(f"{text(first)}&{text(second, 'beside.')}")
    (one, here), (other, there) = (quantity(scene) for scene in (first, second))
    does = "it moves" if "GB/s" in here else "an operation takes"
    percent = (one / other - 1) * 100
    change = f"{abs(percent):,.{1 if abs(percent) < 10 else 0}f}"
    said = f"{here}, {change} % {'less' if percent < 0 else 'more'} than {there}"
    assert sentence(page) == f"{words[0]} {does} {said} {words[1]}"


def test_a_kept_run_stays_and_the_form_changes_the_first(opened: Open) -> None:
    page = opened(COUPLES + "&at=1500")
    settled(page)
    assert not page.locator("#picture-beside").is_visible()
    page.keyboard.press("b")
    assert page.locator("#picture-beside svg").is_visible()
    assert page.locator("#beside").get_attribute("aria-pressed") == "true"
    first, beside = drawn(page)
    assert first == beside
    assert sentence(page).startswith("Both runs are the same.")
    page.locator("#field-size").fill("1k")
    page.locator("#field-size").press("Enter")
    page.wait_for_function("/With size 1k/.test(document.getElementById('comparison').textContent)")
    sizes = page.evaluate("[cellstats.state().request.size, cellstats.beside().scene.request.size]")
    assert sizes == [1024, 16384]
    # Both pictures are drawn anew when the page turns to their steady windows.
    page.wait_for_function("cellstats.state().skip > 0 && cellstats.beside().scene.skip > 0")
    # Badges of the run beside cannot be picked up, and its SPEs are no targets.
    assert page.locator("#picture-beside .thread[tabindex]").count() == 0
    thread, away = page.evaluate(
        """() => ['#picture [data-element="SPE0"] .thread', '#picture-beside [data-element="SPE5"]']
          .map((part) => document.querySelector(part).getBoundingClientRect().toJSON())"""
    )
    page.mouse.move(thread["x"] + 10, thread["y"] + 5)
    page.mouse.down()
    page.mouse.move(away["x"] + 20, away["y"] + 20, steps=5)
    page.mouse.up()
    assert page.evaluate("cellstats.state().request.placement ?? null") is None
    page.locator("#beside-swap").click()
    sizes = page.evaluate("[cellstats.state().request.size, cellstats.beside().scene.request.size]")
    assert sizes == [16384, 1024]
    assert sentence(page).startswith("With size 16k, it moves")
    assert page.locator("#field-size").input_value() == "16k"


def test_a_selection_in_one_picture_leaves_the_other_alone(opened: Open) -> None:
    page = opened(TWO)
    for here, there in (("#picture-beside", "#picture"), ("#picture", "#picture-beside")):
        page.locator(f"{here} .band[data-line] .label").first.click(force=True)
        assert page.locator(f"{here} .band.selected").count() == 1
        page.keyboard.press("Escape")
        assert page.locator(".band.selected").count() == 0
        assert page.locator(f"{there} .band[data-line]").count() > 0


def test_a_link_restores_both_and_back_closes(opened: Open) -> None:
    first = opened(COUPLES + "&at=1500")
    first.keyboard.press("b")
    first.wait_for_function("location.hash.includes('beside.')")
    first.evaluate(
        "cellstats.run({...cellstats.state(), machine: "
        "{name: 'eval-board', values: {'eib.hop_bus_cycles': 2}}})"
    )
    first.wait_for_function("location.hash.includes('value.eib')")
    first.evaluate("cellstats.go(911)")
    first.wait_for_function("location.hash.includes('at=911')")
    second = opened(first.url.partition("#")[2])
    assert sentence(second) == sentence(first)
    assert "with hop bus cycles 2" in sentence(first).lower()
    assert drawn(first) == drawn(second)
    states = [
        page.evaluate("[cellstats.state(), cellstats.beside().scene]") for page in (first, second)
    ]
    assert states[0] == states[1]
    first.go_back()
    first.wait_for_function("!cellstats.state().machine.values?.['eib.hop_bus_cycles']")
    first.go_back()
    first.wait_for_function("cellstats.beside() === null")
    assert first.locator("#picture svg").is_visible()


def test_closing_returns_to_one_picture_and_a_lesson_closes(opened: Open) -> None:
    page = opened(COUPLES + "&at=1500")
    before = page.locator("#picture svg").bounding_box()
    shown = page.evaluate("cellstats.shown()")
    for close in ("#beside-close", "#beside"):
        page.locator("#beside").click()
        assert page.locator("#comparison").is_visible()
        page.locator(close).click()
        assert not page.locator("#comparison").is_visible()
        page.wait_for_function("!document.querySelector('#picture').matches('.narrow')")
        assert page.locator("#picture svg").bounding_box() == before
        assert page.evaluate("cellstats.shown()") == shown
        assert page.evaluate("document.activeElement.id") == "beside"
    page.keyboard.press("b")
    page.evaluate("location.hash = '#lesson=1-one-dma&step=1'")
    page.wait_for_function("cellstats.lesson()?.settled")
    assert page.evaluate("cellstats.beside()") is None
    page.keyboard.press("b")
    assert page.evaluate("cellstats.beside()") is None
    assert not page.locator("#beside").is_visible()


def test_both_runs_are_shown_where_each_is_steady(opened: Open) -> None:
    page = opened(
        "machine=eval-board&function=pairwise&spes=8&size=16384&op=get&placement=0.7.1.6.2.5.3.4"
        "&beside.placement=0.4.1.5.2.6.3.7"
    )
    sentence(page)
    skips = "[cellstats.state().skip, cellstats.beside().scene.skip]"
    page.wait_for_function(f"({skips})[0] > 0")
    page.wait_for_function(f"({skips})[0] !== ({skips})[1]")
    first, second = page.evaluate(skips)
    page.locator("#next-window").click()
    page.wait_for_function(f"String({skips}) === '{first + 4000},{second + 4000}'")
    page.keyboard.press("s")
    page.wait_for_function(f"String({skips}) === '0,0'")
    page.keyboard.press("s")
    page.wait_for_function(f"String({skips}) === '{first},{second}'")


def test_a_run_beside_that_is_refused_is_named_in_a_line(opened: Open) -> None:
    page = opened(COUPLES + "&at=1500&beside.size=3")
    said = page.locator("#status").inner_text()
    assert said.startswith("the run beside: ")
    assert "size 3" in said
    assert page.evaluate("cellstats.beside()") is None
    assert page.locator("#picture svg").is_visible()


@pytest.mark.parametrize(
    ("width", "height", "dark", "machine"),
    [
        (390, 844, True, "qs20"),
        (820, 1180, False, "eval-board"),
        (1280, 900, True, "eval-board"),
        (1280, 900, False, "qs20"),
        (2560, 1440, True, "qs20"),
    ],
)
def test_pictures_are_beside_each_other_where_there_is_room(
    opened: Open, width: int, height: int, dark: bool, machine: str
) -> None:
    page = opened(
        f"machine={machine}&function=couples&spes=8&size=4k&at=1500"
        "&beside.machine=ps3&beside.function=couples&beside.spes=6",
        width=width,
        height=height,
        dark=dark,
    )
    sentence(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    first, second = (
        page.locator(f"{each} svg").bounding_box() for each in ("#picture", "#picture-beside")
    )
    assert first is not None
    assert second is not None
    if width < 620:
        assert second["y"] >= first["y"] + first["height"]
    else:
        assert abs(first["y"] - second["y"]) < 1
        assert second["x"] >= first["x"] + first["width"]
    sizes = page.evaluate(
        """() => [...document.querySelectorAll(".picture .name")].map(
          (each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)"""
    )
    assert min(sizes) >= 8
    small = page.evaluate(
        """() => ["#beside", "#beside-swap", "#beside-close"].filter((each) => {
          const { width, height } = document.querySelector(each).getBoundingClientRect();
          return width < 24 || height < 24;
        })"""
    )
    assert small == []
    # Both diagrams have the same top, in GB/s, though the peaks of the machines may differ.
    tops = page.evaluate(
        """() => ["#bandwidth", "#bandwidth-beside"].map(
          (each) => /([0-9.]+) GB/.exec(document.querySelector(`${each} text`).textContent)[1])"""
    )
    assert tops[0] == tops[1]


def test_a_screen_reader_is_told_of_both(opened: Open) -> None:
    page = opened(TWO)
    sentence(page)
    names = page.get_by_role("figure").evaluate_all(
        "(all) => all.map((each) => each.querySelector('figcaption').innerText)"
    )
    assert [re.sub(r"\s+", " ", name).strip() for name in names] == [
        "This run placed on SPEs 0,4,2,6,5,1,3,7 bus cycle 1,500",
        "Beside it placed on SPEs 0,7,2,5,4,3,1,6 bus cycle 1,500",
    ]
    page.keyboard.press("ArrowRight")
    for place, begin in (
        ("live", "Bus cycle 1501."),
        ("live-beside", "Beside it: Bus cycle 1501."),
    ):
        page.wait_for_function(
            "([id, begin]) => document.getElementById(id).textContent.startsWith(begin)",
            arg=[place, begin],
        )
