"""Tests with a missing optional part are skipped, and the test run reports the part."""

import shutil
from functools import cache
from pathlib import Path

import pytest

import parts
from parts import Part

LINES_MAX = 8
THERE = Part("nothing", commands=["none-such|sh"], files=["README.md"], modules=["json"])


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the table of parts by a table with one present part and two missing parts."""
    rows = {"there": THERE, "gone": Part("a moon", commands=["moon"], install="get moon")}
    rows["made"] = Part("a sun", files=["no/sun"], how="build a sun")
    monkeypatch.setattr(parts, "PARTS", rows)
    monkeypatch.setattr(parts, "programs", cache(parts.programs.__wrapped__))
    monkeypatch.delenv("CELLSTATS_PARTS", raising=False)


def test_the_run_ends_with_a_line_for_each_missing_part() -> None:
    parts.require("there")
    reasons = ["Skipped: could not import 'needless'"]
    for name in ("gone", "made", "gone"):
        with pytest.raises(pytest.skip.Exception) as skipped:
            parts.require(name)
        reasons.append(f"Skipped: {skipped.value.msg}")
    assert parts.left_out(reasons) == [
        "2 left out for want of a moon: get moon",
        "1 left out for want of a sun: build a sun",
    ]


def test_where_all_are_wanted_a_missing_one_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CELLSTATS_PARTS", "all")
    with pytest.raises(pytest.fail.Exception, match="needs a moon: get moon"):
        parts.require("gone")
    with pytest.raises(pytest.skip.Exception):
        parts.require("made")


def test_all_of_a_part_has_to_be_there() -> None:
    assert THERE.programs() == [shutil.which("sh")]
    assert Part("x", commands=["sh", "none-such"]).programs() is None
    assert Part("x", commands=["sh"], files=["none/such"]).programs() is None
    assert Part("x", modules=["json", "none_such"]).programs() is None


def test_a_part_that_arrives_later_is_missing_to_the_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.skip.Exception):
        parts.require("gone")
    (tmp_path / "moon").touch(mode=0o755)
    assert shutil.which("moon")
    with pytest.raises(pytest.skip.Exception):
        parts.require("gone")
    assert parts.programs("gone") is None


def test_what_can_be_missing_fits_the_end_of_a_screen() -> None:
    rows = parts.read_table()
    assert len([name for name in rows if name != "debootstrap"]) <= LINES_MAX
    assert all(row.install or row.how for row in rows.values())
