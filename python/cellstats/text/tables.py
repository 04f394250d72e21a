"""Results as tables of text: columns that vary, and measured numbers."""

from collections.abc import Sequence
from typing import Any

from cellstats.measure.columns import varying_columns
from cellstats.result import AnyResult, Result

_MEASURED = ("latency_ns", "latency_ns_min", "latency_ns_max", "bandwidth_gb_s")


def text_table(results: Sequence[AnyResult], width: int | None = None) -> str:
    """A table for people: the function, parameters that vary, and measured numbers.

    width: letters of a line of the terminal.

    >>> import cellstats as cs
    >>> print(text_table(cs.sweep("mailbox", spes=[2, 4], spe_to_spe=True)), end="")
    function  spes  latency_ns  latency_ns_min  latency_ns_max
    mailbox      2       158.1           158.1           158.1
    mailbox      4       159.4           158.1           160.6
    """
    columns = text_columns(results)
    return aligned([columns, *(cells(result, columns) for result in results)], width)


def text_columns(results: Sequence[AnyResult]) -> list[str]:
    """The columns of a table for people, by name."""
    names = ["function", *(name for name in varying_columns(results) if name != "function")]
    measured = [name for name in _MEASURED if name != "bandwidth_gb_s"]
    if any(result.bandwidth_gb_s is not None for result in results):
        measured.append("bandwidth_gb_s")
    marks = any(not isinstance(result, Result) for result in results)
    return [*names, *measured, *(["disturbed"] if marks else [])]


def cells(result: AnyResult, columns: Sequence[str]) -> list[str]:
    """The row of one result in a table with these columns."""
    row = result.row()

    def text(name: str) -> str:
        if name == "disturbed":
            return _cell(bool(row.get(name)))
        return number(row[name]) if name in _MEASURED else _cell(row.get(name))

    return [text(name) for name in columns]


def aligned(rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    r"""Lines of text: the first column to the left, the others to the right.

    width: letters of a line of the terminal. A wider table has the names of its columns, which are
    its first row, in several lines; if that is not enough, each row is shown column by column.

    >>> print(aligned([["function", "latency_ns"], ["mailbox", "158.1"]], 18), end="")
              latency_
    function        ns
    mailbox      158.1
    >>> print(aligned([["function", "latency_ns"], ["mailbox", "158.1"]], 15), end="")
    function    mailbox
    latency_ns  158.1
    """
    names, *others = rows
    if width is None or not others or _line_length(rows) <= width:
        return _lines(rows)
    parts = [_parts(name) for name in names]
    most = max(map(len, parts))
    heads = list(zip(*([""] * (most - len(each)) + each for each in parts), strict=True))
    if _line_length([*heads, *others]) <= width:
        return _lines([*heads, *others])
    room = max(map(len, names))
    return "\n".join(
        "".join(f"{name:<{room}}  {cell}\n" for name, cell in zip(names, row, strict=True))
        for row in others
    )


def _parts(name: str) -> list[str]:
    """A column's name in two lines, if it has two words.

    >>> _parts("spes"), _parts("bandwidth_gb_s"), _parts("read back")
    (['spes'], ['bandwidth_', 'gb_s'], ['read', 'back'])
    """
    return name.replace("_", "_ ", 1).split(" ", 1)


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _line_length(rows: Sequence[Sequence[str]]) -> int:
    widths = _widths(rows)
    return sum(widths) + 2 * (len(widths) - 1)


def _lines(rows: Sequence[Sequence[str]]) -> str:
    widths = _widths(rows)
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
