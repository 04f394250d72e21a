"""Rows from a Ray cluster equal local rows to the byte. Ray is optional because it is large."""

import os
import random
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


def free_ports(number: int) -> list[int]:
    """Find ports that nothing uses and that Linux gives to nobody who asks for any free port.

    Ray's other servers take any free port, and start before its client server: ports above 32767
    may be theirs by then. Ray itself uses 10002 to 19999 for its workers and 23000 to 23999 for
    its clients.
    """
    ports = range(24_000, 32_000)
    return [port for port in random.sample(ports, 100) if not answers(port)][:number]


def answers(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Start a cluster on this computer, and return its engine name."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    assert RAY is not None
    port, client = free_ports(2)
    flags = ["--head", "--port", str(port), "--ray-client-server-port", str(client)]
    more = ["--num-cpus", "2", "--include-dashboard", "false", "--block"]
    with subprocess.Popen([RAY, "start", *flags, *more], stdout=subprocess.DEVNULL) as head:
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
            assert head.poll() is None
            assert time.monotonic() - started < 4 * START_S
        yield engine
        head.terminate()  # only ends the processes of this cluster


def test_the_same_to_the_byte(cluster: str) -> None:
    for line in ("sweep dmaget -n 1..6 -i 1k --format csv", "place ring -n 4 --format json"):
        there = run(*line.split(), "--on", cluster)
        assert (there.status, there.out) == (0, run(*line.split()).out), there.err
