"""Measurements that end once they have settled: what they print, keep and claim."""

import csv
import io
import json
from shlex import split
from typing import Any

import jsonschema
import pytest

import cellstats as cs
from cellstats import Result
from cellstats.reproduce.experiments import Experiment, measured, over_placements, settled
from cellstats.reproduce.runs import measured_rows
from cellstats.show.report import Unsettled
from command_line import cellstats
from test_schema import VALIDATOR

GETS = "hotspot --op get -b 4k --machine blade-2100 --memory interleave --placement 1,4"
CYCLE = "cycle -b 16k --machine blade-2100 --placement 3,6,5,1"
COLUMNS = ["settling", "settled_after_ns", "start_up_ns", "first_quarter_gb_s", "last_quarter_gb_s"]


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (GETS, "settled after 428 µs, the rest is extrapolated; start-up and end took "),
        (CYCLE, "unsettled, so simulated in full: "),
        ("couples -n 2", "exact: simulated in full, or skipped in periods that repeat exactly"),
    ],
)
def test_the_last_line_says_whether_it_settled(what: str, said: str) -> None:
    done = cellstats("-f", *split(what), "--settle")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[2].startswith(said)
    assert len(cellstats("-f", *split(what)).out.splitlines()) == 2


def test_json_and_python_keep_what_was_found() -> None:
    text = cellstats("-f", *split(GETS), "--settle", "--format", "json").out
    VALIDATOR.validate(json.loads(text))
    result = Result.from_json(text)
    assert result.settling is not None
    assert result.settling.outcome == "settled"
    assert result.to_json() + "\n" == text
    assert result.recipe["parameters"]["settle"] is True
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate({**json.loads(text), "settling": {"outcome": "perhaps"}})


def test_tables_have_the_columns_where_settling_was_asked_for() -> None:
    flags = split("sweep cycle -n 2,4 -b 16k -i 100 --machine blade-2100 --format csv")
    with_settle, without = (
        list(csv.DictReader(io.StringIO(cellstats(*flags, *more).out)))
        for more in (["--settle"], [])
    )
    assert list(with_settle[0]) == Result.scalar_columns() + COLUMNS
    assert list(without[0]) == Result.scalar_columns()
    assert {row["settling"] for row in with_settle} <= {"settled", "unsettled", "exact"}


@pytest.mark.parametrize("flag", ["--settle --machine host -f dmaget"])
def test_the_host_has_nothing_to_settle(flag: str) -> None:
    done = cellstats(*split(flag))
    assert (done.status, done.out) == (2, "")
    assert "--settle" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_short_run_says_what_start_up_took() -> None:
    short, long = (
        cellstats("-f", *split("couples --machine eval-board -n 8"), *iterations).out.splitlines()
        for iterations in (["-i", "20"], [])
    )
    assert short[2].startswith("start-up and end took 4")
    told, reached = (float(line.rpartition("about ")[2].split()[0]) for line in (short[2], long[1]))
    assert told == pytest.approx(reached, rel=0.03)
    assert len(long) == 2


def test_python_tells_the_share_too_and_sweeps_do_not() -> None:
    given: dict[str, Any] = {"machine": "eval-board", "spes": 8, "iterations": 20}
    alone = cs.measure("couples", **given)
    assert alone.start_up_share == pytest.approx(0.43, abs=0.03)
    assert "start-up and end took" in str(alone)
    assert cs.sweep("couples", **given)[0].start_up_share is None
    assert Result.from_json(alone.to_json()) == alone


def row_of(experiments: list[Experiment]) -> dict[str, Any]:
    [row] = measured_rows(experiments, progress=False).values()
    return dict(row.columns)


def test_rows_of_figures_say_how_many_runs_settled() -> None:
    given: dict[str, Any] = {"op": "get", "size": 4096, "memory": "interleave"}
    [one] = measured("blade-2100", "hotspot", placement="1,4", **given)
    [many] = over_placements("blade-2100", "hotspot", 3, spes=2, cells="0", **given)
    assert {"settled": 1, "unsettled": 0}.items() <= row_of([settled(one)]).items()
    assert row_of([settled(one)]).keys() - row_of([one]).keys() == {
        "settled",
        "unsettled",
        "first_quarter_gb_s",
        "last_quarter_gb_s",
    }
    assert (row_of([settled(many)])["settled"], "settled" in row_of([many])) == (1, False)


def test_a_row_that_did_not_settle_is_exact_and_shows_both_ends() -> None:
    [cycle] = measured("blade-2100", "cycle", placement="3,6,5,1", size=16384)
    unsettled, exact = row_of([settled(cycle)]), row_of([cycle])
    assert (unsettled["settled"], unsettled["unsettled"]) == (0, 1)
    assert unsettled["bandwidth_gb_s"] == exact["bandwidth_gb_s"]
    shown = Unsettled.of(unsettled)
    assert shown[:2] == ("cycle: copy, 4 SPEs, 16K bytes, SPEs 3,6,5,1", 1)
    assert shown.first_quarter_gb_s != shown.last_quarter_gb_s


def test_only_long_runs_may_end_early() -> None:
    [atomic] = measured("ps3", "fetchadd", spes=2)
    assert settled(atomic) == atomic


def test_many_placements_say_how_many_runs_settled() -> None:
    flags = split("hotspot --op get -b 4k --machine blade-2100 --memory interleave -n 2 --cells 0")
    flags += ["--placements", "3"]
    lines = cellstats("-f", *flags, "--settle").out.splitlines()
    assert "3 placements, 2 of them different; 1 settled; 1 unsettled" in lines
    summary = json.loads(cellstats("-f", *flags, "--settle", "--format", "json").out)
    assert summary["settling"] == {"settled": 1, "unsettled": 1}
    rows = csv.DictReader(io.StringIO(cellstats("-f", *flags, "--settle", "--format", "csv").out))
    assert {row["settling"] for row in rows} == {"settled", "unsettled"}
    assert "settling" not in json.loads(cellstats("-f", *flags, "--format", "json").out)
