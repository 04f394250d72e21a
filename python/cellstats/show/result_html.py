"""Results in a notebook: one of a simulated machine or of this computer, or many as a table.

How many DMAs took how long, as a picture.
"""

from typing import TYPE_CHECKING

from cellstats.core.quantities import headline
from cellstats.core.refusal import refusal
from cellstats.measure.result import Measured, Result
from cellstats.show.by_type import html
from cellstats.show.by_type import picture as drawn
from cellstats.show.figures import figure_class
from cellstats.show.html_parts import paragraph, picture, preformatted, table
from cellstats.show.tables import title

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cellstats.measure.result import Result


@html.register
def result(of: Measured) -> str:
    """The numbers that everybody wants, what they are of, and the row of each SPE or core."""
    numbers = ", ".join(headline(of.latency_ns, of.bandwidth_gb_s))
    parts = [paragraph(numbers, strong=True), paragraph(title([of], shown=[]))]
    if not isinstance(of, Result):
        return "".join([*parts, preformatted(str(of))])
    rows = [
        [str(row.thread), str(row.spe), *_measured(row.latency_ns, row.bandwidth_gb_s)]
        for row in of.per_spe
    ]
    rows += [
        [str(row.thread), "PPE", *_measured(row.latency_ns, row.bandwidth_gb_s)]
        for row in of.per_thread
    ]
    if len(rows) > 1:
        parts.append(table(["thread", "SPE", "latency", "bandwidth"], rows, list))
    if of.dma_latency is not None:
        parts.append(picture(of.plot, "how many DMAs took how long"))
    return "".join(parts)


def _measured(latency_ns: float, bandwidth_gb_s: float | None) -> list[str]:
    latency, *bandwidth = headline(latency_ns, bandwidth_gb_s)
    return [latency, *(bandwidth or ["-"])]


_COLOUR, _MARK = "#00326f", "#d55e00"


@drawn.register
def histogram_figure(of: Result) -> "Figure":
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
