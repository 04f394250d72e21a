"""In the presenter's mode, is all text legible in a lecture hall, and is one key enough?"""

import pytest
from playwright.sync_api import Browser, Page

import play
from cellstats.show.page import PAGE
from parts import needs

pytestmark = needs("page", "chromium")

LEGIBLE_PX = 18
STEPS = [
    "1-one-dma&step=1",
    "1-one-dma&step=4",
    "3-hot-spot&step=3",
    "5-messages&step=3",
    "6-two-chips&step=3",
]

# All text on the screen that is smaller than the limit, with its size on the screen.
SMALL = """(least) => {
  const found = [];
  const room = document.querySelector("#picture").getBoundingClientRect();
  for (const text of document.querySelectorAll("#picture text")) {
    const box = text.getBoundingClientRect();
    const seen = box.right > room.left && box.left < room.right;
    if (!seen || box.bottom < room.top || box.top > room.bottom) continue;
    if (!text.checkVisibility() || !text.textContent.trim()) continue;
    const { a, b } = text.getScreenCTM();
    const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
    if (size < least) found.push([text.textContent, size]);
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data, parentElement: parent } = walk.currentNode;
    if (!data.trim() || parent.closest("script, noscript, svg, .unseen")) continue;
    if (!parent.checkVisibility()) continue;
    const size = parseFloat(getComputedStyle(parent).fontSize);
    if (size < least) found.push([data.trim(), size]);
  }
  return found;
}"""


def presented(browser: Browser, hash_: str, height: int = 720) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": height}, reduced_motion="reduce")
    page.goto(f"{PAGE.as_uri()}#{hash_}")
    page.evaluate("cellstats.ready")
    page.keyboard.press("p")
    return page


@pytest.mark.parametrize("height", [720, 800])
def test_all_text_is_legible_in_a_lecture_hall(browser: Browser, height: int) -> None:
    for step in STEPS:
        page = presented(browser, f"lesson={step}", height)
        play.settled(page)
        for _ in range(2):
            page.wait_for_timeout(100)
            assert page.evaluate(SMALL, LEGIBLE_PX - 0.05) == [], step
            assert page.evaluate("document.documentElement.scrollWidth") == 1280
            page.keyboard.press("PageDown")
        page.close()


def test_one_key_shows_each_answer_and_each_step(browser: Browser) -> None:
    page = presented(browser, "lesson=1-one-dma&step=2")
    seen = []
    for key in ["PageDown", "PageDown", "ArrowRight", "PageUp", "PageUp", "ArrowLeft"]:
        page.keyboard.press(key)
        shown = play.settled(page)
        seen.append((shown["step"] + 1, shown["choice"] is not None))
    assert seen == [(3, False), (3, True), (4, False), (3, False), (2, False), (1, False)]
    page.goto(f"{PAGE.as_uri()}#lesson=1-one-dma&step=3&answer=0")
    page.evaluate("cellstats.ready")
    play.settled(page)
    because = page.locator(".because").inner_text()
    assert because.startswith("The SPU waits for"), "who only looks is not judged"
    assert page.locator(".choice.right").count() == 1
    assert page.locator(".choice.wrong").count() == 0
    page.close()


def test_the_mode_ends_before_the_lesson_does(browser: Browser) -> None:
    page = presented(browser, "lesson=1-one-dma&step=2")
    assert page.locator("header").is_hidden()
    page.evaluate("document.fullscreenElement && document.exitFullscreen()")
    page.wait_for_function("!document.body.classList.contains('presenting')")
    assert page.evaluate("cellstats.lesson().step") == 1
    assert page.locator("header").is_visible()
    page.keyboard.press("p")
    assert page.locator("#present[aria-pressed=true]").count() == 1
    page.keyboard.press("p")
    assert page.locator("header").is_visible()
    page.close()


def test_without_a_lesson_the_picture_fills_the_screen(browser: Browser) -> None:
    page = presented(browser, "machine=eval-board&function=couples&spes=8&size=16384&at=1500")
    page.wait_for_timeout(100)
    box = page.locator("#picture svg").bounding_box()
    assert box
    assert box["width"] > 1200
    assert box["height"] > 550
    assert page.evaluate(SMALL, LEGIBLE_PX - 0.05) == []
    page.close()
