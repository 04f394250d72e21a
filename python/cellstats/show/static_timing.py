"""The timing of a function without a run, as text.

    address  cycle  pipe  dual  stalls  where  instruction
    0x00100      0  0              -    01     ai       $3,$4,1
    0x00104      2  1              1     -234567  lqd   $5,0($3)  ; waits 1 for $3

The column `where` is a map of the cycles, which begins anew after `MAP_CYCLES` cycles. In it, a `-`
is a cycle in which the instruction stalls. The digits are the last digits of the cycles from its
issue until its result is ready.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from cellstats.show.html_parts import paragraph, table
from cellstats.show.program import CAUSES
from cellstats.spu.static_timing import StaticTiming

Row: TypeAlias = Mapping[str, Any]
MAP_CYCLES = 50
"""Width of the map of cycles."""
_BEFORE_ISSUE = ("dependency", "fetch", "hint", "port")
"""Causes of cycles that are all before the issue of the instruction that has them."""


def static_timing_text(of: StaticTiming) -> str:
    """A line for each instruction, and the totals."""
    return "".join(f"{line}\n" for line in _lines(of.data))


def _lines(data: Row) -> Iterator[str]:
    yield f"{data['function']}: {data['start']:#x} to {data['end']:#x}, on {data['machine']}"
    yield "In the order of addresses: branches are not taken, channels do not wait."
    yield f"address  cycle  pipe  dual  stalls  {'where':{MAP_CYCLES}}  instruction"
    for row in data["instructions"]:
        yield _line(row, data["causes"])
    if data["no_instruction"] is not None:
        yield f"0x{data['no_instruction']:05x}  is no instruction; the timing ends there"
    yield ""
    yield from _totals(data)


def _line(row: Row, causes: list[str]) -> str:
    stalls = sum(row["stalls_spu_cycles"])
    # As in a profile, the odd pipe is one column further to the right.
    pipe = {"even": "0", "odd": " 1"}.get(row["pipe"], "?")
    mnemonic, *operands = row["text"].split(maxsplit=1)
    line = (
        f"0x{row['address']:05x} {row['spu_cycle']:>6}  {pipe:4}  {'dual' if row['dual'] else '':4}"
        f"  {stalls or '-':>6}  {_map(row, causes):{MAP_CYCLES}}  {mnemonic:8} {' '.join(operands)}"
    )
    why = ", ".join(_why(row, causes))
    shown = line.rstrip()
    return f"{shown}  ; {why}" if why else shown


def _map(row: Row, causes: list[str]) -> str:
    """The cycles of an instruction in the map.

    >>> row = {"spu_cycle": 48, "latency_spu_cycles": 4, "stalls_spu_cycles": [2, 1]}
    >>> _map(row, ["dependency", "double"]).replace(" ", ".")
    '01............................................--89'
    """
    before = sum(
        cycles
        for cause, cycles in zip(causes, row["stalls_spu_cycles"], strict=True)
        if cause in _BEFORE_ISSUE
    )
    issue, latency = row["spu_cycle"], row["latency_spu_cycles"] or 1
    cells = [" "] * MAP_CYCLES
    for cycle in range(max(0, issue - min(before, MAP_CYCLES - 1)), issue):
        cells[cycle % MAP_CYCLES] = "-"
    for cycle in range(issue, issue + min(latency, MAP_CYCLES)):
        cells[cycle % MAP_CYCLES] = str(cycle % 10)
    return "".join(cells).rstrip()


def _why(row: Row, causes: list[str]) -> Iterator[str]:
    """The causes of an instruction's stalls, with their cycles."""
    for cause, cycles in zip(causes, row["stalls_spu_cycles"], strict=True):
        if cycles and cause == "dependency":
            yield f"waits {cycles} for ${row['waited_for']}"
        elif cycles:
            yield f"{cause} {cycles}"


def _totals(data: Row) -> Iterator[str]:
    totals = data["totals"]
    cycles, instructions, dual = (
        totals[name] for name in ("spu_cycles", "instructions", "dual_issues")
    )
    yield f"{cycles} SPU cycles, {instructions} instructions"
    shares = [
        ("two instructions issued", dual),
        ("one instruction issued", instructions - 2 * dual),
    ]
    for cause, stalls in zip(data["causes"], totals["stalls_spu_cycles"], strict=True):
        if stalls:
            shares.append((f"nothing issued: {CAUSES.get(cause, cause)}", stalls))
    for what, share in shares:
        yield f"  {what:<66} {share:>6}"


def static_timing_html(of: StaticTiming) -> str:
    """The totals, and a table row for each instruction."""
    data = of.data
    names = ("address", "spu_cycle", "pipe", "dual", "stalls", "instruction")

    def cells(row: Row) -> list[str]:
        dual = "dual" if row["dual"] else ""
        stalls = str(sum(row["stalls_spu_cycles"]))
        return [hex(row["address"]), str(row["spu_cycle"]), row["pipe"], dual, stalls, row["text"]]

    return paragraph(next(_totals(data))) + table(names, data["instructions"], cells)
