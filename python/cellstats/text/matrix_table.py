"""A matrix as a table of text: of SPEs, or of this computer's CPUs."""

from typing import TYPE_CHECKING

from cellstats.measure.spe_matrix import Matrix
from cellstats.text.printable import printable
from cellstats.text.tables import aligned, number

if TYPE_CHECKING:
    from cellstats.host.matrices import HostMatrix


def matrix_table(measured: "Matrix | HostMatrix") -> str:
    """A row for each initiator, a column for each partner; for the host with remarks."""
    if not isinstance(measured, Matrix):
        from cellstats.host.matrix_text import matrix_text

        return printable(matrix_text(measured))
    head = f"{measured.function} on {measured.machine}, {measured.quantity}: "
    head += "rows are initiators, columns are partners\n"
    rows = [["SPE", *map(str, measured.labels)]]
    for label, values in zip(measured.labels, measured.values, strict=True):
        rows.append([str(label), *map(number, values)])
    return head + aligned(rows)
