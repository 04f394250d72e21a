"""Run the command as a user does."""

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from cellstats.cli import main

ROOT = Path(__file__).resolve().parents[1]


class Done(NamedTuple):
    status: int
    out: str
    err: str


def cellstats(*arguments: str) -> Done:
    """Run `cellstats ARGUMENTS` in a separate process, whose streams are not terminals."""
    done = subprocess.run(
        [sys.executable, "-m", "cellstats", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def interrupted(*arguments: str, once: Path | None = None) -> Done:
    """Run the command, and send Ctrl-C after two seconds of processor time.

    once: a file that must exist by then, too.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "cellstats", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        started = time.monotonic()
        while _processor_seconds(process.pid, started) < 2 or not (once is None or once.exists()):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return Done(process.returncode, out, err)


def _processor_seconds(pid: int, started: float) -> float:
    """Processor time of a process. Without /proc, a third of the elapsed time."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return (time.monotonic() - started) / 3
    user, system = stat.read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def usage_error(*arguments: str) -> str:
    """Run a command that must fail with a usage error, and return its one-line message."""
    done = cellstats(*arguments)
    assert (done.status, done.out) == (2, ""), done
    assert done.err.startswith("cellstats: "), done.err
    assert done.err.count("\n") == 1, done.err
    assert done.err.endswith("\n"), done.err
    return done.err


def here_and_now(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Done:
    """Run the command in this process, which is much faster. Its streams use only UTF-8."""
    outputs = [
        io.TextIOWrapper(io.BytesIO(), "utf-8", errors) for errors in (None, "backslashreplace")
    ]
    monkeypatch.setattr(sys, "stdout", outputs[0])
    monkeypatch.setattr(sys, "stderr", outputs[1])
    monkeypatch.setattr(sys, "argv", ["cellstats", *arguments])
    status = main(arguments)
    texts = []
    for output in outputs:
        output.flush()
        output.buffer.seek(0)
        texts.append(output.buffer.read().decode("utf-8", "surrogateescape"))
    return Done(status, texts[0], texts[1])
