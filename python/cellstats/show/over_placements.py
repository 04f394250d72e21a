"""A measurement over many placements as text, CSV and HTML, to show the effect of placement."""

from collections.abc import Callable
from dataclasses import astuple

from cellstats.core.files import csv_table
from cellstats.core.quantities import format_bandwidth, format_latency
from cellstats.core.words import printable
from cellstats.measure.over_placements import Placements, Summary
from cellstats.show.by_type import html, text
from cellstats.show.html_parts import preformatted, table
from cellstats.show.tables import aligned, number


@text.register
def placements_text(done: Placements, verbose: bool = False) -> str:
    """The summaries, the best placement and the worst. `verbose` adds every placement."""
    kinds: list[tuple[str, Summary, Callable[[float], str]]] = [
        ("latency", done.latency_ns, format_latency)
    ]
    if done.bandwidth_gb_s is not None:
        kinds.append(("bandwidth", done.bandwidth_gb_s, format_bandwidth))
    lines = [form(summary.mean) for _, summary, form in kinds]
    summaries = [["", "min", "median", "mean", "max"]]
    summaries += [[name, *map(form, astuple(summary))] for name, summary, form in kinds]
    count = f"{len(done)} placements, {len(done.results)} of them different"
    shown = "\n".join([*lines, "", count, aligned(summaries)])
    for name, result in (("best", done.best), ("worst", done.worst)):
        shown += f"{name.ljust(6)} --placement {','.join(map(str, result.placement))}\n"
    if verbose:
        rows = [["placement", "latency", "bandwidth"]]
        for row in done.rows():
            moved = row["bandwidth_gb_s"]
            bandwidth = "-" if moved is None else format_bandwidth(moved)
            rows.append([row["placement"], format_latency(row["latency_ns"]), bandwidth])
        shown += "\n" + aligned(rows)
    return printable(shown)


def placements_csv(done: Placements) -> str:
    """CSV with a row for each placement."""
    return csv_table(["placement", "latency_ns", "bandwidth_gb_s"], done.rows())


@html.register
def _html(of: Placements) -> str:
    """The summaries over all placements, and a table of the first and the last placements."""
    rows = list(of.rows())
    measured = ("latency_ns", "bandwidth_gb_s")
    listed = table(
        ["placement", *measured],
        rows,
        lambda row: [row["placement"], *(number(row[name]) for name in measured)],
    )
    return preformatted(str(of)) + listed
