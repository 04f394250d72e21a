"""A pattern of communication as text: its messages, and the sums of its phases."""

from cellstats.placement.messages import Pattern
from cellstats.placement.pattern_files import COLUMNS
from cellstats.text.tables import aligned


def pattern_text(found: Pattern) -> str:
    """A pattern as text."""
    rows = [
        (str(number), *(str(getattr(each, column)) for column in COLUMNS[1:]))
        for number, each in found.transfers()
    ]
    sums = [
        (str(number), str(len(phase.transfers)), str(phase.total_bytes))
        for number, phase in enumerate(found.phases, 1)
    ]
    totals = ("all", str(len(rows)), str(found.total_bytes))
    tables = aligned([COLUMNS, *rows]), aligned([("phase", "transfers", "bytes"), *sums, totals])
    threads = f"{found.threads} thread{'s' if found.threads > 1 else ''}"
    return "\n".join([f"{found.name}, {threads}", "", *tables])
