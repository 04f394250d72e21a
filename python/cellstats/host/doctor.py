"""The doctor's findings: conditions that would spoil measurements, with reasons and remedies.

A finding *spoils* measurements if results would be wrong or not repeatable. A *hint* only
recommends a precaution. The doctor judges the operating system's information and measures the
clock, but changes nothing.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cellstats import _native
from cellstats.host.hardware_counters import UNCOUNTED
from cellstats.host.host_machine import HostMachine
from cellstats.host.topology import Tree, as_list, whole_number

_CPU = "sys/devices/system/cpu"
_SUPPLY = "sys/class/power_supply"
_BUSY_SHARE = 0.1  # a computer with a higher load average per CPU counts as busy


@dataclass(frozen=True, slots=True)
class Finding:
    """One property of this computer that disturbs measurements."""

    name: str
    """Short, stable name of the finding, for use by programs."""
    what: str
    why: str
    mend: str
    spoils: bool
    """Whether the property makes measurements unreliable (True) or is only a hint (False)."""


def examine(
    host: HostMachine,
    environment: Mapping[str, Any],
    clock: Callable[[], str] | None = None,
    counters: Callable[[], str] | None = None,
) -> list[Finding]:
    """All findings; findings that spoil measurements come first.

    clock, counters: functions to call instead of `_native.host_clock` and `_native.host_counters`,
        for records of other computers.
    """
    found = [
        *_clock(json.loads((clock or _native.host_clock)())),
        *_counters(json.loads((counters or _native.host_counters)())),
        *_frequency(environment),
        *_neighbours(host, environment),
        *_walls(environment),
        *_power(host.tree, host),
        *_kernel(host, environment),
    ]
    return sorted(found, key=lambda each: not each.spoils)


def _clock(clock: Mapping[str, Any]) -> Iterator[Finding]:
    if not clock["invariant"]:
        yield Finding(
            "clock",
            f"time is taken by {clock['source']}, a reading costs {clock['cost_ns']:.3g} ns",
            "the processor has no counter that runs at one rate, or hides it",
            "on x86 see that the kernel's clocksource is tsc; in a virtual machine, pass "
            "invtsc to the guest",
            spoils=False,
        )


def _counters(counters: str) -> Iterator[Finding]:
    if counters in UNCOUNTED:
        says, mend = UNCOUNTED[counters]
        yield Finding(
            "counters",
            f"no hardware counters: {says}",
            "results have no cycles, instructions and cache misses",
            mend,
            spoils=False,
        )
    elif counters == "user":
        yield Finding(
            "counters",
            "hardware counters count in user space only",
            "the kernel's work for mailboxes, signals and threads is missing in cycles and "
            "instructions",
            "sudo sysctl kernel.perf_event_paranoid=1",
            spoils=False,
        )


def _frequency(environment: Mapping[str, Any]) -> Iterator[Finding]:
    slow = [name for name in environment["governors"] if name != "performance"]
    if slow:
        yield Finding(
            "governor",
            f"frequency governor {'/'.join(slow)}",
            "cores change their frequency while they are measured",
            "sudo cpupower frequency-set -g performance",
            spoils=True,
        )
    if environment["turbo"]:
        yield Finding(
            "turbo",
            "cores may exceed their base frequency",
            "by how much depends on heat and on busy cores, so times are not reproducible",
            "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo, or "
            "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost",
            spoils=False,
        )


def _neighbours(host: HostMachine, environment: Mapping[str, Any]) -> Iterator[Finding]:
    load, cpus = environment["load_average"], environment["cpus_online"]
    if load is not None and load > max(0.5, _BUSY_SHARE * cpus):
        yield Finding(
            "load",
            f"{load:g} processes were ready to run, on average over the last minute",
            "they take time, caches and memory bandwidth from the measured threads",
            "end them, or keep them off these CPUs (taskset, systemd's AllowedCPUs=)",
            spoils=True,
        )
    ours = set(host.cpus)
    strange = {s for cpu in host.topology.cpus for s in cpu.siblings} - ours
    if strange:
        yield Finding(
            "siblings",
            f"CPUs {as_list(tuple(strange))} share cores with our CPUs, but are not ours",
            "other programs take half of each shared core",
            "take whole cores into the CPU set",
            spoils=True,
        )
    elif environment["smt"] == "on":
        yield Finding(
            "smt",
            "SMT is on",
            "the kernel may run other processes on the second thread of a measured core",
            "keep the machine idle, or: echo off | sudo tee /sys/devices/system/cpu/smt/control",
            spoils=False,
        )


def _walls(environment: Mapping[str, Any]) -> Iterator[Finding]:
    quota = environment["cgroup_cpu_quota"]
    if quota is not None:
        yield Finding(
            "quota",
            f"the control group may use {quota:g} CPUs' worth of time",
            "after that time, all threads stop until the next period",
            "remove the quota (docker run without --cpus, cpu.max = max), pin CPUs instead",
            spoils=True,
        )
    if environment["virtual_machine"]:
        yield Finding(
            "virtual-machine",
            f"this is a virtual machine ({environment['virtual_machine']})",
            "its CPUs are threads of another kernel, which may move and stop them, and may invent "
            "the topology",
            "measure on the machine itself, or let the hypervisor pin virtual CPUs and pass the "
            "topology to the guest",
            spoils=True,
        )
    if environment["container"]:
        yield Finding(
            "container",
            f"this is a container ({environment['container']}) with CPUs "
            f"{environment['cpus_allowed']} of {environment['cpus_online']}",
            "other containers may use the same CPUs, caches and memory",
            "give the container its own CPUs (docker run --cpuset-cpus)",
            spoils=False,
        )
    if environment["topology_unknown"]:
        yield Finding(
            "topology",
            "the operating system does not say: " + "; ".join(environment["topology_unknown"]),
            "the order of CPUs and the levels of caches cannot follow the hardware",
            "in a virtual machine, pass the topology to the guest; otherwise use a newer kernel",
            spoils=False,
        )


def _power(tree: Tree, host: HostMachine) -> Iterator[Finding]:
    mains = [name for name in tree.names(_SUPPLY) if tree.text(f"{_SUPPLY}/{name}/type") == "Mains"]
    online = [whole_number(tree, f"{_SUPPLY}/{name}/online") for name in mains]
    if online and not any(online):
        yield Finding(
            "battery",
            "the computer runs on its battery",
            "firmware keeps frequencies and power low",
            "plug it in",
            spoils=True,
        )
    where = "thermal_throttle/core_throttle_count"
    counts = {cpu: whole_number(tree, f"{_CPU}/cpu{cpu}/{where}") or 0 for cpu in host.cpus}
    hot = tuple(cpu for cpu, count in counts.items() if count)
    if hot:
        yield Finding(
            "heat",
            f"CPUs {as_list(hot)} have been throttled since the start, "
            f"{max(counts.values())} times at most",
            "a core that is too hot slows down in the middle of a measurement",
            "improve the cooling; results with throttling are marked",
            spoils=False,
        )


def _kernel(host: HostMachine, environment: Mapping[str, Any]) -> Iterator[Finding]:
    if environment["transparent_huge_pages"] == "always":
        yield Finding(
            "huge-pages",
            "transparent huge pages are always enabled",
            "the memory with huge pages differs from run to run",
            "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
            spoils=False,
        )
    if not environment["isolated_cpus"] and len(host.cpus) > 1:
        yield Finding(
            "isolation",
            "no CPUs are isolated from the scheduler",
            "timer ticks and other processes interrupt threads, which shows in the 99th percentile",
            "boot with isolcpus=managed_irq,domain,LIST nohz_full=LIST and use --spes LIST",
            spoils=False,
        )
