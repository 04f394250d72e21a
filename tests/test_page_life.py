"""Is what lessons add to the picture true: lives of lines, words, the PPE's requests?"""

from typing import Any

import pytest
from playwright.sync_api import Page

import cellstats as cs
import play
from browser import Open
from cellstats.show.page import PAGE
from parts import needs

pytestmark = needs("page", "chromium")

LETTERS = """() => [...document.querySelectorAll("#picture .letter[data-line]")].map((letter) => {
  const box = letter.getBoundingClientRect();
  const inside = [...document.querySelectorAll("#picture .element")].find((element) => {
    const around = element.querySelector(".box").getBoundingClientRect();
    return box.left >= around.left - 1 && box.right <= around.right + 1
      && box.top >= around.top - 1 && box.bottom <= around.bottom + 1;
  });
  return [Number(letter.dataset.line), inside?.dataset.element];
})"""


@pytest.fixture
def opened(visited: Open) -> Open:
    """A function that opens a step of a lesson."""

    def open_page(hash_: str, width: int = 1280) -> Page:
        page = visited(
            f"{PAGE.as_uri()}#{hash_}",
            viewport={"width": width, "height": 844},
            reduced_motion="reduce",
        )
        if "lesson=" in hash_:
            play.settled(page)
        return page

    return open_page


def at(page: Page, cycle: int) -> None:
    page.evaluate("(at) => cellstats.go(at)", cycle)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_bar_has_the_phases_of_the_line_and_follows_the_clock(opened: Open, width: int) -> None:
    page = opened("lesson=1-one-dma&step=5", width)
    parts = page.locator("#life-bar button")
    titles = [parts.nth(nth).get_attribute("title") for nth in range(parts.count())]
    assert titles == [
        "command in the MFC queue: 15 cycles, from bus cycle 0",
        "to the address concentrator: 20 cycles, from bus cycle 15",
        "ordered; the response returns: 30 cycles, from bus cycle 35",
        "memory is still reading: 124 cycles, from bus cycle 65",
        "on ring 3 from MIC to SPE0: 9 cycles, from bus cycle 189",
        "SPE0 receives the line: 12 cycles, from bus cycle 198",
        "command completes: 34 cycles, from bus cycle 210",
    ]
    for cycle, now in [
        (20, "to the address concentrator: cycle 6 of 20"),
        (188, "cycle 124 of 124"),
    ]:
        at(page, cycle)
        assert (page.locator("#life-bar p").text_content() or "").endswith(now)
        assert page.locator("#life-bar button.now").count() == 1
    parts.nth(4).click()
    assert page.evaluate("cellstats.state().at") == 189
    picture, bar, controls = (
        page.locator(what).bounding_box() for what in ("#picture", "#life-bar", "#transport")
    )
    assert picture
    assert bar
    assert controls
    assert picture["y"] + picture["height"] <= bar["y"] + 1
    assert bar["y"] + bar["height"] <= controls["y"] + 1


def test_the_bar_shows_each_line_of_a_step_in_its_time(opened: Open) -> None:
    page = opened("lesson=5-messages&step=2&answer=1")
    for cycle, line in [(20, 1), (100, 1), (140, 2), (230, 2)]:
        at(page, cycle)
        assert page.locator("#life-bar p b").inner_text() == f"Line {line}, of SPE{line - 1}:"


def test_the_bar_does_not_answer_the_question(opened: Open) -> None:
    bar = opened("lesson=1-one-dma&step=6").locator("#life-bar")
    assert bar.is_hidden()
    bar.page.keyboard.press("3")
    bar.wait_for(state="visible")
    assert "9" in bar.locator("button b").all_text_contents()


def test_the_bar_counts_the_retries_of_a_line(opened: Open) -> None:
    page = opened("lesson=5-messages&step=8")
    page.locator("#try-slider").focus()
    page.keyboard.press("End")  # six SPEs
    page.wait_for_function("document.querySelector('#life-bar button.retry')")
    # The lesson claims 1 to 8 retries of line 49.
    assert 1 <= page.locator("#life-bar button.retry").count() <= 8
    page.evaluate("document.activeElement.blur()")  # the slider has keys of its own
    page.keyboard.press("Escape")
    assert page.locator("#life-bar").is_hidden()


def test_a_word_leaves_and_reaches_a_mailbox_as_the_trace_says(opened: Open) -> None:
    page = opened("machine=ps3&function=mailbox&spes=2&spe_to_spe=true&at=0")
    data = cs.machine("ps3").trace("mailbox", window=4000, spes=2, spe_to_spe=True).data
    begin = data["triggered_at"]
    seen: set[Any] = set()
    for cycle in range(0, 260, 7):
        at(page, cycle)
        now, expected = begin + cycle, []
        for line in data["requests"]:
            assert line["target"].endswith("register")
            responded = line["rounds"][-1]["responded_at"]
            if responded is not None and responded <= now < line["granted_at"]:
                expected.append([line["id"], data["elements"][line["from"]]])
            elif line["arrived_at"] is not None and line["arrived_at"] <= now < line["done_at"]:
                expected.append([line["id"], data["elements"][line["to"]]])
        assert page.evaluate(LETTERS) == expected, cycle
        seen |= {element for _, element in expected}
    assert seen == {"SPE0", "SPE1"}


def test_the_ppe_says_how_long_it_has_asked_for_nothing(opened: Open) -> None:
    page = opened("machine=ps3&function=mailbox&ppe=mmio&at=0")
    words = page.locator("[data-element=PPE] .state-words")
    data = cs.machine("ps3").trace("mailbox", window=4000, ppe="mmio").data
    first, second = data["requests"][:2]
    done, issued = first["done_at"], second["rounds"][0]["issued_at"]
    for cycle in range(done, issued):
        at(page, cycle - data["triggered_at"])
        assert words.text_content() == f"no request: {cycle - done}"
    at(page, issued - data["triggered_at"])
    assert words.text_content() == "read SPE0 register"


def test_a_system_call_is_the_operating_systems_but_for_its_loads(opened: Open) -> None:
    data = cs.machine("ps3").trace("mailbox", window=12000).data
    call = next(
        row for row in data["calls"] if row["from"] > data["from"] and "wbox" in row["name"]
    )
    load = next(row for row in data["requests"] if row["rounds"][0]["issued_at"] > call["from"])
    issued, done = load["rounds"][0]["issued_at"], load["done_at"]
    page = opened("lesson=5-messages&step=5&answer=1")
    words = page.locator("[data-element=PPE] .state-words")
    bar = page.locator("[data-element=PPE] .since.system")
    lengths = []
    for cycle in range(call["from"], issued, 500):
        at(page, cycle - data["triggered_at"])
        assert words.text_content() == "write wbox"
        lengths.append(float(bar.get_attribute("width") or 0))
    assert lengths == sorted(set(lengths))
    phases = page.locator("#life-bar button").all()
    assert [(each.get_attribute("class") or "").split()[0] for each in phases] == [
        *("system", "fetch", "system")
    ]
    lasted = [issued - call["from"], done - issued, call["to"] - done]
    assert [each.locator("b").text_content() for each in phases] == [str(n) for n in lasted]
    at(page, issued - data["triggered_at"])
    assert words.text_content() == "read SPE0 register"
