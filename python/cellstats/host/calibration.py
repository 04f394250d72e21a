"""Reads `calibration.toml`: how far numbers move between measurements of recorded computers."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Moves:
    """How far numbers move from one measurement to the next, on one kind of computer."""

    times: float
    """Standard deviation of the difference, in standard deviations of a measurement's parts."""
    floor: float
    """Half of the 95 % interval of a measurement whose parts are equal: 0.05 for 5 %."""


@dataclass(frozen=True, slots=True)
class Moving:
    """Virtual CPUs that a hypervisor moves nearer together or farther apart."""

    share_of_two: float
    """How often, on two CPUs, a measurement and the next one are in different modes."""
    factor: float
    """By how much the number of a message between CPUs then changes."""

    def share(self, cpus: int) -> float:
        """How often two given CPUs, of so many, are in different modes the next time."""
        return min(1.0, self.share_of_two / (cpus - 1))


@cache
def _tables() -> dict[str, dict[str, float]]:
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return {
        name: {key: each for key, each in table.items() if not isinstance(each, str)}
        for name, table in tomllib.loads(text).items()
    }


def moves(kind: str) -> Moves:
    """The constants of a kind of computer: `plain` or `virtual`."""
    return Moves(**_tables()[kind])


def share_of_halves() -> float:
    """The variance of a measurement that takes turns, in variances between its halves."""
    return _tables()["similar"]["share_of_halves"]


def moving() -> Moving:
    """The constants of virtual CPUs that move."""
    return Moving(**_tables()["moving"])
