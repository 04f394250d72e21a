"""Medians, their confidence intervals, and the reasons why a measurement counts as disturbed."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import recorded
from cellstats.host import judging
from cellstats.host.judging import disagreement, disturbances, median_interval, quantile, summary
from cellstats.host.topology import Recorded, read_topology


@pytest.mark.parametrize("count", [15, 50, 151])
@pytest.mark.parametrize("shape", ["normal", "lognormal", "two peaks"])
def test_the_interval_covers_the_median_as_often_as_it_says(count: int, shape: str) -> None:
    draws: dict[str, Callable[[random.Random], float]] = {
        "normal": lambda r: r.gauss(0.0, 1.0),
        "lognormal": lambda r: r.lognormvariate(0.0, 1.0) - 1.0,
        # Fast and slow samples, as if caused by random page placement.
        "two peaks": lambda r: r.choice((-1.0, 1.0)) * r.random(),
    }
    draw = draws[shape]
    runs, covered = 500, 0
    for seed in range(runs):
        chance = random.Random(seed)
        low, high = median_interval(sorted(draw(chance) for _ in range(count)))
        covered += low <= 0.0 <= high
    # The expected share is 95 %, but 500 runs are few, so some deviation is allowed.
    assert covered / runs > 0.92


def test_the_interval_is_that_of_the_bootstrap() -> None:
    chance = random.Random(1)
    samples = sorted(chance.expovariate(1.0) for _ in range(101))
    medians = sorted(sorted(chance.choices(samples, k=101))[50] for _ in range(4000))
    low, high = median_interval(samples)
    ranks = [samples.index(each) for each in (quantile(medians, 0.025), quantile(medians, 0.975))]
    assert abs(samples.index(low) - ranks[0]) <= 1
    assert abs(samples.index(high) - ranks[1]) <= 1


def test_a_long_series_has_the_interval_that_theory_gives_it() -> None:
    # For large counts, the interval's half width is 1.96 standard deviations of a binomial.
    count = 200_001
    low, high = median_interval([float(i) for i in range(count)])
    assert (high - low) / 2 == pytest.approx(1.96 * count**0.5 / 2, rel=0.01)
    assert (high + low) / 2 == count // 2


def test_small_series() -> None:
    one = summary([7.0])
    assert (one.median, one.ci_low, one.ci_high, one.least, one.p99) == (7.0,) * 5
    two = summary([3.0, 1.0])
    assert (two.median, two.ci_low, two.ci_high) == (2.0, 1.0, 3.0)
    assert summary([5.0] * 9 + [500.0]).median == 5.0


def test_order_does_not_matter_and_the_ends_are_within() -> None:
    samples = [random.Random(3).random() for _ in range(99)]
    one, other = summary(samples), summary(sorted(samples, reverse=True))
    assert one == other
    assert one.least <= one.ci_low <= one.median <= one.ci_high <= one.p99


def test_how_far_repetitions_are_apart() -> None:
    assert disagreement([10.0]) == 0.0
    assert disagreement([10.0, 12.0]) == 0.2


def answer(samples: list[float], **changes: Any) -> dict[str, Any]:
    thread = {"thread": 0, "cpu": 3, "samples_ns": samples, "cpu_after": 3, "migrations": 0}
    thread |= {"voluntary_switches": 0, "involuntary_switches": 0, "minor_faults": 0}
    return {
        "clock": {"source": "tsc", "hz": 2e9, "cost_ns": 20.0, "resolution_ns": 1.0},
        "what": {"iterations_per_sample": 1000},
        "threads": [thread | changes],
    }


def said(answers: list[dict[str, Any]]) -> list[str]:
    rounds = [each["threads"][0]["samples_ns"] for each in answers]
    return disturbances(answers, rounds, summary([time for each in rounds for time in each]))


def test_a_quiet_measurement_is_not_marked() -> None:
    quiet = [100.0 + i % 3 for i in range(50)]
    assert said([answer(quiet)] * 3) == []


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ([answer([100.0] * 50, involuntary_switches=3)], "CPU 3 was interrupted 3 times"),
        ([answer([100.0] * 50, cpu_after=2)], "CPU 3 was moved"),
        ([answer([100.0] * 50, migrations=1)], "CPU 3 was moved"),
        ([answer([100.0] * 50), answer([107.0] * 50)], r"repetitions are 7 % apart \(100 ns to"),
        ([answer([100.0, 150.0] * 25)], "known to 40 % only"),
        ([answer([1.0] * 50)], "short for the clock"),
    ],
)
def test_what_is_marked_and_why(answers: list[dict[str, Any]], words: str) -> None:
    (reason,) = said(answers)
    assert "\n" not in reason
    assert re.search(words, reason)


def counts(stat: str, **changes: str) -> judging.Counts:
    tree = recorded.tree("desktop", {"proc/stat": stat, **changes})
    return judging.read_counts(tree, read_topology(tree), [0, 1])


def test_what_the_kernel_counted_meanwhile() -> None:
    # CPU 4 is the second hardware thread of CPU 0's core; CPU 2 shares no core with a measured CPU.
    before = counts("cpu0 10 0 0 0 0 0 0 5 0 0\ncpu4 10 0 0 500 0 0 0 0 0 0\ncpu2 0 0 0 0")
    after = counts("cpu0 90 0 0 0 0 0 0 25 0 0\ncpu4 60 0 0 550 0 0 0 0 0 0\ncpu2 99 0 0 0")
    reasons = judging.changes(before, after, [0, 1], 1_000_000_000)
    assert len(reasons) == 2
    assert "the hypervisor took 19 % of CPU 0's time (steal)" in reasons
    assert "CPU 4, on a core with one measured, was 49 % busy" in reasons
    assert judging.changes(before, before, [0, 1], 1_000_000_000) == []


def test_heat_and_quotas_are_counted() -> None:
    hot = "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count"
    before = counts("", **{hot: "3"})
    after = counts("", **{hot: "4"})
    assert judging.changes(before, after, [0, 1], 1) == [
        "CPU 1 was throttled because it was too hot"
    ]
    stopped = judging.Counts({}, {}, {}, 9)
    (reason,) = judging.changes(judging.Counts({}, {}, {}, 7), stopped, [0], 1)
    assert "CPU quota stopped the process 2 times" in reason


def test_frequencies_are_compared_after_each_repetition() -> None:
    assert judging.frequency_changes([{0: 3000.0}, {0: 3050.0}]) == []
    (reason,) = judging.frequency_changes([{0: 3000.0, 1: 3000.0}, {0: 2000.0, 1: 3000.0}])
    assert reason == "CPU 0 ran at 2000 to 3000 MHz"
    assert judging.frequency_changes([{}, {}]) == []
    where = "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq"
    assert judging.read_frequencies(Recorded({where: "2400000"}), [0, 1]) == {1: 2400.0}
