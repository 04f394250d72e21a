"""How objects show themselves: as text where they are printed, as HTML in a notebook.

What makes text, HTML and pictures is found by its name when it is used. So results do not import
what draws them, and nothing of it costs time before it is looked at.
"""

from typing import Any, ClassVar

from cellstats.export.formats import Kind, formats_of, function_at


class Showing:
    """Base of what people look at: `print` shows what the command prints, a notebook a table."""

    __slots__ = ()
    _kind: ClassVar[Kind]
    """Kind of thing in the table of output formats; the first format is what `print` shows."""
    _html: ClassVar[str]
    """Module and name of the function that turns the object into HTML."""

    def __str__(self) -> str:
        text: str = formats_of(self._kind)[0].write(self)
        return text.rstrip("\n")

    def _repr_html_(self) -> str:
        """What a notebook shows where the object is the value of a cell."""
        html: str = function_at(self._html)(self)
        return html


def drawn(place: str, *thing: Any, **options: Any) -> Any:
    """The figure that the function at `place` draws.

    Raises UsageError, which says how to install it, where matplotlib is missing.
    """
    function_at("draw.figure_files:figure_class")()
    return function_at(place)(*thing, **options)
