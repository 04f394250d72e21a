"""The processors that measurements may run on."""

import os


def usable_cpus() -> int:
    """How many processors this process may use."""
    return len(usable_cpu_numbers())


def usable_cpu_numbers() -> list[int]:
    """The processors that this process may use, by the system's numbers."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
