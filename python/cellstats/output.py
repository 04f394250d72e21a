"""Results as text for people, JSON for programs, CSV for spreadsheets."""

import io
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from cellstats import shares
from cellstats._native import UsageError
from cellstats.quantities import format_bandwidth, format_latency
from cellstats.result import AnyResult, Latencies, Result, SpeResult, ThreadResult, columns_of

_BAR_CELLS = 40

Writer: TypeAlias = Callable[[Sequence[AnyResult]], str]


def writer(form: str, verbose: bool = False) -> Writer:
    """The function that turns results into text. Raises UsageError for an unknown form."""
    writers: dict[str, Writer] = {
        "text": lambda results: "".join(_lines(result, verbose) for result in results),
        "json": lambda results: "".join(result.to_json() + "\n" for result in results),
        "csv": _csv,
    }
    if form not in writers:
        raise UsageError(f"unknown format {form!r}; give one of {', '.join(writers)}")
    return writers[form]


def _lines(result: AnyResult, verbose: bool) -> str:
    if isinstance(result, Result):
        return _text(result, verbose)
    from cellstats.host.text import text

    return printable(text(result, verbose))


def _text(result: Result, verbose: bool) -> str:
    lines = [format_latency(result.latency_ns)]
    if result.bandwidth_gb_s is not None:
        lines.append(format_bandwidth(result.bandwidth_gb_s))
    if verbose:
        counters = result.counters
        lines += ["", *_spe_table(result), "", *shares.lines(counters), ""]
        lines += _counter_lines(counters)
    lines += _latency_lines(result.dma_latency)
    return printable("\n".join(lines).rstrip("\n") + "\n")


def printable(text: str) -> str:
    """The text as standard output can show it."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("µ", "u").encode(encoding, "backslashreplace").decode(encoding)
    return text


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
    # What stayed at zero, idle SPEs above all, would only hide the rest; JSON has every counter.
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


def _csv(results: Sequence[AnyResult]) -> str:
    return csv_table(columns_of(results), (result.row() for result in results))


def csv_table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    r"""Rows under a line of their columns' names.

    >>> csv_table(["a", "b"], [{"a": 1, "b": None}])
    'a,b\n1,\n'
    """
    import csv

    text = io.StringIO()
    table = csv.DictWriter(text, columns, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue()
