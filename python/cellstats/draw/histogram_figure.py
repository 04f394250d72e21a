"""How many DMAs took how long, as a picture."""

from typing import TYPE_CHECKING

from cellstats.draw.figure_files import figure_class
from cellstats.refusal import refusal
from cellstats.text.labels import title

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cellstats.result import Result

_COLOUR, _MARK = "#00326f", "#d55e00"


def histogram_figure(of: "Result") -> "Figure":
    """The histogram of a result. Raises UsageError where none was asked for."""
    latencies = of.dma_latency
    if latencies is None:
        raise refusal("there is nothing to draw of one result; measure it with {histogram}")
    bins = latencies.bins
    figure = figure_class()(figsize=(7.0, 4.0), layout="constrained")
    axes = figure.add_subplot()
    widths = [each.to_ns - each.from_ns for each in bins]
    axes.bar(
        [each.from_ns for each in bins],
        [each.count for each in bins],
        widths,
        align="edge",
        color=_COLOUR,
        edgecolor="white",
    )
    for name, at, dashes in (
        ("median", latencies.median_ns, "--"),
        ("99 % within", latencies.p99_ns, ":"),
    ):
        axes.axvline(at, color=_MARK, linestyle=dashes, label=f"{name} {at:.4g} ns")
    axes.set_xlabel("Latency of a DMA (ns)")
    axes.set_ylabel("DMAs")
    axes.set_title(title([of], shown=[]))
    axes.legend(fontsize="small")
    return figure
