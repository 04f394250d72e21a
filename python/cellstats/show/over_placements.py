"""A measurement over many placements as text, CSV and HTML, to show the effect of placement."""

from collections.abc import Callable
from dataclasses import astuple

from cellstats.core.files import csv_table
from cellstats.core.headline import headline, overlaps
from cellstats.core.quantities import format_bandwidth, format_latency
from cellstats.core.words import printable
from cellstats.measure.over_placements import Placements, Summary
from cellstats.show.html_parts import preformatted, table
from cellstats.show.tables import aligned, number


def placements_text(done: Placements, verbose: bool = False) -> str:
    """The summaries, the best placement and the worst. `verbose` adds every placement."""
    first = done.results[0]
    time = "iteration" if overlaps(first.batch) and first.offered_load is None else "latency"
    kinds: list[tuple[str, Summary, Callable[[float], str]]] = [
        (time, done.latency_ns, format_latency)
    ]
    moved_gb_s = done.bandwidth_gb_s
    if moved_gb_s is not None:
        kinds.append(("bandwidth", moved_gb_s, format_bandwidth))
    means = {
        "latency_ns": done.latency_ns.mean,
        "bandwidth_gb_s": None if moved_gb_s is None else moved_gb_s.mean,
        "batch": first.batch if time == "iteration" else None,
    }
    lines = headline(means)
    summaries = [["", "min", "median", "mean", "max"]]
    summaries += [[name, *map(form, astuple(summary))] for name, summary, form in kinds]
    shown = "\n".join([*lines, "", _count(done), aligned(summaries)])
    for name, result in (("best", done.best), ("worst", done.worst)):
        shown += f"{name.ljust(6)} --placement {','.join(map(str, result.placement))}\n"
    if verbose:
        more = _more(done)
        rows = [["placement", time, "bandwidth", *(name.replace("_", " ") for name in more)]]
        for row in done.rows():
            moved = row["bandwidth_gb_s"]
            bandwidth = "-" if moved is None else format_bandwidth(moved)
            latency = format_latency(row["latency_ns"])
            rows.append([row["placement"], latency, bandwidth, *(str(row[name]) for name in more)])
        shown += "\n" + aligned(rows)
    return printable(shown)


def placements_csv(done: Placements) -> str:
    """CSV with a row for each placement."""
    return csv_table(["placement", *_measured(done)], done.rows())


def _measured(done: Placements) -> list[str]:
    return ["latency_ns", "bandwidth_gb_s", *_more(done)]


def _more(done: Placements) -> list[str]:
    stands_for = [] if done.stands_for is None else ["stands_for"]
    return [*stands_for, *(["settling"] if done.settling else [])]


def _count(done: Placements) -> str:
    found = "".join(f"; {count} {outcome}" for outcome, count in done.settling.items())
    if done.stands_for is None:
        return f"{len(done)} placements, {len(done.results)} of them different{found}"
    every = f"{len(done)} of {len(done.runs_counted)} placements"
    return f"{every}, one of each orbit, which counts for the whole orbit{found}"


def placements_html(of: Placements) -> str:
    """The summaries over all placements, and a table of the first and the last placements."""
    rows = list(of.rows())
    measured = _measured(of)
    listed = table(
        ["placement", *measured],
        rows,
        lambda row: [row["placement"], *(number(row[name]) for name in measured)],
    )
    return preformatted(str(of)) + listed
