"""The page that `make web` builds is a single file, which opens anywhere and loads nothing."""

import base64
import gzip
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import cellstats
import links
from browser import driven
from parts import needs

PAGE = Path(cellstats.__file__).parent / "show" / "page.html"
SCENE = '<script type="application/json" id="scene">null</script>'
LIMIT_BYTES = 1_200_000
IMPORTS = 2
"""Number of the import section in a WebAssembly module."""

pytestmark = needs("page")


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_there_is_one_place_for_a_scene(page: str) -> None:
    assert page.count(SCENE) == 1


def test_it_is_small_enough_for_mail_and_repositories(page: str) -> None:
    assert len(page.encode()) <= LIMIT_BYTES


def test_it_names_no_other_file(page: str, tmp_path: Path) -> None:
    shutil.copy(PAGE, tmp_path)
    assert list(links.of_site(tmp_path)) == []
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert styles
    assert not re.search(r"@import|url\((?![\"']?(data:|#))", "".join(styles))


def test_the_simulator_in_it_needs_nothing(page: str) -> None:
    packed = re.search(r'<script type="application/gzip" id="simulator">([^<]+)</script>', page)
    assert packed
    assert IMPORTS not in list(_sections(gzip.decompress(base64.b64decode(packed[1]))))


def _sections(module: bytes) -> Iterator[int]:
    """Section numbers of a WebAssembly module. A section is a number, a size and bytes."""
    assert module.startswith(b"\0asm\1\0\0\0")
    at = 8
    while at < len(module):
        yield module[at]
        size = shift = 0
        while True:
            at += 1
            size |= (module[at] & 0x7F) << shift
            shift += 7
            if module[at] < 0x80:
                break
        at += 1 + size


@needs("chromium")
def test_it_asks_nobody_for_anything() -> None:
    asked: list[str] = []
    wrong: list[str] = []
    with driven() as browser:
        shown = browser.new_page()
        shown.on("request", lambda request: asked.append(request.url))
        shown.on("pageerror", lambda error: wrong.append(str(error)))
        with shown.expect_worker():
            shown.goto(PAGE.as_uri())
    assert wrong == []
    assert [each for each in asked if not each.startswith("blob:")] == [PAGE.as_uri()]
