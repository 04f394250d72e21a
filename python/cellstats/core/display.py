"""Shows objects as text, in a notebook, as a picture, or as a page.

Each class names its kind. The table of views, by kind, is in a higher layer, `cellstats.show`;
`cellstats` hands the table to `Showing`.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure


Kind: TypeAlias = Literal[
    "result",
    "host result",
    "results",
    "sweep",
    "placements",
    "matrix",
    "breakdown",
    "trouble",
    "machines",
    "machine",
    "difference",
    "computer",
    "overview",
    "pattern",
    "placement",
    "SPE binding",
    "CPU binding",
    "trace",
    "static timing",
    "Linux program",
    "run",
    "claims",
    "paper",
    "claim",
    "figure",
]
"""The kinds of objects that are shown or written."""


class View(Protocol):
    """How objects of one kind are shown. Each method finds a function that takes the object."""

    def text(self) -> Callable[..., str]:
        """Text for human readers, as printed by the `cellstats` command."""

    def html(self) -> Callable[..., str]:
        """HTML of bounded size for a notebook, without style sheets or scripts."""

    def picture(self) -> "Callable[..., Figure]":
        """A picture. Raises UsageError if matplotlib is missing."""

    def page(self) -> "Callable[..., Page]":
        """A page that plays the object's run in a browser."""


class Showing:
    """Base class for display: `print` shows the command's text, and a notebook shows a table."""

    __slots__ = ()
    _kind: ClassVar[Kind]
    _views: ClassVar[Callable[[], Mapping[Kind, View]]]
    """Finds the table of views, which is imported when the first object is shown."""

    @classmethod
    def _view(cls) -> View:
        """How objects of this class are shown."""
        return cls._views()[cls._kind]

    def __str__(self) -> str:
        return text(self).rstrip("\n")

    def _repr_html_(self) -> str:
        """HTML for a notebook cell whose value is this object."""
        return self._view().html()(self)


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


def text(of: Showing, **options: Any) -> str:
    """An object as text for people to read."""
    return of._view().text()(of, **options)


def picture(of: Showing, **options: Any) -> "Figure":
    """An object as a picture. Raises UsageError if matplotlib is missing."""
    return of._view().picture()(of, **options)


def page(of: Showing, *parts: Any, **options: Any) -> Page:
    """A page that plays an object in a browser."""
    return of._view().page()(of, *parts, **options)
