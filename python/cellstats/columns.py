"""What tells the rows of a table of results apart."""

from collections.abc import Sequence
from typing import Any

from cellstats.result import AnyResult, Result, columns_of

_MEASURED = ("latency_", "bandwidth_", "simulated_", "wall_", "schema")
# On the host these follow from the clock, or from what happened.
_MEASURED_ON_HOST = ("iterations", "samples", "repetitions", "working_set_bytes", "disturbed")


def parameter_columns(results: Sequence[AnyResult]) -> list[str]:
    """The columns that say what was measured, not what came out."""
    names = [name for name in columns_of(results) if not name.startswith(_MEASURED)]
    if any(result.machine == "host" for result in results):
        names = [name for name in names if name not in _MEASURED_ON_HOST]
    return names


def varying_columns(results: Sequence[AnyResult]) -> list[str]:
    """The fewest parameter columns, the first ones first, that tell all results apart.

    A column that follows from others is left out: the placement changes with the number of SPEs,
    but says nothing new unless one number has several placements.

    >>> import cellstats as cs
    >>> varying_columns(cs.sweep("dmaget", spes="1..3", size="128..1k", iterations=10))
    ['spes', 'size_bytes']
    """
    rows = [result.row() for result in results]
    chosen: list[str] = []
    apart = 1
    for name in parameter_columns(results):
        now = len({tuple(row.get(each) for each in (*chosen, name)) for row in rows})
        if now > apart:
            chosen.append(name)
            apart = now
    return chosen


def text_table(results: Sequence[AnyResult]) -> str:
    """A table for people: the function, what varies, and what came out; names carry their units.

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
