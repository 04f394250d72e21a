"""The first lines of a result: the numbers that everybody wants.

A result of a simulated machine for people: the number first, then what was counted.

A result of this computer for people: the number first, then what it means and how sure it is.

Results as text for people, JSON for programs, CSV for spreadsheets.

Tables of results as Parquet. Needs pyarrow.
"""

import typing
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any

from cellstats._native import UsageError
from cellstats.core.files import csv_table
from cellstats.core.quantities import format_bandwidth, format_latency
from cellstats.core.words import printable
from cellstats.host.environment import digest
from cellstats.host.host_result import HostResult, HostThread
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
from cellstats.show.tables import aligned


def headline(latency_ns: float, bandwidth_gb_s: float | None) -> list[str]:
    """The latency, and below it the bandwidth where data move.

    >>> headline(160.0, 1.6)
    ['160 ns', '1.6 GB/s']
    """
    bandwidth = [] if bandwidth_gb_s is None else [format_bandwidth(bandwidth_gb_s)]
    return [format_latency(latency_ns), *bandwidth]


_BAR_CELLS = 40


def simulation_text(result: Result, verbose: bool) -> str:
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


def host_text(result: HostResult, verbose: bool) -> str:
    """The lines of one result; with `verbose` each thread, the clock and the environment too."""
    lines = [format_latency(result.latency_ns)]
    if result.bandwidth_gb_s is not None:
        lines.append(format_bandwidth(result.bandwidth_gb_s))
    lines += [spread(result), f"{result.means.operation}; {result.means.line_home}"]
    lines += disturbed_lines(result.disturbed)
    if verbose:
        lines += ["", *_threads(result.per_thread), "", *_about(result)]
    return "\n".join(lines) + "\n"


def spread(result: HostResult) -> str:
    """The meaning of the first number and its confidence interval, in a line."""
    low, high, least, p99 = (
        format_latency(value)
        for value in (
            result.latency_ns_ci_low,
            result.latency_ns_ci_high,
            result.latency_ns_sample_min,
            result.latency_ns_p99,
        )
    )
    return (
        f"{result.means.latency}, median of {result.samples} samples: 95 % sure between {low} "
        f"and {high}, least {least}, 99 % within {p99}"
    )


def disturbed_lines(reasons: Iterable[str]) -> list[str]:
    """A line for each reason."""
    return [f"disturbed: {reason}" for reason in reasons]


def _threads(threads: Iterable[HostThread]) -> list[str]:
    rows = [("thread", "CPU", "median", "bandwidth", "interrupted", "moved")]
    for each in threads:
        median, bandwidth = each.latency_ns, each.bandwidth_gb_s
        rows.append(
            (
                str(each.thread),
                str(each.cpu),
                "-" if median is None else format_latency(median),
                "-" if bandwidth is None else format_bandwidth(bandwidth),
                str(each.involuntary_switches),
                str(each.migrations),
            )
        )
    return aligned(rows).splitlines()


def _about(result: HostResult) -> list[str]:
    clock = result.clock
    lines = [
        digest(dict(result.environment)),
        f"clock {clock['source']}, {clock['hz'] / 1e6:.0f} MHz, "
        f"a reading costs {format_latency(clock['cost_ns'])}",
        f"{result.repetitions} repetitions, samples of "
        f"{result.means.iterations_per_sample} iterations, in all {format_latency(result.wall_ns)}",
    ]
    if result.working_set_bytes:
        lines.append(f"each thread walks over {result.working_set_bytes / 1024:.0f} KB")
    return lines


def results_text(results: Sequence[Measured], verbose: bool = False) -> str:
    """The results one after the other; `verbose` adds the times of each SPE or thread, and more."""
    return "".join(one(result, verbose) for result in results)


def json_lines(results: Sequence[Measured]) -> str:
    """The results as JSON, an object on each line."""
    return "".join(result.to_json() + "\n" for result in results)


def csv(results: Sequence[Measured]) -> str:
    """The columns that are not nested, as CSV."""
    return csv_table(columns_of(results), (result.row() for result in results))


@text.register
def one(result: Measured, verbose: bool = False) -> str:
    """One result; `verbose` as for `text`."""
    if isinstance(result, Result):
        return simulation_text(result, verbose)

    assert isinstance(result, HostResult)
    return printable(host_text(result, verbose))


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
