"""Files that an interrupted sweep leaves, and resumption at the next start."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from cellstats import RunError
from cellstats.cli import main
from cellstats.measure import journal as journal_module
from cellstats.measure import workers
from cellstats.measure.journal import simulator_digest
from cellstats.measure.workers import measure
from command_line import interrupted

SWEEP = ["sweep", "dmaget", "-n", "1..3", "-b", "128,256", "-i", "10", "--jobs", "1"]
ROWS = 6


@pytest.fixture(autouse=True)
def _sigpipe() -> Iterator[None]:
    before = signal.getsignal(signal.SIGPIPE) if hasattr(signal, "SIGPIPE") else None
    yield
    if before is not None:
        signal.signal(signal.SIGPIPE, before)


class Measure:
    """Replaces `measure`: counts all calls, and fails from the `fails_at`-th call on.

    Later calls must also fail, because a thread may begin the next row before the first failure is
    noticed.
    """

    def __init__(self, fails_at: int | None = None, error: BaseException | None = None) -> None:
        self.calls = 0
        self._fails_at, self._error = fails_at, error or KeyboardInterrupt()
        self._measure = measure

    def __call__(self, *arguments: Any) -> Any:
        self.calls += 1
        if self._fails_at is not None and self.calls >= self._fails_at:
            raise self._error
        return self._measure(*arguments)


def start(monkeypatch: pytest.MonkeyPatch, out: Path, fake: Measure, *more: str) -> int:
    monkeypatch.setattr(workers, "measure", fake)
    try:
        return main([*SWEEP, "--out", str(out), *more])
    finally:
        monkeypatch.undo()


def whole(out: Path) -> bytes:
    assert main([*SWEEP, "--out", str(out)]) == 0
    return out.read_bytes()


@pytest.mark.parametrize("name", ["r.csv", "r.jsonl", "r.parquet"])
def test_the_second_start_runs_only_what_is_missing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, journal = tmp_path / name, tmp_path / f"{name}.journal"
    assert start(monkeypatch, out, Measure(fails_at=4), "--format", "csv") == 130
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert f"interrupted, 3 of {ROWS} rows are kept in {journal}" in printed.err
    assert len(journal.read_text().splitlines()) == 3
    assert not out.exists()

    second = Measure()
    assert start(monkeypatch, out, second) == 0
    assert second.calls == ROWS - 3
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert out.read_bytes() == whole(tmp_path / f"whole-{name}")


def test_a_torn_last_line_is_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, journal = tmp_path / "r.csv", tmp_path / "r.csv.journal"
    assert start(monkeypatch, out, Measure(fails_at=4)) == 130
    journal.write_bytes(journal.read_bytes()[:-20])
    second = Measure(fails_at=2)
    assert start(monkeypatch, out, second) == 130
    assert len([json.loads(line) for line in journal.read_text().splitlines()]) == 3
    third = Measure()
    assert start(monkeypatch, out, third) == 0
    assert third.calls == ROWS - 3
    assert out.read_bytes() == whole(tmp_path / "whole.csv")


def edited(line: bytes) -> bytes:
    """Return the row with its latency changed."""
    row = json.loads(line)
    row["result"]["latency_ns"] = 1.0
    return json.dumps(row).encode() + b"\n"


def with_checksum(**columns: Any) -> Callable[[bytes], bytes]:
    """A function that changes columns of a row (of its result, or `row_` the row's own)."""

    def changed(line: bytes) -> bytes:
        row = json.loads(line)
        del row["checksum"]
        row["result"] |= {name: v for name, v in columns.items() if not name.startswith("row_")}
        row |= {name.removeprefix("row_"): v for name, v in columns.items() if "row_" in name}
        key = json.dumps(row, sort_keys=True).encode()
        return json.dumps(row | {"checksum": sha256(key).hexdigest()}).encode() + b"\n"

    return changed


@pytest.mark.parametrize(
    "damage",
    [
        edited,
        lambda line: line[:9] + b"\n",
        lambda _: b"\xff\n",
        # Rows that something else wrote, with their right checksum.
        with_checksum(row_result={}),
        with_checksum(row_result=[]),
        with_checksum(row_recipe=None),
        with_checksum(row_build=3),
        with_checksum(per_spe=[{}]),
        with_checksum(latency_ns="fast"),
        with_checksum(counters=None),
        with_checksum(other=1),
        with_checksum(recipe={}),
        with_checksum(recipe={"machine": [], "function": {}}),
        with_checksum(function="dmaput"),
    ],
)
def test_a_damaged_row_is_measured_again(
    damage: Callable[[bytes], bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, journal = tmp_path / "r.csv", tmp_path / "r.csv.journal"
    assert start(monkeypatch, out, Measure(fails_at=4)) == 130
    first, second, third = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(first + damage(second) + third)
    capsys.readouterr()
    again = Measure()
    assert start(monkeypatch, out, again) == 0
    assert capsys.readouterr().err == f"cellstats: {journal}: row 2 damaged; measured again\n"
    assert again.calls == ROWS - 2
    assert out.read_bytes() == whole(tmp_path / "whole.csv")


@pytest.mark.parametrize("content", [b"mine\n", b"mine", b'{"mine": 1}\nand more', b"\n"])
def test_a_file_that_never_was_a_journal_is_left_as_it_is(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    out, journal = tmp_path / "r.csv", tmp_path / "r.csv.journal"
    journal.write_bytes(content)
    assert start(monkeypatch, out, Measure(fails_at=1)) == 2
    err = capsys.readouterr().err
    assert "line 1 is no row, or a damaged one, and no other is better; finish that one" in err
    assert err.count("\n") == 1
    assert journal.read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="no devices as files")
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_journal_is_an_ordinary_file(
    make: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / "r.csv.journal")
    assert main([*SWEEP, "--out", str(tmp_path / "r.csv")]) == 2
    assert "r.csv.journal is a pipe or a device; remove it, or give" in capsys.readouterr().err


def test_the_journal_of_another_build_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.csv"
    with pytest.MonkeyPatch.context() as other:
        other.setattr(journal_module, "simulator_digest", lambda: "0123456789abcdef")
        other.setattr(workers, "measure", Measure(fails_at=3))
        assert main([*SWEEP, "--out", str(out)]) == 130
    journal = (tmp_path / "r.csv.journal").read_bytes()
    capsys.readouterr()
    unused = Measure()
    assert start(monkeypatch, out, unused) == 2
    err = capsys.readouterr().err
    assert f"its build is 0123456789ab, not {simulator_digest()[:12]}; finish that one, " in err
    assert (unused.calls, (tmp_path / "r.csv.journal").read_bytes()) == (0, journal)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": "0.0.0"}, "its version is 0.0.0, not "),
        ({"machine_hash": "0123"}, "its machine hash is 0123, not "),
        ({"machine": "ps2"}, "its machine is ps2, not ps3"),
        ({"function": "dmaput"}, "its function is dmaput, not dmaget"),
        ({"parameters": {}}, "it holds rows with other parameters"),
    ],
)
def test_the_journal_of_another_sweep_is_refused(
    change: dict[str, Any],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, journal = tmp_path / "r.csv", tmp_path / "r.csv.journal"
    assert start(monkeypatch, out, Measure(fails_at=3)) == 130
    first, second = (json.loads(line) for line in journal.read_text().splitlines())
    second["recipe"] |= change
    del second["checksum"]
    second["checksum"] = journal_module._checksum(second)
    journal.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")
    capsys.readouterr()
    before, unused = journal.read_bytes(), Measure()
    assert start(monkeypatch, out, unused) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1
    assert (unused.calls, journal.read_bytes()) == (0, before)


def test_a_larger_sweep_takes_over_what_a_smaller_one_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "r.csv"
    assert start(monkeypatch, out, Measure(fails_at=5)) == 130
    larger = Measure()
    monkeypatch.setattr(workers, "measure", larger)
    line = ["128,256,512" if word == "128,256" else word for word in SWEEP]
    assert main([*line, "--out", str(out)]) == 0
    assert larger.calls == 9 - 4


def test_one_journal_has_one_writer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / "r.csv.journal").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert main([*SWEEP, "--out", str(tmp_path / "r.csv")]) == 2
    assert "the same sweep is running already" in capsys.readouterr().err


def test_a_failed_run_keeps_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.csv"
    assert start(monkeypatch, out, Measure(4, RunError("SPE 0: a deadlock"))) == 1
    assert capsys.readouterr().err == "cellstats: SPE 0: a deadlock\n"
    second = Measure()
    assert start(monkeypatch, out, second) == 0
    assert second.calls == ROWS - 3


def test_nothing_finished_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(monkeypatch, tmp_path / "r.csv", Measure(fails_at=1)) == 130
    assert f"interrupted, 0 of {ROWS} rows are finished" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_without_a_file_an_interrupt_prints_what_is_finished(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workers, "measure", Measure(fails_at=4))
    assert main([*SWEEP, "--format", "json"]) == 130
    out, err = capsys.readouterr()
    assert [json.loads(line)["spes"] for line in out.splitlines()] == [1, 1, 2]
    assert err.count("\n") == 1
    assert f"interrupted, 3 of {ROWS} rows are finished" in err


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_long_row_ends_at_once() -> None:
    flags = ["dmaget", "-n", "6", "-b", "16k", "-i", "100m", "--no-fast-forward", "--jobs", "2"]
    more = ["--seed", "1..9", "--placement", "random"]
    done = interrupted("sweep", *flags, *more)
    assert (done.status, done.out) == (130, "")
    assert done.err == (
        "cellstats: interrupted, 0 of 9 rows are finished; with --out they would be kept\n"
    )
