"""A stand-in for the built page, so that scenes can be tested without building the page."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cellstats.show import page as built_page

TEXT = """<!DOCTYPE html>
<title>The rings at work</title>
<script type="application/json" id="scene">null</script>
"""
_SCENE = re.compile(r'<script type="application/json" id="scene">(.*?)</script>', re.DOTALL)


@contextmanager
def stand_in(place: Path, text: str | None = TEXT) -> Iterator[None]:
    """Replace the built page by a file in `place` with this text, or by no page if it is None."""
    path = place / "page.html"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(built_page, "PAGE", path)
        yield


def scene_in(page: str) -> Any:
    """The scene in a page, as a browser reads it."""
    [inside] = _SCENE.findall(page)
    return json.loads(inside)
