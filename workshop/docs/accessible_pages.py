"""What furo's pages lack for people who use a keyboard or a screen reader, and for search engines.

The captions of the contents get a heading level, text that scrolls sideways can be reached with the
keyboard, and each page gets a description.
"""

from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

DESCRIPTION_MAX = 160
"""Number of characters that search engines show."""
AFTER_FURO = 900
"""Priority of a handler that runs after the theme's."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("html-page-context", _complete, priority=AFTER_FURO)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _complete(
    _app: Sphinx, page: str, _template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    described = escape(_description(page, tree))
    known = context.get("metatags", "")
    context["metatags"] = f'{known}<meta name="description" content="{described}">'
    for part in ("furo_navigation_tree", "body"):
        if part in context:
            context[part] = _reachable(context[part])


def _reachable(html: str) -> str:
    for found, better in (
        ('role="heading"', 'role="heading" aria-level="2"'),
        ("<pre", '<pre tabindex="0"'),
        ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
        # A long signature has a description without a term for each parameter.
        ("<dl>\n<dd>", "<dl>\n<dt></dt><dd>"),
    ):
        html = html.replace(found, better)
    return html


def _description(page: str, tree: nodes.document | None) -> str:
    """The first paragraph of a page, or its name if it is not made of text."""
    first = tree and next(tree.findall(nodes.paragraph), None)
    text = " ".join(first.astext().split()) if first else f"CellStats: {page}"
    return text if len(text) <= DESCRIPTION_MAX else text[: DESCRIPTION_MAX - 1].rstrip() + "…"
