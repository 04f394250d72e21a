"""The results of a sweep: a list that shows itself as a table and as a picture."""

from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from cellstats.export.formats import Kind
from cellstats.notebook.showing import Showing, drawn
from cellstats.result import AnyResult, to_frame

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Each = TypeVar("Each", bound=AnyResult)


class Sweep(list[Each], Showing):
    """The results of many measurements; `cellstats.sweep` makes it.

    A list in every respect; of any other list of results, `Sweep(results)` makes one.

    >>> import cellstats as cs
    >>> print(cs.sweep("mailbox", spes=[2, 4], spe_to_spe=True))
    function  spes  latency_ns  latency_ns_min  latency_ns_max
    mailbox      2       158.1           158.1           158.1
    mailbox      4       159.4           158.1           160.6
    """

    _kind: ClassVar[Kind] = "sweep"
    _html: ClassVar[str] = "notebook.result_html:sweep"

    def __repr__(self) -> str:
        # Not the results: they would fill the terminal.
        names = (sorted({getattr(each, name) for each in self}) for name in ("function", "machine"))
        what = " on ".join(", ".join(each) for each in names)
        return f"<Sweep {what}: {len(self)} results>" if self else "<Sweep: no results>"

    def plot(self, y: Literal["latency", "bandwidth"] | str | None = None) -> "Figure":
        """Lines against size, or against the first number that varies.

        y: `latency` or `bandwidth`; by default bandwidth where data moves.

        Raises UsageError where nothing varies, for more lines than can be told apart, and where
        matplotlib is missing.
        """
        figure: Figure = drawn("draw.plot:sweep_figure", self, y)
        return figure

    def to_frame(self) -> "pd.DataFrame":
        """A pandas DataFrame with a row for each result. Raises ImportError without pandas."""
        return to_frame(self)
