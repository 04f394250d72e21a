"""The page as it was built, `page.html` beside this file, and what is put into it and around it."""

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cellstats._native import UsageError
from cellstats.text.reasons import reason

PAGE = Path(__file__).with_name("page.html")
"""`make web` writes it; a wheel brings it along."""
FRAME_HEIGHT_PX = 860
_WHAT = "the page in which runs are watched"
_SCENE = '<script type="application/json" id="scene">{}</script>'


def built_page() -> str:
    """The page without a scene. Raises UsageError where it was not built."""
    wanted = "build it with make web in a checkout, or install a wheel of a release"
    try:
        text = PAGE.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"{_WHAT} is not there; {wanted}") from None
    except (OSError, UnicodeDecodeError) as error:
        why = reason(error) if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"{_WHAT} cannot be read: {why}; {wanted}") from None
    if text.count(_SCENE.format("null")) != 1:
        raise UsageError(f"{_WHAT} has no place for a run; {wanted}")
    return text


def page_with(scene: Mapping[str, Any]) -> str:
    """The page that opens with a scene. Raises UsageError where it was not built."""
    # A text in the scene may well contain </script>, which would end the element.
    inside = json.dumps(scene, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return built_page().replace(_SCENE.format("null"), _SCENE.format(inside))


def frame(page: str) -> str:
    """An `<iframe>` with a whole page in it, for notebooks and other pages.

    Its scripts run, and reach nothing of the page around it.
    """
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" title="The rings at work" '
        f'style="width: 100%; height: {FRAME_HEIGHT_PX}px; border: 0"></iframe>'
    )
