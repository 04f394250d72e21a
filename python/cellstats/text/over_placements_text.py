"""A measurement over many placements as text: how much placement matters."""

from collections.abc import Callable
from dataclasses import astuple
from typing import TYPE_CHECKING

from cellstats.text.tables import aligned

if TYPE_CHECKING:
    from cellstats.measure.over_placements import Placements, Summary


def placements_text(done: "Placements", verbose: bool = False) -> str:
    """The summaries, the best and the worst placement; with `verbose` each of them, too."""
    from cellstats.measure.quantities import format_bandwidth, format_latency
    from cellstats.text.printable import printable

    kinds: list[tuple[str, Summary, Callable[[float], str]]] = [
        ("latency", done.latency_ns, format_latency)
    ]
    if done.bandwidth_gb_s is not None:
        kinds.append(("bandwidth", done.bandwidth_gb_s, format_bandwidth))
    lines = [form(summary.mean) for _, summary, form in kinds]
    table = [["", "min", "median", "mean", "max"]]
    table += [[name, *map(form, astuple(summary))] for name, summary, form in kinds]
    count = f"{len(done)} placements, {len(done.results)} of them different"
    text = "\n".join([*lines, "", count, aligned(table)])
    for name, result in (("best", done.best), ("worst", done.worst)):
        text += f"{name.ljust(6)} --placement {','.join(map(str, result.placement))}\n"
    if verbose:
        rows = [["placement", "latency", "bandwidth"]]
        for row in done.rows():
            moved = row["bandwidth_gb_s"]
            bandwidth = "-" if moved is None else format_bandwidth(moved)
            rows.append([row["placement"], format_latency(row["latency_ns"]), bandwidth])
        text += "\n" + aligned(rows)
    return printable(text)
