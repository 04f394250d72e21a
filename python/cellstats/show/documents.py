"""Documents (breakdowns, matrices, placements) as a line of JSON, and files of any format.

The ending of a file's name selects the format. A file is written completely or not at all.
"""

import json
from pathlib import Path
from typing import Any, Protocol

from cellstats.core.files import write_whole
from cellstats.show.formats import Kind, of_file


class Document(Protocol):
    """An object that can be turned into plain dicts, lists and numbers."""

    def to_dict(self) -> dict[str, Any]:
        """The document in plain dicts, lists and numbers."""
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
    """Write an object of this kind, and replace an existing file.

    CSV and Parquet files of results have the non-nested columns; JSON has all columns, one
    object on each line. Raises UsageError if the file cannot be written, RunError if the disk is
    full.
    """
    write_whole(path, of_file(kind, path, flag).write(thing))
