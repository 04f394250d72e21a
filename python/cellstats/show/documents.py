"""Writes documents (breakdowns, matrices, placements) as a line of JSON."""

import json
from typing import Any, Protocol


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
