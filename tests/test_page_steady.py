"""The page opens a run where it is steady, says so, and explains itself at first sight."""

from typing import Any

import pytest
from playwright.sync_api import Page

import cellstats as cs
from browser import Open
from cellstats.show.page import PAGE
from parts import needs

pytestmark = needs("page", "chromium")

BOARD = cs.machine("eval-board")
# Pairs on opposite sides of the ring; this run takes many windows to become steady.
HALF_WAY: dict[str, Any] = {
    "spes": 8,
    "size": 16384,
    "op": "get",
    "placement": [0, 7, 1, 6, 2, 5, 3, 4],
}
WINDOW = 4000


@pytest.fixture
def opened(visited: Open) -> Open:
    """A function that opens the page."""

    def open_page(hash_: str, width: int = 1280, motion: str = "no-preference") -> Page:
        return visited(
            f"{PAGE.as_uri()}#{hash_}",
            viewport={"width": width, "height": 900},
            reduced_motion=motion,
        )

    return open_page


def settled(page: Page) -> None:
    """Wait until the page has searched the end of start-up."""
    page.wait_for_function("document.getElementById('totals').textContent.includes('Start-up')")


def start_up_of(function: str, given: dict[str, Any], windows: int) -> int:
    """The end of start-up by the documented rule, computed from one long trace."""
    whole = BOARD.measure(function, **given).bandwidth_gb_s
    assert whole is not None
    data = dict(BOARD.trace(function, window=windows * WINDOW, **given).data)
    moved = [0.0] * windows
    spes: list[set[str]] = [set() for _ in range(windows)]
    for row in data["requests"]:
        arrived = row["arrived_at"]
        if arrived is None or row["ring"] is None or not data["from"] < arrived <= data["to"]:
            continue
        nth = (arrived - data["from"] - 1) // WINDOW
        moved[nth] += row["bytes"] * data["bus_hz"] / WINDOW / 1e9
        if row["issuer"].startswith("SPE"):
            spes[nth].add(row["issuer"])
    for first in range(windows - 7):
        near = all(abs(each - whole) <= whole * 0.1 for each in moved[first : first + 8])
        if near and all(each == spes[first] for each in spes[first : first + 8]):
            return first * WINDOW
    raise AssertionError(moved)


def test_a_run_opens_where_it_is_steady_and_start_up_is_a_key_away(opened: Open) -> None:
    page = opened("scene=half-way")
    settled(page)
    ended = start_up_of("pairwise", HALF_WAY, 24)
    assert ended > WINDOW
    page.wait_for_function(f"cellstats.state().skip === {ended}")
    assert ended < page.evaluate("cellstats.state().at") < ended + WINDOW
    assert f"ended at bus cycle {ended:,}." in page.locator("#totals").inner_text()
    assert page.locator("#run-line").is_visible()
    page.keyboard.press("s")
    page.wait_for_function("cellstats.state().skip === 0 && cellstats.state().at === 0")
    page.locator("#to-start-up").click()
    page.wait_for_function(f"cellstats.state().skip === {ended}")


def test_a_link_to_a_bus_cycle_stays_there_and_says_that_its_window_differs(opened: Open) -> None:
    page = opened("scene=half-way&skip=32000&at=33000")
    settled(page)
    whole = BOARD.measure("pairwise", **HALF_WAY).bandwidth_gb_s
    assert whole is not None
    said = page.locator("#totals").inner_text()
    here = float(said.split("this window\n")[1].split(" GB/s")[0])
    percent = round((1 - here / whole) * 100)
    assert percent >= 10
    assert f"moves {percent} % less than the whole measurement: it is part of the start-up" in said
    assert page.evaluate("[cellstats.state().skip, cellstats.state().at]") == [32000, 33000]
    assert page.locator("#play").get_attribute("aria-label") == "Play"


def test_the_page_plays_once_by_itself_unless_motion_is_unwelcome(opened: Open) -> None:
    page = opened("scene=well-placed")
    page.wait_for_function("document.getElementById('play').ariaLabel === 'Pause'")
    page.keyboard.press("Space")
    page.evaluate("cellstats.run({...cellstats.state(), request: {function: 'dmaget', spes: 2}})")
    settled(page)
    page.wait_for_timeout(500)
    assert page.locator("#play").get_attribute("aria-label") == "Play"
    calm = opened("scene=well-placed", motion="reduce")
    settled(calm)
    calm.wait_for_timeout(500)
    assert calm.locator("#play").get_attribute("aria-label") == "Play"


def test_the_diagram_keeps_its_scale_from_run_to_run(opened: Open) -> None:
    page = opened("scene=well-placed&at=1500")
    label = "document.querySelector('#bandwidth text').textContent"
    fast = page.evaluate(label)
    page.evaluate(
        """() => {
          const scene = cellstats.state();
          const request = { ...scene.request, placement: [0, 7, 2, 5, 4, 3, 1, 6] };
          return cellstats.run({ ...scene, request });
        }"""
    )
    assert page.evaluate(label) == fast
    alone = opened("scene=badly-placed&at=1500")
    assert alone.evaluate(label) != fast


def test_the_diagram_shows_the_run_before_a_change_on_the_same_scale(opened: Open) -> None:
    page = opened("scene=badly-placed&at=1500")
    assert page.locator("#bandwidth .before").count() == 0
    page.locator('[data-scene="well-placed"]').click()
    page.wait_for_selector("#bandwidth .before")
    before, now = page.evaluate(
        """() => [".before", ".area"].map((each) => {
          const all = document.querySelectorAll(`#bandwidth ${each}`);
          const path = [...all].at(-1).getAttribute("d");
          const heights = path.match(/ [0-9.]+/g).map(Number);
          return heights.reduce((sum, each) => sum + each) / heights.length;
        })"""
    )
    # The slow run lies below the fast one: its distance from the top is larger.
    assert before > now + 20
    page.locator('[data-scene="hot-spot"]').click()
    page.wait_for_function("cellstats.state().key === 'hot-spot'")
    page.wait_for_function("document.querySelector('#bandwidth .before') === null")


def test_words_have_a_definition_one_touch_away(opened: Open) -> None:
    page = opened("scene=hot-spot&at=1500")
    for word, part in [
        ("#lead .term >> nth=-1", "main memory"),
        ("#fields [data-term='--op']", "Direction"),
        ('[data-element="SPE3"] .name', "eight small processors"),
        ('[data-element="SPE3"] .state text', "waits"),
        ("#experiment .term >> nth=0", "The computer that is simulated"),
    ]:
        page.locator(word).click()
        assert part in page.locator("#term").inner_text(), word
        page.keyboard.press("Escape")
        assert not page.locator("#term").is_visible()
    page = opened("scene=couples&at=6000")
    for word, part in [
        ('[data-element="SPE2"] .state text', "come and go without it"),
        ('[data-element="SPE0"] .waiting-number', "in red"),
        ('[data-element="PPE"] .state-words', "since the PPE last"),
    ]:
        page.locator(word).click()
        assert part in page.locator("#term").inner_text(), word
    unknown = page.evaluate(
        """() => [...document.querySelectorAll("[data-term]")].filter((each) => {
          each.dispatchEvent(new MouseEvent("click", { bubbles: true }));
          return document.getElementById("term").hidden;
        }).map((each) => each.getAttribute("data-term"))"""
    )
    assert unknown == []


def test_the_default_view_is_tame_and_one_click_shows_all(opened: Open) -> None:
    page = opened("scene=couples&at=6000")
    page.mouse.move(0, 0)
    seen = "getComputedStyle(document.querySelector('[data-element=SPE0] .queues')).opacity"
    assert page.evaluate(seen) == "0"
    assert not page.locator("#waits").is_visible()
    page.locator('[data-element="SPE0"] .box').hover(force=True)
    page.wait_for_function(f"{seen} === '1'")
    page.mouse.move(0, 0)
    page.locator("#details").click()
    page.wait_for_function(f"{seen} === '1'")


def test_reload_keeps_the_title_of_a_scene(opened: Open) -> None:
    page = opened("scene=badly-placed")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.hash.includes('at=')")
    page.reload()
    page.evaluate("cellstats.ready")
    assert page.locator("#title").inner_text() == "Couples placed badly"
    page.locator('[data-scene="two-chips"]').click()
    page.wait_for_function("location.hash.includes('two-chips')")
    page.go_back()
    page.wait_for_function("cellstats.state().key === 'badly-placed'")
    assert page.locator("#title").inner_text() == "Couples placed badly"


@pytest.mark.parametrize(
    ("hash_", "comparable"),
    [
        ("machine=eval-board&function=dmaput&spes=2&size=128&spe_to_spe=true&at=100", True),
        ("scene=one-dma&at=100", False),
    ],
)
def test_table_1_stands_only_beside_what_it_is_about(
    opened: Open, hash_: str, comparable: bool
) -> None:
    page = opened(hash_)
    page.wait_for_selector("#breakdown table")
    heads = page.locator("#breakdown th").all_inner_texts()
    assert ("Table 1" in heads) is comparable


def test_a_function_of_the_ppe_asks_nobody_to_drag_a_thread(opened: Open) -> None:
    page = opened("machine=ps3&function=load")
    page.wait_for_function("document.getElementById('change').textContent.includes('GB/s')")
    assert "Only the PPE runs" in page.locator("#change").inner_text()
    assert not page.locator("#first-look").is_visible()
    assert "differs" not in page.locator("#totals").inner_html()


def test_text_on_a_phone_is_at_least_9_pixels_high(opened: Open) -> None:
    page = opened("scene=couples&at=6000", width=390)
    page.locator("#details").click()
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("#picture text")]
          .filter((each) => each.checkVisibility() && each.textContent !== "")
          .map((each) => [parseFloat(getComputedStyle(each).fontSize), each.getScreenCTM()])
          .map(([size, { a, b }]) => size * Math.hypot(a, b))"""
    )
    assert min(sizes) >= 9


@pytest.mark.parametrize(
    ("hash_", "says"),
    [
        ("machine=eval-board&function=couples&spes=8", "Follow a thick arrow"),
        ("machine=ps3&function=mailbox", "Press “next grant” to see a thick arrow"),
        ("machine=ps3&function=fetchadd&spes=1", "No line moves on the rings"),
    ],
)
def test_the_first_hint_suits_what_is_there(opened: Open, hash_: str, says: str) -> None:
    page = opened(hash_, motion="reduce")
    assert page.locator("#first-look").inner_text().startswith(says)


def test_names_are_explained(opened: Open) -> None:
    page = opened("machine=ps3&function=couples&spes=6")
    assert page.locator("#title").inner_text() == "couples on ps3"
    page.wait_for_function("document.getElementById('lead').textContent.includes('PlayStation')")
    lead = page.locator("#lead").inner_text()
    assert lead.startswith("couples: even threads with the next thread, which is passive. ps3: ")
    words = page.locator('#picture [data-spe="1"] .state text').text_content()
    assert words == "passive"


def test_equal_numbers_are_shown_once(opened: Open) -> None:
    page = opened("machine=ps3&function=couples&spes=6")
    settled(page)
    said = page.locator("#totals").inner_text()
    assert said.count("152 GB/s") == 1
    assert "This window moves as much." in said


def test_a_load_is_offered_and_accepted(opened: Open) -> None:
    given: dict[str, Any] = {"spes": 8, "rate": "0.3", "injection": "bursts", "iterations": 500}
    asked = "&".join(f"{name}={value}" for name, value in given.items())
    page = opened(f"machine=eval-board&function=uniform&{asked}")
    settled(page)
    result = BOARD.measure("uniform", **given)
    load, dma = result.offered_load, result.dma_latency
    assert load is not None
    assert dma is not None
    figures = page.locator("#totals dl").inner_text().split("\n")
    shown = dict(zip(figures[::2], figures[1::2], strict=True))
    assert shown["offered"] == f"{load.offered_gb_s:.1f} GB/s"
    assert shown["accepted"] == f"{result.bandwidth_gb_s:.1f} GB/s"
    assert shown["latency from the offer"] == f"{dma.mean_ns / 1e3:.2f} µs"
    # No paper has offered a load.
    assert "published" not in shown
    # The address keeps both fields, and the form shows them.
    page.wait_for_function("location.hash.includes('rate=0.3') && location.hash.includes('bursts')")
    rate = page.locator("#field-rate")
    assert rate.is_visible()
    assert rate.input_value() == "0.3"
    assert page.locator("#field-injection").input_value() == "bursts"
    rate.fill("8GB/s")
    rate.press("Tab")
    page.wait_for_function("location.hash.includes('rate=8GB%2Fs')")
    page.wait_for_function(
        "document.getElementById('change').textContent.includes('from the offer')"
    )
    # Without a rate, nothing is offered, and the simulator would refuse an injection.
    page.locator("#field-rate").fill("")
    page.locator("#field-rate").press("Tab")
    page.wait_for_function("!/rate|injection/.test(location.hash)")
    assert page.locator("#status.refused").count() == 0
    assert page.locator("#field-injection").is_disabled()
