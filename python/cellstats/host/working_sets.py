"""Working sets: the bytes that each thread walks over, such that they lie in one level of memory.

In a cache it is half of a thread's share, which leaves room for stacks and tables of the kernel,
but more than what the cache below holds, or lines would stay there. In memory all threads together
walk over four times all last-level caches that they can reach, as STREAM requires for each array.
Sizes come from the topology and are never assumed: a level that the operating system does not show
is refused in one line.
"""

from collections.abc import Sequence

from cellstats._native import UsageError
from cellstats.host.environment import memory_bytes
from cellstats.host.limits import read_limits
from cellstats.host.topology import Topology
from cellstats.host.tree import Tree
from cellstats.refusal import refusal

_PAGE_BYTES = 4096
# stream.c: "each array must be at least 4 times the size of the available cache"
_MEMORY_TIMES_CACHE = 4
_LEAST_TIMES_CACHE = 2  # with less, many loads would hit
_FREE_SHARE = 0.5
_UNKNOWN_CACHE_BYTES = 256 << 20  # more than most last-level caches have
LEVELS = ("l1", "l2", "l3", "memory")


def working_set_bytes(topology: Topology, tree: Tree, cpus: Sequence[int], level: str) -> int:
    """Bytes for each of the threads on these CPUs. Raises UsageError where it cannot be known."""
    if level == "memory":
        return _memory(topology, tree, cpus)
    return _cached(topology, cpus, int(level[1:]))


def _cached(topology: Topology, cpus: Sequence[int], level: int) -> int:
    """Bytes for each thread, equal for all, such that each thread's are in this level."""
    most = min(_share(topology, cpus, cpu, level) for cpu in cpus)
    below = max(_share(topology, cpus, cpu, level - 1) for cpu in cpus) if level > 1 else 0
    if most <= below:
        raise refusal(
            f"{{level}} l{level}: a thread's share of it, {most >> 10} KB, is not more than its "
            f"{below >> 10} KB of l{level - 1}; use fewer cores, or another level"
        )
    # Half of the share, or more if the cache below would hold that.
    wanted = most // 2 if most // 2 > below else (below + most) // 2
    return max(_PAGE_BYTES, wanted // _PAGE_BYTES * _PAGE_BYTES)


def _share(topology: Topology, cpus: Sequence[int], cpu: int, level: int) -> int:
    """A thread's share of its cache, in bytes, among the threads that use it."""
    cache = topology.cache(cpu, level)
    if cache is None:
        known = [each for each in range(1, 5) if topology.cache(cpu, each)]
        shown = ", ".join(f"l{each}" for each in known) or "none"
        raise refusal(
            f"{{level}} l{level}: the operating system shows no such cache of CPU {cpu} "
            f"(it shows: {shown}); give {{level}} memory"
        )
    return cache.size_bytes // len(set(cache.cpus) & set(cpus))


def _memory(topology: Topology, tree: Tree, cpus: Sequence[int]) -> int:
    reached = {cache for cpu in cpus if (cache := topology.last_level(cpu))}
    caches = sum(cache.size_bytes for cache in reached) or _UNKNOWN_CACHE_BYTES
    free = available_bytes(tree)
    allowed = caches * _MEMORY_TIMES_CACHE if free is None else int(free * _FREE_SHARE)
    if allowed < _LEAST_TIMES_CACHE * caches:
        raise UsageError(
            f"memory: {_mb(_LEAST_TIMES_CACHE * caches)} are needed to be sure not to measure "
            f"{_mb(caches)} of cache, and {_mb(allowed)} may be used; free some, or use fewer cores"
        )
    total = min(caches * _MEMORY_TIMES_CACHE, allowed)
    return total // len(cpus) // _PAGE_BYTES * _PAGE_BYTES


def available_bytes(tree: Tree) -> int | None:
    """Bytes that kernel and control group let this process use now; None if neither says."""
    found = (memory_bytes(tree, "MemAvailable"), read_limits(tree).memory_bytes)
    return min((each for each in found if each is not None), default=None)


def _mb(size_bytes: int) -> str:
    return f"{size_bytes / (1 << 20):.0f} MB"
