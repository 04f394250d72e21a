"""Disturbances of a measurement, and what each of them means for the number.

The kernel counts disturbances: time taken by a hypervisor (steal), other work on a core's second
thread, waits for a control group's quota, and thermal throttling. These counters are read before
and after a measurement. Clock frequencies are read right after each repetition, while the cores are
still busy. The threads count their interruptions and migrations themselves.

A number whose repetitions agree may still be wrong for the next measurement if the disturbance
lasts longer than the measurement. Such a disturbance limits the grade of the number. Interruptions
do not: they lengthen single samples, and medians leave those out.

Page faults are left out because the measurement counts them for each thread.
"""

import math
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cellstats.host.calibration import moving
from cellstats.host.environment import read_limits, virtual_machine
from cellstats.host.topology import Topology, Tree, field, whole_number

GRADES: Mapping[str, float] = {
    "1 %": 0.01,
    "2 %": 0.02,
    "5 %": 0.05,
    "10 %": 0.1,
    "20 %": 0.2,
    "factor 2": 1.0,
    "factor 10": 9.0,
    "do not use": math.inf,
}
"""How far the next measurement is from this one at most, in nineteen cases of twenty: each grade
with its largest deviation, the best first."""
DO_NOT_USE = "do not use"
TRUST: Mapping[str, str] = {
    **{grade: f"good to within {grade}" for grade in GRADES if grade.endswith("%")},
    "factor 2": "good to within a factor of 2",
    "factor 10": "good to within a factor of 10",
    DO_NOT_USE: "not to be used",
}
"""The grades in words."""


def is_bad(grade: str) -> bool:
    """Whether the next measurement may differ by more than 20 %."""
    return GRADES[grade] > GRADES["20 %"]


class Cause(NamedTuple):
    """A reason for a grade."""

    says: str
    """How a result names it."""
    limit: str
    """The best grade of a number with this disturbance."""
    mend: str
    """What a user can do about it."""


MOVING, VIRTUAL = "moving CPUs", "virtual machine"
"""Kinds of computers, which widen intervals (`calibration`)."""
CAUSES: Mapping[str, Cause] = {
    "interrupted": Cause(
        "a thread was interrupted",
        "1 %",
        "end other programs, or keep them off these CPUs (taskset, cpuset, isolcpus)",
    ),
    "moved": Cause(
        "a thread was moved",
        "do not use",
        "keep programs that change affinities (numad, cpuset tools) off this process",
    ),
    "steal": Cause(
        "the hypervisor took time",
        "10 %",
        "measure on the machine itself, or have the hypervisor pin the CPUs",
    ),
    MOVING: Cause(
        "the hypervisor may move CPUs",
        "1 %",
        "have the hypervisor pin the CPUs; until then, reckon with both modes",
    ),
    VIRTUAL: Cause(
        "this is a virtual machine",
        "1 %",
        "measure on the machine itself, or have the hypervisor pin the CPUs",
    ),
    "second thread": Cause(
        "a CPU on a core with one measured was busy",
        "10 %",
        "keep the core's other thread idle, or switch SMT off",
    ),
    "heat": Cause(
        "a CPU was throttled", "10 %", "improve the cooling, or forbid frequencies above the base"
    ),
    "quota": Cause(
        "the control group's CPU quota stopped the process",
        "10 %",
        "remove the quota (cpu.max = max), pin CPUs instead",
    ),
    "frequency": Cause(
        "a CPU ran at several frequencies", "10 %", "sudo cpupower frequency-set -g performance"
    ),
    "clock": Cause("a sample is short for the clock", "10 %", "give a larger -i, or leave -i out"),
    "clock only": Cause(
        "a sample is too short for the clock", "do not use", "give a larger -i, or leave -i out"
    ),
    "few": Cause(
        "repetitions, and an interval takes 6", "1 %", "give more --samples or a larger --budget"
    ),
    "modes": Cause(
        "two modes",
        "1 %",
        "it is chance which one a program meets (memory pages, CPUs that a hypervisor moves): "
        "reckon with both",
    ),
    "drift": Cause(
        "it rose or fell meanwhile", "1 %", "measure again when the computer has settled"
    ),
    "parts": Cause(
        "parts of the measurement differ", "1 %", "end other programs, or give a larger --budget"
    ),
}
"""All reasons that a result may name."""


class Noticed(NamedTuple):
    """One disturbance of one measurement."""

    cause: str
    """A key of `CAUSES`."""
    words: str
    """The disturbance in a clause."""
    cpu: int | None = None
    """The disturbed CPU, if it is one."""


MOVED = Noticed(MOVING, "the hypervisor may move CPUs nearer together or farther apart")


def is_virtual(noticed: Iterable[Noticed]) -> bool:
    """Whether a virtual machine was measured."""
    return any(each.cause in (MOVING, VIRTUAL) for each in noticed)


def wherever_cpus_are(noticed: Iterable[Noticed]) -> list[Noticed]:
    """The disturbances of CPUs that do not communicate: their distance does not matter."""
    alone = Noticed(VIRTUAL, "this is a virtual machine")
    return [alone if each.cause == MOVING else each for each in noticed]


INTERRUPTED_SHARE = 0.1
"""Number of interruptions per sample that is worth a remark; medians leave fewer out."""
CLOCK_TIMES = 100
"""Duration of a sample, in multiples of the clock's cost and resolution, below which the clock is a
noticeable part of the number."""
CLOCK_TIMES_LEAST = 10
"""Duration below which the number is mostly that of the clock."""
_CPU = "sys/devices/system/cpu"
# Field numbers in a CPU's line of /proc/stat (proc(5)).
_IDLE, _IOWAIT, _STEAL = 3, 4, 7
_STEAL_SHARE, _SIBLING_SHARE = 0.01, 0.05
_STEAL_SHARE_EVER = 0.001  # of the time since the start; a hypervisor that pins CPUs takes less
_FREQUENCY_SPREAD = 0.05
_RARE = 0.05  # what happens more rarely is outside a 95 % interval


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
            ticks = _ticks(rest)
            steal[int(name[3:])] = ticks[_STEAL]
            busy[int(name[3:])] = sum(ticks) - ticks[_IDLE] - ticks[_IOWAIT] - ticks[_STEAL]
    where = "thermal_throttle/core_throttle_count"
    counts = {cpu: whole_number(tree, f"{_CPU}/cpu{cpu}/{where}") for cpu in cpus}
    throttles = {cpu: count for cpu, count in counts.items() if count is not None}
    return Counts(steal, busy, throttles, read_limits(tree).throttled)


def _ticks(words: Sequence[str]) -> list[int]:
    """The first eight numbers of a line of /proc/stat, or 0 where the line has fewer.

    The user field includes guest time, so the separate guest fields are dropped.
    """
    ticks = [int(text) for text in words if text.isdecimal()]
    return [*ticks[:8], *[0] * (8 - len(ticks))]


class Watch:
    """Watches the kernel's counters during a measurement, from its creation on."""

    def __init__(self, tree: Tree, topology: Topology, cpus: Sequence[int]) -> None:
        self._of, self._start_ns = (tree, topology, cpus), time.monotonic_ns()
        self._before = read_counts(tree, topology, cpus)

    def noticed(self) -> list[Noticed]:
        """The disturbances until now."""
        wall_ns = time.monotonic_ns() - self._start_ns
        found = changes(self._before, read_counts(*self._of), self._of[2], wall_ns)
        return found + kind_of_machine(*self._of)


def kind_of_machine(tree: Tree, topology: Topology, cpus: Sequence[int]) -> list[Noticed]:
    """What kind of machine disturbs measurements of these CPUs for as long as it runs.

    A virtual machine of an x86 processor that shows no two CPUs of one core mostly has such CPUs:
    its hypervisor runs them on threads of cores, and changes which. So does one that takes time.
    """
    below = virtual_machine(tree)
    if below is None:
        return []
    if len(cpus) > 1 and moving().share(len(topology.online)) > _RARE:
        ticks = _ticks((tree.text("proc/stat") or "").partition("\n")[0].split()[1:])
        taken = ticks[_STEAL] > _STEAL_SHARE_EVER * sum(ticks)
        threads = any(len(cpu.siblings) > 1 for cpu in topology.cpus)
        is_x86 = field(tree.text("proc/cpuinfo"), "flags") is not None
        if taken or (is_x86 and not threads):
            return [MOVED]
    return [Noticed(VIRTUAL, f"this is a virtual machine ({below})")]


def read_frequencies(tree: Tree, cpus: Sequence[int]) -> dict[int, float]:
    """The clock frequencies of the CPUs in MHz, where known."""
    found = {cpu: whole_number(tree, f"{_CPU}/cpu{cpu}/cpufreq/scaling_cur_freq") for cpu in cpus}
    return {cpu: khz / 1000 for cpu, khz in found.items() if khz}


def changes(before: Counts, after: Counts, cpus: Sequence[int], wall_ns: int) -> list[Noticed]:
    """The disturbances between two counter readings."""
    ticks = max(1.0, wall_ns * 1e-9 * _ticks_per_s())
    reasons = []
    for cpu, count in after.steal_ticks.items():
        # A counter reading may be off by one tick.
        stolen = count - before.steal_ticks.get(cpu, count) - 1
        if cpu in cpus and stolen > _STEAL_SHARE * ticks:
            share = min(100.0, 100 * stolen / ticks)
            words = f"the hypervisor took {share:.0f} % of CPU {cpu}'s time"
            reasons.append(Noticed("steal", words, cpu))
    for cpu, count in after.busy_ticks.items():
        used = count - before.busy_ticks.get(cpu, count) - 1
        if cpu not in cpus and used > _SIBLING_SHARE * ticks:
            share = min(100.0, 100 * used / ticks)
            words = f"CPU {cpu}, on a core with one measured, was {share:.0f} % busy"
            reasons.append(Noticed("second thread", words, cpu))
    for cpu, count in after.throttles.items():
        if count > before.throttles.get(cpu, count):
            words = f"CPU {cpu} was throttled because it was too hot"
            reasons.append(Noticed("heat", words, cpu))
    if after.quota_stops > before.quota_stops:
        stops = after.quota_stops - before.quota_stops
        words = f"the control group's CPU quota stopped the process {stops} times"
        reasons.append(Noticed("quota", words))
    return reasons


def frequency_changes(readings: Sequence[dict[int, float]]) -> list[Noticed]:
    """Changes of clock frequency between repetitions."""
    reasons = []
    for cpu in readings[0] if readings else ():
        seen = [reading[cpu] for reading in readings if cpu in reading]
        if max(seen) > (1 + _FREQUENCY_SPREAD) * min(seen):
            words = f"CPU {cpu} ran at {min(seen):.0f} to {max(seen):.0f} MHz"
            reasons.append(Noticed("frequency", words, cpu))
    return reasons


def _ticks_per_s() -> int:
    return os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def disturbances(
    answers: Sequence[Mapping[str, Any]], samples: int, median_ns: float
) -> list[Noticed]:
    """What the threads noticed themselves.

    answers: return value of `_native.host_measure` for each repetition.
    samples: number of samples in all repetitions.
    """
    noticed = []
    for rows in zip(*(answer["threads"] for answer in answers), strict=True):
        cpu = rows[0]["cpu"]
        interrupted = sum(row["involuntary_switches"] for row in rows)
        if interrupted > max(1, INTERRUPTED_SHARE * samples):
            words = f"the thread on CPU {cpu} was interrupted {interrupted} times"
            noticed.append(Noticed("interrupted", words, cpu))
        if any(row["migrations"] or row["cpu_after"] != cpu for row in rows):
            words = f"the thread on CPU {cpu} was moved to another CPU"
            noticed.append(Noticed("moved", words, cpu))
    clock, iterations = answers[0]["clock"], answers[0]["what"]["iterations_per_sample"]
    clocks = median_ns * iterations / max(clock["cost_ns"], clock["resolution_ns"], 1e-9)
    if clocks < CLOCK_TIMES:
        only = clocks < CLOCK_TIMES_LEAST
        words = (
            f"a sample of {iterations} iteration{'s' * (iterations != 1)} is "
            f"{'too ' * only}short for the clock, which costs {clock['cost_ns']:.3g} ns"
        )
        noticed.append(Noticed("clock only" if only else "clock", words))
    return noticed
