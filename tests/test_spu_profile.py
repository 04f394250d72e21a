"""Profiles as text: every line has its counts, and the sums are correct."""

from typing import Any

from cellstats.show.program import CAUSES, listing

CYCLES = len(CAUSES)


def _row(address: int, pipe: str | None, text: str, **counted: Any) -> dict[str, Any]:
    record = {
        "issues": 10,
        "dual_issues": 0,
        "first_spu_cycle": 0,
        "stalls_spu_cycles": [0] * CYCLES,
        "waited_for": None,
    }
    return {"address": address, "pipe": pipe, "text": text, "record": record | counted}


def _profile(*rows: dict[str, Any]) -> dict[str, Any]:
    records = [row["record"] for row in rows]
    stalls = [
        sum(column) for column in zip(*(r["stalls_spu_cycles"] for r in records), strict=True)
    ]
    instructions = sum(record["issues"] for record in records)
    dual = sum(record["dual_issues"] for record in records)
    totals = {
        "instructions": instructions,
        "dual_issues": dual,
        "spu_cycles": instructions - dual + sum(stalls),
        "stalls_spu_cycles": stalls,
    }
    return {"causes": list(CAUSES), "records": list(rows), "totals": totals}


def _stalls(**cycles: int) -> list[int]:
    return [cycles.get(cause, 0) for cause in CAUSES]


LOOP = _profile(
    _row(0x100, "even", "ai\t$3,$3,1", first_spu_cycle=2),
    _row(
        0x104,
        "odd",
        "lqd\t$4,0($3)",
        first_spu_cycle=4,
        stalls_spu_cycles=_stalls(dependency=10),
        waited_for="simple-fixed",
    ),
    _row(0x200, "even", "nop\t$127", first_spu_cycle=5),
    _row(
        0x204,
        "odd",
        "br\t0x100",
        first_spu_cycle=5,
        dual_issues=10,
        stalls_spu_cycles=_stalls(branch=180),
    ),
)


def test_each_instruction_has_a_line_with_its_counts_and_causes() -> None:
    lines = listing(LOOP).splitlines()
    assert lines[1].split()[:6] == ["0x00100", "2", "0", "10", "-", "-"]
    assert lines[2].split()[:7] == ["0x00104", "4", "1", "10", "-", "1.0", "-4"]
    assert lines[2].endswith("; dependency (simple-fixed) 1.0")
    assert lines[5].split()[4:6] == ["100%", "18.0"]
    assert lines[5].endswith("; branch 18.0")


def test_a_gap_between_addresses_is_an_empty_line() -> None:
    assert listing(LOOP).splitlines()[3] == ""


def test_the_odd_pipe_stands_further_right() -> None:
    lines = listing(LOOP).splitlines()
    column = lines[0].index("pipe")
    assert (lines[1][column : column + 2], lines[2][column : column + 2]) == ("0 ", " 1")


def test_the_shares_are_those_of_all_cycles() -> None:
    lines = listing(LOOP).splitlines()
    head = next(place for place, line in enumerate(lines) if "instructions," in line)
    # Ten of 40 instructions issue together with another one. In 190 cycles, nothing issues.
    assert lines[head] == "220 SPU cycles, 40 instructions, 0.18 a cycle"
    counted = [int(line.split()[-3]) for line in lines[head + 1 :]]
    assert counted == [10, 20, 10, 180]
    assert sum(counted) == 220


def test_what_never_ran_has_no_sums() -> None:
    nothing = {
        "instructions": 0,
        "dual_issues": 0,
        "spu_cycles": 0,
        "stalls_spu_cycles": [0] * CYCLES,
    }
    assert len(listing({**LOOP, "records": [], "totals": nothing}).split("\n")) == 3
