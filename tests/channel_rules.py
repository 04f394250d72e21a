"""The reference of channels and registers, from the table that their tests use.

`tests/generated.py` writes these texts into docs/reference/channels.md.
"""

import tomllib
from pathlib import Path
from typing import Any

RULES = Path(__file__).resolve().parent.parent / "crates" / "cell" / "tests" / "rules"
FILES = ("steps", "spu", "mfc", "registers")
# The table's words for counts that depend on the machine.
ENTRIES = {"queue": "all entries", "out_mbox": "all entries", "out_intr_mbox": "all entries"}


def channels() -> str:
    """A Markdown table of the channels, and a list of the rules of each."""
    rows = table()["channel"]
    lines = ["| number | channel | access | count at reset | count |", "|---|---|---|---|---|"]
    for row in rows:
        reset = ENTRIES.get(row["reset"], row["reset"])
        cells = (row["number"], f"`{row['name']}`", row["access"], reset, row["count"])
        lines.append(f"| {' | '.join(map(str, cells))} |")
    for row in rows:
        if "rule" in row:
            lines += ["", f"### {row['name']}", ""]
            lines += [f"- {rule['says']} {_sources(rule)}" for rule in row["rule"]]
    return "\n".join(lines) + "\n"


def registers() -> str:
    """A Markdown table of the problem-state registers."""
    lines = ["| offset | register | access | at reset | effect |", "|---|---|---|---|---|"]
    for row in table()["register"]:
        reset = f"{row['reset']:#x}" if "reset" in row else ""
        effect = f"{row['says']} {_sources(row)}"
        lines.append(
            f"| {row['offset']:#x} | `{row['name']}` | {row['access']} | {reset} | {effect} |"
        )
    return "\n".join(lines) + "\n"


def _sources(row: dict[str, Any]) -> str:
    parts = [row["source"]] if "source" in row else []
    if "console" in row:
        parts.append(f"**console**: {row['console']}")
    return f"({'; '.join(parts)})"


def table() -> dict[str, Any]:
    text = "".join((RULES / f"{name}.toml").read_text(encoding="utf-8") for name in FILES)
    table = tomllib.loads(text)
    table["channel"].sort(key=lambda row: row["number"])
    return table
