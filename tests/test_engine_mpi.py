"""Rows from mpirun's ranks equal local rows to the byte. Finished rows survive a killed rank."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from clusters import MPI_ENVIRONMENT, SLOW, lines_of, mpirun, wait_for_rows
from command_line import Done
from command_line import cellstats as run
from parts import needs

pytestmark = needs("mpi")

POOL = ("-m", "mpi4py.futures", "-m", "cellstats")


def start(*command: str, ranks: int = 3) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        mpirun(ranks, *command),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | MPI_ENVIRONMENT,
        start_new_session=True,
    )


def on_ranks(*command: str, ranks: int = 3) -> Done:
    process = start(*command, ranks=ranks)
    out, err = process.communicate(timeout=100)
    return Done(process.returncode, out, err)


@pytest.mark.parametrize(
    "line",
    [
        "sweep dmaget,fetchadd -n 1..6 -i 1k --format csv",
        "matrix mailbox -i 100",
        "-f couples -n 4 -i 100 --placements 10 --format json",
        "place ring -n 4 --format json",
    ],
)
def test_the_same_to_the_byte(line: str) -> None:
    there = on_ranks(*POOL, *line.split(), "--on", "mpi")
    assert (there.status, there.out) == (0, run(*line.split()).out), there.err


@pytest.mark.parametrize(
    ("ranks", "before", "words"),
    [
        (1, POOL, "rank 0 hands out the work, but there is no other"),
        (2, ("-m", "cellstats"), "no ranks wait for work; start it as mpirun"),
    ],
)
def test_what_has_no_workers_is_refused(ranks: int, before: tuple[str, ...], words: str) -> None:
    done = on_ranks(*before, "sweep", "dmaget", "--on", "mpi", ranks=ranks)
    assert done.status == 2
    assert words in done.err
    assert "Traceback" not in done.err


def children(of: int) -> list[int]:
    """The child processes of a process, ordered by process number."""
    said = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(of)], capture_output=True, text=True, check=False
    )
    return sorted(map(int, said.stdout.split()))


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for ranks as Linux has them")
def test_a_killed_rank_ends_all_and_the_same_command_goes_on(tmp_path: Path) -> None:
    out, journal = tmp_path / "r.csv", tmp_path / "r.csv.journal"
    sweep = (*POOL, *SLOW, "--out", str(out), "--on", "mpi")
    process = start(*sweep)
    wait_for_rows(journal, 4, process)
    os.kill(children(process.pid)[-1], signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode != 0
    assert lines_of(journal) >= 4
    assert on_ranks(*sweep).status == 0
    local = tmp_path / "local.csv"
    assert run(*SLOW, "--out", str(local)).status == 0
    assert out.read_bytes() == local.read_bytes()
