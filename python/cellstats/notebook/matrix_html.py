"""Matrices in a notebook: a heat map, and as many cells as can be read."""

from typing import TYPE_CHECKING

from cellstats.measure.spe_matrix import Matrix
from cellstats.notebook.parts import ends, paragraph, picture, preformatted, table
from cellstats.text.tables import number

if TYPE_CHECKING:
    from cellstats.host.matrices import HostMatrix

LABELS_MAX = 16
"""A wider matrix shows half as many of its first labels, and of its last ones."""


def matrix(of: "Matrix | HostMatrix") -> str:
    """What it is of, the heat map, and the cells, in the middle left out where they are many."""
    head = (
        f"{of.function} on {of.machine}, {of.quantity}: rows are initiators, columns are partners"
    )
    image = picture(of.plot, f"heat map of {of.quantity}")
    parts = [paragraph(head), image, _cells(of)]
    if not isinstance(of, Matrix):
        from cellstats.host.matrix_text import summary

        parts.append(preformatted("\n".join(summary(of))))
    return "".join(parts)


def _cells(of: "Matrix | HostMatrix") -> str:
    count = len(of.labels)
    first, last, between = ends(range(count), LABELS_MAX)

    def row(label: str, values: list[str]) -> list[str]:
        gap = ["…"] if between else []
        return [label, *(values[n] for n in first), *gap, *(values[n] for n in last)]

    return table(
        row(of.element, list(map(str, of.labels))),
        range(count),
        lambda n: row(str(of.labels[n]), list(map(number, of.values[n]))),
        LABELS_MAX,
    )
