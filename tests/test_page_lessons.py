"""Lessons in a browser: each is played on a screen of its own, and the page finds the numbers that
Python finds. `workshop/play.py` plays all lessons on all screens."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

import play
from browser import Open
from cellstats.lessons import LESSONS, read_lesson
from cellstats.show.page import PAGE, page_of_lesson, page_of_lessons
from parts import needs

pytestmark = needs("page", "chromium")

ALL = sorted(LESSONS.glob("*.toml"))


@pytest.fixture
def opened(visited: Open) -> Open:
    """A function that opens the page."""

    def open_page(hash_: str = "", file: Path = PAGE) -> Page:
        return visited(f"{file.as_uri()}{hash_}", viewport={"width": 1280, "height": 800})

    return open_page


@pytest.mark.parametrize(
    ("path", "reader"),
    [*zip(ALL, play.READERS, strict=False)],
    ids=lambda each: Path(f"{each}").stem,
)
def test_a_lesson_is_played_through(browser: Browser, path: Path, reader: play.Reader) -> None:
    lesson = read_lesson(path)
    with play.opened(browser, reader) as page:
        assert list(play.play(page, lesson, play.expected(lesson), reader)) == []


def test_what_troubles_readers_of_a_lesson_is_seen(browser: Browser) -> None:
    lesson = read_lesson(ALL[0])
    known = play.expected(lesson)
    del lesson.data["steps"][3:]
    lesson.data["steps"][1]["highlight"] = ["link"]
    known[1]["claims"]["SPE0 in_flight"] = 1
    known[2]["right"] = "It computes on"
    reader = play.Reader(1280, "light")
    with play.opened(browser, reader) as page:
        page.add_init_script(
            """addEventListener("DOMContentLoaded", () => {
              document.head.append(Object.assign(document.createElement("style"), { textContent: `
                .lesson-text { font-size: 8px }
                .lesson-next, [data-element=SPE2] { translate: 3000px }` }));
            })"""
        )
        found = "\n".join(play.play(page, lesson, known, reader))
    for words in (
        'step 1: "This chip is the Cell, the processor of " has 8.0 px',
        'step 1: "Next" is covered or out of view',
        "step 1: SPE2 is covered or out of view",
        "step 2: SPE0 in_flight is 0 here, and 1 natively",
        "step 2: link is not lit",
        "step 3: 'It waits' is right here, and 'It computes on' natively",
    ):
        assert words in found


def test_only_what_a_step_speaks_of_is_bright(opened: Open) -> None:
    page = opened("#lesson=1-one-dma&step=3")
    play.settled(page)
    page.wait_for_timeout(600)
    bright = page.evaluate(
        """() => {
          const seen = (selector) => {
            let opacity = 1;
            for (let each = document.querySelector(selector); each.id !== "picture";
                each = each.parentElement) opacity *= Number(getComputedStyle(each).opacity);
            return opacity;
          };
          const spe = '#picture [data-element="SPE0"]';
          return [`${spe} .queues`, `${spe} .state`, `${spe} .thread`,
            '#picture [data-element="SPE2"]', '#picture .track'].map(seen);
        }"""
    )
    assert bright[:2] == [1, 1]
    assert max(bright[2:]) < 0.3


def test_a_picture_moves_by_itself_and_stops(opened: Open) -> None:
    page = opened("#lesson=2-four-rings&step=2")
    play.settled(page)
    page.wait_for_function("cellstats.state().at > 570")
    page.wait_for_function("cellstats.state().at === 579 && !document.querySelector('.playing')")


def test_the_address_keeps_the_progress(opened: Open) -> None:
    page = opened("#lesson=1-one-dma&step=2")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.hash === '#lesson=1-one-dma&step=3'")
    play.settled(page)
    page.keyboard.press("2")
    page.wait_for_function("location.hash === '#lesson=1-one-dma&step=3&answer=2'")
    page.reload()
    page.evaluate("cellstats.ready")
    shown = play.settled(page)
    assert (shown["step"], shown["choice"]) == (2, 1)
    page.go_back()
    page.wait_for_function("cellstats.lesson().choice === null && cellstats.lesson().step === 2")
    page.go_back()
    page.wait_for_function("cellstats.lesson().step === 1")
    play.settled(page)
    page.keyboard.press("Escape")
    page.wait_for_function("location.hash.startsWith('#machine=eval-board&function=dmaget')")
    assert page.evaluate("cellstats.lesson()") is None
    assert page.locator(".spotlit, #picture [data-lit]").count() == 0
    assert page.locator("#experiment").is_visible()


def test_a_puzzle_has_a_score(opened: Open) -> None:
    page = opened("#lesson=4-placement&step=7")
    play.settled(page)
    score = page.locator(".score b")
    page.wait_for_function("document.querySelector('.score b').textContent === '66 %'")
    page.locator('[data-element="SPE2"] .thread').focus()
    for key in ("Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.wait_for_function("document.querySelector('#lesson .note').textContent.includes('1 move')")
    assert page.evaluate("cellstats.lesson().step") == 6
    page.locator(".solve").click()
    page.wait_for_function("document.querySelector('.score b').textContent === '100 %'")
    assert score.inner_text() == "100 %"


def test_an_answer_follows_the_slider(opened: Open) -> None:
    page = opened("#lesson=1-one-dma&step=8")
    play.settled(page)
    now, because = page.locator(".tried-now"), page.locator(".because")
    assert now.inner_text().split() == ["bandwidth", "0.800", "GB/s", "latency", "160", "ns"]
    slider = page.locator("#try-slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("cellstats.lesson().tried['256']")
    assert "1.57 GB/s" in now.inner_text()
    assert not because.is_visible()
    # The step stays, and so does what holds the slider.
    assert page.evaluate("cellstats.lesson().step") == 7
    assert page.evaluate("document.activeElement.id") == "try-slider"
    page.keyboard.press("End")
    page.wait_for_function("cellstats.lesson().tried['16k']")
    assert because.is_visible()
    assert page.evaluate("cellstats.state().request.size") == 16384
    assert page.locator(".bars .tried").count() == 3
    # Whoever begins again keeps the bars.
    page.locator(".changed button").click()
    page.wait_for_function("cellstats.state().request.size === 128")
    page.wait_for_function("document.querySelector('#try-slider').value === '0'")
    assert page.locator(".bars .tried").count() == 3
    # Another step, and this one again, begins anew.
    page.locator(".lesson-back").click()
    page.wait_for_function("cellstats.lesson().step === 6 && cellstats.lesson().settled")
    page.go_back()
    page.wait_for_function("cellstats.lesson().step === 7 && cellstats.lesson().settled")
    assert not because.is_visible()


def test_the_facts_of_a_step_are_about_its_own_run(opened: Open) -> None:
    page = opened("#lesson=4-placement&step=7")
    assert [row["holds"] for row in play.settled(page)["claims"]] == [True]
    page.evaluate(
        """() => {
          const { request, ...scene } = cellstats.state();
          return cellstats.run({ ...scene,
            request: { ...request, placement: [0, 2, 4, 6, 7, 5, 1, 3] } });
        }"""
    )
    page.wait_for_function("cellstats.lesson().claims.length === 0")
    assert "✗" not in page.locator("#lesson").inner_text()
    # The step's window and bus cycle stay.
    scene = page.evaluate("cellstats.state()")
    assert (scene["skip"], scene["window"], scene["at"]) == (4000, 2000, 5000)
    page.locator(".changed button").click()
    page.wait_for_function("cellstats.lesson().claims.length === 1")


def test_partners_are_marked(opened: Open) -> None:
    page = opened("#lesson=4-placement&step=7")
    play.settled(page)
    pairs = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("#picture .spe .thread")].map(
          (each) => [each.dataset.thread, getComputedStyle(each.querySelector("rect")).fill]))"""
    )
    assert len({pairs[str(thread)] for thread in range(8)}) == 4
    assert all(pairs[str(thread)] == pairs[str(thread + 1)] for thread in (0, 2, 4, 6))
    assert page.locator(".partners path").count() == 4
    page.keyboard.press("Escape")
    assert page.locator("[data-pair]").count() == 0


def test_the_last_lesson_leads_on(opened: Open) -> None:
    page = opened("#lesson=7-what-we-do-not-know&step=9")
    play.settled(page)
    ways = page.locator(".further li")
    assert ways.count() == 3
    assert "cellstats watch --lesson" in ways.last.inner_text()
    # A file has no guide beside it.
    assert page.locator(".further a").count() == 0


def test_two_taps_move_a_thread(browser: Browser) -> None:
    with play.opened(browser, play.Reader(390, "light")) as page:
        page.goto(f"{PAGE.as_uri()}#lesson=4-placement&step=7")
        page.evaluate("cellstats.ready")
        play.settled(page)
        for spe in ("SPE0", "SPE5"):
            # Below the name and the sign of the state.
            page.locator(f'[data-element="{spe}"] .box').tap(position={"x": 10, "y": 42})
        page.wait_for_function("cellstats.state().request.placement.join() === '5,2,4,6,7,0,3,1'")


def test_a_page_opens_with_its_own_lesson(opened: Open, tmp_path: Path) -> None:
    source = tmp_path / "mine.toml"
    text = (LESSONS / "1-one-dma.toml").read_text(encoding="utf-8")
    source.write_text(text.replace("Nine processors", "</script> My processors"), encoding="utf-8")
    file = tmp_path / "mine.html"
    page_of_lesson(read_lesson(source)).save(file)
    page = opened(file=file)
    assert page.locator("#lesson h2").inner_text() == "</script> My processors on one chip"
    assert play.settled(page)["lesson"] == "mine"
    keys = [path.stem for path in ALL]
    cards = page.locator("#lesson-list button")
    assert cards.evaluate_all("(all) => all.map((each) => each.dataset.lesson)") == ["mine", *keys]


def test_a_link_opens_the_list(opened: Open) -> None:
    page = opened("#lessons")
    assert page.locator("#lessons").is_visible()
    assert page.locator("#status").inner_text() == ""
    page.locator("#lesson-list button").first.click()
    assert play.settled(page)["lesson"] == ALL[0].stem


def test_a_page_of_lessons_opens_with_the_list(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "lessons.html"
    page_of_lessons().save(file)
    page = opened(file=file)
    assert page.locator("#lessons").is_visible()
    assert page.locator("#status").inner_text() == ""
    page.keyboard.press("Escape")  # a run is behind the list
    assert not page.locator("#lessons").is_visible()
    assert page.evaluate("cellstats.state().request.function") == "couples"
    page = opened("#lesson=1-one-dma", file=file)
    assert play.settled(page)["lesson"] == ALL[0].stem
    assert not page.locator("#lessons").is_visible()


def test_an_address_of_no_step_leads_to_the_nearest_one(opened: Open) -> None:
    page = opened("#lesson=1-one-dma&step=99&answer=77")
    shown = play.settled(page)
    assert (shown["step"], shown["choice"]) == (7, None)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("cellstats.lesson().step === 6")
    page = opened("#lesson=nonsense")
    assert page.evaluate("cellstats.lesson()") is None
