"""Texts made from the compiled tables: `workshop/tidy.py` compares them, or updates them.

    python/cellstats/schema/result-1.json   the JSON Schema of a result
    keywords.py, machine.py, host_machine.py   the keywords of measurements with their types
    result.py                               the columns of a result
    cellstats/__init__.py                   the modules of its public names
    docs/results.md                         the tables of columns and counters
    linux/docs/completeness.md              what Linux programs find
    docs/guide/reproduce.md                 the papers, held-out numbers, and causes
    docs/reference/channels.md              the rules of channels and registers
    docs/reference/consoles.md              what consoles answered

A generated text is between the lines `written by workshop/tidy.py: NAME` and `end of NAME`.
If a signature has generated keywords, the lines about them in its docstring are also generated. The
schema is a separate file.
"""

import ast
import json
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import channel_rules
import completeness
import console_cases
import result_columns
from cellstats.reproduce.verdicts import Outcome, introductions, paper, paper_keys
from cellstats.show.deviation_strips import causes
from cellstats.show.deviations import out_of_sample, percent
from compiled import COLUMNS, NATIVE, PACKAGE, ROOT, ROWS

BREAKDOWN = ("size", "list_elements", "spe_to_spe", "cells", "memory", "placement", "seed")
BLOCK = re.compile(
    r"^([ ]*(?:# |<!-- )written by workshop/tidy\.py: ([a-z_ ]+?)(?: -->)?\n)(.*?)"
    r"^([ ]*(?:# |<!-- )end of \2(?: -->)?\n)",
    re.MULTILINE | re.DOTALL,
)


def machine_values() -> list[Any]:
    """All values of a machine; every machine has the same ones."""
    values: list[Any] = NATIVE.Machine.builtin("ps3").values()
    return values


def texts() -> Iterator[tuple[Path, str]]:
    """Yield every file with generated text, and its up-to-date contents."""
    [path] = PACKAGE.rglob("result-1.json")
    yield path, result_columns.schema_text()
    for path in (*PACKAGE.rglob("*.py"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("linux/docs/*.md")):
        text = path.read_text(encoding="utf-8")
        if BLOCK.search(text):
            yield path, _docstrings(BLOCK.sub(_block, text))


def _block(found: re.Match[str]) -> str:
    indent = re.match(" *", found[1])
    made = WRITERS[found[2]]()
    return found[1] + textwrap.indent(made, indent[0] if indent else "") + found[4]


# Public names


def _public_names() -> str:
    """The home of each name that `cellstats/__init__.py` imports under its own name, `x as x`."""
    homes: dict[str, str] = {}
    for node in ast.walk(ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            home = node.module.removeprefix("cellstats").removeprefix(".")
            homes |= {each.name: home for each in node.names if each.asname == each.name}
    modules = {
        name: f"{home}.{name}".lstrip(".")
        for name, home in homes.items()
        if list((PACKAGE / home.replace(".", "/")).glob(f"{name}.py"))
        or (PACKAGE / home.replace(".", "/") / name / "__init__.py").is_file()
    }
    homes = {name: home for name, home in homes.items() if name not in modules}
    return "".join(
        f"{variable} = {{\n"
        + "".join(f'    "{name}": "{of[name]}",\n' for name in sorted(of))
        + "}\n"
        for variable, of in (("_MODULES", modules), ("_HOMES", homes))
    )


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
    return "".join(_parameter(name, quoted.get(hint, hint), value) for name, hint, value in lines)


def _parameter(name: str, hint: str, value: str) -> str:
    """A parameter of a method; a long type is broken as the formatter does."""
    line = f"{name}: {hint} = {value},\n"
    if len(line) > COLUMNS - 7:
        first, *others = hint.split(" | ")
        line = "\n".join([f"{name}: {first}", *(f"| {each}" for each in others)])
        line += f" = {value},\n"
    return line


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


# Papers


def _papers() -> str:
    lines = [
        f"| {key} | {paper['about']} | {paper['measured']} |"
        for key, paper in introductions().items()
    ]
    return (
        "\n".join(["", "| source | what it is | what it measured |", "|---|---|---|", *lines])
        + "\n\n"
    )


def _held_out() -> str:
    lines = ["", "| claim | number | published | here | differs by |", "|---|---|---:|---:|---:|"]
    claims = _held_out_claims()
    for claim in claims:
        off = 100 * (claim.simulated / claim.published - 1)
        numbers = (f"{claim.published:g} {claim.unit}", f"{claim.simulated:g}", f"{off:+.1f} %")
        lines.append(f"| {claim.id} | {claim.statement} | {' | '.join(numbers)} |")
    found = out_of_sample(Outcome(claim, claim.simulated) for claim in claims)
    assert found is not None
    words = (
        f"Of {found.numbers} numbers, {percent(found.within)} are within 10 %. The median deviation"
        f" is {percent(found.median)}, and the worst {percent(found.worst)}."
    )
    return "\n".join([*lines, "", words, "", ""])


def _held_out_claims() -> list[Any]:
    return [claim for claim in _claims() if claim.kind == "held-out"]


def _causes() -> str:
    """The counts of the report, from what the papers' files say about each claim."""
    outcomes = [Outcome(claim, claim.simulated) for claim in _claims() if claim.cause]
    lines = [f"| {each.name} | {each.about} | {each.number} |" for each in causes(outcomes)]
    head = ["", "| cause | what it is about | claims |", "|---|---|---:|"]
    return "\n".join([*head, *lines, "", f"In all, {len(outcomes)} claims are not met.", "", ""])


def _claims() -> list[Any]:
    return [claim for key in paper_keys() for claim in paper(key, finished=False).claims]


WRITERS: dict[str, Callable[[], str]] = {
    "public names": _public_names,
    "keywords": _keywords,
    "cell keywords": lambda: _signature(host=False),
    "host keywords": lambda: _signature(host=True),
    **result_columns.WRITERS,
    "channels": channel_rules.channels,
    "registers": channel_rules.registers,
    "papers": _papers,
    "held out": _held_out,
    "causes": _causes,
    "console cases": console_cases.tables,
    "system calls": completeness.system_calls,
    "spufs files": completeness.spufs_files,
    "libspe functions": completeness.libspe_functions,
}
