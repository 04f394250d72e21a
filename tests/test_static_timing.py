"""`cellstats spu --timing`: the timing of a function, without a run."""

import json
import re
from pathlib import Path

import pytest

import cellstats as cs
from command_line import cellstats

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
MATRIX = PROGRAMS / "samples" / "matrix.elf"
HELLO = PROGRAMS / "samples" / "hello.elf"


def timing(path: Path, function: str) -> cs.StaticTiming:
    """The timing of a function of an executable."""
    return cs.static_timing(cs.spu_program(path), function)


def test_a_function_is_timed_as_a_run_times_it_up_to_its_first_branch() -> None:
    program = cs.spu_program(HELLO, profile=True)
    done = cs.run(cs.machine("ps3"), {0: program})
    ran = json.loads(done.executables[0].profile_json or "{}")["records"]
    by_address = {row["address"]: row["record"] for row in ran}
    static = timing(HELLO, "_start").data["instructions"]
    compared = 0
    for row in static:
        record = by_address[row["address"]]
        assert row["spu_cycle"] == record["first_spu_cycle"]
        assert row["dual"] == (record["dual_issues"] == 1)
        compared += 1
        if row["text"].split()[0].startswith(("b", "rdch", "wrch")):
            break
    assert compared > 3


def test_rows_and_totals_agree() -> None:
    data = timing(MATRIX, "main").data
    rows, totals = data["instructions"], data["totals"]
    assert [row["address"] for row in rows] == list(range(data["start"], data["end"], 4))
    assert totals["instructions"] == len(rows)
    assert totals["dual_issues"] == sum(row["dual"] for row in rows) > 0
    stalls = sum(sum(row["stalls_spu_cycles"]) for row in rows)
    assert totals["spu_cycles"] == len(rows) - totals["dual_issues"] + stalls
    at = data["causes"].index("dependency")
    for row in rows:
        assert (row["waited_for"] is not None) == (row["stalls_spu_cycles"][at] > 0)
        if row["waited_for"] is not None:
            assert re.search(rf"\${row['waited_for']}\b", row["text"])


def test_text_and_json_show_the_same() -> None:
    shown = cellstats("spu", str(MATRIX), "--timing", "main")
    assert (shown.status, shown.err) == (0, "")
    first, second, *_ = shown.out.splitlines()
    assert first.startswith("main: 0x")
    assert "branches are not taken" in second
    as_json = cellstats("spu", str(MATRIX), "--timing", "main", "--format", "json")
    data = json.loads(as_json.out)
    assert data == timing(MATRIX, "main").data
    assert f"{data['totals']['spu_cycles']} SPU cycles, " in shown.out
    assert sum("; waits " in line for line in shown.out.splitlines()) > 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--timing", "mian"), "no function 'mian' in "),
        (("--timing", "main", "--trace", "400"), "--timing runs nothing; leave out --trace"),
        (("--format", "json"), "--format json without --timing"),
    ],
)
def test_wrong_requests_are_refused(words: tuple[str, ...], reason: str) -> None:
    done = cellstats("spu", str(MATRIX), *words)
    assert (done.status, done.out) == (2, "")
    assert reason in done.err
