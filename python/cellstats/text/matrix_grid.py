"""The cells of a matrix in rows and columns, and what is lowest and highest of them."""

from collections.abc import Iterator, Sequence, Set
from statistics import fmean
from typing import TYPE_CHECKING

from cellstats.measure.spe_matrix import Matrix
from cellstats.text.matrix_scale import scale
from cellstats.text.shades import shaded
from cellstats.text.tables import number

if TYPE_CHECKING:
    from cellstats.host.matrices import HostMatrix


def grid(
    measured: "Matrix | HostMatrix",
    cells: Sequence[Sequence[str]],
    *,
    colour: bool,
    width: int | None = None,
) -> Iterator[str]:
    """The cells, with a bar and a line at each boundary; with colours, what these mean.

    width: letters of a line; columns beyond it come below the others.
    """
    heads = list(map(str, measured.labels))
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    first = max(3, *map(len, heads))
    ends = {index for index, _ in measured.boundaries}
    shades = scale(measured)

    gap = " " if ends else "  "

    def line(head: str, row: Sequence[str], values: Sequence[float | None], group: range) -> str:
        parts = [head.ljust(first)]
        for index in group:
            value, padded = values[index], row[index].rjust(widths[index])
            shown = shaded(padded, shades.part(value)) if colour and value is not None else padded
            parts += [*(["|"] if index in ends else []), shown]
        return gap.join(parts).rstrip()

    for group in _groups(widths, first, len(gap), ends, width):
        if group.start:
            yield ""
        top = line(measured.element, heads, [None] * len(heads), group)
        yield top
        for index, (label, row) in enumerate(zip(heads, cells, strict=True)):
            if index in ends:
                yield "-" * len(top)
            yield line(label, row, measured.values[index], group)
    if colour:
        low, high = (f"{number(each)} {measured.unit}" for each in (shades.low, shades.high))
        between = "" if shades.alike else f" (dark: {low}, bright: {high})"
        yield f"colours: {shades.words()}{between}"


def _groups(
    widths: Sequence[int], first: int, gap: int, ends: Set[int], width: int | None
) -> Iterator[range]:
    """The columns of a matrix, as many at a time as fit into the width; one at least."""
    start, taken = 0, first
    for index, cell in enumerate(widths):
        more = cell + gap + (gap + 1 if index in ends else 0)
        if width is not None and taken + more > width and index > start:
            yield range(start, index)
            start, taken = index, first
        taken += more
    yield range(start, len(widths))


def extremes(measured: "Matrix | HostMatrix") -> str:
    """The least and the greatest value, and between whom; the mean.

    >>> import cellstats as cs
    >>> extremes(cs.matrix("mailbox", iterations=100))
    'lowest 155.6 ns (SPE 4 to SPE 2), highest 161.9 ns (SPE 2 to SPE 5), mean 158.6 ns'
    """
    found = [
        (value, f"{measured.element} {one} to {measured.element} {other}")
        for one, row in zip(measured.labels, measured.values, strict=True)
        for other, value in zip(measured.labels, row, strict=True)
        if value is not None
    ]
    low, high = min(found), max(found, key=lambda each: each[0])
    mean = number(fmean(value for value, _ in found))
    return (
        f"lowest {number(low[0])} {measured.unit} ({low[1]}), "
        f"highest {number(high[0])} {measured.unit} ({high[1]}), mean {mean} {measured.unit}"
    )
