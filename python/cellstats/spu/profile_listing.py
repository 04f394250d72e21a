"""A profile as text: a line for each instruction, as static timing tools have it.

    address   cycle  pipe    issues  dual   stalls  where   instruction
    0x00100       3  0         1000     -        -  3       ai       $3,$4,1
    0x00104       5   1        1000     -      1.0  -5      lqd      $5,0($3)  ; dependency 1.0

`cycle` is the instruction's first issue; `where` draws a `-` for each cycle of its stall, and then
the last digit of the cycle. Stalls are cycles, on average over all issues of the instruction.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Profile: TypeAlias = Mapping[str, Any]
Row: TypeAlias = Mapping[str, Any]

CAUSES = {
    "dependency": "an operand was not ready",
    "double": "double precision keeps both pipes",
    "branch": "a taken branch without a hint",
    "misled": "a branch did not go where its hint said",
    "hint": "a branch waited for its hint",
    "fetch": "instructions were not there",
    "drain": "sync, dsync or stop waited for everything before",
    "channel": "a channel instruction, apart from its wait",
    "port": "DMA had the port of the local store",
}
"""The causes of stalls, in words."""

_STALLS_DRAWN_MAX = 17
"""Most `-` in a line."""


def listing(profile: Profile) -> str:
    """The executed instructions, and the totals.

    >>> record = {"issues": 2, "dual_issues": 0, "first_spu_cycle": 7, "stalls_spu_cycles": [3]}
    >>> rows = [{"address": 256, "pipe": "odd", "text": "lnop", "record": record}]
    >>> totals = {"instructions": 2, "dual_issues": 0, "spu_cycles": 5, "stalls_spu_cycles": [3]}
    >>> profile = {"causes": ["fetch"], "records": rows, "totals": totals}
    >>> print(listing(profile).splitlines()[1])
    0x00100       7   1          2     -      1.5  --7                 lnop  ; fetch 1.5
    """
    rows = profile["records"]
    last = max((row["record"]["first_spu_cycle"] for row in rows), default=0)
    width = max(7, len(str(last)))
    lines = [
        f"{'address':7} {'cycle':>{width}}  {'pipe':4} {'issues':>8} {'dual':>5} {'stalls':>8}  "
        f"{'where':18}  instruction"
    ]
    before: Row | None = None
    for row in rows:
        if before is not None and row["address"] != before["address"] + 4:
            lines.append("")
        lines.append(_line(row, width, profile["causes"]))
        before = row
    return "\n".join([*lines, "", *_totals(profile)]) + "\n"


def _line(row: Row, cycle_width: int, causes: Sequence[str]) -> str:
    record = row["record"]
    issues = record["issues"]
    stalls = sum(record["stalls_spu_cycles"])
    dual = f"{100 * record['dual_issues'] / issues:.0f}%" if record["dual_issues"] else "-"
    each = f"{stalls / issues:.1f}" if stalls else "-"
    # As in static timing tools, the odd pipe is one column further right.
    pipe = {"even": "0", "odd": " 1"}.get(row["pipe"], "?")
    mnemonic, *operands = row["text"].split(maxsplit=1)
    line = (
        f"0x{row['address']:05x} {record['first_spu_cycle']:>{cycle_width}}  {pipe:4} {issues:>8} "
        f"{dual:>5} {each:>8}  {_drawn(record):18}  {mnemonic:8} {' '.join(operands)}"
    )
    why = ", ".join(_why(record, causes))
    text: str = line.rstrip()
    return f"{text}  ; {why}" if why else text


def _drawn(record: Row) -> str:
    """`-` for the average cycles of its stalls, then the last digit of its first cycle.

    >>> _drawn({"issues": 4, "first_spu_cycle": 123, "stalls_spu_cycles": [8, 0, 4]})
    '---3'
    """
    stalls: int = round(sum(record["stalls_spu_cycles"]) / record["issues"])
    own = int(record["first_spu_cycle"]) % 10
    return "-" * min(stalls, _STALLS_DRAWN_MAX) + str(own)


def _why(record: Row, causes: Sequence[str]) -> Iterator[str]:
    """The causes of an instruction's stalls, the worst first, with average cycles."""
    costs = sorted(zip(record["stalls_spu_cycles"], causes, strict=True), key=lambda cost: -cost[0])
    for cycles, cause in costs:
        if cycles:
            waited_for = record.get("waited_for") if cause == "dependency" else None
            whom = f" ({waited_for})" if waited_for else ""
            yield f"{cause}{whom} {cycles / record['issues']:.1f}"


def _totals(profile: Profile) -> Iterator[str]:
    totals = profile["totals"]
    cycles, instructions = totals["spu_cycles"], totals["instructions"]
    if not cycles:
        return
    dual = totals["dual_issues"]
    yield f"{cycles} SPU cycles, {instructions} instructions, {instructions / cycles:.2f} a cycle"
    yield _share("two instructions issued", dual, cycles)
    yield _share("one instruction issued", instructions - 2 * dual, cycles)
    for cause, stalls in zip(profile["causes"], totals["stalls_spu_cycles"], strict=True):
        if stalls:
            yield _share(f"nothing issued: {CAUSES.get(cause, cause)}", stalls, cycles)


def _share(what: str, cycles: int, of: int) -> str:
    return f"  {what:<66} {cycles:>12} {100 * cycles / of:>6.1f} %"
