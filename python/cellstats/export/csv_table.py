"""Rows as CSV, for spreadsheets."""

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def csv_table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    r"""Rows as CSV, below a line with the names of the columns.

    >>> csv_table(["a", "b"], [{"a": 1, "b": None}])
    'a,b\n1,\n'
    """
    import csv

    text = io.StringIO()
    table = csv.DictWriter(text, columns, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue()
