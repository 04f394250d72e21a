"""Does an interval hold the number of the next measurement as often as it says?

95 % is for noise like that of the past, and noise changes; at least 90 % is expected. The noise is
synthetic, or recorded.
"""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from cellstats.host.repetitions import REPETITIONS
from cellstats.host.statistics import estimate

RECORDED: dict[str, list[float]] = json.loads(
    Path(__file__).with_name("recorded_noise.json").read_text(encoding="utf-8")
)["medians_ns"]
EXPECTED = 0.90


def covered(series: Sequence[float], start: int, repetitions: int = REPETITIONS) -> bool:
    """Whether the interval from `start` on holds the number of the measurement that follows."""
    between = start + repetitions
    found, after = estimate(series[start:between]), estimate(series[between:][:repetitions])
    assert found.low is not None
    assert found.high is not None
    return found.low <= after.value <= found.high


def quiet(_chance: random.Random) -> Callable[[int], float]:
    return lambda _nth: 1.0


def drift(chance: random.Random) -> Callable[[int], float]:
    """A random walk that returns to its beginning."""
    at = [1.0]

    def step(_nth: int) -> float:
        at[0] **= 0.98
        at[0] *= chance.lognormvariate(0.0, 0.01)
        return at[0]

    return step


def bursts(chance: random.Random) -> Callable[[int], float]:
    """Times in which everything takes longer, now and then."""
    left = [0]

    def step(_nth: int) -> float:
        if chance.random() < 0.03:
            left[0] = chance.randint(1, 8)
        left[0] -= 1
        return chance.uniform(1.2, 2.5) if left[0] >= 0 else 1.0

    return step


def two_modes(chance: random.Random) -> Callable[[int], float]:
    """Memory pages that are near or far, by chance in each repetition."""
    return lambda _nth: 1.8 if chance.random() < 0.4 else 1.0


def neighbour(chance: random.Random) -> Callable[[int], float]:
    """Another program that works a quarter of the time, for some repetitions each time."""
    period, first = chance.randint(6, 18), chance.randrange(18)
    return lambda nth: 1.15 if 4 * ((nth + first) % period) < period else 1.0


@pytest.mark.parametrize("noise", [quiet, drift, bursts, two_modes, neighbour])
@pytest.mark.parametrize("repetitions", [REPETITIONS, 3 * REPETITIONS])
def test_synthetic_noise(
    noise: Callable[[random.Random], Callable[[int], float]], repetitions: int
) -> None:
    trials = 400
    holds = 0
    for seed in range(trials):
        chance = random.Random(seed)
        factor = noise(chance)
        series = [factor(nth) * chance.lognormvariate(0, 0.02) for nth in range(2 * repetitions)]
        holds += covered(series, 0, repetitions)
    assert holds / trials >= EXPECTED


def test_recorded_noise() -> None:
    starts = range(0, len(RECORDED["mkthread"]) - 2 * REPETITIONS, REPETITIONS // 3)
    shares = {
        name: sum(covered(series, start) for start in starts) / len(starts)
        for name, series in RECORDED.items()
    }
    assert sum(shares.values()) / len(shares) >= EXPECTED, shares


def test_quiet_noise_has_a_narrow_interval() -> None:
    chance = random.Random(0)
    medians = [chance.lognormvariate(0, 0.003) for _ in range(REPETITIONS)]
    assert estimate(medians).far < 0.01
