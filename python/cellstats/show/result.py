"""A result of a simulated machine for people: the number first, then what was counted.

Results as text for people, JSON for programs, CSV for spreadsheets.

Tables of results as Parquet. Needs pyarrow.
"""

import typing
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any

from cellstats._native import UsageError
from cellstats.core.files import csv_table
from cellstats.core.quantities import format_bandwidth, format_latency, headline
from cellstats.core.words import printable
from cellstats.measure.result import (
    Latencies,
    Measured,
    Result,
    SpeResult,
    ThreadResult,
    columns_of,
)
from cellstats.measure.shares import lines as shares_lines
from cellstats.show.by_type import text

_BAR_CELLS = 40


@text.register
def simulation_text(result: Result, *, verbose: bool = False) -> str:
    """The lines of one result; with `verbose` the times of each SPE, and counters, too."""
    lines = headline(result.latency_ns, result.bandwidth_gb_s)
    if verbose:
        counters = result.counters
        lines += ["", *_spe_table(result), "", *shares_lines(counters), ""]
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


def results_text(results: Sequence[Measured], verbose: bool = False) -> str:
    """The results one after the other; `verbose` adds the times of each SPE or thread, and more."""
    return "".join(text(result, verbose=verbose) for result in results)


def json_lines(results: Sequence[Measured]) -> str:
    """The results as JSON, an object on each line."""
    return "".join(result.to_json() + "\n" for result in results)


def csv(results: Sequence[Measured]) -> str:
    """The columns that are not nested, as CSV."""
    return csv_table(columns_of(results), (result.row() for result in results))


def parquet(results: Sequence[Measured]) -> bytes:
    """The bytes of a file with the columns that are not nested, each with its type."""
    pyarrow, parquet = _pyarrow()
    rows = [result.row() for result in results]
    # Types by name, because a column without any value has a type too.
    fields = [(name, _arrow_type(pyarrow, name, results)) for name in columns_of(results)]
    written = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_pylist(rows, pyarrow.schema(fields)), written)
    data: bytes = written.getvalue().to_pybytes()
    return data


def check_library() -> None:
    """Raise UsageError if pyarrow is missing."""
    _pyarrow()


def _arrow_type(pyarrow: Any, name: str, results: Sequence[Measured]) -> Any:
    kind = next(type(each) for each in results if name in each.scalar_columns())
    hint = typing.get_type_hints(kind)[name]
    kinds = [kind for kind in typing.get_args(hint) if kind is not NoneType]
    plain = kinds[0] if isinstance(hint, UnionType) else hint
    types = {bool: pyarrow.bool_(), int: pyarrow.int64(), float: pyarrow.float64()}
    return types.get(plain, pyarrow.string())


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError(
            "Parquet files need pyarrow; install it with: pip install 'cellstats[parquet]'"
        ) from None
    return pyarrow, pyarrow.parquet
