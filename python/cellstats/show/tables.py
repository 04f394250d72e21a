"""Text tables of results (varying columns and measured numbers), titles of pictures, and colours.

The title of a picture contains the values that all results have in common. In a coloured table, the
lowest value is dark and the highest is bright. Each table cell sets the colours of both letters and
background, so that it is legible on dark and light terminals. All colours are among the 256
standard terminal colours.
"""

from collections.abc import Sequence
from typing import Any

from cellstats.core.headline import QUANTILES
from cellstats.core.machine import apart
from cellstats.core.terminal import coloured
from cellstats.core.words import described
from cellstats.measure.result import Measured, Result
from cellstats.measure.saturation import is_offered, saturations
from cellstats.measure.sweeps import parameter_columns, varying_columns

_MEASURED = ("latency_ns", "latency_ns_min", "latency_ns_max", "bandwidth_gb_s")
_OFFERED = (
    "offered_gb_s",
    "bandwidth_gb_s",
    *(f"dma_{name}_ns" for name in QUANTILES),
    "saturated",
)
"""The columns of measurements with `rate`; the time of an iteration is the interval there."""


def text_table(results: Sequence[Measured], width: int | None = None) -> str:
    """A text table with the function, the parameters that vary, and the measured numbers.

    width: width of the terminal in letters.

    >>> import cellstats as cs
    >>> print(text_table(cs.sweep("mailbox", spes=[2, 4], spe_to_spe=True)), end="")
    function  spes  latency_ns  latency_ns_min  latency_ns_max
    mailbox      2       158.1           158.1           158.1
    mailbox      4       159.4           158.1           160.6
    """
    columns = text_columns(results)
    table = aligned([columns, *(cells(result, columns) for result in results)], width)
    return table + "".join(f"{line}\n" for line in saturations(results))


def text_columns(results: Sequence[Measured]) -> list[str]:
    """The column names of a text table."""
    names = ["function", *(name for name in varying_columns(results) if name != "function")]
    if is_offered(results):
        return [*names, *_OFFERED]
    measured = [name for name in _MEASURED if name != "bandwidth_gb_s"]
    if any(result.bandwidth_gb_s is not None for result in results):
        measured.append("bandwidth_gb_s")
    marks = any(not isinstance(result, Result) for result in results)
    settling = any("settling" in result.optional() for result in results)
    return [*names, *measured, *(["settling"] if settling else []), *(["grade"] if marks else [])]


def cells(result: Measured, columns: Sequence[str]) -> list[str]:
    """The cells of one result in a table with these columns."""
    row = result.row()

    def text(name: str) -> str:
        measured = name in (*_MEASURED, *_OFFERED[:-1])
        return number(row[name]) if measured else _cell(row.get(name))

    return [text(name) for name in columns]


def aligned(rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    r"""Format rows as lines of text, with the first column left-aligned and the others
    right-aligned.

    width: width of the terminal in letters. If the table is wider, the column names in its first
    row are broken into two lines. If the table is still too wide, each row is shown as a list of
    columns.

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
    """A column's name, split into two text lines if it consists of two words or more.

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
    """A measured number with two decimals, or one decimal if it is at least 100; `-` for None."""
    if value is None:
        return "-"
    return f"{value:.1f}" if value >= 100 else f"{value:.2f}"


def element(results: Sequence[Measured]) -> str:
    """The name of the measured elements: "SPE", or "core" for results of the host."""
    return "core" if any(result.machine == "host" for result in results) else "SPE"


def title(results: Sequence[Measured], shown: Sequence[str]) -> str:
    """A title with the values that all results have in common, except for the columns in `shown`.

    >>> import cellstats as cs
    >>> results = cs.sweep("dmaget", spes=[1, 2], private=True, iterations=10)
    >>> title(results, shown=["spes"])
    'dmaget on ps3: private buffers, 128 bytes'
    """
    row = results[0].row()
    common = {
        name: row.get(name)
        for name in parameter_columns(results)
        if name not in shown and all(result.row().get(name) == row.get(name) for result in results)
    }
    bases = {apart(result.machine)[0] for result in results}
    if "machine" not in shown and len(bases) == 1:
        common.setdefault("machine", *bases)
    head = " on ".join(str(common[name]) for name in ("function", "machine") if name in common)
    parts = []
    if common.get("private"):
        parts.append("private buffers")
    if common.get("spe_to_spe"):
        parts.append(f"between {element(results)}s")
    if common.get("ppe") == "mmio":
        parts.append("by registers")
    if common.get("spe_program") == "c":
        parts.append("programs in C")
    if common.get("path") not in (None, "memory"):
        parts.append(f"by {common['path']}")
    for name in ("cells", "memory", "spes", "size_bytes", "list_elements"):
        # Memory 0 is the default.
        if common.get(name) is not None and (name, common[name]) != ("memory", "0"):
            parts.append(described(name, common[name], element(results)))
    if "rate" in row:
        at = f"at {number(common['rate'])} of the peak, " if "rate" in common else ""
        parts.append(f"offered {at}{common.get('injection', 'at random')}")
    elif common.get("batch") not in (None, 1):
        parts.append(described("batch", common["batch"]))
    return ": ".join(part for part in (head, ", ".join(parts)) if part)


# Colours of background and letters, from dark blue through greys to yellow as in pictures.
_SHADES = ((17, 231), (24, 231), (60, 231), (102, 16), (144, 16), (186, 16), (228, 16))


def shaded(text: str, part: float) -> str:
    """The text in the colour for a value, whose `part` is from 0 (lowest value) to 1 (highest)."""
    behind, letters = _SHADES[min(int(part * len(_SHADES)), len(_SHADES) - 1)]
    return coloured(text, f"48;5;{behind};38;5;{letters}")
