"""Results in a notebook: one of a simulated machine or of this computer, or many as a table."""

from typing import Any

from cellstats.measure.over_placements import Placements
from cellstats.notebook.parts import paragraph, picture, preformatted, table
from cellstats.result import AnyResult, Result
from cellstats.text.headline import headline
from cellstats.text.labels import title
from cellstats.text.tables import cells, number, text_columns

PICTURE_ROWS_MAX = 2000
"""A picture of more results takes longer than people wait for one that nobody asked for."""


def result(of: AnyResult) -> str:
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


def sweep(of: Any) -> str:
    """The picture of a sweep, and its table."""
    if not of:
        return paragraph("no results")
    columns = text_columns(of)
    shown = [paragraph(f"{title(of, shown=columns)}: {len(of)} results")]
    if len(of) <= PICTURE_ROWS_MAX:
        shown.append(picture(of.plot, "the sweep as lines"))
    return "".join([*shown, table(columns, of, lambda each: cells(each, columns))])


def placements(of: Placements) -> str:
    """The summaries over all placements, and the first and last of them."""
    rows = list(of.rows())
    measured = ("latency_ns", "bandwidth_gb_s")
    listed = table(
        ["placement", *measured],
        rows,
        lambda row: [row["placement"], *(number(row[name]) for name in measured)],
    )
    return preformatted(str(of)) + listed
