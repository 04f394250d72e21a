"""Which build of the simulator runs here, so that results of different ones are never mixed."""

import hashlib
import socket
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cellstats import _native
from cellstats._native import UsageError
from cellstats.measure.version import version
from cellstats.text.reasons import kind_and_reason

SHOWN = 12
"""Digits of a build that people can compare."""


@cache
def simulator_digest() -> str:
    """A digest of the simulator's own file: equal ones give equal results, to the byte."""
    return hashlib.sha256(Path(_native.__file__).read_bytes()).hexdigest()


class Build(NamedTuple):
    """The version of this package, and the file of its simulator."""

    version: str
    simulator: str

    def __str__(self) -> str:
        return f"cellstats {self.version} (build {self.simulator[:SHOWN]})"


def this_build() -> Build:
    """The build that this process runs."""
    return Build(version(), simulator_digest())


def check_same_build(asking: Build) -> None:
    """Raise UsageError, which names this computer, unless it runs the build that asks."""
    here = this_build()
    if here != asking:
        raise UsageError(
            f"a worker on {socket.gethostname()} runs {here}, and what asks it {asking}; "
            "install the same wheel in both places"
        )


def unlike(worker: str, error: Exception) -> UsageError:
    """What `check_same_build` comes to on a worker: its own refusal, or that it is not there."""
    if isinstance(error, UsageError):
        return error
    return UsageError(f"{worker} has no cellstats like {this_build()}: {kind_and_reason(error)}")
