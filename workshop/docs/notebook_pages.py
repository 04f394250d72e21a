"""Notebooks as pages of the site: each cell is run and shown with its output.

Notebooks are converted to Markdown before other extensions read them, so that links, headings and
references work as on every other page. `workshop/notebooks.py` runs the cells, as in the tests.
"""

import html
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

import notebooks
from cellstats.show.page import PAGE, Page
from generated_pages import DOCS, RINGS

_BEFORE_OTHERS = 100


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_source_suffix(".ipynb", "markdown")
    app.connect("source-read", _read, priority=_BEFORE_OTHERS)
    return {"parallel_read_safe": True}


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    path = Path(app.env.doc2path(page))
    if path.suffix != ".ipynb":
        return
    app.env.note_reread()  # the output depends on more than the text
    try:
        source[0] = "\n\n".join(_markdown(path, source[0])) + "\n"
    except Exception as error:
        # An error of any kind in a cell makes the page wrong.
        raise ExtensionError(f"{path}: {error}", error) from error


def _markdown(path: Path, text: str) -> Iterator[str]:
    for cell, shown in notebooks.run(notebooks.read(text)):
        if cell.kind == "markdown":
            yield cell.source
        else:
            yield _fenced("python", cell.source)
            yield from (_output(path, one) for one in shown)


def _output(path: Path, one: notebooks.Output) -> str:
    if isinstance(one.value, Page):
        return _raw(_frame(path, one.value))
    if one.html is not None:
        return _raw(one.html)
    return _fenced("text", (one.text or "").rstrip("\n"))


def _frame(path: Path, page: Page) -> str:
    """A frame with the page of a run: the site's own page, with a link to that run."""
    if not PAGE.is_file():
        return "<p><em>The page in which runs are watched is not in this copy.</em></p>"
    address = html.escape(f"{os.path.relpath(DOCS / RINGS, path.parent)}#{page.link}")
    title = html.escape(str(page.scene["title"]))
    return f'<iframe class="rings" src="{address}" title="{title}" loading="lazy"></iframe>'


def _raw(inside: str) -> str:
    # Pictures contain no line breaks, and blank lines are harmless within the fence.
    return f'````{{raw}} html\n<div class="shown" tabindex="0">{inside}</div>\n````'


def _fenced(language: str, text: str) -> str:
    longest = max((len(line) for line in text.split() if set(line) == {"`"}), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
