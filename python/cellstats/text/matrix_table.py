"""A matrix as a table of text: of SPEs, or of this computer's CPUs."""

from typing import TYPE_CHECKING

from cellstats.measure.spe_matrix import Matrix
from cellstats.text.matrix_grid import extremes, grid
from cellstats.text.printable import harmless
from cellstats.text.tables import number

if TYPE_CHECKING:
    from cellstats.host.matrices import HostMatrix


def matrix_table(
    measured: "Matrix | HostMatrix", *, colour: bool = False, width: int | None = None
) -> str:
    """A row for each initiator, a column for each partner; for the host with remarks.

    colour: shade the cells, from the lowest to the highest.
    width: letters of a line of the terminal.
    """
    if not isinstance(measured, Matrix):
        from cellstats.host.matrix_text import matrix_text

        return matrix_text(measured, colour=colour, width=width)
    head = f"{measured.function} on {harmless(measured.machine)}, {measured.quantity}: "
    cells = [list(map(number, values)) for values in measured.values]
    lines = [
        head + "rows are initiators, columns are partners",
        *grid(measured, cells, colour=colour, width=width),
        extremes(measured),
    ]
    return "".join(f"{line}\n" for line in lines)
