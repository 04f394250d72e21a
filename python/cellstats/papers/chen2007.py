"""Chen, Raghavan, Dale, Iwata: Cell Broadband Engine Architecture and its First Implementation."""

from collections.abc import Iterator

from cellstats.reproduce import Axis, Chart, Experiment, Figure, Rows, measured

TABLE_GB_S = {
    "1,3,5,7,0,2,4,6": 186,
    "0,4,1,5,2,6,3,7": 197,
    "0,1,2,3,4,5,6,7": 197,
    "0,3,1,2,4,7,5,6": 197,
    "0,7,1,6,2,5,3,4": 78,
    "0,5,1,4,2,7,3,6": 95,
}
"""Rows of the table: placements of four SPE pairs, and their bandwidths in GB/s."""


def table_rows() -> Iterator[Experiment]:
    """Measure traffic in pairs of SPEs with gets, with puts, and with both alternately, because the
    table does not say which it used.
    """
    yield from measured(
        "eval-board",
        "pairwise",
        op=["get", "put", "copy"],
        placement=list(TABLE_GB_S),
        iterations=512,
    )


def table_charts(rows: Rows) -> Iterator[Chart]:
    """Draw a group of bars for each row of the table."""
    names = [_pairs(placement) for placement in TABLE_GB_S]
    axis = Axis("Bandwidth, all SPEs (GB/s)", least=0)
    chart = Chart("Four pairs, both directions at once", Axis(""), axis, names=names)
    for op, of in rows.groups("op"):
        chart.bar(op, of.column("bandwidth_gb_s"))
    for bar, published in enumerate(TABLE_GB_S.values()):
        chart.published("the table", [bar], [published])
    yield chart


def _pairs(placement: str) -> str:
    """Write the pairs in the notation of the table.

    >>> _pairs("1,3,5,7,0,2,4,6")
    '1-3 5-7 0-2 4-6'
    """
    spes = placement.split(",")
    return " ".join("-".join(pair) for pair in zip(spes[::2], spes[1::2], strict=True))


FIGURES = (
    Figure(
        "table",
        "Bandwidth of eight SPEs in four pairs, both directions at once, by who is paired with "
        "whom",
        table_rows,
        table_charts,
    ),
)
