"""Rows from a Ray cluster equal local rows to the byte. Ray is optional because it is large."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from clusters import START_S
from command_line import cellstats as run
from parts import needs

pytestmark = needs("ray")
RAY = shutil.which("ray", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def answers(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Start a cluster on this computer, and return its engine name."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    assert RAY is not None
    port, client = free_port(), free_port()
    flags = ["--head", "--port", str(port), "--ray-client-server-port", str(client)]
    # The workers' ports must not include `port` and `client`, or Ray refuses to start.
    more = ["--num-cpus", "2", "--include-dashboard", "false", "--block"]
    apart = ["--min-worker-port", "0", "--max-worker-port", "0"]
    with subprocess.Popen([RAY, "start", *flags, *more, *apart], stdout=subprocess.DEVNULL) as head:
        started = time.monotonic()
        while not answers(client):
            assert head.poll() is None
            assert time.monotonic() - started < START_S
            time.sleep(0.2)
        engine = f"ray://127.0.0.1:{client}"
        # On a busy computer, Ray refuses clients for a while even after its port is open.
        while subprocess.run(
            [sys.executable, "-c", f"import ray; ray.init({engine!r})"]
        ).returncode:
            assert time.monotonic() - started < 4 * START_S
        yield engine
        head.terminate()  # only ends the processes of this cluster


def test_the_same_to_the_byte(cluster: str) -> None:
    for line in ("sweep dmaget -n 1..6 -i 1k --format csv", "place ring -n 4 --format json"):
        there = run(*line.split(), "--on", cluster)
        assert (there.status, there.out) == (0, run(*line.split()).out), there.err
