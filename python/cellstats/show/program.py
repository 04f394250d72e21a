"""Results of programs as text and HTML: Linux programs, SPE programs, and SPE profiles.

A profile has a text line for each instruction, as in the output of static timing tools.

    address   cycle  pipe    issues  dual   stalls  where   instruction
    0x00100       3  0         1000     -        -  3       ai       $3,$4,1
    0x00104       5   1        1000     -      1.0  -5      lqd      $5,0($3)  ; dependency 1.0

The column `cycle` is the cycle of the instruction's first issue. The column `where` has a `-` for
each cycle that the instruction stalls, and then the last digit of `cycle`. Stalls are in cycles,
averaged over all issues of the instruction.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from cellstats.core.quantities import format_latency
from cellstats.core.words import counted
from cellstats.linux.result import LinuxResult
from cellstats.show.contexts import context_lines, moved
from cellstats.show.html_parts import paragraph, table
from cellstats.spu.simulation import RunResult

Record: TypeAlias = Mapping[str, Any]
"""A record from the simulator that consists of plain values."""
CAUSES = {
    "dependency": "an operand was not ready",
    "double": "double precision keeps both pipes",
    "branch": "a taken branch without a hint",
    "misled": "a branch did not go where its hint said",
    "hint": "a branch waited for its hint",
    "fetch": "instructions were not there",
    "drain": "sync, dsync or stop waited for all earlier work",
    "channel": "a channel instruction, apart from its wait",
    "port": "DMA had the port of the local store",
}
"""The causes of stalls, in words."""

_STALLS_DRAWN_MAX = 17
"""Maximum number of `-` in a text line."""


def linux_text(of: LinuxResult) -> str:
    """A text line for the whole program, one for the PPE, and those of the contexts."""
    return "".join(f"{line}\n" for line in _lines(of.data))


def profile(rows: Iterable[Record]) -> str:
    """A table of those functions that take at least a thousandth of the PPE's time.

    >>> print(profile([{"file": "p", "function": "main", "cycles": 2018}]), end="")
    PPE, sampled every 1009 cycles
        cycles   share  function
          2018  100.0%  main, p
    """
    rows = list(rows)
    cycles = sum(row["cycles"] for row in rows)
    lines = ["PPE, sampled every 1009 cycles", f"{'cycles':>10}  {'share':>6}  function"]
    for row in rows:
        if row["cycles"] * 1000 >= cycles > 0:
            share = f"{100 * row['cycles'] / cycles:.1f}%"
            name = f"{row['function'] or '?'}, {row['file'] or 'no file'}"
            lines.append(f"{row['cycles']:>10}  {share:>6}  {name}")
    return "".join(f"{line}\n" for line in lines)


def _lines(data: Record) -> Iterator[str]:
    yield from head(data)
    yield from context_lines(data["contexts"])


def head(data: Record) -> Iterator[str]:
    """The text line for the whole program, and the text line for the PPE."""
    status = data["status"]
    end = f"exit status {status}"
    if status is None:
        end = "ended with the window" if data["line"] is None else "not finished"
    yield f"{format_latency(data['time_ns'])}, {end}"
    ppe = data["ppe"]
    calls = counted(sum(ppe["system_calls"].values()), "system call")
    instructions = counted(ppe["instructions"], "instruction")
    yield f"PPE: {instructions}, {counted(ppe['cycles'], 'cycle')}, {calls}"


def listing(profile: Record) -> str:
    """A profile as text: a line for each executed instruction, and the totals.

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
    before: Record | None = None
    for row in rows:
        if before is not None and row["address"] != before["address"] + 4:
            lines.append("")
        lines.append(_line(row, width, profile["causes"]))
        before = row
    return "\n".join([*lines, "", *_totals(profile)]) + "\n"


def _line(row: Record, cycle_width: int, causes: Sequence[str]) -> str:
    record = row["record"]
    issues = record["issues"]
    stalls = sum(record["stalls_spu_cycles"])
    dual = f"{100 * record['dual_issues'] / issues:.0f}%" if record["dual_issues"] else "-"
    each = f"{stalls / issues:.1f}" if stalls else "-"
    # As in static timing tools, the odd pipe is one column further to the right.
    pipe = {"even": "0", "odd": " 1"}.get(row["pipe"], "?")
    mnemonic, *operands = row["text"].split(maxsplit=1)
    line = (
        f"0x{row['address']:05x} {record['first_spu_cycle']:>{cycle_width}}  {pipe:4} {issues:>8} "
        f"{dual:>5} {each:>8}  {_drawn(record):18}  {mnemonic:8} {' '.join(operands)}"
    )
    why = ", ".join(_why(record, causes))
    text: str = line.rstrip()
    return f"{text}  ; {why}" if why else text


def _drawn(record: Record) -> str:
    """A `-` for each cycle of the average stall, then the last digit of the cycle of the first
    issue.

    >>> _drawn({"issues": 4, "first_spu_cycle": 123, "stalls_spu_cycles": [8, 0, 4]})
    '---3'
    """
    stalls: int = round(sum(record["stalls_spu_cycles"]) / record["issues"])
    own = int(record["first_spu_cycle"]) % 10
    return "-" * min(stalls, _STALLS_DRAWN_MAX) + str(own)


def _why(record: Record, causes: Sequence[str]) -> Iterator[str]:
    """The causes of an instruction's stalls with their average cycles, in decreasing order."""
    costs = sorted(zip(record["stalls_spu_cycles"], causes, strict=True), key=lambda cost: -cost[0])
    for cycles, cause in costs:
        if cycles:
            waited_for = record.get("waited_for") if cause == "dependency" else None
            whom = f" ({waited_for})" if waited_for else ""
            yield f"{cause}{whom} {cycles / record['issues']:.1f}"


def _totals(profile: Record) -> Iterator[str]:
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


def linux_html(of: LinuxResult) -> str:
    """The text lines for the whole program and the PPE, and a table row for each context."""
    lines = [paragraph(line) for line in (of.line, *head(of.data)) if line]
    rows = list(enumerate(of.data["contexts"], 1))
    if rows:
        names = ("spe", "runs", "running_ns", "instructions", "dma_commands")
        columns = ["context", *names, "moved"]
        lines.append(
            table(
                columns,
                rows,
                lambda row: [str(row[0]), *(_word(row[1][name]) for name in names), moved(row[1])],
            )
        )
    return "".join(lines)


def _word(value: object) -> str:
    return "-" if value is None else str(value)


def run_html(of: RunResult) -> str:
    """The length of the run, and a table row for each thread."""
    threads = of.record["threads"]
    names = ("thread", "spe", "stop_code", "stopped_at_spu_cycle")
    head = f"{of.record['machine']}: {len(threads)} threads, {of.record['bus_cycles']} bus cycles"
    return paragraph(head) + table(names, threads, lambda row: [str(row[name]) for name in names])
