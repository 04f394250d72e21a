"""A matrix as a table of text: of SPEs, or of this computer's CPUs."""

from typing import TYPE_CHECKING

from cellstats.measure.spe_matrix import Matrix
from cellstats.text.matrix_grid import extremes, grid
from cellstats.text.printable import encodable, harmless
from cellstats.text.tables import number

if TYPE_CHECKING:
    from cellstats.host.matrices import HostMatrix


def matrix_table(measured: "Matrix | HostMatrix", *, colour: bool = False) -> str:
    """A row for each initiator, a column for each partner; for the host with remarks.

    colour: shade the cells, from 0 to the greatest.
    """
    if not isinstance(measured, Matrix):
        from cellstats.host.matrix_text import matrix_text

        return encodable(matrix_text(measured, colour=colour))
    head = f"{measured.function} on {harmless(measured.machine)}, {measured.quantity}: "
    cells = [list(map(number, values)) for values in measured.values]
    lines = [
        head + "rows are initiators, columns are partners",
        *grid(measured, cells, colour=colour),
        extremes(measured),
    ]
    return "".join(f"{line}\n" for line in lines)
