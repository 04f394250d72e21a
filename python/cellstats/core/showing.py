"""How objects show themselves: printed, in a notebook, as a picture, as a page.

What makes text, HTML and pictures lies above the things that are shown, in `cellstats.show`, and is
found by the type of the thing when it is used. `_show` is the only import that leads upwards.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure


class Showing:
    """Base of what people look at: `print` shows what the command prints, a notebook a table."""

    __slots__ = ()

    def __str__(self) -> str:
        return text(self).rstrip("\n")

    def _repr_html_(self) -> str:
        """What a notebook shows where the object is the value of a cell."""
        html: str = _show().html(self)
        return html


class Page(Protocol):
    """A page that plays one run; a notebook shows it where it is the value of a cell."""

    @property
    def scene(self) -> Mapping[str, Any]:
        """What it shows: machine, request and part, or a recorded trace; docs/guide/watch.md."""

    @property
    def link(self) -> str:
        """The part of an address behind `#`. Raises UsageError where it has no room there."""

    def _repr_html_(self) -> str: ...

    def to_html(self) -> str:
        """The whole page, which needs nothing else. Raises UsageError where it was not built."""

    def save(self, path: "str | Path") -> None:
        """Write the page into a file. Raises UsageError where it cannot be."""

    def open(self, path: "str | Path | None" = None) -> "Path":
        """Save the page and show it in the browser; answers the path of the file."""


def text(of: object, **options: Any) -> str:
    """A thing as text for people."""
    shown: str = _show().text(of, **options)
    return shown


def picture(of: object, **options: Any) -> "Figure":
    """A thing as a picture. Raises UsageError where matplotlib is missing."""
    show = _show()
    show.check_pictures()
    figure: Figure = show.picture(of, **options)
    return figure


def page(of: object, *parts: Any, **options: Any) -> Page:
    """A page that plays a thing in a browser."""
    shown: Page = _show().page(of, *parts, **options)
    return shown


def _show() -> Any:
    return import_module("cellstats.show.by_type")
