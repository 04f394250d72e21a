"""A result of a simulated machine for people: the number first, then what was counted."""

from collections.abc import Iterable, Mapping
from typing import Any

from cellstats.measure.quantities import format_bandwidth, format_latency
from cellstats.result import Latencies, Result, SpeResult, ThreadResult
from cellstats.text import shares
from cellstats.text.headline import headline
from cellstats.text.printable import printable

_BAR_CELLS = 40


def text(result: Result, verbose: bool) -> str:
    """The lines of one result; with `verbose` the times of each SPE, and counters, too."""
    lines = headline(result.latency_ns, result.bandwidth_gb_s)
    if verbose:
        counters = result.counters
        lines += ["", *_spe_table(result), "", *shares.lines(counters), ""]
        lines += _counter_lines(counters)
    lines += _latency_lines(result.dma_latency)
    return printable("\n".join(lines).rstrip("\n") + "\n")


def _latency_lines(latencies: Latencies | None) -> list[str]:
    """The histogram of `--histogram`, a bar to a bin."""
    if latencies is None:
        return []
    shown = ("min", "median", "mean", "p99", "max")
    values = [f"{name} {format_latency(getattr(latencies, name + '_ns'))}" for name in shown]
    lines = ["", f"{latencies.count} DMAs: " + ", ".join(values)]
    most = max(each.count for each in latencies.bins)
    for each in latencies.bins:
        bar = "#" * max(1, round(_BAR_CELLS * each.count / most))
        lines.append(f"{each.from_ns:>8g} .. {each.to_ns:>8g} ns  {each.count:>9}  {bar}")
    return lines


def _spe_table(result: Result) -> list[str]:
    rows = [("thread", "SPE", "ticks", "latency", "bandwidth")]
    measured: tuple[SpeResult | ThreadResult, ...] = (*result.per_spe, *result.per_thread)
    for row in measured:
        bandwidth = "-" if row.bandwidth_gb_s is None else format_bandwidth(row.bandwidth_gb_s)
        latency = format_latency(row.latency_ns)
        spe = str(row.spe) if isinstance(row, SpeResult) else "PPE"
        rows.append((str(row.thread), spe, str(row.ticks), latency, bandwidth))
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)) for row in rows]


def _counter_lines(counters: Mapping[str, Any]) -> list[str]:
    # Counters at zero, mostly of idle SPEs, would hide the rest; JSON has every counter.
    flat = [(name, value) for name, value in _flatten(counters) if value]
    width = max((len(name) for name, _ in flat), default=0)
    return [f"{name.ljust(width)}  {value}" for name, value in flat]


def _flatten(tree: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            # Rings and SPEs, by number.
            yield from _flatten({str(i): item for i, item in enumerate(value)}, f"{prefix}{name}.")
        else:
            yield prefix + name, value
