"""On screens of all sizes, no part of the page is cut off or covered."""

import pytest
from playwright.sync_api import Browser, Page

from cellstats.show.page import PAGE
from parts import needs

pytestmark = needs("page", "chromium")

PHONES = [(390, 844), (667, 375), (844, 390)]
SCREENS = [*PHONES, (820, 1180), (860, 700), (900, 700), (1280, 800), (1280, 960)]
ONE_CHIP = "machine=eval-board&function=couples&spes=8&size=16384&at=1500"
TWO_CHIPS = "machine=qs20&function=cycle&spes=8&size=4k&at=1500"

# Sizes of the controls and the picture, their overlap, and thread names wider than their badges.
LAID_OUT = """() => {
  const rect = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [bar, picture] = [rect("#transport"), rect("#picture svg")];
  const out = (text) => {
    const [words, pill] = [text, text.parentElement.querySelector("rect")].map(
      (each) => each.getBoundingClientRect());
    return words.left < pill.left || words.right > pill.right;
  };
  const threads = [...document.querySelectorAll("#picture .thread text")];
  return {
    cut: threads.filter((each) => each.checkVisibility() && out(each))
      .map((each) => each.innerHTML),
    over: Math.max(0, Math.min(bar.bottom, picture.bottom) - Math.max(bar.top, picture.top)),
    bar: bar.height, high: picture.height,
  };
}"""


def opened(browser: Browser, hash_: str, screen: tuple[int, int]) -> Page:
    width, height = screen
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(f"{PAGE.as_uri()}#{hash_}")
    page.evaluate("cellstats.ready")
    return page


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: f"{screen[0]}x{screen[1]}")
@pytest.mark.parametrize("hash_", [ONE_CHIP, TWO_CHIPS], ids=["one-chip", "two-chips"])
def test_controls_leave_the_picture_alone(
    browser: Browser, hash_: str, screen: tuple[int, int]
) -> None:
    _, height = screen
    page = opened(browser, hash_, screen)
    first = page.evaluate(LAID_OUT)
    assert first["cut"] == []
    page.evaluate("document.querySelector('#picture svg').scrollIntoView({block: 'start'})")
    now = page.evaluate(LAID_OUT)
    if hash_ == TWO_CHIPS and screen in PHONES:
        # On a phone, the whole picture would be too small to read, so the page scrolls.
        assert now["bar"] < 0.13 * height
    else:
        assert now["over"] <= 1
        assert now["high"] + now["bar"] <= height
    if screen == (1280, 960):
        assert first["over"] <= 1
    page.close()


@pytest.mark.parametrize("height", [720, 800])
@pytest.mark.parametrize(
    "hash_",
    [
        ONE_CHIP,
        TWO_CHIPS,
        "machine=eval-board&function=dmaget&spes=1&size=128",
        "machine=eval-board&function=fetchadd&spes=4",
    ],
    ids=["couples", "two-chips", "one-dma", "counter"],
)
def test_on_a_laptop_the_page_opens_with_an_uncovered_picture(
    browser: Browser, hash_: str, height: int
) -> None:
    page = opened(browser, hash_, (1280, height))
    assert page.evaluate(LAID_OUT)["over"] <= 1
    page.evaluate("document.getElementById('what-if').open = true")
    page.wait_for_timeout(100)
    assert page.evaluate(LAID_OUT)["over"] <= 1
    page.evaluate("document.getElementById('what-if').open = false")
    page.keyboard.press("b")
    page.wait_for_timeout(100)
    assert page.evaluate(LAID_OUT)["over"] <= 1
    page.close()


def test_on_a_phone_labels_of_neighbouring_rings_do_not_touch(browser: Browser) -> None:
    page = opened(browser, ONE_CHIP, (390, 844))
    labels = page.evaluate(
        """() => [...document.querySelectorAll("#picture .band[data-line]")].map((band) => {
          const badge = band.querySelector(".label rect");
          const [, x, y] = /translate\\((\\S+) (\\S+)\\)/.exec(
            badge.parentElement.getAttribute("transform"));
          const edge = parseFloat(getComputedStyle(badge).strokeWidth);
          const { width, height } = badge.getBBox();
          return [Number(x), Number(y), width + edge, height + edge, band.dataset.ring];
        })"""
    )
    assert len(labels) > 3
    for nth, (x, y, width, height, ring) in enumerate(labels):
        for other_x, other_y, _, _, other in labels[nth + 1 :]:
            apart = abs(x - other_x) >= width or abs(y - other_y) >= height
            assert ring == other or apart
    page.close()


def test_on_a_phone_badges_leave_room_for_the_names_of_spes(browser: Browser) -> None:
    page = opened(browser, "machine=qs20&function=couples&spes=16&size=4k&at=1500", (390, 844))
    covered = page.evaluate(
        """() => [...document.querySelectorAll("#picture .spe")].filter((spe) => {
          const [name, badge] = [".name", ".thread rect"].map(
            (each) => spe.querySelector(each).getBoundingClientRect());
          return name.right > badge.left;
        }).map((spe) => spe.dataset.element)"""
    )
    assert page.locator("#picture .spe .thread").count() == 16
    assert covered == []
    page.close()
