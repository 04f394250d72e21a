"""Lessons in a browser: they are played with keys and by touch, and the page finds the numbers that
Python finds."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from browser import driven
from cellstats.lessons import LESSONS, Lesson, check, read_lesson
from cellstats.show.page import PAGE, page_of_lesson
from parts import needs

pytestmark = needs("page", "chromium")

PHONE = (390, 844)
ALL = sorted(LESSONS.glob("*.toml"))
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with driven() as browser:
        yield browser


@pytest.fixture
def opened(browser: Browser) -> Iterator[Open]:
    """A function that opens the page. Finally, the browser's console must have no messages."""
    said: list[str] = []
    contexts = []

    def open_page(
        hash_: str = "", file: Path = PAGE, screen: tuple[int, int] = (1280, 800)
    ) -> Page:
        width, height = screen
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=screen == PHONE
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.goto(f"{file.as_uri()}{hash_}")
        page.evaluate("cellstats.ready")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []


def state(page: Page) -> dict[str, Any]:
    """The lesson on the page, when the run is shown and all its numbers are there."""
    known = "cellstats.lesson().claims.every(({ value }) => value !== null)"
    page.wait_for_function(f"cellstats.lesson().settled && {known}")
    shown: dict[str, Any] = page.evaluate("cellstats.lesson()")
    return shown


def expected(lesson: Lesson) -> dict[int, dict[str, Any]]:
    """For each step, the values that Python finds and the text of the right choice."""
    steps: dict[int, dict[str, Any]] = {}
    for row in check(lesson):
        number = int(row.where.split(":")[0].removeprefix("step ")) - 1
        step = steps.setdefault(number, {"claims": {}, "right": None})
        question = lesson.data["steps"][number].get("question")
        if question and row.name == question["answer"] and isinstance(row.expected, str):
            step["right"] = row.expected
        else:
            step["claims"][row.name] = row.value
    return steps


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_a_lesson_is_played_through_with_keys(opened: Open, path: Path) -> None:
    lesson = read_lesson(path)
    known = expected(lesson)
    page = opened(f"#lesson={lesson.key}")
    for number, step in enumerate(lesson.data["steps"]):
        page.wait_for_function("(number) => cellstats.lesson().step === number", arg=number)
        shown = state(page)
        claims = known.get(number, {"claims": {}})["claims"]
        for row in shown["claims"]:
            value = claims[row["name"]]
            same = value == row["value"] or math.isclose(value, row["value"], rel_tol=1e-9)
            assert same, (number, row, value)
            assert row["holds"]
        assert "…" not in page.locator(".lesson-text").inner_text()
        lit = page.locator("#picture [data-lit]").count()
        assert (lit > 0) == bool(step.get("highlight")), number
        if "question" in step:
            texts = [choice["text"] for choice in step["question"]["choices"]]
            right = texts.index(known[number]["right"])
            page.keyboard.press("1")
            page.wait_for_function(
                "cellstats.lesson().settled && cellstats.lesson().right !== null"
            )
            shown = state(page)
            assert (shown["choice"], shown["right"]) == (0, right)
            verdict = page.locator(".because").inner_text()
            assert verdict.startswith("Yes." if right == 0 else "Not quite."), verdict
            assert "…" not in verdict
        if number < len(lesson.data["steps"]) - 1:
            page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("cellstats.lesson().step") == len(lesson.data["steps"]) - 2


def test_a_lesson_is_played_by_touch_on_a_phone(opened: Open) -> None:
    page = opened(screen=PHONE)
    page.locator("#lessons-open").tap()
    page.locator("#lesson-list button").nth(1).tap()
    lesson = read_lesson(ALL[1])
    for number, step in enumerate(lesson.data["steps"]):
        page.wait_for_function("(number) => cellstats.lesson().step === number", arg=number)
        state(page)
        small = page.evaluate(
            """() => [...document.querySelectorAll("#lesson button")].filter((button) =>
              button.checkVisibility() && button.getBoundingClientRect().height < 20).length"""
        )
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert (small, wide) == (0, PHONE[0])
        if "question" in step:
            page.locator(".choice").first.tap()
            page.wait_for_function("cellstats.lesson().right !== null")
            assert page.locator(".because").is_visible()
        if number < len(lesson.data["steps"]) - 1:
            page.locator(".lesson-next").tap()


def test_only_what_a_step_speaks_of_is_bright(opened: Open) -> None:
    page = opened("#lesson=1-one-dma&step=3")
    state(page)
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
    state(page)
    page.wait_for_function("cellstats.state().at > 570")
    page.wait_for_function("cellstats.state().at === 579 && !document.querySelector('.playing')")


def test_the_address_keeps_the_progress(opened: Open) -> None:
    page = opened("#lesson=1-one-dma&step=2")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.hash === '#lesson=1-one-dma&step=3'")
    state(page)
    page.keyboard.press("2")
    page.wait_for_function("location.hash === '#lesson=1-one-dma&step=3&answer=2'")
    page.reload()
    page.evaluate("cellstats.ready")
    shown = state(page)
    assert (shown["step"], shown["choice"]) == (2, 1)
    page.go_back()
    page.wait_for_function("cellstats.lesson().choice === null && cellstats.lesson().step === 2")
    page.go_back()
    page.wait_for_function("cellstats.lesson().step === 1")
    state(page)
    page.keyboard.press("Escape")
    page.wait_for_function("location.hash.startsWith('#machine=eval-board&function=dmaget')")
    assert page.evaluate("cellstats.lesson()") is None
    assert page.locator(".spotlit, #picture [data-lit]").count() == 0
    assert page.locator("#experiment").is_visible()


def test_a_puzzle_has_a_score(opened: Open) -> None:
    page = opened("#lesson=4-placement&step=6")
    state(page)
    score = page.locator(".score b")
    page.wait_for_function("document.querySelector('.score b').textContent === '66 %'")
    page.locator('[data-element="SPE2"] .thread').focus()
    for key in ("Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.wait_for_function("document.querySelector('#lesson .note').textContent.includes('1 move')")
    assert page.evaluate("cellstats.lesson().step") == 5
    page.locator(".solve").click()
    page.wait_for_function("document.querySelector('.score b').textContent === '100 %'")
    assert score.inner_text() == "100 %"


def test_a_page_opens_with_its_own_lesson(opened: Open, tmp_path: Path) -> None:
    source = tmp_path / "mine.toml"
    text = (LESSONS / "1-one-dma.toml").read_text(encoding="utf-8")
    source.write_text(text.replace("Nine processors", "</script> My processors"), encoding="utf-8")
    file = tmp_path / "mine.html"
    page_of_lesson(read_lesson(source)).save(file)
    page = opened(file=file)
    assert page.locator("#lesson h2").inner_text() == "</script> My processors on one chip"
    assert state(page)["lesson"] == "mine"
    keys = [path.stem for path in ALL]
    cards = page.locator("#lesson-list button")
    assert cards.evaluate_all("(all) => all.map((each) => each.dataset.lesson)") == ["mine", *keys]


def test_a_link_opens_the_list(opened: Open) -> None:
    page = opened("#lessons")
    assert page.locator("#lessons").is_visible()
    assert page.locator("#status").inner_text() == ""
    page.locator("#lesson-list button").first.click()
    assert state(page)["lesson"] == ALL[0].stem


def test_an_address_of_no_step_leads_to_the_nearest_one(opened: Open) -> None:
    page = opened("#lesson=1-one-dma&step=99&answer=77")
    shown = state(page)
    assert (shown["step"], shown["choice"]) == (7, None)
    page = opened("#lesson=nonsense")
    assert page.evaluate("cellstats.lesson()") is None
