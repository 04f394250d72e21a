"""What consoles answered, and what our machine answers: `workshop/console_cases.toml` as a page.

`workshop/generated.py` writes the page's tables into docs/reference/consoles.md, and the number of
equal cases into README.md. The answers of our machine come from runs.
"""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import cache, partial
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import cellstats as cs
import channel_rules
from cellstats.architecture import Channel, Register, register_ea
from channel_rules import MEMORY

CASES = Path(__file__).resolve().parent / "console_cases.toml"
INTERRUPTS = CASES.parents[1] / "programs" / "tests" / "interrupts.elf"
PS3 = cs.machine("ps3")
LIMIT_BUS_CYCLES = 20_000_000
FOR_EVER = 1 << 60
LOCK_LINE = 0x400


class Answer(NamedTuple):
    """A case: the console's answer and our machine's; `equal` is None if the case is left out."""

    suite: str
    address: str
    name: str
    console: str
    ours: str
    equal: bool | None


@cache
def answers() -> list[Answer]:
    """Every case, with the answer of our machine from a run."""
    return list(_answers())


def _answers() -> Iterator[Answer]:
    for suite in tomllib.loads(CASES.read_text(encoding="utf-8"))["suite"]:
        for name, case in suite["cases"].items():
            ours, equal = _ours(case)
            console = case.get("console", "")
            yield Answer(suite["name"], suite["address"], name, console, ours, equal)


def _ours(case: dict[str, Any]) -> tuple[str, bool | None]:
    if "without" in case:
        return f"left out: {case['without']}", None
    if "script" in case:
        return case["script"], True
    if "program" in case:
        answer = PROGRAMS[case["program"]]()
        return ("equal" if answer == "" else answer), answer == ""
    programs = (
        [case["steps"]] if "steps" in case else [_rule(says)["steps"] for says in case["rules"]]
    )
    wrong = [answer for steps in programs for answer in _wrong(steps)]
    return ("equal" if not wrong else "; ".join(wrong)), not wrong


def _rule(says: str) -> dict[str, Any]:
    rules = [rule for row in channel_rules.table()["channel"] for rule in row.get("rule", [])]
    found: dict[str, Any]
    [found] = [rule for rule in rules if rule["says"].startswith(says)]
    return found


def _wrong(steps: list[str]) -> list[str]:
    """The answers of our machine that are not the console's."""
    wrong: list[str] = []
    end = channel_rules.never(steps)
    try:
        cs.run(PS3, {0: channel_rules.program(steps, wrong)}, limit_bus_cycles=FOR_EVER)
    except cs.RunError as error:
        if end is None or end not in str(error):
            wrong.append(str(error))
    else:
        if end is not None:
            wrong.append(f"{steps[-1].removeprefix('never ')}: answered")
    return wrong


# Programs for more than one processor; each returns what differs from the console, or nothing.


def _unless(equal: bool, otherwise: object) -> str:
    return "" if equal else str(otherwise)


def _reservation_lost() -> str:
    events: list[int] = []

    async def writer(spu: cs.Spu) -> None:
        await spu.compute(20_000)
        await spu.mfc_put(0, MEMORY, 128, 0)
        await spu.mfc_write_tag_mask(1)
        await spu.mfc_read_tag_status_all()

    async def reader(again: bool, spu: cs.Spu) -> None:
        await spu.spu_write_event_mask(LOCK_LINE)
        await spu.mfc_getllar(0, MEMORY)
        await spu.mfc_read_atomic_status()
        await spu.compute(60_000)
        if again:
            await spu.mfc_getllar(0, MEMORY)
            await spu.mfc_read_atomic_status()
        events.append(await spu.spu_read_event_status())

    for again in (False, True):
        first = partial(reader, again)
        cs.run(PS3, {0: first, 1: writer}, limit_bus_cycles=LIMIT_BUS_CYCLES)
    return _unless(events == [LOCK_LINE, LOCK_LINE], [hex(event) for event in events])


def _whole_lines() -> str:
    torn: list[bytes] = []

    async def writer(spu: cs.Spu) -> None:
        await spu.mfc_write_tag_mask(1)
        for n in range(200):
            spu.ls.write(0, bytes([n]) * 128)
            await spu.mfc_put(0, MEMORY, 128, 0)
            await spu.mfc_read_tag_status_all()

    async def reader(spu: cs.Spu) -> None:
        for _ in range(200):
            await spu.mfc_getllar(0, MEMORY)
            await spu.mfc_read_atomic_status()
            line = spu.ls.read(0, 128)
            if len(set(line)) > 1:
                torn.append(line)

    cs.run(PS3, {0: writer, 1: reader}, limit_bus_cycles=LIMIT_BUS_CYCLES)
    return _unless(not torn, f"{len(torn)} lines in pieces")


def _proxy() -> str:
    got: list[int] = []

    async def store(ppe: cs.Ppe, register: Register, value: int) -> None:
        await ppe.store(register_ea(0, register), 4, value)

    async def ppe(ppe: cs.Ppe) -> None:
        status = register_ea(0, Register.MFC_ClassID_CMD)
        parameters = {
            Register.MFC_LSA: 0,
            Register.MFC_EAH: 0,
            Register.MFC_EAL: MEMORY,
            Register.MFC_Size_Tag: 1 << 16,
        }
        await ppe.write_memory(MEMORY, b"\xff")
        for command in (0x41, 0x21):
            for register, value in parameters.items():
                await store(ppe, register, value)
            await store(ppe, Register.MFC_ClassID_CMD, command)
            await ppe.compute(50_000)
            got.append((await ppe.read_memory(MEMORY, 1))[0])
            await ppe.write_memory(MEMORY, b"\x80")
        got.append(await ppe.load(status, 4))
        await ppe.compute(50_000)
        got.append((await ppe.read_memory(MEMORY, 1))[0])
        await store(ppe, Register.MFC_ClassID_CMD, 0x20)
        got.append(await ppe.load(status, 4))
        for register, value in parameters.items():
            await store(ppe, register, value)
        got.append(await ppe.load(status, 4))

    cs.run(PS3, {}, ppe=ppe, limit_bus_cycles=LIMIT_BUS_CYCLES)
    # The get was never executed, so the put moves a byte of 0.
    return _unless(got == [0xFF, 0x80, 0, 0, 1, 0], [hex(value) for value in got])


def _stop_status() -> str:
    got: list[int] = []

    async def spu(_: cs.Spu) -> int:
        return 0x102

    async def ppe(ppe: cs.Ppe) -> None:
        await ppe.spe_create_thread(0)
        await ppe.compute(1_000_000)
        got.append(await ppe.load(register_ea(0, Register.SPU_Status), 4))

    cs.run(PS3, {0: spu}, ppe=ppe, limit_bus_cycles=LIMIT_BUS_CYCLES)
    return _unless(got == [0x1020002], hex(got[0]))


def _reserved_counts() -> str:
    counts: dict[int, int] = {}

    async def spu(spu: cs.Spu) -> None:
        known = {channel.value for channel in Channel}
        for number in set(range(128)) - known:
            counts[number] = await spu.spu_readchcnt(number)

    cs.run(PS3, {0: spu}, limit_bus_cycles=LIMIT_BUS_CYCLES)
    return _unless(set(counts.values()) == {0}, counts)


def _interrupts() -> str:
    with redirect_stdout(StringIO()):
        result = cs.run(PS3, {0: cs.spu_program(INTERRUPTS)}, limit_bus_cycles=LIMIT_BUS_CYCLES)
    return _unless(result.record["threads"][0]["stop_code"] == 0x2000, "the program finds errors")


PROGRAMS: dict[str, Callable[[], str]] = {
    "reservation_lost": _reservation_lost,
    "whole_lines": _whole_lines,
    "proxy": _proxy,
    "stop_status": _stop_status,
    "reserved_counts": _reserved_counts,
    "interrupts": _interrupts,
}


def tables() -> str:
    """A Markdown table of the cases of each suite."""
    lines: list[str] = []
    for suite in dict.fromkeys((answer.suite, answer.address) for answer in answers()):
        of = [answer for answer in answers() if answer.suite == suite[0]]
        tried = [answer for answer in of if answer.equal is not None]
        equal = sum(bool(answer.equal) for answer in tried)
        lines += [
            f"### {suite[0]}",
            "",
            f"{equal} of {len(tried)} are equal ([source]({suite[1]})).",
        ]
        lines += ["", "| case | console | ours |", "|---|---|---|"]
        lines += [f"| {answer.name} | {answer.console} | {answer.ours} |" for answer in of]
        lines.append("")
    return "\n".join(lines)


def line() -> str:
    """The sentence of the README."""
    return _score(answers())


def _score(of: list[Answer]) -> str:
    tried = [answer for answer in of if answer.equal is not None]
    return f"{sum(bool(answer.equal) for answer in tried)} of {len(tried)}"
