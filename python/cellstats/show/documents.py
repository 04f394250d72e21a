"""Writes documents (breakdowns, matrices, placements) as a line of JSON or as a file of any format.

The extension of the file name selects the format. A file is written completely or not at all.
"""

import json
from pathlib import Path
from typing import Any, Protocol

from cellstats.core.files import write_whole
from cellstats.show.formats import Kind, of_file


class Document(Protocol):
    """An object that can be turned into plain dicts, lists and numbers."""

    def to_dict(self) -> dict[str, Any]:
        """The document, converted to plain dicts, lists and numbers."""
        ...


def line(document: Document) -> str:
    """A document as a JSON object on one line."""
    return json_line(document.to_dict())


def json_line(value: object) -> str:
    r"""A plain value as JSON on one line.

    >>> json_line({"unit": "µs"})
    '{"unit": "µs"}\n'
    """
    return json.dumps(value, ensure_ascii=False) + "\n"


def write_file(kind: Kind, thing: Any, path: Path, flag: str) -> None:
    """Write an object of this kind to a file. An existing file is replaced.

    For results, CSV and Parquet files contain only the non-nested columns. JSON files contain all
    columns, with one object on each line. Raises UsageError if the file cannot be written, and
    RunError if the disk is full.
    """
    write_whole(path, of_file(kind, path, flag).write(thing))
