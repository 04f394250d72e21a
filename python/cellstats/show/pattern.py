"""A communication pattern as text and HTML: its messages, and the totals of its phases."""

from cellstats.core.pattern import Pattern
from cellstats.core.pattern_files import COLUMNS
from cellstats.core.pattern_files import to_csv as to_csv
from cellstats.core.pattern_files import to_json as to_json
from cellstats.show.html_parts import paragraph, table
from cellstats.show.tables import aligned


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


def pattern_html(of: Pattern) -> str:
    """The messages of a pattern, or only the first and the last messages if there are many."""
    head = f"{of.name}, {of.threads} threads, {of.total_bytes} bytes"
    rows = [(str(number), each) for number, each in of.transfers()]
    shown = table(
        COLUMNS, rows, lambda row: [row[0], *(str(getattr(row[1], name)) for name in COLUMNS[1:])]
    )
    return paragraph(head) + shown
