"""The page in a browser: the picture agrees with the trace, and the controls work."""

import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import cellstats as cs
from browser import Open
from cellstats.show.page import PAGE
from parts import needs

pytestmark = needs("page", "chromium")

BOARD = cs.machine("eval-board")
COUPLES = "machine=eval-board&function=couples&spes=8&size=16384"


@pytest.fixture
def opened(visited: Open) -> Open:
    """A function that opens the page."""

    def open_page(
        hash_: str = COUPLES, file: Path = PAGE, width: int = 1280, dark: bool = False
    ) -> Page:
        return visited(
            f"{file.as_uri()}#{hash_}",
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference",
        )

    return open_page


def shown(page: Page, at: int) -> dict[str, Any]:
    """The drawing at a bus cycle after the trigger, with cache lines and waits in order."""
    page.evaluate("(at) => cellstats.go(at)", at)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    drawn: dict[str, Any] = page.evaluate("cellstats.shown()")
    drawn["lines"].sort(key=lambda row: row["line"])
    drawn["waits"].sort(key=lambda row: row["line"])
    return drawn


def on_rings(data: dict[str, Any], now: int) -> list[dict[str, Any]]:
    """The cache lines that are on the rings of a trace at a bus cycle, in the page's format."""
    placed = {row["spe"]: row["thread"] for row in data["programs"]}
    beats, hop, places = data["beats"], data["hop_bus_cycles"], len(data["elements"])
    lines = []
    for row in data["requests"]:
        if row["ring"] is None or not row["granted_at"] <= now < row["arrived_at"]:
            continue
        clockwise = data["rings"][row["ring"]] == "clockwise"
        first, last = (row["from"], row["to"]) if clockwise else (row["to"], row["from"])
        hops = (last - first) % places
        age = now - row["granted_at"]
        lines.append(
            {
                "line": row["id"],
                "ring": row["ring"],
                "tail": min(max((age - beats) / hop, 0), hops),
                "head": min(age / hop, hops),
                "thread": placed.get(int(row["issuer"].removeprefix("SPE"))),
            }
        )
    return lines


@pytest.mark.parametrize(
    ("function", "given"),
    [
        ("couples", {"spes": 8, "size": 16384}),
        ("hotspot", {"spes": 8, "size": 16384, "op": "get"}),
    ],
)
def test_what_is_drawn_is_what_the_trace_says(
    opened: Open, function: str, given: dict[str, Any]
) -> None:
    hash_ = "&".join(f"{name}={value}" for name, value in given.items())
    # A run that is opened at a bus cycle keeps its window.
    page = opened(f"machine=eval-board&function={function}&{hash_}&at=0")
    data = dict(BOARD.trace(function, window=4000, **given).data)
    begin = data["triggered_at"]
    for at in (0, 1, 200, 777, 1234, 1500, 2001, 2999, 3500, 3999):
        now, drawn = begin + at, shown(page, at)
        assert drawn["lines"] == on_rings(data, now)
        reasons = [
            {"line": row["request"], "reason": row["reason"]}
            for row in sorted(data["waits"], key=lambda row: row["request"])
            if row["from"] <= now and (row["to"] is None or row["to"] > now)
        ]
        assert drawn["waits"] == reasons
        for name, element in drawn["elements"].items():
            ramp = data["elements"].index(name)
            waiting = [
                row
                for row in data["requests"]
                if row["from"] == ramp
                and row["ready_at"] is not None
                and row["ready_at"] <= now
                and (row["granted_at"] is None or row["granted_at"] > now)
            ]
            assert element["waiting"] == len(waiting), (at, name)
            if name.startswith("SPE"):
                queued = [
                    row
                    for row in data["commands"]
                    if row["queue"] == "spu"
                    and row["spe"] == int(name.removeprefix("SPE"))
                    and row["enqueued_at"] <= now
                    and (row["done_at"] is None or row["done_at"] > now)
                ]
                assert element["queues"]["mfc"] == len(queued), (at, name)
        levels: dict[str, int] = {}
        for row in data["memory_queues"]:
            if row["at"] <= now:
                kind = "writes" if row["write"] else "reads"
                levels[f"{kind} {row['channel']}"] = row["entries"]
        assert levels.items() <= drawn["elements"]["MIC"]["queues"].items()


def test_a_step_back_undoes_a_step_forward(opened: Open) -> None:
    page = opened(COUPLES + "&at=1500")
    before = shown(page, 1500)
    for forward, back in [("ArrowRight", "ArrowLeft"), ("Shift+ArrowRight", "Shift+ArrowLeft")]:
        page.keyboard.press(forward)
        moved = page.evaluate("cellstats.state().at")
        assert moved == (1501 if forward == "ArrowRight" else 1510)
        page.keyboard.press(back)
        assert page.evaluate("cellstats.state().at") == 1500
        assert shown(page, 1500) == before


def test_play_moves_on_and_pause_stays(opened: Open) -> None:
    page = opened(COUPLES + "&at=1500")
    page.keyboard.press("Space")
    page.wait_for_function("cellstats.state().at > 1503")
    page.keyboard.press("Space")
    at = page.evaluate("cellstats.state().at")
    page.wait_for_timeout(300)
    assert page.evaluate("cellstats.state().at") == at


def test_dragging_a_thread_changes_the_placement_and_the_number(opened: Open) -> None:
    page = opened(COUPLES + "&at=1500")
    measured = "() => document.getElementById('totals').textContent.includes('whole measurement')"
    page.wait_for_function(measured)
    before = BOARD.measure("couples", spes=8, size=16384).placement
    thread = page.locator('[data-element="SPE1"] .thread')
    end = page.locator('[data-element="SPE6"]').bounding_box()
    start = thread.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 40, steps=8)
    page.mouse.up()
    page.wait_for_function("cellstats.state().request.placement")
    after = page.evaluate("cellstats.state().request.placement")
    swapped = [{1: 6, 6: 1}.get(spe, spe) for spe in before]
    assert after == swapped
    result = BOARD.measure("couples", spes=8, size=16384, placement=swapped)
    assert result.bandwidth_gb_s is not None
    number = f"{result.bandwidth_gb_s:.3g} GB/s"
    page.wait_for_function(
        "(number) => document.getElementById('change').textContent.includes(number)", arg=number
    )
    assert "placement=" in page.url


def test_a_thread_is_moved_by_keyboard_too_and_back(opened: Open) -> None:
    page = opened(COUPLES + "&at=1500")
    page.locator('[data-element="SPE1"] .thread').focus()
    for key in ("Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.wait_for_function("cellstats.state().request.placement")
    assert sorted(page.evaluate("cellstats.state().request.placement")) == list(range(8))
    page.locator("#undo-placement").click()
    page.wait_for_function("!cellstats.state().request.placement")


def test_a_link_shows_the_same_to_somebody_else(opened: Open) -> None:
    first = opened(
        "machine=eval-board&function=couples&spes=6&size=4096&placement=0.7.1.6.2.5"
        "&value.eib.hop_bus_cycles=2&at=911"
    )
    here = shown(first, 911)
    second = opened(first.url.partition("#")[2])
    there = shown(second, 911)
    states = [page.evaluate("cellstats.state()") for page in (first, second)]
    assert states[0] == states[1]
    assert states[0]["machine"]["values"] == {"eib.hop_bus_cycles": 2}
    assert here == there
    assert here["lines"]


def test_other_windows_of_the_run_go_on_where_this_one_ends(opened: Open) -> None:
    page = opened(COUPLES + "&window=500&at=100")
    page.locator("#next-window").click()
    page.wait_for_function("cellstats.state().skip === 500")
    data = dict(BOARD.trace("couples", spes=8, size=16384, skip=500, window=500).data)
    assert shown(page, 700)["lines"] == on_rings(data, data["triggered_at"] + 700)
    page.locator("#last-window").click()
    page.wait_for_function("cellstats.state().skip === 0")


def test_what_cannot_be_is_said_in_a_line_and_the_picture_stays(opened: Open) -> None:
    page = opened("machine=ps3&function=dmaget&size=3")
    said = page.locator("#status").text_content()
    assert said is not None
    assert "size 3" in said
    assert page.locator("#picture svg").count() > 0


def test_a_recorded_trace_is_played_and_nothing_else(opened: Open, tmp_path: Path) -> None:
    trace = cs.machine("ps3").trace("dmaget", spes=6, size="2k", window=900)
    trace.watch("recorded").save(tmp_path / "recorded.html")
    page = opened("", file=tmp_path / "recorded.html")
    data = dict(trace.data)
    assert shown(page, 400)["lines"] == on_rings(data, data["triggered_at"] + 400)
    assert not page.locator("#form").is_visible()


def test_a_notebook_shows_it_in_a_frame_that_reaches_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_page()
    around = tmp_path / "notebook.html"
    inside = BOARD.watch("couples", spes=4, size="4k", at=500)._repr_html_()
    around.write_text(f"<!DOCTYPE html><body>{inside}", encoding="utf-8")
    page.goto(around.as_uri())
    frame = page.frames[1]
    frame.wait_for_function("window.cellstats")
    frame.evaluate("cellstats.ready")
    assert frame.evaluate("cellstats.state().at") == 500
    assert frame.evaluate("cellstats.shown().lines.length") > 0
    page.close()


@pytest.mark.parametrize(
    ("width", "dark"), [(390, False), (768, True), (1280, False), (2560, True)]
)
def test_nothing_is_wider_than_the_screen(opened: Open, width: int, dark: bool) -> None:
    for hash_ in (COUPLES + "&at=1500", "machine=blade-2100&function=cycle&spes=16&size=4096"):
        page = opened(hash_, width=width, dark=dark)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.context.close()


def found_placement(page: Page) -> str:
    """Click the button that searches for a placement, and return the page's message."""
    page.locator("#find-placement").click()
    said = "document.getElementById('status').textContent"
    page.wait_for_function(f"{said}.startsWith('In simulation')", timeout=60_000)
    return str(page.evaluate(said))


def test_a_placement_that_is_found_is_better_and_can_be_undone(opened: Open) -> None:
    page = opened(COUPLES + "&at=1500")
    undo = page.locator("#undo-placement")
    assert not undo.is_visible()
    said = found_placement(page)
    placement = page.evaluate("cellstats.state().request.placement")
    before, after = (
        cs.measure(
            "couples", machine="eval-board", spes=8, size="16k", placement=each
        ).bandwidth_gb_s
        for each in (None, placement)
    )
    assert before is not None
    assert after is not None
    assert after > before
    assert f"has {after:.3g} GB/s; the previous one had {before:.3g} GB/s" in said
    undo.click()
    page.wait_for_function("!cellstats.state().request.placement")
    assert not undo.is_visible()


def test_a_placement_that_is_worse_by_simulation_is_not_taken(opened: Open) -> None:
    # The function makes short DMAs to random SPEs, whose order the model ignores.
    page = opened("machine=eval-board&function=uniform&spes=6&size=2k")
    before = page.evaluate("cellstats.state().request")
    said = found_placement(page)
    result = BOARD.measure("uniform", spes=6, size="2k")
    assert said.endswith(f"the current one, with {result.bandwidth_gb_s:.3g} GB/s, stays.")
    assert page.evaluate("cellstats.state().request") == before
    assert not page.locator("#undo-placement").is_visible()


def test_a_screen_reader_is_told_what_is_where(opened: Open) -> None:
    page = opened(COUPLES + "&at=1500")
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, [role=button]")]
            .filter((each) => each.checkVisibility())
            .filter((each) => !(each.ariaLabel || each.textContent.trim() || each.labels?.length))
            .map((each) => each.outerHTML)"""
    )
    assert nameless == []
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.getElementById('live').textContent.includes('1501')")


def test_random_clicks_and_keys_do_no_harm(opened: Open, chance: random.Random) -> None:
    page = opened(COUPLES)
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.evaluate("window.print = () => {}")
    keys = ["Space", "ArrowLeft", "ArrowRight", "Home", "End", "n", "?", "Escape", "Enter", "Tab"]
    for _ in range(250):
        if chance.random() < 0.3:
            page.keyboard.press(chance.choice(keys))
        else:
            page.mouse.click(chance.randrange(1280), chance.randrange(900))
    page.keyboard.press("Escape")
    # Whoever moves the clock keeps the window.
    page.evaluate("(scene) => cellstats.run(scene).then(() => cellstats.go(1000))", SCENE)
    data = dict(BOARD.trace("couples", spes=8, size=16384, window=4000).data)
    assert shown(page, 1000)["lines"] == on_rings(data, data["triggered_at"] + 1000)


SCENE = {
    "machine": {"name": "eval-board"},
    "request": {"function": "couples", "spes": 8, "size": 16384},
    "skip": 0,
    "window": 4000,
    "at": 1000,
    "line": None,
    "key": None,
}
