"""Results of simulated machines as text, JSON, CSV, Parquet, HTML and a histogram.

Functions for several results also accept results measured on this computer. The text and HTML of a
single result of this computer are in `host_result`.
"""

import typing
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any

from cellstats._native import UsageError
from cellstats.core.display import text
from cellstats.core.files import csv_table
from cellstats.core.headline import headline, remarks
from cellstats.core.quantities import format_bandwidth, format_latency
from cellstats.core.refusal import refusal
from cellstats.core.words import printable
from cellstats.measure.result import Measured, Result, columns_of
from cellstats.measure.result_parts import Latencies, Settling, SpeResult, ThreadResult
from cellstats.measure.shares import lines as shares_lines
from cellstats.show.figures import figure_class
from cellstats.show.html_parts import paragraph, table
from cellstats.show.html_parts import picture as small_picture
from cellstats.show.tables import title

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BAR_CELLS = 40
_COLOUR, _MARK = "#00326f", "#d55e00"


def simulation_text(result: Result, *, verbose: bool = False) -> str:
    """The text of one result. `verbose` adds the times of each SPE and the counters."""
    columns = result.to_dict()
    lines = headline(columns) + remarks(columns)
    if verbose:
        counters = result.counters
        lines += ["", *_spe_table(result), "", *shares_lines(counters), ""]
        lines += _counter_lines(counters)
    if result.recipe["parameters"]["histogram"]:
        lines += _latency_lines(result.dma_latency)
    return printable("\n".join(lines).rstrip("\n") + "\n")


def _latency_lines(latencies: Latencies | None) -> list[str]:
    """The text histogram that `--histogram` requests, with one bar for each bin."""
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
    # Counters that are zero, mostly those of idle SPEs, are omitted. JSON has every counter.
    flat = [(name, value) for name, value in _flatten(counters) if value]
    width = max((len(name) for name, _ in flat), default=0)
    return [f"{name.ljust(width)}  {value}" for name, value in flat]


def _flatten(tree: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            # Items of lists, such as rings and SPEs, are named by their index.
            yield from _flatten({str(i): item for i, item in enumerate(value)}, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def results_text(results: Sequence[Measured], verbose: bool = False) -> str:
    """The texts of several results. `verbose` adds details such as the times of each SPE."""
    return "".join(text(result, verbose=verbose) for result in results)


def json_lines(results: Sequence[Measured]) -> str:
    """The results as JSON, with one object on each line."""
    return "".join(result.to_json() + "\n" for result in results)


def csv(results: Sequence[Measured]) -> str:
    """The non-nested columns as CSV."""
    return csv_table(columns_of(results), (result.row() for result in results))


def parquet(results: Sequence[Measured]) -> bytes:
    """The bytes of a Parquet file with the non-nested columns and their types. Needs pyarrow."""
    pyarrow, parquet = _pyarrow()
    rows = [result.row() for result in results]
    # The column names determine the types, because a column without values also needs a type.
    fields = [(name, _arrow_type(pyarrow, name, results)) for name in columns_of(results)]
    written = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_pylist(rows, pyarrow.schema(fields)), written)
    data: bytes = written.getvalue().to_pybytes()
    return data


def check_library() -> None:
    """Raise UsageError if pyarrow is missing."""
    _pyarrow()


def _arrow_type(pyarrow: Any, name: str, results: Sequence[Measured]) -> Any:
    kind = next((type(each) for each in results if name in each.scalar_columns()), Settling)
    hint = typing.get_type_hints(kind)["outcome" if name == "settling" else name]
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


def result_html(of: Result) -> str:
    """Latency and bandwidth, the parameters, and a row for each SPE and thread."""
    columns = of.to_dict()
    parts = [*head_html(of, columns), *(paragraph(line) for line in remarks(columns))]
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
        parts.append(small_picture(of.plot, "distribution of DMA latencies"))
    return "".join(parts)


def head_html(of: Measured, columns: Mapping[str, Any]) -> list[str]:
    """The first paragraphs of a result: latency and bandwidth, then the parameters.

    columns: those of `of` in plain form.
    """
    numbers = ", ".join(headline(columns))
    return [paragraph(numbers, strong=True), paragraph(title([of], shown=[]))]


def _measured(latency_ns: float, bandwidth_gb_s: float | None) -> list[str]:
    bandwidth = "-" if bandwidth_gb_s is None else format_bandwidth(bandwidth_gb_s)
    return [format_latency(latency_ns), bandwidth]


def histogram_figure(of: Result) -> "Figure":
    """The histogram of a result. Raises UsageError for a result without a histogram."""
    latencies = of.dma_latency
    if latencies is None:
        raise refusal("a single result has nothing to draw; measure it with {histogram}")
    bins = latencies.bins
    figure = figure_class()(figsize=(7.0, 4.0), layout="constrained")
    axes = figure.add_subplot()
    widths = [each.to_ns - each.from_ns for each in bins]
    axes.bar(
        [each.from_ns for each in bins],
        [each.count for each in bins],
        widths,
        align="edge",
        color=_COLOUR,
        edgecolor="white",
    )
    for name, at, dashes in (
        ("median", latencies.median_ns, "--"),
        ("99 % within", latencies.p99_ns, ":"),
    ):
        axes.axvline(at, color=_MARK, linestyle=dashes, label=f"{name} {at:.4g} ns")
    axes.set_xlabel("Latency of a DMA (ns)")
    axes.set_ylabel("DMAs")
    axes.set_title(title([of], shown=[]))
    axes.legend(fontsize="small")
    return figure
