"""Medians and their intervals, grades, and the disturbances that limit them."""

import random
import re
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

import recorded
from cellstats.host import disturbances
from cellstats.host.modes import modes_of_pairs
from cellstats.host.statistics import (
    Similar,
    estimate,
    median_interval,
    quantile,
    two_modes,
    verdict,
)
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


def answer(**changes: Any) -> dict[str, Any]:
    thread = {"thread": 0, "cpu": 3, "cpu_after": 3, "migrations": 0}
    thread |= {"voluntary_switches": 0, "involuntary_switches": 0, "minor_faults": 0}
    return {
        "clock": {"source": "tsc", "hz": 2e9, "cost_ns": 20.0, "resolution_ns": 1.0},
        "what": {"iterations_per_sample": 1000},
        "threads": [thread | changes],
    }


@pytest.mark.parametrize(
    ("changes", "median_ns", "words", "limit"),
    [
        ({"involuntary_switches": 11}, 100.0, "CPU 3 was interrupted 11 times", "1 %"),
        ({"cpu_after": 2}, 100.0, "CPU 3 was moved", "do not use"),
        ({"migrations": 1}, 100.0, "CPU 3 was moved", "do not use"),
        ({}, 1.9, "1000 iterations is short for the clock", "10 %"),
        ({}, 0.19, "1000 iterations is too short for the clock", "do not use"),
    ],
)
def test_what_threads_notice_and_how_it_limits_the_grade(
    changes: dict[str, Any], median_ns: float, words: str, limit: str
) -> None:
    assert disturbances.disturbances([answer()] * 6, 300, 100.0) == []
    (noticed,) = disturbances.disturbances([answer(), answer(**changes)], 100, median_ns)
    assert words in noticed.words
    judged = verdict(estimate([100.0] * 6), 6, [100.0] * 60, [noticed])
    assert judged.grade == limit
    assert judged.why == ("" if limit == "1 %" else noticed.words)


@pytest.mark.parametrize(
    ("medians", "grade", "why"),
    [
        ([100.0] * 5, "do not use", "5 repetitions, and an interval takes 6"),
        ([100.0] * 6, "1 %", ""),
        ([100.0, 100.7] * 6, "1 %", ""),
        ([100.0, 101.0, 100.0, 101.0, 100.0, 101.0], "5 %", "parts of the measurement differ"),
        ([100.0, 103.0, 106.0, 109.0, 112.0, 115.0], "factor 2", "it rose from 100 ns to 115 ns"),
        ([115.0, 112.0, 109.0, 106.0, 103.0, 100.0], "factor 2", "it fell from 115 ns to 100 ns"),
        ([100.0, 400.0, 390.0, 100.0, 100.0, 400.0], "do not use", "two modes, 100 ns in 50 % of"),
        ([0.0] * 12, "do not use", "parts of the measurement differ"),
    ],
)
def test_how_far_a_number_can_be_trusted(medians: list[float], grade: str, why: str) -> None:
    found = estimate(medians)
    judged = verdict(found, len(medians), medians, ())
    assert judged.grade == grade
    assert judged.why.startswith(why)
    assert bool(judged.why) == bool(why)
    if found.low is not None and found.high is not None:
        assert found.low <= found.value <= found.high


def test_two_modes_are_said_to_be_two_and_one_is_not() -> None:
    chance = random.Random(5)
    one = (
        [100 * chance.lognormvariate(0, 0.3) for _ in range(180)],
        [chance.uniform(50, 150) for _ in range(180)],
        [100 + chance.expovariate(0.1) for _ in range(180)],
        [100.0] * 150 + [400.0] * 30,  # a sixth of the samples is no mode
        [100.0] * 90 + [105.0] * 90,  # too near to matter
    )
    for samples in one:
        assert two_modes(sorted(samples)) == ""
    two = [chance.gauss(54, 3) for _ in range(108)] + [chance.gauss(230, 10) for _ in range(72)]
    assert re.fullmatch(
        r"two modes, 5\d\.?\d? ns in 60 % of the samples and 2[23]\d ns in the others",
        two_modes(sorted(two)),
    )
    # They are said beside what limits the grade.
    noticed = [disturbances.Noticed("heat", "CPU 1 was throttled")]
    judged = verdict(estimate([100.0] * 6), 6, two, noticed)
    assert judged.grade == "10 %"
    assert judged.why.startswith("CPU 1 was throttled; two modes, 5")


def counts(stat: str, **changes: str) -> disturbances.Counts:
    tree = recorded.tree("desktop", {"proc/stat": stat, **changes})
    return disturbances.read_counts(tree, read_topology(tree), [0, 1])


def test_what_the_kernel_counted_meanwhile() -> None:
    # CPU 4 is the second hardware thread of CPU 0's core; CPU 2 shares no core with a measured CPU.
    before = counts("cpu0 10 0 0 0 0 0 0 5 0 0\ncpu4 10 0 0 500 0 0 0 0 0 0\ncpu2 0 0 0 0")
    after = counts("cpu0 90 0 0 0 0 0 0 25 0 0\ncpu4 60 0 0 550 0 0 0 0 0 0\ncpu2 99 0 0 0")
    reasons = [each.words for each in disturbances.changes(before, after, [0, 1], 1_000_000_000)]
    assert len(reasons) == 2
    assert "the hypervisor took 19 % of CPU 0's time" in reasons
    assert "CPU 4, on a core with one measured, was 49 % busy" in reasons
    assert disturbances.changes(before, before, [0, 1], 1_000_000_000) == []


@pytest.mark.parametrize(
    ("name", "cpus", "changes", "cause"),
    [
        ("virtual-machine", [0, 1], {"proc/cpuinfo": "flags : fpu hypervisor"}, "moving CPUs"),
        # Its CPUs do not communicate.
        ("virtual-machine", [0], {"proc/cpuinfo": "flags : fpu hypervisor"}, "virtual machine"),
        # Processors of this kind have one thread in each core, and the hypervisor takes no time.
        (
            "virtual-machine",
            [0, 1],
            {"proc/cpuinfo": "Features : fp", "proc/stat": "cpu  999 0 0 0 0 0 0 1 0 0"},
            "virtual machine",
        ),
        (
            "virtual-machine",
            [0, 1],
            {"proc/cpuinfo": "Features : fp", "proc/stat": "cpu  980 0 0 0 0 0 0 20 0 0"},
            "moving CPUs",
        ),
        ("desktop", [0, 1], {"proc/stat": "cpu  980 0 0 0 0 0 0 20 0 0"}, None),
    ],
)
def test_a_hypervisor_may_move_cpus(
    name: str, cpus: list[int], changes: dict[str, str], cause: str | None
) -> None:
    tree = recorded.tree(name, changes)
    noticed = disturbances.kind_of_machine(tree, read_topology(tree), cpus)
    assert [each.cause for each in noticed] == ([cause] if cause else [])


def test_where_cpus_move_the_interval_has_both_modes() -> None:
    at_rest = estimate([100.0] * 6, [disturbances.Noticed("virtual machine", "")])
    moved = estimate([245.0] * 6, [disturbances.MOVED])
    assert moved.low is not None
    assert moved.low < 55 < 245 < (moved.high or 0)
    assert [moved.far_at_rest, at_rest.far] == pytest.approx([0.07, 0.07])
    judged = verdict(moved, 6, [245.0] * 60, [disturbances.MOVED])
    assert judged.grade == "factor 10"
    assert judged.why.endswith("while it does not, good to within 10 %")
    # Cores that only load and store do not notice how far they are apart.
    (alone,) = disturbances.wherever_cpus_are([disturbances.MOVED])
    assert estimate([100.0] * 6, [alone]).far == pytest.approx(0.07)


@pytest.mark.parametrize("repetitions", [1, 2, 5, 12])
def test_the_spread_of_similar_measurements_counts(repetitions: int) -> None:
    chance = random.Random(3)
    series = [[100 * chance.lognormvariate(0, 0.1) for _ in range(12)] for _ in range(60)]
    similar = Similar(each[:repetitions] for each in series)
    found = [estimate(each[:repetitions], (), similar) for each in series]
    if repetitions == 1:
        assert all(each.low is None for each in found)
        return
    # The next number is that of as many repetitions; these are independent.
    holds = 0
    for each in found:
        after = median(100 * chance.lognormvariate(0, 0.1) for _ in range(repetitions))
        holds += (each.low or 0) <= after <= (each.high or 0)
    assert holds / len(found) >= 0.88
    # Chance gives none a far better or worse interval than the others.
    assert max(each.far for each in found) < 3 * min(each.far for each in found)


def test_a_measurement_that_varies_far_more_is_not_similar() -> None:
    chance = random.Random(4)
    series = [[100 * chance.lognormvariate(0, 0.01) for _ in range(12)] for _ in range(20)]
    series.append([100.0, 200.0] * 3 + [200.0, 100.0] * 3)
    similar = Similar(series)
    assert all(estimate(each, (), similar).far < 0.05 for each in series[:-1])
    jumps = [100.0, 100.0, 200.0, 200.0, 100.0, 100.0, 100.0, 100.0, 200.0, 200.0, 100.0, 200.0]
    assert estimate(jumps, (), similar) == estimate(jumps)


def test_single_repetitions_are_compared_with_each_other_where_numbers_are_alike() -> None:
    series = [[100.0 + nth] for nth in range(10)]
    similar, alike = Similar(series), Similar([*series, [150.0]], alike=True)
    assert estimate(series[0], (), similar).low is None
    found = estimate(series[5], (), alike)
    assert 0.03 < found.far < 0.3
    # The repetitions of one measurement will do.
    assert estimate([101.0], (), Similar([series[0] * 6, [101.0]], alike=True)).low is not None
    # One that lies farther away than the spread is no better than that.
    assert estimate([150.0], (), alike).far >= 150 / 105 - 1


def test_two_modes_of_all_pairs_are_found_together() -> None:
    chance = random.Random(6)
    slow = [[chance.gauss(150, 12) for _ in range(10)] for _ in range(40)]
    assert modes_of_pairs(slow) is None
    mixed = [[*each] for each in slow]
    for nth in (3, 8, 17):
        mixed[nth][5] = 16.0
    mixed[20] = [16.1] * 9 + [150.0]
    modes = modes_of_pairs(mixed)
    assert modes is not None
    assert modes.words().startswith("two modes: 3 % of the repetitions took 16.1 ns, the others 1")
    assert modes.prevailing(mixed[3]) == [nth != 5 for nth in range(10)]
    assert modes.prevailing(mixed[20]) == [True] * 9 + [False]
    assert [modes.is_rare(mixed[nth]) for nth in (3, 20)] == [False, True]
    assert modes_of_pairs([*slow, [16.0] * 1]) is None  # one repetition is no mode


def test_heat_and_quotas_are_counted() -> None:
    hot = "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count"
    before = counts("", **{hot: "3"})
    after = counts("", **{hot: "4"})
    (reason,) = disturbances.changes(before, after, [0, 1], 1)
    assert reason.words == "CPU 1 was throttled because it was too hot"
    stopped = disturbances.Counts({}, {}, {}, 9)
    (reason,) = disturbances.changes(disturbances.Counts({}, {}, {}, 7), stopped, [0], 1)
    assert "CPU quota stopped the process 2 times" in reason.words


def test_frequencies_are_compared_after_each_repetition() -> None:
    assert disturbances.frequency_changes([{0: 3000.0}, {0: 3050.0}]) == []
    (reason,) = disturbances.frequency_changes([{0: 3000.0, 1: 3000.0}, {0: 2000.0, 1: 3000.0}])
    assert reason.words == "CPU 0 ran at 2000 to 3000 MHz"
    assert disturbances.frequency_changes([{}, {}]) == []
    where = "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq"
    assert disturbances.read_frequencies(Recorded({where: "2400000"}), [0, 1]) == {1: 2400.0}
