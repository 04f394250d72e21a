"""Documents (breakdowns, matrices, placements) as a line of JSON, or as rows of CSV.

Results and the like as files, in the format of the name's ending; whole or not at all.
"""

import json
from pathlib import Path
from typing import Any, Protocol

from cellstats.core.files import write_whole
from cellstats.show.formats import Kind, of_file


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


def write_file(kind: Kind, thing: Any, path: Path, flag: str) -> None:
    """Write a thing of this kind; a file of this name is replaced.

    Of results, CSV and Parquet hold the columns that are not nested, JSON all of them, an object on
    each line. Raises UsageError where no such file can be, RunError where the disk is full.
    """
    write_whole(path, of_file(kind, path, flag).write(thing))
