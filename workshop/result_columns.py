"""Columns of a result, in Python and as tables in docs/results.md, from its JSON Schema."""

import json
import re
import textwrap
from collections.abc import Callable
from functools import partial
from typing import Any

from compiled import COLUMNS, SCHEMA

PATTERN = ("recipe", "parameters", "pattern")


def _hint(name: str, schema: dict[str, Any]) -> str:
    special = {
        "dma_latency": "Latencies | None",
        "settling": "Settling | None",
        "offered_load": "OfferedLoad | None",
        "per_spe": "tuple[SpeResult, ...] = field(repr=False)",
        "per_thread": "tuple[ThreadResult, ...] = field(repr=False)",
        "counters": "Mapping[str, Any] = field(repr=False)",
        "recipe": "Mapping[str, Any] = field(repr=False)",
        "bins": "tuple[Bin, ...]",
        "placement": "tuple[int, ...]",
    }
    names = {"integer": "int", "number": "float", "string": "str", "boolean": "bool"}
    if name in special:
        return special[name]
    if "enum" in schema:
        kinds = [type(value).__name__ for value in schema["enum"]]
        kinds = ["None" if kind == "NoneType" else kind for kind in dict.fromkeys(kinds)]
    else:
        given = schema["type"]
        kinds = [names.get(kind, "None") for kind in ([given] if isinstance(given, str) else given)]
    return " | ".join(kinds)


def _names(schema: dict[str, Any]) -> list[str]:
    """The names of an object's properties; those that may be left out come last."""
    optional = schema["properties"].keys() - set(schema["required"])
    return [*schema["required"], *sorted(optional)]


def _fields(schema: dict[str, Any]) -> str:
    lines = []
    for name in _names(schema):
        each = schema["properties"][name]
        about = textwrap.wrap(f'"""{each["description"]}"""', COLUMNS - 4, break_on_hyphens=False)
        default = "" if name in schema["required"] else " = None"
        lines += [f"{name}: {_hint(name, each)}{default}", *about]
    return "\n".join(lines) + "\n"


def schema_text() -> str:
    """The JSON Schema of a result, as it is stored."""
    return _json(_in_order(SCHEMA), 0) + "\n"


def _in_order(schema: Any) -> Any:
    """The schema with its keys in the usual order, and with JSON's words in descriptions."""
    if isinstance(schema, list):
        return [_in_order(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    first = ["type", "enum", "const", "pattern", "minimum", "maximum", "required", "properties"]
    first += ["if", "then", "else"]
    keys = sorted(schema, key=lambda key: first.index(key) if key in first else len(first))
    ordered = {key: _in_order(schema[key]) for key in keys}
    if isinstance(schema.get("required"), list):
        properties = ordered["properties"]
        ordered["properties"] = {name: properties[name] for name in _names(schema)}
    if isinstance(schema.get("description"), str):
        about = schema["description"].replace("(True)", "(true)").replace("(False)", "(false)")
        ordered["description"] = re.sub(r"\bNone\b", "null", about)
    if schema is SCHEMA:
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": "urn:cellstats:result:1",
            "title": "CellStats result, schema 1",
            "description": "One measurement, as cellstats --format json prints it. docs/results.md "
            "describes it.",
        } | ordered
    return ordered


def _json(value: Any, depth: int) -> str:
    """Format JSON, with each value on a single text line if it fits."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + 2 * depth <= COLUMNS or not isinstance(value, dict | list):
        return line
    inner = "  " * (depth + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_json(each, depth + 1)}" for key, each in value.items()]
        opened, closed = "{", "}"
    else:
        parts = [_json(each, depth + 1) for each in value]
        opened, closed = "[", "]"
    return f"{opened}\n" + ",\n".join(inner + part for part in parts) + f"\n{'  ' * depth}{closed}"


def _table(head: str, *path: str, types: bool = True) -> str:
    """The properties of a part of the schema, as a table of a document."""
    schema = _in_order(_at(*path))
    rows = [head, "type", "meaning"] if types else [head, "meaning"]
    lines = [f"| {' | '.join(rows)} |", "|" + "---|" * len(rows)]
    for name in _names(schema):
        each = schema["properties"][name]
        # Parameters of a recipe refer to the columns, which have the description.
        if "$ref" not in each:
            kind = f" {_json_type(each)} |" if types else ""
            lines.append(f"| `{name}` |{kind} {each['description']} |")
    return "\n" + "\n".join(lines) + "\n\n"


def _json_type(schema: dict[str, Any]) -> str:
    if "enum" in schema or "const" in schema:
        named = {bool: "boolean", int: "integer", str: "string", type(None): "null"}
        values = schema.get("enum", [schema.get("const")])
        return " or ".join(dict.fromkeys(named[type(value)] for value in values))
    given = schema["type"]
    return str(given) if isinstance(given, str) else " or ".join(given)


def _at(*path: str) -> dict[str, Any]:
    schema = SCHEMA
    for name in path:
        schema = schema["properties"][name]
        while "items" in schema:
            schema = schema["items"]
    return schema


def _part(*path: str) -> Callable[[], str]:
    return lambda: _fields(_at(*path))


WRITERS: dict[str, Callable[[], str]] = {
    "columns of a result": _part(),
    "columns of an spe": _part("per_spe"),
    "columns of a thread": _part("per_thread"),
    "columns of latencies": _part("dma_latency"),
    "columns of settling": _part("settling"),
    "columns of offered load": _part("offered_load"),
    "columns of a bin": _part("dma_latency", "bins"),
    "table of a result": partial(_table, "column"),
    "table of settling": partial(_table, "column", "settling"),
    "table of offered load": partial(_table, "column", "offered_load"),
    "table of an spe": partial(_table, "column", "per_spe"),
    "table of a thread": partial(_table, "column", "per_thread"),
    "table of latencies": partial(_table, "column", "dma_latency"),
    "table of a bin": partial(_table, "column", "dma_latency", "bins"),
    "table of a recipe": partial(_table, "column", "recipe"),
    "table of parameters": partial(_table, "parameter", "recipe", "parameters"),
    "table of a pattern": partial(_table, "column", *PATTERN),
    "table of a message": partial(_table, "column", *PATTERN, "phases"),
    "counters": partial(_table, "object", "counters", types=False),
    **{
        f"counters of {of}": partial(_table, "counter", "counters", of, types=False)
        for of in ("command", "rings", "mics", "bif", "ppe", "mic_channels", "spes")
    },
}
"""The texts by their names in files."""
