"""Documents (breakdowns, matrices, placements) as a line of JSON, or as rows of CSV."""

import json
from typing import TYPE_CHECKING, Any, Protocol

from cellstats.export.csv_table import csv_table

if TYPE_CHECKING:
    from cellstats.host.matrices import HostMatrix
    from cellstats.measure.breakdown import Breakdown
    from cellstats.measure.over_placements import Placements
    from cellstats.measure.spe_matrix import Matrix


class Document(Protocol):
    """Anything that can be turned into plain dicts, lists and numbers."""

    def to_dict(self) -> dict[str, Any]:
        """It in plain dicts, lists and numbers."""
        ...


def line(document: Document) -> str:
    """A document as an object of JSON, on one line."""
    return json_line(document.to_dict())


def json_line(value: object) -> str:
    r"""A plain value as JSON, on one line.

    >>> json_line({"unit": "µs"})
    '{"unit": "µs"}\n'
    """
    return json.dumps(value, ensure_ascii=False) + "\n"


def text(document: "Breakdown") -> str:
    """A breakdown as a table for people."""
    return document.text()


def placements_csv(done: "Placements") -> str:
    """A row for each placement."""
    return csv_table(["placement", "latency_ns", "bandwidth_gb_s"], done.rows())


def breakdown_csv(apart: "Breakdown") -> str:
    """A row for each component, the total last."""
    from cellstats.measure.breakdown import COLUMNS

    return csv_table(COLUMNS, apart.rows())


def matrix_csv(measured: "Matrix | HostMatrix") -> str:
    """A row for each initiator, a column for each partner."""
    names = ["initiator", *map(str, measured.labels)]
    cells = zip(measured.labels, measured.values, strict=True)
    rows = [dict(zip(names, [label, *values], strict=True)) for label, values in cells]
    return csv_table(names, rows)
