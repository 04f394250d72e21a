"""Texts made from the compiled tables: `tests/tidy.py` compares them, its `--write` updates them.

    python/cellstats/schema/result-1.json   the JSON Schema of a result
    keywords.py, machine.py, host_machine.py   the keywords of measurements with their types
    result.py                               the columns of a result
    docs/results.md                         the tables of columns and counters
    docs/guide/completeness.md              what Linux programs find
    docs/reference/channels.md              the rules of channels and registers
    docs/reference/consoles.md              what consoles answered

In a file, a generated text is between the lines `written by tests/tidy.py: NAME` and `end of NAME`.
If a signature has generated keywords, the lines about them in its docstring are also generated. The
schema is a separate file.
"""

import importlib.util
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import channel_rules
import completeness
import console_cases

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "cellstats"
COLUMNS = 100
PATTERN = ("recipe", "parameters", "pattern")
BREAKDOWN = ("size", "list_elements", "spe_to_spe", "cells", "memory", "placement", "seed")
BLOCK = re.compile(
    r"^([ ]*(?:# |<!-- )written by tests/tidy\.py: ([a-z_ ]+?)(?: -->)?\n)(.*?)"
    r"^([ ]*(?:# |<!-- )end of \2(?: -->)?\n)",
    re.MULTILINE | re.DOTALL,
)


def _compiled() -> Any:
    """The compiled module, loaded without its package, which may contain outdated texts."""
    name = "cellstats._native"
    if name not in sys.modules:
        [file] = PACKAGE.glob("_native*.so")
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


_native = _compiled()
ROWS = _native.parameters()
SCHEMA: dict[str, Any] = json.loads(_native.result_schema())


def texts() -> Iterator[tuple[Path, str]]:
    """Yield every file with generated text, and its up-to-date contents."""
    [path] = PACKAGE.rglob("result-1.json")
    yield path, _json(_in_order(SCHEMA), 0) + "\n"
    for path in (*PACKAGE.rglob("*.py"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/*/*.md")):
        text = path.read_text(encoding="utf-8")
        if BLOCK.search(text):
            yield path, _docstrings(BLOCK.sub(_block, text))


def _block(found: re.Match[str]) -> str:
    indent = re.match(" *", found[1])
    made = WRITERS[found[2]]()
    return found[1] + textwrap.indent(made, indent[0] if indent else "") + found[4]


# Keywords


def _of(host: bool) -> list[dict[str, Any]]:
    return [row for row in ROWS if row["host" if host else "cell"]]


def _default(row: dict[str, Any]) -> str:
    if row["kind"] == "switch":
        return str(row["name"] == "fast_forward")
    return "None" if row["default"] is None else json.dumps(row["default"])


def _type(row: dict[str, Any], host: bool) -> str:
    kind, words = row["kind"], row["host_words" if host else "words"]
    types = {
        "count": ["int", "str"],
        "bytes": ["int", "str"],
        "switch": ["bool"],
        "word": ["str"],
        "word or number": ["str", "int"],
        "time": ["str", "float"],
        "rate": ["str", "float"],
        "pattern": ["PatternLike"],
        "placement": ["Sequence[int]", 'Literal["random"]', "str"],
    }[kind]
    literal = [f"Literal[{', '.join(map(json.dumps, words))}]"] if words else []
    none = ["None"] if _default(row) == "None" else []
    return " | ".join([*literal, *types, *none])


def _swept(row: dict[str, Any]) -> str:
    pattern = "PatternLike | Iterable[PatternLike | None] | None"
    named = {"word": "Words", "word or number": "WordsOrNumbers"}
    named |= dict.fromkeys(("time", "rate"), "WordsOrNumbers | float")
    others = {"switch": "Switches", "pattern": pattern, "placement": "Spes"}
    return (named | others).get(row["kind"], "Numbers")


def _typed(name: str, base: str, about: str, fields: list[str]) -> str:
    head = f'class {name}({base}, total=False):\n    """{about}"""\n\n'
    return head + "".join(f"    {field}\n" for field in fields)


def _keywords() -> str:
    cell, host = ([(row["name"], _type(row, host)) for row in _of(host)] for host in (False, True))

    def lines(rows: list[tuple[str, str]], *without: str) -> list[str]:
        return [f"{name}: {hint}" for name, hint in rows if name not in without]

    def only(rows: list[tuple[str, str]], *names: str) -> list[str]:
        return [f"{name}: {hint}" for name, hint in rows if name in names]

    about = "Keywords of `{}`{}."
    parts = [
        _typed(
            "Unseeded",
            "TypedDict",
            about.format("Machine.measure", ", all but `seed`"),
            lines(cell, "seed"),
        ),
        _typed("Measured", "Unseeded", about.format("Machine.measure", ""), only(cell, "seed")),
        _typed("Apart", "TypedDict", about.format("Machine.breakdown", ""), only(cell, *BREAKDOWN)),
        _typed(
            "HostUntimed",
            "TypedDict",
            about.format("HostMachine.measure", ", all but `budget`"),
            lines(host, "budget"),
        ),
        _typed(
            "HostMeasured",
            "HostUntimed",
            about.format("HostMachine.measure", ""),
            only(host, "budget"),
        ),
        *(
            _typed(
                name,
                "TypedDict",
                about.format("cellstats.sweep", f" on {where}"),
                [f"{row['name']}: {_swept(row)}" for row in _of(on_host)],
            )
            for name, where, on_host in (
                ("Swept", "simulated machines", False),
                ("HostSwept", "this computer", True),
            )
        ),
    ]
    return "\n\n" + "\n\n".join(parts) + "\n\n"


def _signature(host: bool) -> str:
    lines = [(row["name"], _type(row, host), _default(row)) for row in _of(host)]
    quoted = {"PatternLike | None": '"PatternLike | None"'}
    return "".join(f"{name}: {quoted.get(hint, hint)} = {value},\n" for name, hint, value in lines)


def _docstrings(text: str) -> str:
    """Update the lines about keywords in docstrings."""
    for where in ("cell", "host"):
        behind = re.compile(
            rf"(# end of {where} keywords\n.*?\n\n)(        [a-z_]+: .*?)(\n\n        Raises)",
            re.DOTALL,
        )
        text = behind.sub(rf"\g<1>{_about(where)}\g<3>", text)
    return text


def _about(where: str) -> str:
    lines = []
    for row in _of(where == "host"):
        about = row[where]
        if not re.match("Cells?\\b|[A-Z]{2}", about):
            about = about[0].lower() + about[1:]
        lines += textwrap.wrap(
            f"{row['name']}: {about}",
            COLUMNS,
            initial_indent=" " * 8,
            subsequent_indent=" " * 12,
            break_on_hyphens=False,
        )
    return "\n".join(lines)


# Columns


def _hint(name: str, schema: dict[str, Any]) -> str:
    special = {
        "dma_latency": "Latencies | None",
        "settling": "Settling | None",
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


# Tables


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
    "keywords": _keywords,
    "cell keywords": lambda: _signature(host=False),
    "host keywords": lambda: _signature(host=True),
    "columns of a result": _part(),
    "columns of an spe": _part("per_spe"),
    "columns of a thread": _part("per_thread"),
    "columns of latencies": _part("dma_latency"),
    "columns of settling": _part("settling"),
    "columns of a bin": _part("dma_latency", "bins"),
    "table of a result": partial(_table, "column"),
    "table of settling": partial(_table, "column", "settling"),
    "table of an spe": partial(_table, "column", "per_spe"),
    "table of a thread": partial(_table, "column", "per_thread"),
    "table of latencies": partial(_table, "column", "dma_latency"),
    "table of a bin": partial(_table, "column", "dma_latency", "bins"),
    "table of a recipe": partial(_table, "column", "recipe"),
    "table of parameters": partial(_table, "parameter", "recipe", "parameters"),
    "table of a pattern": partial(_table, "column", *PATTERN),
    "table of a message": partial(_table, "column", *PATTERN, "phases"),
    "counters": partial(_table, "object", "counters", types=False),
    "channels": channel_rules.channels,
    "registers": channel_rules.registers,
    "console cases": console_cases.tables,
    "system calls": completeness.system_calls,
    "spufs files": completeness.spufs_files,
    "libspe functions": completeness.libspe_functions,
    **{
        f"counters of {of}": partial(_table, "counter", "counters", of, types=False)
        for of in ("command", "rings", "mics", "bif", "ppe", "mic_channels", "spes")
    },
}
