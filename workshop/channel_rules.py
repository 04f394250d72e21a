"""The rules of channels and registers: their reference, and their steps as programs in Python.

`workshop/generated.py` writes the reference into docs/reference/channels.md. The rules are in
crates/cell/tests/rules, where steps.toml says what the steps mean.
"""

import tomllib
from collections.abc import Callable, Coroutine, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import cellstats as cs
from cellstats.architecture import Channel, Register, register_ea

RULES = Path(__file__).resolve().parent.parent / "crates" / "cell" / "tests" / "rules"
FILES = ("steps", "spu", "mfc", "registers")
OPERATIONS = ("read", "count", "write", "store", "wait")
BASES = ("own.high", "own.low", "memory.high", "memory.low")
MEMORY = 0x10000
# The area of the registers begins at an offset of its own.
OWN = register_ea(0, Register.SPU_Status) - Register.SPU_Status
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


@cache
def table() -> dict[str, Any]:
    """The rules, with the channels in the order of their numbers."""
    text = "".join((RULES / f"{name}.toml").read_text(encoding="utf-8") for name in FILES)
    rules = tomllib.loads(text)
    rules["channel"].sort(key=lambda row: row["number"])
    return rules


class Step(NamedTuple):
    """A step: `place` is a channel or an address, and `value` is relative to a base (0: none)."""

    operation: str
    place: int
    base: int
    value: int
    checked: bool


def number(word: str) -> tuple[int, int]:
    """The base and the number that a word of the table stands for."""
    base, _, offset = word.partition("+")
    if base in BASES:
        return 1 + BASES.index(base), int(offset or "0", 0)
    return 0, int(word, 0)


def expanded(texts: list[str]) -> Iterator[Step]:
    """The single steps of a rule, with named groups of steps written out."""
    for text in texts:
        words = text.removeprefix("never ").split()
        if len(words) == 1:
            yield from expanded(table()["steps"][words[0]])
            continue
        operation, *rest = words
        checked = "=" in rest
        place = 0
        if operation == "store":
            place = int(rest[0], 0)
        elif operation != "wait":
            place = Channel[rest[0]].value
        valueless = operation in {"read", "count"} and not checked
        base, value = (0, 0) if valueless else number(rest[-1])
        yield Step(operation, place, base, value, checked)


def never(texts: list[str]) -> str | None:
    """The channel at which a program must end, if its last step has no answer."""
    last = texts[-1].split()
    return last[2] if last[0] == "never" else None


def program(texts: list[str], wrong: list[str]) -> Callable[[cs.Spu], Coroutine[Any, Any, None]]:
    """A program that carries out the steps on SPE 0, and adds wrong answers to a list."""
    bases = [0, *divmod(OWN, 1 << 32), *divmod(MEMORY, 1 << 32)]

    async def carry_out(spu: cs.Spu) -> None:
        for step in expanded(texts):
            value, answer = bases[step.base] + step.value, None
            if step.operation == "read":
                answer = await spu.spu_readch(Channel(step.place))
            elif step.operation == "count":
                answer = await spu.spu_readchcnt(Channel(step.place))
            elif step.operation == "write":
                await spu.spu_writech(Channel(step.place), value)
            elif step.operation == "store":
                spu.store_word(step.place, value)
            else:
                await spu.compute(value)
            if step.checked and answer != value:
                wrong.append(f"{step.operation} {Channel(step.place).name} = {answer:#x}")

    return carry_out
