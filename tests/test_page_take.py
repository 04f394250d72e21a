"""What people take along from the page: pictures, a film, links and frames."""

import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browser import Open
from cellstats.show.page import PAGE
from parts import needs

pytestmark = needs("page", "chromium")

HASH = "machine=eval-board&function=couples&spes=8&size=16384&at=1500"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def page(visited: Open) -> Page:
    page = visited(f"{PAGE.as_uri()}#{HASH}", permissions=["clipboard-read", "clipboard-write"])
    page.locator("#take > summary").click()
    return page


def saved(page: Page, button: str, to: Path) -> Path:
    with page.expect_download(timeout=60_000) as begun:
        page.locator(button).click()
    path = to / begun.value.suggested_filename
    begun.value.save_as(path)
    return path


def test_a_saved_drawing_shows_the_same_lines_and_needs_no_style_sheet(
    page: Page, browser: Browser, tmp_path: Path
) -> None:
    file = saved(page, "#save-svg", tmp_path)
    assert file.name == "couples-1500.svg"
    root = ET.parse(file).getroot()
    drawn = page.evaluate("cellstats.shown().lines.map(({line}) => String(line))")
    bands = [each for each in root.iter(f"{SVG}g") if each.get("class", "").startswith("band")]
    bands = [each for each in bands if each.get("data-line")]
    assert sorted(each.get("data-line", "") for each in bands) == sorted(drawn)
    text = file.read_text(encoding="utf-8")
    assert "bus cycle 1,500" in text
    assert "var(" not in text
    # The same colours as on the page, seen by a browser that opens only this file.
    alone = browser.new_page()
    alone.goto(file.as_uri())
    colour = "getComputedStyle(document.querySelector('.band[data-line] .beats')).stroke"
    assert alone.evaluate(colour) == page.evaluate(colour)
    alone.close()


def test_a_saved_image_is_a_png_of_twice_the_size_with_something_in_it(
    page: Page, tmp_path: Path
) -> None:
    data = saved(page, "#save-png", tmp_path).read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    box = page.evaluate("document.querySelector('#picture svg').viewBox.baseVal.width")
    assert abs(width - 2 * box) <= 2
    assert height > width / 4
    assert len(data) > 20_000


def test_a_film_lasts_as_long_as_what_it_shows(page: Page, tmp_path: Path) -> None:
    page.evaluate(
        """() => {
          const speed = document.getElementById("speed");
          speed.value = "4";
          speed.dispatchEvent(new Event("input"));
        }"""
    )
    file = saved(page, "#save-film", tmp_path)
    assert file.suffix in (".webm", ".mp4")
    assert abs(page.evaluate("cellstats.state().at") - 1600) <= 10
    film = page.evaluate(
        """(bytes) => new Promise((done) => {
          const video = document.createElement("video");
          video.src = URL.createObjectURL(new Blob([new Uint8Array(bytes)]));
          video.onseeked = () => done([video.videoWidth, video.currentTime]);
          video.onloadedmetadata = () => { video.currentTime = 1e6; };
          video.onerror = () => done([0, 0]);
        })""",
        list(file.read_bytes()),
    )
    # A hundred bus cycles at twenty a second.
    assert film[0] > 500
    assert 4 < film[1] < 9


def test_a_local_page_says_that_its_link_works_only_here(page: Page) -> None:
    page.locator("#link").click()
    page.wait_for_function("document.getElementById('link').textContent === 'Copied'")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(PAGE.as_uri() + "#")
    assert "at=1500" in link
    assert "works only here" in page.locator("#status").inner_text()


def test_a_page_that_knows_where_it_is_hosted_links_there(page: Page) -> None:
    page.evaluate(
        """() => {
          const link = document.createElement("link");
          link.rel = "canonical";
          link.href = "https://example.org/rings.html";
          document.head.append(link);
        }"""
    )
    page.locator("#link").click()
    page.wait_for_function("document.getElementById('link').textContent === 'Copied'")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith("https://example.org/rings.html#")


def test_the_frame_of_a_local_page_names_no_path_and_shows_this_bus_cycle(
    page: Page, browser: Browser, tmp_path: Path
) -> None:
    page.locator("#copy-frame").click()
    page.wait_for_function("document.getElementById('copy-frame').textContent === 'Copied'")
    snippet = page.evaluate("navigator.clipboard.readText()")
    assert snippet.startswith(f'<iframe src="{PAGE.name}#')
    (tmp_path / PAGE.name).write_bytes(PAGE.read_bytes())
    (tmp_path / "around.html").write_text(f"<!DOCTYPE html><body>{snippet}", encoding="utf-8")
    around = browser.new_page()
    around.goto((tmp_path / "around.html").as_uri())
    frame = around.frames[1]
    frame.wait_for_function("window.cellstats")
    frame.evaluate("cellstats.ready")
    assert frame.evaluate("cellstats.state().at") == 1500
    around.close()
