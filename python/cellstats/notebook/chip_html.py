"""What happens inside of a chip, in a notebook: machines, placements, breakdowns, traces."""

from typing import TYPE_CHECKING, Any

from cellstats.notebook.parts import paragraph, picture, preformatted, table

if TYPE_CHECKING:
    from cellstats.machine import Machine
    from cellstats.measure.breakdown import Breakdown
    from cellstats.measure.trace import Trace
    from cellstats.placement.best_placement import Placed
    from cellstats.placement.messages import Pattern


def machine(of: "Machine") -> str:
    """Its title, its rings, and how many values it has of each basis."""
    from cellstats.text.machine_listing import count, title
    from cellstats.text.ring_drawing import drawing

    everything = of.values()
    parts = [paragraph(title(of), strong=True), preformatted("\n".join(drawing(of)))]
    return "".join([*parts, paragraph(count(everything, everything))])


def placement(of: "Placed") -> str:
    """Threads on the rings, and the text of the command."""
    return picture(of.plot, f"threads of {of.pattern} on the rings") + preformatted(str(of))


def host_placement(of: Any) -> str:
    """The text of the command; this computer has no rings to draw."""
    return preformatted(str(of))


def breakdown(of: "Breakdown") -> str:
    """The components one after the other, as bars and as a table."""
    from cellstats.measure.breakdown import HEAD, cells

    parts = [*of.components, of.total]
    image = picture(of.plot, "the components one after the other")
    return paragraph(of.title()) + image + table(HEAD, parts, cells)


def trace(of: "Trace") -> str:
    """The waveform."""
    return preformatted(str(of))


def pattern(of: "Pattern") -> str:
    """The messages of a pattern; of many the first and the last."""
    from cellstats.placement.pattern_files import COLUMNS

    head = f"{of.name}, {of.threads} threads, {of.total_bytes} bytes"
    rows = [(str(number), each) for number, each in of.transfers()]
    shown = table(
        COLUMNS, rows, lambda row: [row[0], *(str(getattr(row[1], name)) for name in COLUMNS[1:])]
    )
    return paragraph(head) + shown
