"""Chromium for tests: layout checks of pages, and a browser controlled by tests."""

import html
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

import parts

Open = Callable[..., Page]
"""Type of functions that open pages."""

# Script for a page that contains the tested page in a frame. The frame can be as narrow as a phone.
_LOOK = """
const page = frame.contentDocument, width = frame.contentWindow.innerWidth, found = [];
for (const details of page.querySelectorAll("details")) details.open = true;
for (const each of page.querySelectorAll("body *")) {
  if (each.closest("svg") && each.tagName !== "svg") continue;
  const box = each.getBoundingClientRect();
  if (box.width > 0 && (box.right > width + 1 || box.left < -1))
    found.push(`${each.tagName} ${each.id} ${each.textContent.trim().slice(0, 40)} is cut off`);
}
for (const svg of page.querySelectorAll("svg")) {
  const room = svg.viewBox.baseVal;
  for (const each of svg.querySelectorAll("text, path, use")) {
    if (each.closest("defs, clipPath") || each.closest("[clip-path]")) continue;
    const box = each.getBoundingClientRect(), all = svg.getBoundingClientRect();
    if (box.width > 0 && (box.right > all.right + 1 || box.left < all.left - 1
        || box.bottom > all.bottom + 1 || box.top < all.top - 1))
      { found.push(`${svg.parentElement.ariaLabel} is cut off`); break; }
  }
  // Text on text. Slanted labels are left out, because their boxes are far larger than the text.
  const level = (text) => !/rotate\\((?!-?(0|90) )/.test(text.getAttribute("transform") ?? "");
  const boxes = [...svg.querySelectorAll("text")].filter(level).map((text) =>
    [text.textContent, text.getBoundingClientRect()]);
  boxes.forEach(([one, a], nth) => boxes.slice(nth + 1).forEach(([other, b]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 3) found.push(`${svg.parentElement.ariaLabel}: ${one} is on ${other}`);
  }));
  if (room.width < 1) found.push(`${svg.parentElement.ariaLabel} is empty`);
}
for (const link of page.querySelectorAll('a[href^="#"]'))
  if (!page.getElementById(link.getAttribute("href").slice(1)))
    found.push(`${link.getAttribute("href")} leads nowhere`);
const about = { width, panels: page.querySelectorAll("svg").length,
  scrolls: page.documentElement.scrollWidth > width + 1, found };
document.body.innerHTML = "<pre id=about></pre>";
document.getElementById("about").textContent = JSON.stringify(about);
"""


def chromium() -> str:
    """The path of the installed Chromium. If there is none, the process ends with a line."""
    found = parts.programs("chromium")
    if found is None:
        part = parts.PARTS["chromium"]
        raise SystemExit(f"needs {part.what}: {part.install}")
    return found[0]


def look(page: Path, width: int, work: Path) -> dict[str, Any]:
    """Lay out a page at this width. In the result, `found` describes the layout faults.

    width: CSS pixels. work: a directory for the browser's files.
    """
    inner = html.escape(page.read_text(encoding="utf-8"))
    # The height is fixed, and scroll bars take no room from the page.
    frame = f'<iframe id="frame" width="{width}" height="900" srcdoc="{inner}"></iframe>'
    style = "<style>::-webkit-scrollbar { display: none }</style>"
    around = work / "around.html"
    script = f"<script>frame.onload = () => {{ {_LOOK} }}</script>"
    around.write_text(f"<!DOCTYPE html>{style}<body>{frame}{script}", encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--hide-scrollbars"]
    done = subprocess.run(
        [chromium(), *flags, f"--user-data-dir={work / 'profile'}", around.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    found = re.search(r'<pre id="about">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, f"the page did not load: {done.stderr[-500:]}"
    about: dict[str, Any] = json.loads(html.unescape(found[1]))
    return about


@contextmanager
def driven() -> Iterator[Browser]:
    """Control the installed Chromium, for tests that click or drag."""
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium()) as browser,
    ):
        yield browser
