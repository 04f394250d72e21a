"""Play the lessons of the page in Chromium, and report what would trouble readers.

    python workshop/play.py [--pictures DIR] [--width 390] [--theme dark] [LESSON ...]

Each lesson is played to its end on a phone, a tablet, a laptop and a large screen, in light and in
dark colours: by touch on phone and tablet, with keys on the others. The output has one line for
each finding, and the exit status is 1 if there is any:

- messages on the console;
- a text of the step that is out of view, covered, or below 11 px; a page wider than the screen;
- a highlighted part of the picture that is missing, out of view or covered;
- a claim, the right choice of a question, or the answer to something that the reader moves, that
  differs from the native simulator's;
- a stretch that does not play to its end.

With --pictures, each step is saved as DIR/WIDTH-THEME/LESSON-STEP.jpg, and also its answer.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from browser import driven  # noqa: E402
from cellstats.lessons import LESSONS, Lesson, check, read_lesson  # noqa: E402
from cellstats.show.page import PAGE  # noqa: E402

TEXT_MIN_PX = 11
SCREENS = {390: 844, 820: 1180, 1280: 800, 2560: 1440}
"""Heights of the screens, by width, in CSS pixels."""
TOUCH_MAX = 820
"""Screens up to this width are touched."""
PLAYED_MS = 2_500
"""How much of a stretch is played before the picture is looked at."""
STRETCH_MAX_MS = 20_000
FRAME_MS = 50
DIMMED_MS = 500
"""Time after which a style sheet has dimmed what a step does not speak of."""


class Reader(NamedTuple):
    """The screen of a reader."""

    width: int
    theme: str

    def __str__(self) -> str:
        return f"{self.width}-{self.theme}"


READERS = [Reader(width, theme) for theme in ("light", "dark") for width in SCREENS]

# The parts of the picture that groups and parts mean, by a second reading of docs/guide/lessons.md.
_GROUPS = {
    "SPEs": ".spe",
    "elements": ".element",
    "threads": ".thread",
    "rings": "[data-ring]",
    "concentrator": ".concentrator",
    "link": ".link",
}
_SLIDE = """(slider, nth) => {
  slider.valueAsNumber = nth;
  slider.dispatchEvent(new Event("input"));
}"""
_PLACE = """(placement) => {
  const { request, ...scene } = cellstats.state();
  return cellstats.run({ ...scene, request: { ...request, placement } });
}"""
# What is wrong with the step that is shown.
_LOOK = """(least) => {
  const found = [];
  const panel = document.getElementById("lesson");
  const words = (node) => node.textContent.trim().replace(/\\s+/g, " ").slice(0, 40);
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`the page is ${wide} pixels wide`);
  // Who has chosen reads the answer.
  const chosen = panel.querySelector(".because:not([hidden])");
  const read = chosen ? ".because, .way button" : "h2, p, .choice, #try-slider, .way button";
  for (const each of [...panel.querySelectorAll(read)].filter((each) => each.checkVisibility())) {
    const { left, top, bottom } = each.getBoundingClientRect();
    const seen = [top + 4, bottom - 4].map((y) => document.elementFromPoint(left + 4, y));
    const whole = seen.every((other) => each.contains(other));
    if (!whole) found.push(`"${words(each)}" is covered or out of view`);
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data, parentElement: parent } = walk.currentNode;
    const size = parseFloat(getComputedStyle(parent).fontSize);
    const ignored = data.trim() === "" || parent.closest("script, svg, .unseen");
    if (!ignored && parent.checkVisibility() && size < least)
      found.push(`"${words(parent)}" has ${size.toFixed(1)} px`);
  }
  const room = document.getElementById("picture").getBoundingClientRect();
  for (const each of document.querySelectorAll("#picture [data-lit]:not([data-ring])")) {
    const { left, right, top, bottom, width, height } = each.getBoundingClientRect();
    if (width + height === 0) continue;
    const name = each.dataset.element ?? each.getAttribute("class");
    const inside = left >= room.left - 2 && right <= room.right + 2
      && top >= room.top - 2 && bottom <= room.bottom + 2;
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!inside || !seen?.closest("#picture")) found.push(`${name} is covered or out of view`);
  }
  return found;
}"""


def main(arguments: list[str]) -> int:
    """Play the wanted lessons for the wanted readers, and print the findings."""
    names = [path.stem for path in sorted(LESSONS.glob("*.toml"))]
    parser = argparse.ArgumentParser(prog="workshop/play.py")
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="all lessons by default")
    parser.add_argument("--width", type=int, choices=SCREENS)
    parser.add_argument("--theme", choices=("light", "dark"))
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="save the steps here")
    wanted = parser.parse_args(arguments)
    if unknown := [key for key in wanted.lessons if key not in names]:
        parser.error(f"{unknown[0]!r} is no lesson; the lessons are {', '.join(names)}")
    readers = [
        reader
        for reader in READERS
        if wanted.width in (None, reader.width) and wanted.theme in (None, reader.theme)
    ]
    lessons = {key: read_lesson(LESSONS / f"{key}.toml") for key in wanted.lessons or names}
    known = {key: expected(lesson) for key, lesson in lessons.items()}
    count = 0
    with driven() as browser:
        for reader in readers:
            with opened(browser, reader) as page:
                for key, lesson in lessons.items():
                    for finding in play(page, lesson, known[key], reader, wanted.pictures):
                        count += 1
                        print(f"{reader} {key} {finding}", file=sys.stderr, flush=True)
    print(f"{len(lessons)} lessons, {len(readers)} readers, {count} findings")
    return 1 if count else 0


Known = dict[int, dict[str, Any]]


def expected(lesson: Lesson) -> Known:
    """For each step, the values that Python finds, tried ones too, and the text of the choice."""
    steps: Known = {
        number: {"claims": {}, "right": None, "tried": {}}
        for number in range(len(lesson.data["steps"]))
    }
    for row in check(lesson):
        number = int(row.where.split(":")[0].removeprefix("step ")) - 1
        question = lesson.data["steps"][number].get("question")
        _, _, text = row.where.partition(": try ")
        if text:
            steps[number]["tried"].setdefault(text, {})[row.name] = row.value
            continue
        if question and row.name == question["answer"] and isinstance(row.expected, str):
            steps[number]["right"] = row.expected
        else:
            steps[number]["claims"][row.name] = row.value
    return steps


@contextmanager
def opened(browser: Browser, reader: Reader) -> Iterator[Page]:
    """The page in front of a reader, with a clock that tests can move forward."""
    context = browser.new_context(
        viewport={"width": reader.width, "height": SCREENS[reader.width]},
        color_scheme="dark" if reader.theme == "dark" else "light",
        has_touch=reader.width <= TOUCH_MAX,
    )
    page = context.new_page()
    page.clock.install()
    yield page
    context.close()


def play(
    page: Page, lesson: Lesson, known: Known, reader: Reader, pictures: Path | None = None
) -> Iterator[str]:
    """Play a lesson to its end. Yields the findings, each after the number of its step."""
    said: list[str] = []
    page.on("console", lambda message: said.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"console: {error}"))
    page.goto(f"{PAGE.as_uri()}#lesson={lesson.key}")
    page.evaluate("cellstats.ready")
    for number, step in enumerate(lesson.data["steps"]):
        page.wait_for_function(
            "(where) => `${cellstats.lesson()?.lesson} ${cellstats.lesson()?.step}` === where",
            arg=f"{lesson.key} {number}",
        )
        shot = pictures and pictures / str(reader) / f"{lesson.key}-{number + 1}"
        found = [*_shown(page, step, known[number]["claims"], shot)]
        if "question" in step:
            found += _answered(page, step["question"], known[number]["right"], reader, shot)
        if "try" in step:
            found += _tried(page, step, known[number]["tried"], shot)
        yield from (f"step {number + 1}: {finding}" for finding in [*found, *said])
        said.clear()
        if number < len(lesson.data["steps"]) - 1:
            _press(page, reader, ".lesson-next", "ArrowRight")


def _press(page: Page, reader: Reader, what: str, key: str) -> None:
    if reader.width <= TOUCH_MAX:
        page.locator(what).first.tap()
    else:
        page.keyboard.press(key)


def settled(page: Page) -> dict[str, Any]:
    """The lesson on the page, when the run is shown and all its numbers are there."""
    known = "cellstats.lesson().claims.every(({ value }) => value !== null)"
    page.wait_for_function(
        f"cellstats.lesson().settled && {known}"
        " && !document.getElementById('lesson').textContent.includes('…')"
    )
    shown: dict[str, Any] = page.evaluate("cellstats.lesson()")
    return shown


def _shown(
    page: Page, view: dict[str, Any], claims: dict[str, Any], shot: Path | None
) -> Iterator[str]:
    """The findings of a step before its question is answered."""
    for row in settled(page)["claims"]:
        name, value = row["name"], row["value"]
        other = claims[name]
        same = value == other or (
            isinstance(value, float) and math.isclose(value, other, rel_tol=1e-9)
        )
        if not (same and row["holds"]):
            yield f"{name} is {value} here, and {other} natively"
    yield from _looked(page, view, shot)


def _answered(
    page: Page, question: dict[str, Any], right: str, reader: Reader, shot: Path | None
) -> Iterator[str]:
    """Choose the first answer. The findings of what is shown then."""
    texts = [choice["text"] for choice in question["choices"]]
    _press(page, reader, ".choice", "1")
    page.wait_for_function("cellstats.lesson().right !== null")
    found = settled(page)["right"]
    if texts[found] != right:
        yield f"{texts[found]!r} is right here, and {right!r} natively"
    said = page.locator(".because").inner_text()
    if not said.startswith("Yes." if texts[0] == right else "Not quite."):
        yield f"the answer begins with {said[:10]!r}"
    yield from _looked(
        page, question.get("then", {}), shot and shot.with_name(f"{shot.name}-answer")
    )


def _tried(
    page: Page, step: dict[str, Any], known: dict[str, dict[str, float]], shot: Path | None
) -> Iterator[str]:
    """Move what the reader moves through all its values. The findings of what is shown then."""
    given = step["try"]
    slider = page.locator("#try-slider")
    if page.locator(".because").is_visible():
        yield "the answer is there before the reader has moved anything"
    for nth, (text, values) in enumerate(known.items()):
        if "values" in given:
            slider.evaluate(_SLIDE, nth)
        else:
            page.evaluate(_PLACE, [int(spe) for spe in text.split(".")])
        page.wait_for_function("(text) => cellstats.lesson().tried[text]", arg=text)
        shown = page.evaluate("(text) => cellstats.lesson().tried[text]", text)
        for name, value in zip(given["shows"], shown, strict=True):
            same = value == values[name] or (
                isinstance(value, float) and math.isclose(value, values[name], rel_tol=1e-9)
            )
            if not same:
                yield f"{name} is {value} with {text} here, and {values[name]} natively"
    if page.locator(".tell").is_visible():
        page.locator(".tell").click()
    yield from _looked(page, step, shot and shot.with_name(f"{shot.name}-answer"))


def _looked(page: Page, view: dict[str, Any], shot: Path | None) -> Iterator[str]:
    """Play the stretch of a view. The findings of the picture in its middle and at its end."""
    # The first frame of a stretch only begins it.
    page.clock.fast_forward(FRAME_MS)
    page.clock.fast_forward(PLAYED_MS if "until" in view else 1_000)
    page.wait_for_timeout(FRAME_MS)
    if shot:
        page.wait_for_timeout(DIMMED_MS)
        page.screenshot(path=shot.with_suffix(".jpg"), type="jpeg", quality=70)
    yield from page.evaluate(_LOOK, TEXT_MIN_PX)
    for subject in view.get("highlight", []):
        # A line is drawn only while it is on a ring.
        if not subject.startswith("line ") and not page.locator(_lit(subject)).count():
            yield f"{subject} is not lit"
    if "until" in view:
        page.clock.fast_forward(STRETCH_MAX_MS)
        page.wait_for_timeout(FRAME_MS)
        if page.locator(".playing").count():
            yield "the stretch does not end"


def _lit(subject: str) -> str:
    """The selector of the parts of a subject that are lit and drawn."""
    head, _, rest = subject.partition(" ")
    one = f'[data-ring="{rest}"]' if head == "ring" else f'[data-element="{head}"]'
    return f"#picture {_GROUPS.get(subject, one)}:is([data-lit], :has([data-lit])):visible"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
