"""Statistics of samples, disturbances of a measurement, and reasons to distrust it.

The confidence interval of a median is the percentile interval of its bootstrap distribution. For a
median, this distribution has a closed form. The median of a resample is at most the k-th smallest
sample if and only if at least half of the n draws are among the k smallest samples. The binomial
distribution gives the probability of this event (Efron, "Bootstrap methods: another look at the
jackknife", Annals of Statistics 7, 1979, section 3). The interval needs no random numbers, so equal
samples always have equal intervals.

The kernel counts disturbances: time taken by a hypervisor (steal), other work on a core's second
thread, waits for a control group's quota, and thermal throttling. These counters are read before
and after a measurement. Clock frequencies are read right after each repetition, while the cores are
still busy.

Further reasons to distrust a result are interrupted or migrated threads, repetitions that disagree,
a wide interval of the median, and samples too short for the clock. The limits are arbitrary: a
result beyond a limit is marked, never changed.

Standard errors of means are left out: times have a long tail, so an interval of the mean describes
the tail rather than the measured operation. Interrupts are left out because they show in the 99th
percentile. Page faults are left out because the measurement counts them for each thread.
"""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellstats.core.quantities import format_latency
from cellstats.host.environment import read_limits
from cellstats.host.topology import Topology, Tree, whole_number

CONFIDENCE = 0.95
INTERRUPTED_SHARE = 0.01
"""Maximum accepted number of interruptions per sample."""
DISAGREEMENT = 0.05
"""Maximum accepted difference of the repetitions' medians, as a share of the smallest median."""
INTERVAL = 0.10
"""Maximum accepted width of the median's confidence interval, as a share of the median."""
CLOCK_TIMES = 100
"""Minimum duration of a sample, as a multiple of the clock's cost and resolution."""
_CPU = "sys/devices/system/cpu"
# Field numbers in a CPU's line of /proc/stat (proc(5)).
_IDLE, _IOWAIT, _STEAL = 3, 4, 7
_STEAL_SHARE, _SIBLING_SHARE = 0.01, 0.05
_FREQUENCY_SPREAD = 0.05


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics of a series of samples, in the unit of the samples."""

    count: int
    mean: float
    median: float
    ci_low: float
    """Lower end of the median's 95 % confidence interval."""
    ci_high: float
    least: float
    """Smallest sample."""
    p99: float
    """99th percentile."""


def summary(samples: Sequence[float]) -> Summary:
    """The statistics of a non-empty series of samples.

    >>> summary([3.0, 1.0, 2.0]).median
    2.0
    """
    ordered = sorted(samples)
    low, high = median_interval(ordered)
    return Summary(
        len(ordered),
        math.fsum(ordered) / len(ordered),
        median(ordered),
        low,
        high,
        ordered[0],
        quantile(ordered, 0.99),
    )


def median(ordered: Sequence[float]) -> float:
    """The median of sorted samples; for an even number of samples, the mean of the middle two."""
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest sample that at least a `share` (0 to 1) of the sorted samples do not exceed.

    >>> quantile([1.0, 2.0, 3.0, 4.0], 0.5)
    2.0
    """
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def median_interval(
    ordered: Sequence[float], confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The confidence interval of the median of sorted samples, by the bootstrap's percentiles.

    >>> median_interval([float(i) for i in range(1, 102)])
    (41.0, 61.0)
    """
    n, tail = len(ordered), (1 - confidence) / 2
    low = _first(n, lambda k: _share_at_most(n, k) > tail)
    # The upper end's rank from the top equals the lower end's rank from the bottom.
    return ordered[low - 1], ordered[n - low]


def disagreement(medians: Sequence[float]) -> float:
    """The largest difference of the repetitions' medians, as a share of the smallest median.

    >>> disagreement([100.0, 110.0, 105.0])
    0.1
    """
    least = min(medians)
    return round((max(medians) - least) / least, 12) if least > 0 else 0.0


def _share_at_most(n: int, k: int) -> float:
    """The probability that at least half of a resample's n draws are among the k smallest."""
    if k >= n:
        return 1.0
    p, half = k / n, (n + 1) // 2
    # Terms farther from the mean are too small to change a double-precision sum.
    mean, far = k, 10 * math.sqrt(k * (1 - p)) + 10
    logs = (
        math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
        + i * math.log(p) + (n - i) * math.log1p(-p)
        for i in range(max(half, math.floor(mean - far)), min(n, math.ceil(mean + far)) + 1)
    )  # fmt: skip
    return math.fsum(math.exp(each) for each in logs)


def _first(n: int, holds: Callable[[int], bool]) -> int:
    """The smallest k from 1 to n for which `holds` is true; all larger k must also satisfy it."""
    low, high = 1, n
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


@dataclass(frozen=True, slots=True)
class Counts:
    """The kernel's counters of each CPU at one moment."""

    steal_ticks: dict[int, int]
    busy_ticks: dict[int, int]
    throttles: dict[int, int]
    """Number of times that the core was throttled thermally."""
    quota_stops: int


def read_counts(tree: Tree, topology: Topology, cpus: Sequence[int]) -> Counts:
    """Read the counters of these CPUs and of all CPUs that share a core with them."""
    near = {sibling for cpu in cpus for sibling in topology.cpu(cpu).siblings}
    steal, busy = {}, {}
    for line in (tree.text("proc/stat") or "").splitlines():
        name, *rest = line.split()
        if name.startswith("cpu") and name[3:].isdecimal() and int(name[3:]) in near:
            ticks = [int(text) for text in rest if text.isdecimal()]
            # The user field includes guest time, so the separate guest fields are dropped.
            ticks = [*ticks[:8], *[0] * (8 - len(ticks))]
            steal[int(name[3:])] = ticks[_STEAL]
            busy[int(name[3:])] = sum(ticks) - ticks[_IDLE] - ticks[_IOWAIT] - ticks[_STEAL]
    where = "thermal_throttle/core_throttle_count"
    counts = {cpu: whole_number(tree, f"{_CPU}/cpu{cpu}/{where}") for cpu in cpus}
    throttles = {cpu: count for cpu, count in counts.items() if count is not None}
    return Counts(steal, busy, throttles, read_limits(tree).throttled)


def read_frequencies(tree: Tree, cpus: Sequence[int]) -> dict[int, float]:
    """The clock frequencies of the CPUs in MHz, where known."""
    found = {cpu: whole_number(tree, f"{_CPU}/cpu{cpu}/cpufreq/scaling_cur_freq") for cpu in cpus}
    return {cpu: khz / 1000 for cpu, khz in found.items() if khz}


def changes(before: Counts, after: Counts, cpus: Sequence[int], wall_ns: int) -> list[str]:
    """The disturbances between two counter readings, as reasons to distrust the measurement."""
    ticks = max(1.0, wall_ns * 1e-9 * _ticks_per_s())
    reasons = []
    for cpu, count in after.steal_ticks.items():
        # A counter reading may be off by one tick.
        stolen = count - before.steal_ticks.get(cpu, count) - 1
        if cpu in cpus and stolen > _STEAL_SHARE * ticks:
            share = min(100.0, 100 * stolen / ticks)
            reasons.append(f"the hypervisor took {share:.0f} % of CPU {cpu}'s time (steal)")
    for cpu, count in after.busy_ticks.items():
        used = count - before.busy_ticks.get(cpu, count) - 1
        if cpu not in cpus and used > _SIBLING_SHARE * ticks:
            share = min(100.0, 100 * used / ticks)
            reasons.append(f"CPU {cpu}, on a core with one measured, was {share:.0f} % busy")
    for cpu, count in after.throttles.items():
        if count > before.throttles.get(cpu, count):
            reasons.append(f"CPU {cpu} was throttled because it was too hot")
    if after.quota_stops > before.quota_stops:
        stops = after.quota_stops - before.quota_stops
        reasons.append(f"the control group's CPU quota stopped the process {stops} times")
    return reasons


def frequency_changes(readings: Sequence[dict[int, float]]) -> list[str]:
    """Changes of clock frequency between repetitions, as reasons to distrust a measurement."""
    reasons = []
    for cpu in readings[0] if readings else ():
        seen = [reading[cpu] for reading in readings if cpu in reading]
        if max(seen) > (1 + _FREQUENCY_SPREAD) * min(seen):
            reasons.append(f"CPU {cpu} ran at {min(seen):.0f} to {max(seen):.0f} MHz")
    return reasons


def _ticks_per_s() -> int:
    return os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def disturbances(
    answers: Sequence[Mapping[str, Any]], rounds: Sequence[Sequence[float]], whole: Summary
) -> list[str]:
    """Reasons to distrust a measurement; empty if nothing was noticed.

    answers: return value of `_native.host_measure` for each repetition.
    rounds: for each repetition, the times of its rounds in ns.
    whole: statistics of all rounds.
    """
    return [
        *_threads(answers, whole.count),
        *_repetitions(rounds),
        *_interval(whole),
        *_clock(answers[0], whole),
    ]


def _threads(answers: Sequence[Mapping[str, Any]], samples: int) -> list[str]:
    reasons = []
    for rows in zip(*(answer["threads"] for answer in answers), strict=True):
        cpu = rows[0]["cpu"]
        interrupted = sum(row["involuntary_switches"] for row in rows)
        if interrupted > max(1, INTERRUPTED_SHARE * samples):
            reasons.append(f"the thread on CPU {cpu} was interrupted {interrupted} times")
        if any(row["migrations"] or row["cpu_after"] != cpu for row in rows):
            reasons.append(f"the thread on CPU {cpu} was moved to another CPU")
    return reasons


def _repetitions(rounds: Sequence[Sequence[float]]) -> list[str]:
    medians = [median(sorted(each)) for each in rounds if each]
    if len(medians) > 1 and disagreement(medians) > DISAGREEMENT:
        low, high = format_latency(min(medians)), format_latency(max(medians))
        apart = disagreement(medians)
        return [f"repetitions are {100 * apart:.0f} % apart ({low} to {high})"]
    return []


def _interval(whole: Summary) -> list[str]:
    width = whole.ci_high - whole.ci_low
    if whole.median > 0 and width > INTERVAL * whole.median:
        return [
            f"the median is known to {100 * width / whole.median:.0f} % only; give more --samples"
        ]
    return []


def _clock(answer: Mapping[str, Any], whole: Summary) -> list[str]:
    clock, iterations = answer["clock"], answer["what"]["iterations_per_sample"]
    least_ns = CLOCK_TIMES * max(clock["cost_ns"], clock["resolution_ns"])
    if whole.median * iterations < least_ns:
        return [
            f"a sample of {iterations} iterations is short for the clock, "
            f"which costs {clock['cost_ns']:.3g} ns; give a larger -i, or none"
        ]
    return []
