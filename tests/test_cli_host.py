"""The command on this computer: tests of output and refusals, but not of the speed."""

import csv
import io
import json
import os
import re
from pathlib import Path

import pytest

import cellstats as cs
from cellstats.host.disturbances import GRADES, is_bad
from cellstats.host.host_result import HostResult
from command_line import cellstats, interrupted

CPUS = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the host is Linux")
pair = pytest.mark.skipif(len(CPUS) < 2, reason="a pair takes two CPUs")
BRIEF = ["--machine", "host", "--samples", "6", "--budget", "600ms"]


def test_the_number_comes_first_and_is_explained() -> None:
    done = cellstats("-f", "mkthread", *BRIEF)
    assert (done.status, done.err) == (0, "")
    first, trust, spread, means, counts = done.out.splitlines()
    number, unit = first.split()
    assert float(number) > 0
    assert unit in ("ns", "µs", "ms", "s")
    assert "median of" in spread
    assert "; " in means
    assert re.match(
        r"per operation: (cycles [0-9.]+, .*)?context switches (< )?[0-9.]+(;|$)", counts
    )
    assert ("; no hardware counters: " in counts) == ("cycles" not in counts)
    assert trust.startswith(("good to within ", "not to be used: "))


@pair
def test_threads_are_where_they_were_put() -> None:
    spes = f"{CPUS[1]},{CPUS[0]}"
    done = cellstats("-f", "mailbox", "-s", "--spes", spes, "--format", "json", *BRIEF)
    result = HostResult.from_json(done.out)
    assert result.placement == (CPUS[1], CPUS[0])
    assert [row.cpu for row in result.per_thread] == [CPUS[1], CPUS[0]]
    assert not any(row.migrations for row in result.per_thread)
    assert result.path == "memory"
    measured = [row for row in result.per_thread if row.latency_ns is not None]
    assert sum(map(len, measured[0].samples_ns)) == result.samples <= 6
    assert result.environment["cpus_online"] >= len(CPUS)


def test_csv_has_the_columns() -> None:
    done = cellstats("-f", "mkthread", "--format", "csv", *BRIEF)
    (row,) = csv.DictReader(io.StringIO(done.out))
    assert list(row) == HostResult.scalar_columns()


def test_strict_is_the_exit_status_of_a_number_that_may_be_wrong() -> None:
    done = cellstats("-f", "mkthread", "--strict", "--format", "json", *BRIEF)
    assert done.status == (3 if is_bad(json.loads(done.out)["grade"]) else 0)


@pair
def test_a_matrix(tmp_path: Path) -> None:
    picture = tmp_path / "matrix.png"
    spes = f"{CPUS[0]},{CPUS[1]}"
    flags = ["-f", "mailbox", "--machine", "host", "--budget", "300ms", "--spes", spes]
    done = cellstats("matrix", *flags, "--format", "json", "--plot", str(picture))
    assert (done.status, done.err) == (0, "")
    whole = json.loads(done.out)
    assert sorted(whole["labels"]) == CPUS[:2]
    assert picture.stat().st_size > 1000
    done = cellstats("matrix", *flags)
    assert "2 pairs measured in" in done.out


@pair
def test_a_quick_matrix_may_have_a_budget() -> None:
    flags = ["matrix", "mailbox", "--machine", "host", "--spes", f"{CPUS[0]},{CPUS[1]}", "--quick"]
    done = cellstats(*flags, "--budget", "100ms", "--format", "json")
    assert (done.status, done.err) == (0, "")
    assert sorted(json.loads(done.out)["labels"]) == CPUS[:2]


@pair
def test_a_sweep_is_measured_in_order(tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    flags = ["--ppe", "futex,mmio", "--out", str(table), *BRIEF]
    done = cellstats("sweep", "mailbox", *flags)
    assert (done.status, done.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert [row["path"] for row in rows] == ["futex", "memory"]
    shown = cellstats("sweep", "mailbox", "--ppe", "futex,mmio", "--strict", *BRIEF)
    bad = [grade for grade in GRADES if is_bad(grade) and grade in shown.out]
    assert shown.status == (3 if bad else 0)


def test_an_overview_is_shown_and_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "computer.png"
    flags = ["--budget", "100ms", "--cpu", str(CPUS[0])]
    done = cellstats("host", *flags, "--format", "json", "--plot", str(picture))
    assert (done.status, done.err) == (0, "")
    whole = json.loads(done.out)
    assert whole["cpu"] == CPUS[0]
    assert whole["levels"][-1]["name"] == "memory"
    assert (whole["matrix"] is None) == (len(CPUS) < 2)
    assert picture.stat().st_size > 1000
    refused = cellstats("host", "--cpu", "8000")
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)


def test_the_doctor_says_what_why_and_how_to_mend_it() -> None:
    done = cellstats("doctor")
    assert done.status in (0, 3)
    assert (done.status == 3) == ("\nspoils: " in done.out)
    assert done.out.count("  why:  ") == done.out.count("  mend: ")
    whole = json.loads(cellstats("doctor", "--format", "json").out)
    assert set(whole) == {"environment", "findings", "reasons"}
    assert "\n- two modes: " in done.out


def test_a_thread_of_the_package_is_not_moved_by_a_measurement() -> None:
    cs.machine("host").measure("mkthread", samples=3, budget="100ms")
    assert sorted(os.sched_getaffinity(0)) == CPUS


def test_an_interrupted_placement_says_so() -> None:
    done = interrupted("place", "ring", "--machine", "host", "--budget", "60s")
    said = "cellstats: interrupted, the computer was not measured to the end\n"
    assert (done.status, done.out, done.err) == (130, "", said)


def test_an_interrupt_is_quiet() -> None:
    flags = ["-f", "mkthread", "--machine", "host", "-i", "100m"]
    done = interrupted(*flags)
    assert (done.status, done.out, done.err.strip()) == (130, "", "")
