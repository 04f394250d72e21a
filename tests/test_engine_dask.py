"""Rows from a Dask scheduler equal local rows to the byte, and survive the death of workers."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cellstats
from clusters import SLOW, Cluster, ended, interrupt, lines_of, start, wait_for_rows
from command_line import Done, usage_error
from command_line import cellstats as run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")

Start = Callable[[int], Cluster]


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler without workers."""
    made = Cluster(tmp_path_factory.mktemp("dask"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler with two workers. No test kills these workers."""
    made = Cluster(tmp_path_factory.mktemp("dask"))
    made.worker()
    made.worker()
    yield made
    made.close()


@pytest.mark.parametrize(
    "line",
    [
        "sweep dmaget,fetchadd -n 1..6 -i 1k --format csv",
        "sweep dmaget -n 1..2 -b 128..1k -i 100 --machine ps3,eval-board --format json",
        "matrix mailbox -i 100",
        "-f couples -n 4 -i 100 --placements 10 --format json",
        "place ring -n 4 --format json",
    ],
)
def test_the_same_to_the_byte(line: str, two: Cluster) -> None:
    there = run(*line.split(), "--on", two.on)
    assert there == run(*line.split())
    assert (there.status, there.err) == (0, "")


def test_papers_are_reproduced_there(two: Cluster, tmp_path: Path) -> None:
    flags = ["reproduce", "chen2007", "--format", "csv", "--out"]
    here, there = run(*flags, str(tmp_path / "h")), run(*flags, str(tmp_path / "t"), "--on", two.on)
    assert (there.status, there.out) == (here.status, here.out)


def test_from_python_by_name_and_as_an_executor(two: Cluster) -> None:
    code = f"""
import cellstats as cs
from cellstats.measure.engines import engine
from distributed import Client

asked = dict(spes="1..3", size="128..512", iterations=100)
here = cs.sweep("dmaget", **asked)
with engine({two.on!r}) as executor:
    assert cs.sweep("dmaget", executor=executor, **asked) == here
with Client({two.address!r}) as client:
    assert cs.sweep("dmaget", executor=client.get_executor(), **asked) == here
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=100, check=False)
    assert done.returncode == 0


@pytest.fixture(scope="module")
def slow_rows(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The output of the slow sweep, measured in local processes."""
    out = tmp_path_factory.mktemp("slow") / "r.csv"
    assert run(*SLOW, "--out", str(out)) == Done(0, "", "")
    return out.read_bytes()


def test_one_of_two_workers_is_killed_in_the_middle(
    cluster: Cluster, tmp_path: Path, slow_rows: bytes
) -> None:
    out = tmp_path / "r.csv"
    first, _ = cluster.worker(), cluster.worker()
    process = start(*SLOW, "--out", str(out), "--on", cluster.on)
    wait_for_rows(tmp_path / "r.csv.journal", 4, process)
    first.kill()
    assert ended(process) == Done(0, "", "")
    assert out.read_bytes() == slow_rows


def test_after_an_interrupt_only_the_rest_is_measured(
    two: Cluster, tmp_path: Path, slow_rows: bytes
) -> None:
    out, journal = tmp_path / "r.csv", tmp_path / "r.csv.journal"
    process = start(*SLOW, "--out", str(out), "--on", two.on)
    wait_for_rows(journal, 4, process)
    interrupt(process)
    done = ended(process)
    assert done.status == 130
    assert f"interrupted, {lines_of(journal)} of 20 rows are kept in" in done.err
    assert done.err.count("\n") == 1
    assert run(*SLOW, "--out", str(out), "--on", two.on) == Done(0, "", "")
    assert out.read_bytes() == slow_rows


def test_nobody_answers() -> None:
    said = usage_error("sweep", "dmaget", "--on", "dask://127.0.0.1:1")
    assert "no scheduler answers there" in said


def test_a_worker_of_another_build_is_refused_before_anything_runs(
    cluster: Cluster, tmp_path: Path
) -> None:
    package = Path(cellstats.__file__).parent
    other = tmp_path / "cellstats"
    shutil.copytree(package, other, ignore=shutil.ignore_patterns("__pycache__"))
    [native] = other.glob("_native*.so")
    native.write_bytes(native.read_bytes() + b"\0")
    cluster.worker({"PYTHONPATH": str(tmp_path)})
    out = tmp_path / "r.csv"
    said = usage_error("sweep", "dmaget", "--out", str(out), "--on", cluster.on)
    assert "a worker on " in said
    assert "install the same wheel in both places" in said
    assert not out.exists()
    assert not (tmp_path / "r.csv.journal").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the host is measured on Linux only")
def test_the_hosts_of_workers_can_be_measured(two: Cluster) -> None:
    flags = "sweep mailbox -s -i 100 --budget 100ms --machine host --hosts-of-workers --format json"
    done = run(*flags.split(), "--on", two.on)
    assert done.status == 0, done
    assert '"machine": "host"' in done.out
