"""The moving picture of README and the start page is as the page draws, and legible on a phone."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from command_line import ROOT
from parts import needs

pytestmark = needs("page", "chromium")

PICTURE = ROOT / "docs" / "_static" / "rings.svg"
TEXT_PX_MIN = 8
SIZES = """() => [...document.querySelectorAll("text")]
  .filter((text) => text.checkVisibility({ visibilityProperty: true }))
  .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""


def test_it_is_what_the_page_draws(tmp_path: Path) -> None:
    made = tmp_path / "rings.svg"
    script = ROOT / "workshop" / "site" / "picture.py"
    subprocess.run([sys.executable, script, made], check=True, capture_output=True, timeout=300)
    same = made.read_bytes() == PICTURE.read_bytes()
    assert same, "the drawing has changed; write the picture anew: python workshop/site/picture.py"


@pytest.mark.parametrize(("width", "least"), [(340, 12), (800, 14), (2000, 30)])
def test_its_text_is_legible(browser: Browser, width: int, least: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 500})
    page.goto(PICTURE.as_uri())
    sizes = page.evaluate(SIZES)
    page.close()
    assert len(sizes) >= least
    assert min(sizes) >= TEXT_PX_MIN
