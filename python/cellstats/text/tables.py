"""Results as tables of text: columns that vary, and measured numbers."""

from collections.abc import Sequence
from typing import Any

from cellstats.measure.columns import varying_columns
from cellstats.result import AnyResult, Result


def text_table(results: Sequence[AnyResult]) -> str:
    """A table for people: the function, parameters that vary, and measured numbers.

    >>> import cellstats as cs
    >>> print(text_table(cs.sweep("mailbox", spes=[2, 4], spe_to_spe=True)), end="")
    function  spes  latency_ns  latency_ns_min  latency_ns_max
    mailbox      2       158.1           158.1           158.1
    mailbox      4       159.4           158.1           160.6
    """
    names = ["function", *(name for name in varying_columns(results) if name != "function")]
    measured = ["latency_ns", "latency_ns_min", "latency_ns_max"]
    if any(result.bandwidth_gb_s is not None for result in results):
        measured.append("bandwidth_gb_s")
    marks = any(not isinstance(result, Result) for result in results)
    table = [[*names, *measured, *(["disturbed"] if marks else [])]]
    for result in results:
        row = result.row()
        cells = [_cell(row.get(name)) for name in names] + [number(row[name]) for name in measured]
        table.append(cells + ([_cell(bool(row.get("disturbed")))] if marks else []))
    return aligned(table)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Lines of text: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [first.ljust(widths[0])]
        cells += [cell.rjust(w) for cell, w in zip(others, widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def number(value: Any) -> str:
    """A measured number: two decimals, one from 100 on; `-` if there is none."""
    if value is None:
        return "-"
    return f"{value:.1f}" if value >= 100 else f"{value:.2f}"
