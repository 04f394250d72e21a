"""`cellstats place --machine host`: output, refusals, and a run on this computer."""

import json
import os
from pathlib import Path

import pytest

from command_line import cellstats, here_and_now, usage_error

HERE = sorted(os.sched_getaffinity(0))
needs_two_cpus = pytest.mark.skipif(len(HERE) < 2, reason="a pattern takes two CPUs")


@pytest.fixture
def matrix(tmp_path: Path) -> str:
    """The matrix of a computer with two packages: CPUs 0 and 2, and CPUs 1 and 3."""
    near, far = 100.0, 400.0
    cpus = [0, 2, 1, 3]
    common: dict[float | None, str | None] = {None: None, near: "same L3", far: "other package"}
    values = [[None if a == b else near if (a - b) % 2 == 0 else far for b in cpus] for a in cpus]
    relations = [[common[value] for value in row] for row in values]
    data = {
        "machine": "host",
        "function": "mailbox",
        "labels": cpus,
        "nodes": {"0": 0, "2": 0, "1": 1, "3": 1},
        "values": values,
        "unit": "ns",
        "relations": relations,
        "environment": {"cpu_model": "Two by Two"},
        "disturbed": [],
        "pairs": {},
        "sources": [[None if a == b else "measured" for b in cpus] for a in cpus],
        "means": {"latency": "round trip"},
    }
    file = tmp_path / "matrix.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return str(file)


def test_the_text(matrix: str) -> None:
    done = cellstats("place", "pairwise", "-n", "4", "--machine", "host", "--matrix", matrix)
    assert (done.status, done.err) == (0, "")
    # Two pairs send in both directions: 4 times 50 ns on near CPUs, 4 times 200 ns on far CPUs.
    assert done.out.startswith(
        """\
--spes 0,2,1,3

pairwise, 4 threads on CPUs 0-3, by matrix
  mailbox: what a message costs, whatever its size

                  all messages    more
found                   200 ns
identity                800 ns  +300 %
random, the mean        600 ns  +200 %
worst found             800 ns  +300 %

By these costs no placement is better by 0.1 % or more.
the matrix is of another computer (Two by Two), and so is the placement

Each thread on its CPU:
  GOMP_CPU_AFFINITY="0 2 1 3"
  OMP_NUM_THREADS=4 OMP_PLACES="{0},{2},{1},{3}" OMP_PROC_BIND=close
"""
    )
    assert done.out.endswith(
        """\
These CPUs, threads in any order:
  taskset --cpu-list 0-3 PROGRAM
  numactl --physcpubind=0-3 --membind=0-1 PROGRAM
"""
    )


def test_the_forms(matrix: str) -> None:
    asked = ("place", "pairwise", "-n", "2", "--spes", "0,2,3", "--machine", "host")
    for form, text in (
        ("list", "0,2"),
        ("environment", 'GOMP_CPU_AFFINITY="0 2"'),
        ("openmp", 'OMP_NUM_THREADS=2 OMP_PLACES="{0},{2}" OMP_PROC_BIND=close'),
        ("taskset", "taskset --cpu-list 0,2 PROGRAM"),
        ("numactl", "numactl --physcpubind=0,2 --membind=0 PROGRAM"),
    ):
        done = cellstats(*asked, "--matrix", matrix, "--format", form)
        assert (done.status, done.out, done.err) == (0, text + "\n", "")
    data = json.loads(cellstats(*asked, "--matrix", matrix, "--format", "json").out)
    assert data["placement"] == [0, 2]
    assert data["forms"]["list"] == "0,2"
    assert data["verification"] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--by", "simulation"), "--by simulation: the host is measured"),
        (("--cells", "0"), "--cells is for simulated machines"),
        (("--memory", "0"), "--memory is for simulated machines"),
        (("--jobs", "2"), "--jobs is for simulated machines"),
        (("--evaluations", "9"), "--evaluations is for simulated machines"),
        (("--plot", "x.png"), "--matrix is of another one"),
        (("--format", "libspe2"), "--format libspe2: for host give one of"),
        (("-n", "5"), "5 threads: there are 4 CPUs to choose from (0-3), give 1 to 4"),
        (("--spes", "0,7"), "--spes 7: the matrix has CPUs 0-3"),
        (("--spes", "0"), "a placement takes two CPUs to choose from, and there is only CPU 0"),
        (("--matrix", "none.json"), "--matrix none.json: no such file or directory"),
        (("--verify",), "--verify: the matrix is of another computer"),
    ],
)
def test_what_is_refused(
    matrix: str, arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = [] if "--matrix" in arguments else ["--matrix", matrix]
    done = here_and_now(["place", "ring", "--machine", "host", *arguments, *file], monkeypatch)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err


def test_two_matrices_of_one_kind_are_refused(matrix: str) -> None:
    line = usage_error("place", "ring", "--machine", "host", "--matrix", matrix, "--matrix", matrix)
    assert "give one of mailbox or signal, and one of dmaget or dmaput" in line


@needs_two_cpus
def test_it_runs_here() -> None:
    spes = ",".join(map(str, HERE[:2]))
    done = cellstats(
        "place", "ring", "--machine", "host", "-n", "2", "-b", "1k", "--spes", spes,
        "--budget", "200ms", "--verify", "--format", "json",
    )  # fmt: skip
    if done.status == 1:  # a busy computer may have no number for the only pair
        assert "CPUs" in done.err
        assert "has no usable number (" in done.err
        return
    assert done.status == 0, done.err
    placed = json.loads(done.out)
    assert sorted(placed["placement"]) == HERE[:2]
    # On a busy computer, another note may say that the matrices had to be measured again.
    assert any(note.startswith("with 2 CPUs all placements are alike") for note in placed["notes"])
    assert 0 < placed["bound_ns"] <= placed["cost_ns"] <= placed["worst_ns"]
    assert len(placed["matrices"]) == 2
    tried = placed["verification"]
    assert tried["runs"][0]["placement"] == placed["placement"]
    for run in tried["runs"]:
        assert 0 < run["time_ns_ci_low"] <= run["time_ns"] <= run["time_ns_ci_high"]
    for gain in tried["gains"]:
        assert gain["ratio_ci_low"] <= gain["ratio"] <= gain["ratio_ci_high"]
