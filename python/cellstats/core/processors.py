"""The processors that this process may use."""

import os


def usable_cpus() -> int:
    """Number of processors that this process may use."""
    return len(usable_cpu_numbers())


def usable_cpu_numbers() -> list[int]:
    """The numbers of the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
