"""Run the command as a user does."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Done(NamedTuple):
    status: int
    out: str
    err: str


def cellstats(*arguments: str) -> Done:
    """Run `cellstats ARGUMENTS` in a process of its own, neither stream a terminal."""
    done = subprocess.run(
        [sys.executable, "-m", "cellstats", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def usage_error(*arguments: str) -> str:
    """The one line that such a usage error prints."""
    done = cellstats(*arguments)
    assert (done.status, done.out) == (2, ""), done
    assert done.err.startswith("cellstats: "), done.err
    assert done.err.count("\n") == 1, done.err
    assert done.err.endswith("\n"), done.err
    return done.err
