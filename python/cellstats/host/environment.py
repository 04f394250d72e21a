"""Reads the block `environment` of results: all conditions of a measurement except the program.

The block holds processor, kernel, topology, frequency settings, virtualisation, container, limits
and load. Unknown entries are None, never guessed. Users share results, so the block does not
identify the computer or its user: it contains no host name, address, mount or kernel command line.

Limits come from this process's control groups and all their parent groups, in both versions of the
kernel's interface, v2 and v1 (Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/). v1
controllers may exist beside an empty v2 hierarchy. In a container, /proc/self/cgroup may contain
the host's path. If that path does not exist, the root of the mount is read instead, which is the
container's own group.

Limits on the usable CPUs are left out, because the affinity mask already reflects them.
"""

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cellstats.host.topology import Topology, Tree, as_list, cpu_list, field, whole_number

_MOUNT = "sys/fs/cgroup"
_NO_LIMIT_BYTES = 1 << 60  # cgroup v1 reports a missing limit as a number near 2^63
_CPU = "sys/devices/system/cpu"
_DMI = "sys/class/dmi/id"
# Product and vendor names in the firmware of virtual machines, as in systemd-detect-virt.
_VIRTUAL = (
    ("KVM", "KVM"), ("QEMU", "QEMU"), ("VMware", "VMware"), ("VirtualBox", "VirtualBox"),
    ("innotek", "VirtualBox"), ("Xen", "Xen"), ("Virtual Machine", "Hyper-V"), ("Bochs", "Bochs"),
    ("Amazon EC2", "Amazon EC2"), ("Google Compute Engine", "Google Compute Engine"),
)  # fmt: skip
_CONTAINERS = ("docker", "kubepods", "lxc", "libpod", "containerd", "machine.slice")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the control groups, or None where there is no limit."""

    cpu_quota: float | None
    """Quota of processor time, as a number of processors such as 1.5."""
    memory_bytes: int | None
    throttled: int
    """Number of periods in which the group used up its quota, since the group's creation."""


def read_limits(tree: Tree) -> Limits:
    """Read the control-group limits from the operating system's tables."""
    quotas, memory, throttled = [], [], 0
    for group in _groups(tree, "cpu"):
        quota = _quota(tree, group)
        if quota is not None:
            quotas.append(quota)
        throttled = max(throttled, _throttled(tree, group))
    for group in _groups(tree, "memory"):
        for name in ("memory.max", "memory.limit_in_bytes"):
            limit = whole_number(tree, f"{group}/{name}")
            if limit is not None and limit < _NO_LIMIT_BYTES:
                memory.append(limit)
    return Limits(min(quotas, default=None), min(memory, default=None), throttled)


def _quota(tree: Tree, group: str) -> float | None:
    quota, _, period = (tree.text(f"{group}/cpu.max") or "").partition(" ")
    if quota.isdecimal() and period.isdecimal() and int(period):
        return int(quota) / int(period)
    quota_us = whole_number(tree, f"{group}/cpu.cfs_quota_us")
    period_us = whole_number(tree, f"{group}/cpu.cfs_period_us")
    if quota_us and period_us and quota_us > 0:  # -1 means no limit
        return quota_us / period_us
    return None


def _throttled(tree: Tree, group: str) -> int:
    # The lines of cpu.stat are `name value`.
    text = (tree.text(f"{group}/cpu.stat") or "").replace(" ", ": ")
    count = field(text, "nr_throttled") or "0"
    return int(count) if count.isdecimal() else 0


def _groups(tree: Tree, controller: str) -> Iterator[str]:
    """The directories of this process's group for a controller, and of all its parent groups."""
    for line in (tree.text("proc/self/cgroup") or "").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            mounts = [_MOUNT, f"{_MOUNT}/unified"]
        elif controller in controllers.split(","):
            mounts = [f"{_MOUNT}/{controller}", f"{_MOUNT}/{controllers}"]
        else:
            continue
        parts = [part for part in path.split("/") if part]
        for mount in mounts:
            for length in range(len(parts), -1, -1):
                group = "/".join([mount, *parts[:length]])
                if tree.names(group):
                    yield group


def read_environment(tree: Tree, topology: Topology) -> dict[str, Any]:
    """Read the environment as plain dicts, lists and numbers."""
    limits = read_limits(tree)
    return {
        "cpu_model": cpu_model(tree),
        "architecture": platform.machine(),
        "kernel": tree.text("proc/sys/kernel/osrelease"),
        "cpus_online": len(topology.online),
        "cpus_allowed": as_list(topology.numbers),
        "cores_allowed": topology.cores(),
        "packages": len({cpu.package for cpu in topology.cpus}),
        "numa_nodes": max(1, len(topology.nodes)),
        "core_kinds": sorted({cpu.kind for cpu in topology.cpus if cpu.kind}),
        "caches": _caches(topology),
        "topology_unknown": list(topology.unknown),
        "smt": smt(tree, topology),
        "governors": governors(tree, topology),
        "turbo": turbo(tree),
        "frequency_mhz_max": _frequency_max(tree, topology),
        "virtual_machine": virtual_machine(tree),
        "container": container(tree),
        "cgroup_cpu_quota": limits.cpu_quota,
        "cgroup_memory_bytes": limits.memory_bytes,
        "isolated_cpus": as_list(cpu_list(tree.text(f"{_CPU}/isolated"))),
        "nohz_full_cpus": as_list(cpu_list(tree.text(f"{_CPU}/nohz_full"))),
        "transparent_huge_pages": _chosen(tree.text("sys/kernel/mm/transparent_hugepage/enabled")),
        "load_average": load_average(tree),
        "memory_bytes": memory_bytes(tree, "MemTotal"),
    }


def digest(environment: dict[str, Any]) -> str:
    """The environment in one line, for human readers."""
    cpus, cores = environment["cpus_online"], environment["cores_allowed"]
    parts = [
        environment["cpu_model"] or "unknown processor",
        f"{cores} core{'s' * (cores != 1)} ({environment['cpus_allowed']} of {cpus} CPUs)",
        f"Linux {environment['kernel']}",
    ]
    if environment["governors"]:
        parts.append("governor " + "/".join(environment["governors"]))
    if environment["virtual_machine"]:
        parts.append(f"virtual machine ({environment['virtual_machine']})")
    if environment["container"]:
        parts.append(f"container ({environment['container']})")
    return ", ".join(parts)


def cpu_model(tree: Tree) -> str | None:
    """Name of the processor; on an aarch64 without a name, its implementer and part number."""
    info = tree.text("proc/cpuinfo")
    name = field(info, "model name") or field(info, "Model")
    if name is None and field(info, "CPU part"):
        return f"implementer {field(info, 'CPU implementer')}, part {field(info, 'CPU part')}"
    return name


def virtual_machine(tree: Tree) -> str | None:
    """The hypervisor that runs this computer, or None if nothing indicates a virtual machine."""
    if (tree.text(f"{_DMI}/product_name") or "").endswith(".metal"):
        return None  # a cloud provider's bare-metal machine, not a virtual one
    for name in ("product_name", "sys_vendor", "board_vendor"):
        text = tree.text(f"{_DMI}/{name}") or ""
        for mark, kind in _VIRTUAL:
            if mark.lower() in text.lower():
                return kind
    below = tree.text("sys/hypervisor/type")
    if below:
        return below.capitalize()
    flags = (field(tree.text("proc/cpuinfo"), "flags") or "").split()
    return "kind unknown" if "hypervisor" in flags else None


def container(tree: Tree) -> str | None:
    """Kind of the container around this process, or None if nothing indicates a container."""
    # Container engines create these files so that programs can detect the container.
    if tree.text(".dockerenv") is not None:
        return "docker"
    if tree.text("run/.containerenv") is not None:
        return "podman"
    said = tree.text("run/systemd/container")
    if said:
        return said
    groups = tree.text("proc/1/cgroup") or ""
    return next((name for name in _CONTAINERS if name in groups), None)


def smt(tree: Tree, topology: Topology) -> str:
    """State of SMT, either `on`, `off`, or `none` (no SMT, or the operating system hides it)."""
    control = tree.text(f"{_CPU}/smt/control")
    if whole_number(tree, f"{_CPU}/smt/active") == 1:
        return "on"
    if control in ("off", "forceoff"):
        return "off"
    return "on" if any(len(cpu.siblings) > 1 for cpu in topology.cpus) else "none"


def governors(tree: Tree, topology: Topology) -> list[str]:
    """The distinct frequency governors of the allowed CPUs."""
    found = {tree.text(f"{_CPU}/cpu{cpu}/cpufreq/scaling_governor") for cpu in topology.numbers}
    return sorted(governor for governor in found if governor)


def turbo(tree: Tree) -> bool | None:
    """Whether the processor may exceed its base frequency, or None if unknown."""
    no_turbo = whole_number(tree, f"{_CPU}/intel_pstate/no_turbo")
    if no_turbo is not None:
        return no_turbo == 0
    boost = whole_number(tree, f"{_CPU}/cpufreq/boost")
    return None if boost is None else boost == 1


def load_average(tree: Tree) -> float | None:
    """Average number of processes that ran or waited for a CPU in the last minute."""
    first = (tree.text("proc/loadavg") or "").partition(" ")[0]
    try:
        return float(first)
    except ValueError:
        return None


def memory_bytes(tree: Tree, name: str) -> int | None:
    """Value of the field `name` of /proc/meminfo, in bytes, or None without this field."""
    amount = (field(tree.text("proc/meminfo"), name) or "").partition(" ")[0]
    return int(amount) * 1024 if amount.isdecimal() else None


def _caches(topology: Topology) -> list[dict[str, Any]]:
    """Number of caches for each combination of level, size and number of sharing CPUs."""
    kinds: dict[tuple[int, int, int], int] = {}
    for cache in topology.caches:
        if set(cache.cpus) & set(topology.numbers):
            kind = (cache.level, cache.size_bytes, len(cache.cpus))
            kinds[kind] = kinds.get(kind, 0) + 1
    return [
        {"level": level, "size_bytes": size, "cpus": cpus, "count": count}
        for (level, size, cpus), count in sorted(kinds.items())
    ]


def _frequency_max(tree: Tree, topology: Topology) -> float | None:
    found = (
        whole_number(tree, f"{_CPU}/cpu{cpu}/cpufreq/cpuinfo_max_freq") for cpu in topology.numbers
    )
    return max((khz / 1000 for khz in found if khz), default=None)


def _chosen(text: str | None) -> str | None:
    """The bracketed word in a list such as `always [madvise] never`."""
    return text.partition("[")[2].partition("]")[0] or None if text else None
