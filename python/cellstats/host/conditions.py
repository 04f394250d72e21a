"""Disturbances of a measurement, as the kernel counts them.

Time that a hypervisor took (steal), work of others on a core's second thread, stops by a control
group's quota, thermal throttling. Counters are read before and after; frequencies right after each
repetition, while the cores are still busy or just were.

Left out: interrupts and page faults. The first are part of any machine at work and show in the
99th percentile, the second are counted for each thread by the measurement itself.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from cellstats.host.limits import read_limits
from cellstats.host.topology import Topology
from cellstats.host.tree import Tree, whole_number

_CPU = "sys/devices/system/cpu"
# Fields of a CPU's line in /proc/stat (proc(5)).
_IDLE, _IOWAIT, _STEAL = 3, 4, 7
_STEAL_SHARE, _SIBLING_SHARE = 0.01, 0.05
_FREQUENCY_SPREAD = 0.05


@dataclass(frozen=True, slots=True)
class Counts:
    """The kernel's counters at one moment, by CPU."""

    steal_ticks: dict[int, int]
    busy_ticks: dict[int, int]
    throttles: dict[int, int]
    """Thermal throttling of the core."""
    quota_stops: int


def read_counts(tree: Tree, topology: Topology, cpus: Sequence[int]) -> Counts:
    """The counters of these CPUs, and of those that share a core with one of them."""
    near = {sibling for cpu in cpus for sibling in topology.cpu(cpu).siblings}
    steal, busy = {}, {}
    for line in (tree.text("proc/stat") or "").splitlines():
        name, *rest = line.split()
        if name.startswith("cpu") and name[3:].isdecimal() and int(name[3:]) in near:
            ticks = [int(text) for text in rest if text.isdecimal()]
            # The time of guests is part of the user's.
            ticks = [*ticks[:8], *[0] * (8 - len(ticks))]
            steal[int(name[3:])] = ticks[_STEAL]
            busy[int(name[3:])] = sum(ticks) - ticks[_IDLE] - ticks[_IOWAIT] - ticks[_STEAL]
    where = "thermal_throttle/core_throttle_count"
    counts = {cpu: whole_number(tree, f"{_CPU}/cpu{cpu}/{where}") for cpu in cpus}
    throttles = {cpu: count for cpu, count in counts.items() if count is not None}
    return Counts(steal, busy, throttles, read_limits(tree).throttled)


def read_frequencies(tree: Tree, cpus: Sequence[int]) -> dict[int, float]:
    """The frequency of each CPU in MHz, where it is known."""
    found = {cpu: whole_number(tree, f"{_CPU}/cpu{cpu}/cpufreq/scaling_cur_freq") for cpu in cpus}
    return {cpu: khz / 1000 for cpu, khz in found.items() if khz}


def changes(before: Counts, after: Counts, cpus: Sequence[int], wall_ns: int) -> list[str]:
    """The disturbances between two readings, as reasons to distrust what was measured meanwhile."""
    ticks = max(1.0, wall_ns * 1e-9 * _ticks_per_s())
    reasons = []
    for cpu, count in after.steal_ticks.items():
        # A reading may be wrong by one tick.
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
    """Changes of frequency between repetitions, as reasons to distrust a measurement."""
    reasons = []
    for cpu in readings[0] if readings else ():
        seen = [reading[cpu] for reading in readings if cpu in reading]
        if max(seen) > (1 + _FREQUENCY_SPREAD) * min(seen):
            reasons.append(f"CPU {cpu} ran at {min(seen):.0f} to {max(seen):.0f} MHz")
    return reasons


def _ticks_per_s() -> int:
    return os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
