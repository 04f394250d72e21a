"""A page in place of the built one: what is put into pages is tested where none was built."""

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
    """Let this be the built page, which lies in a directory; None: there is none."""
    path = place / "page.html"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(built_page, "PAGE", path)
        yield


def scene_in(page: str) -> Any:
    """The scene of a page, as a browser finds it."""
    [inside] = _SCENE.findall(page)
    return json.loads(inside)
