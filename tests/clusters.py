"""Engines for tests: a Dask scheduler with workers on the loopback interface, and mpirun."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from command_line import Done

START_S = 60
SLOW = [
    *("sweep", "hotspot", "-n", "8", "--machine", "eval-board", "-b", "128", "-i", "12k"),
    *("--placement", "random", "--seed", "1..20"),
]
"""A sweep of twenty rows, each of which takes some tenths of a second."""


class Cluster:
    """A Dask scheduler and its workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)
        started = time.monotonic()
        while not file.exists() or not file.read_text():
            assert time.monotonic() - started < START_S, self.said()
            time.sleep(0.05)
        self.address = str(json.loads(file.read_text())["address"])
        self.on = self.address.replace("tcp://", "dask://")

    def worker(self, environment: Mapping[str, str] | None = None) -> "subprocess.Popen[bytes]":
        """Start a worker with one thread. If the worker dies, it is not restarted."""
        local = ("--local-directory", self._folder, "--nthreads", "1", "--no-nanny")
        return self._start("worker", self.address, *local, environment=environment)

    def said(self) -> str:
        """The output of all processes."""
        return "\n".join(path.read_text() for path in sorted(self._folder.glob("*.log")))

    def close(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()

    def _start(
        self, kind: str, *flags: str | Path, environment: Mapping[str, str] | None = None
    ) -> "subprocess.Popen[bytes]":
        with (self._folder / f"{len(self._processes)}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", kind, *flags, "--no-dashboard"],
                stdout=log,
                stderr=log,
                env=os.environ | (environment or {}),
            )
        self._processes.append(process)
        return process


def lines_of(path: Path) -> int:
    """Number of finished rows in a journal."""
    return len(path.read_bytes().splitlines()) if path.exists() else 0


def start(*arguments: str) -> "subprocess.Popen[str]":
    """Start the command in the same way as a user, without waiting for its end."""
    return subprocess.Popen(
        [sys.executable, "-m", "cellstats", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_rows(journal: Path, rows: int, process: "subprocess.Popen[str]") -> None:
    """Wait until this number of rows is finished."""
    started = time.monotonic()
    while lines_of(journal) < rows:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() - started < START_S
        time.sleep(0.02)


def ended(process: "subprocess.Popen[str]") -> Done:
    """Wait for the end of a process. Return its output and status."""
    out, err = process.communicate(timeout=150)
    return Done(process.returncode, out, err)


def interrupt(process: "subprocess.Popen[str]") -> None:
    """Send Ctrl-C."""
    process.send_signal(signal.SIGINT)


MPIRUN = shutil.which("mpirun")


def mpirun(ranks: int, *command: str) -> list[str]:
    """The command line that starts this number of ranks, even on fewer processors."""
    assert MPIRUN is not None
    said = subprocess.run([MPIRUN, "--version"], capture_output=True, text=True, check=True).stdout
    more = ["--oversubscribe"] if "Open MPI" in said else []
    return [MPIRUN, *more, "-n", str(ranks), sys.executable, *command]


MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    # Communication without a network: all ranks are on one computer.
    "OMPI_MCA_btl": "self,vader",
    "PRTE_ALLOW_RUN_AS_ROOT": "1",
    "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}
