"""Shows objects as text, in a notebook, as a picture, or as a page.

`cellstats.show`, a higher layer, makes text, HTML and pictures, and chooses by the type of the
object. `_show` imports that layer at run time; no other function imports a higher layer.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure


class Showing:
    """Base class for display: `print` shows the command's text, and a notebook shows a table."""

    __slots__ = ()

    def __str__(self) -> str:
        return text(self).rstrip("\n")

    def _repr_html_(self) -> str:
        """HTML for a notebook cell whose value is this object."""
        html: str = _show().html(self)
        return html


class Page(Protocol):
    """A page that plays one run; a notebook shows the page if it is the value of a cell."""

    @property
    def scene(self) -> Mapping[str, Any]:
        """The page's content: machine, request and part, or a trace. See docs/guide/watch.md."""

    @property
    def link(self) -> str:
        """The part of the page's address after `#`. Raises UsageError if the scene is too long."""

    def _repr_html_(self) -> str: ...

    def to_html(self) -> str:
        """The whole, self-contained page. Raises UsageError if the page was not built."""

    def save(self, path: "str | Path") -> None:
        """Write the page into a file. Raises UsageError if the file cannot be written."""

    def open(self, path: "str | Path | None" = None) -> "Path":
        """Save the page and show it in the browser. Returns the path of the file."""


def text(of: object, **options: Any) -> str:
    """An object as text for people to read."""
    shown: str = _show().text(of, **options)
    return shown


def picture(of: object, **options: Any) -> "Figure":
    """An object as a picture. Raises UsageError if matplotlib is missing."""
    show = _show()
    show.check_pictures()
    figure: Figure = show.picture(of, **options)
    return figure


def page(of: object, *parts: Any, **options: Any) -> Page:
    """A page that plays an object in a browser."""
    shown: Page = _show().page(of, *parts, **options)
    return shown


def _show() -> Any:
    return import_module("cellstats.show.by_type")
