"""Limits of this process's control groups: processor time and memory.

Both forms are read, cgroup v2 and v1 (Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/ of
the kernel), and both together, as where v1 controllers stand beside an empty v2. Limits of groups
above hold too. In a container the path in /proc/self/cgroup may be that of the host; what cannot be
found under it is looked for at the root of the mount, which is then the container's own group.

Left out: limits of CPUs, which the affinity mask includes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cellstats.host.tree import Tree, field, whole_number

_MOUNT = "sys/fs/cgroup"
_NO_LIMIT_BYTES = 1 << 60  # v1 says "no limit" as a number near 2^63


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits; None where there is none."""

    cpu_quota: float | None
    """Processor time in each period, in processors, such as 1.5."""
    memory_bytes: int | None
    throttled: int
    """Number of periods in which the group used up its quota, since it was made."""


def read_limits(tree: Tree) -> Limits:
    """The limits that a tree of the operating system's tables describes."""
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
    if quota_us and period_us and quota_us > 0:  # -1 is no limit
        return quota_us / period_us
    return None


def _throttled(tree: Tree, group: str) -> int:
    # The lines of cpu.stat are `name value`.
    text = (tree.text(f"{group}/cpu.stat") or "").replace(" ", ": ")
    count = field(text, "nr_throttled") or "0"
    return int(count) if count.isdecimal() else 0


def _groups(tree: Tree, controller: str) -> Iterator[str]:
    """The directories of this process's group for a controller, and of all groups above it."""
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
