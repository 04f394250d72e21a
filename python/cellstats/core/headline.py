"""The first lines that are printed of a result: its main numbers, and how far they may be taken."""

from collections.abc import Mapping
from typing import Any

from cellstats.core.quantities import format_bandwidth, format_latency, format_number

QUANTILES = ("mean", "median", "p99", "max")
"""What is shown of the latencies of DMAs that are offered at a rate."""


def overlaps(batch: int | None) -> bool:
    """Whether DMAs overlap, so that the time of an iteration is not what a DMA takes.

    batch: DMAs before each wait, if there are some.
    """
    return batch not in (None, 1)


def headline(columns: Mapping[str, Any]) -> list[str]:
    """The latency and, if data moves, the bandwidth; or what was offered at a rate, and its fate.

    columns: a result's columns in plain form.

    >>> headline({"latency_ns": 160.0, "bandwidth_gb_s": 1.6, "batch": 1})
    ['160 ns', '1.6 GB/s']
    >>> headline({"latency_ns": 37.6, "bandwidth_gb_s": 6.8, "batch": 0})
    ['an iteration every 37.6 ns', '6.8 GB/s']
    """
    load = columns.get("offered_load")
    if load is not None:
        return _offered(load, columns)
    latency, bandwidth = format_latency(columns["latency_ns"]), columns["bandwidth_gb_s"]
    every = "an iteration every " if overlaps(columns.get("batch")) else ""
    return [every + latency, *([] if bandwidth is None else [format_bandwidth(bandwidth)])]


def _offered(load: Mapping[str, Any], columns: Mapping[str, Any]) -> list[str]:
    offered, accepted = map(format_bandwidth, (load["offered_gb_s"], columns["bandwidth_gb_s"]))
    share = f"{format_number(load['rate'])} of the peak, {load['injection']}"
    times = ", ".join(
        f"{name} {format_latency(columns['dma_latency'][name + '_ns'])}" for name in QUANTILES
    )
    lines = [f"offered {offered} ({share}), accepted {accepted}", f"a DMA from its offer: {times}"]
    if load["saturated"]:
        lines.append("saturated: the queues grow, and the latencies with the length of the run")
    return lines


def remarks(columns: Mapping[str, Any]) -> list[str]:
    """Lines that say how far the numbers of a result may be taken.

    columns: a result's columns in plain form.

    >>> remarks({"start_up_share": 0.25, "bandwidth_gb_s": 150.0})
    ['start-up and end took 25 % of the time; a longer run moves about 200 GB/s']
    """
    lines = []
    share, bandwidth = columns.get("start_up_share"), columns.get("bandwidth_gb_s")
    if share is not None and bandwidth is not None:
        took = f"start-up and end took {share:.0%} of the time".replace("%", " %")
        longer = format_bandwidth(bandwidth / (1 - share)) if share < _ALL else None
        lines.append(
            f"{took}; a longer run moves about {longer}"
            if longer
            else "all of it is start-up and end; give more iterations"
        )
    settling = columns.get("settling")
    if settling is not None:
        lines.append(_settled(settling))
    return lines


_ALL = 0.95
"""Beyond this share of start-up, nothing is left from which to tell a longer run's bandwidth."""


def _settled(settling: Mapping[str, Any]) -> str:
    if settling["outcome"] == "settled":
        after, start_up = (
            format_latency(settling[name]) for name in ("settled_after_ns", "start_up_ns")
        )
        return f"settled after {after}, the rest is extrapolated; start-up and end took {start_up}"
    if settling["outcome"] == "exact":
        return "exact: simulated in full, or skipped in periods that repeat exactly"
    quarters = [settling[name] for name in ("first_quarter_gb_s", "last_quarter_gb_s")]
    if None in quarters:
        return "unsettled, so simulated in full"
    first, last = map(format_bandwidth, quarters)
    return f"unsettled, so simulated in full: {first} in the first quarter, {last} in the last"
