"""`make soak` finds all properties, counts their cases, and shows how to reproduce failures."""

import re
import sys
from pathlib import Path

import pytest

import soak
from borders import USES
from command_line import ROOT

SOURCES = [path for crate in sorted(USES) for path in sorted((ROOT / crate).rglob("*.rs"))]


def a_test(name: str, code: str) -> soak.Test:
    return soak.Test(name, [sys.executable, "-c", code], ROOT, f"show {name}", soak.IN_RUST)


def test_every_property_is_found() -> None:
    for path in SOURCES:
        text = path.read_text("utf-8")
        blocks = soak.PROPERTIES.findall(text)
        assert text.count("proptest!") == len(blocks), path
        for _, block in blocks:
            assert len(soak.PROPERTY.findall(block)) == block.count("#[test]"), path


def test_no_property_gives_up_after_so_many_cases_that_do_not_count() -> None:
    # If a test rejects too many cases, proptest reports a failure, but only in long runs.
    for path in SOURCES:
        assert not re.search(r"prop_assume!|prop_filter", path.read_text("utf-8")), path


def test_each_turn_has_a_seed_of_its_own(tmp_path: Path) -> None:
    here = tmp_path / "seeds"
    code = f"import os; print(os.environ['PROPTEST_RNG_SEED'], file=open({str(here)!r}, 'a'))"
    test = a_test("good", f"{code}; print('1 passed')")
    turns = soak.Soak([test], seed=7, seconds=60)
    cases = []
    for _ in range(3):
        cases.append(test.next_cases)
        turns.turn(test)
    assert here.read_text().split() == ["7", "8", "9"]
    assert (test.turns, test.cases, test.verdict) == (3, sum(cases), "")


def test_a_failure_is_shown_with_its_command_and_not_had_twice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = "print('larger case\\nTest failed: smallest case'); raise SystemExit(101)"
    bad, absent = a_test("bad", code), a_test("absent", "print('0 passed')")
    soak.Soak([bad, absent], seed=7, seconds=60).run()
    command = f"PROPTEST_RNG_SEED=7 PROPTEST_CASES={soak.CASES_FIRST} show bad"
    assert bad.verdict == f"failed: {command}"
    assert (bad.cases, absent.cases, absent.verdict) == (0, 0, "left out")
    said = capsys.readouterr().out
    assert f"\nTest failed: smallest case\n\nbad failed: {command}\n" in said
    assert "larger" not in said
    assert soak.table([bad, absent]).splitlines()[-1] == "2 tests, 0 cases"


def test_examples_are_counted() -> None:
    said = "  - 40 passing, 0 failing, and 3 invalid test cases\n  - 9 passing examples\n1 passed"
    test = a_test("python", f"print({said!r})")
    soak.Soak([test], seed=0, seconds=60).turn(test)
    assert test.cases == 49
