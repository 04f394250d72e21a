"""Chooses CPUs and working set of a measurement; refuses keywords of simulated machines.

By default, each thread has its own physical core; neighbouring cores are used first. A placement
may also be a list with the CPU of each thread, or `random`, which draws the CPUs from the seed.
CPUs that the process may not use are refused.

A working set is the memory that each thread walks over. The size of a working set is chosen so that
it stays in one level of the memory hierarchy. For a cache, the working set is half of a thread's
share of the cache, which leaves room for stacks and the kernel. The working set is always larger
than the next smaller cache, which could otherwise hold parts of it. For memory, all threads
together walk over four times the size of the last-level caches that they can reach, as STREAM
requires for each array. All sizes come from the topology. A cache level that the operating system
does not report is refused with a one-line error.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.parameters import PAIRED, PARAMETERS, TRAFFIC, WITH_OTHERS, named
from cellstats.core.quantities import parse_spes
from cellstats.core.refusal import refusal
from cellstats.host.environment import memory_bytes, read_limits
from cellstats.host.topology import Topology, Tree, as_list
from cellstats.patterns import counted_pattern

MAIL = ("mailbox", "signal")
DMA = ("dmaget", "dmaput")
LISTS = ("dmalistget", "dmalistput")
ATOMIC = ("fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset")
ACCESSES = ("load", "store", "copy")
HELD = ("clean", "dirty")
"""How another core holds the working set of a chase, in place of traffic in the background."""
MOVES_DATA = (*DMA, *LISTS, *TRAFFIC, *ACCESSES, "exchange")

CELL_ONLY = {
    "cells": "a computer has no Cells; --spes says which cores, --memory which NUMA node",
    "threads": "these are a PPE's; give {spes} for cores",
    "spe_program": "there are no SPEs to run it; leave it out",
    "settle": "nothing is simulated here, so nothing can be skipped; leave it out",
    "histogram": "results of the host hold every sample anyhow (--format json); leave it out",
}
"""Parameters of simulated machines only, with the reason for refusing them on the host."""
_PAGE_BYTES = 4096
# stream.c: "each array must be at least 4 times the size of the available cache"
_MEMORY_TIMES_CACHE = 4
_LEAST_TIMES_CACHE = 2  # a smaller working set would hit the cache often
_FREE_SHARE = 0.5
_UNKNOWN_CACHE_BYTES = 256 << 20  # larger than most last-level caches
LEVELS = ("l1", "l2", "l3", "memory")

PARTICULAR = (
    "private",
    *(row.name for row in PARAMETERS if row.particular and row.name not in CELL_ONLY),
)
"""Parameters that only some FUNCTIONs take."""


def refuse(function: str, values: Mapping[str, Any]) -> None:
    """Raise UsageError for parameters that contradict each other or need a simulated Cell.

    `_native` checks which parameters each FUNCTION takes.
    """
    for name, why in CELL_ONLY.items():
        if _asked(name, values[name]):
            raise refusal(why, name, with_="{machine} host")
    if not values["fast_forward"]:
        raise refusal("nothing is simulated here", "fast_forward", with_=f"{function} on the host")
    if values["op"] == "chase":
        raise refusal("an order of loads, not a direction; give {chase} lines", "op", "chase")
    _native.refuse_on_host(function, [name for name in PARTICULAR if _asked(name, values[name])])
    if values["stride"] is not None and not (values["private"] or values["chase"]):
        reason = "it is between private buffers, give {private}"
        if function in ACCESSES:
            reason = "it is between elements of a chase, give {chase}"
        raise refusal(reason, "stride", with_=f"{function} on the host")
    if function in ACCESSES:
        _refuse_accesses(function, values)
    if values["pattern"] is None and function == "exchange":
        reason = "say what is exchanged, such as {pattern} ring"
        raise refusal(reason, "pattern", with_=f"{function} on the host")


def _refuse_accesses(function: str, values: Mapping[str, Any]) -> None:
    """Raise UsageError for parameters of load, store or copy that contradict each other."""
    if values["working_set"] is not None and values["level"] is not None:
        raise refusal("give one of them", "level", with_="{working_set}")
    if values["chase"] is not None and values["size"] is not None:
        reason = "a chase loads addresses, leave it out"
        raise refusal(reason, "size", with_="{chase}")
    for name, needed in (("background", "chase"), ("rate", "background")):
        if values[name] is not None and values[needed] is None:
            raise refusal(f"give {{{needed}}} too", name, with_=f"{function} on the host")
    does = function if values["background"] is None else values["background"]
    if does in HELD and values["rate"] is not None:
        raise refusal("lines that are held are no traffic, leave it out", "rate", values["rate"])
    if values["non_temporal"] and does in ("load", *HELD):
        reason = "only bulk stores can be non-temporal, leave it out"
        raise refusal(reason, "non_temporal", with_=f"{function} on the host")
    if values["mix"] is not None and does != "copy":
        reason = "only a copy is a mixture of reads and writes, leave it out"
        raise refusal(reason, "mix", with_=f"{function} on the host")


def _asked(name: str, value: Any) -> bool:
    """Whether a value differs from the default."""
    row = named(name)
    return value is not None and value is not False and value != (row.default if row else None)


def choose_cpus(
    topology: Topology, function: str, values: Mapping[str, Any]
) -> tuple[tuple[int, ...], Any]:
    """Choose the CPU of each thread; also return the pattern of an exchange, or None.

    values: every keyword with its value.

    Raises UsageError for CPUs, counts or patterns that are not possible here.
    """
    usable, flag = topology.numbers, "{private_spes}" if values["private"] else "{spes}"
    count, placement = values["spes"], values["placement"]
    if isinstance(placement, str) and placement != "random":
        if placement[:1].isalpha():
            raise refusal(
                f"{{placement}} {placement}: on the host give CPUs, such as 0,2,4, or random"
            )
        placement = parse_spes(placement, "{host_placement}")
    listed = None if placement in (None, "random") else tuple(placement)
    pattern = None
    if values["pattern"] is not None:
        most = len(listed or usable)
        found = counted_pattern(
            values["pattern"], count, values["size"], most=most, counted=flag.strip("{}")
        )
        pattern, count = found.to_native(), found.threads
    if count is None:
        count = (
            len(listed)
            if listed
            else _default_count(topology, function, values["spe_to_spe"], values["background"])
        )
    if listed:
        _check_listed(listed, usable)
    if count > len(usable):
        most, plural = len(usable), "s" * (len(usable) != 1)
        raise refusal(
            f"{flag} {count}: this process may use {most} CPU{plural} ({as_list(usable)}), "
            f"give {most} at most"
        )
    _check_count(function, count, flag, values["spe_to_spe"])
    if values["background"] in HELD and count != 2:
        raise refusal(f"{flag} {count} with {{background}}: one core loads what one holds, give 2")
    if values["background"] is not None and count < 2:
        raise refusal(f"{flag} {count} with {{background}}: other threads take at least 2")
    if listed is None and placement == "random":
        seed = values["seed"] or 0
        listed = tuple(random.Random(seed).sample(sorted(usable), count))
    if listed is None:
        return topology.placement(count), pattern
    if count > len(listed):
        raise refusal(f"{flag} {count}: {{host_placement}} has {len(listed)} CPUs, give as many")
    return listed[:count], pattern


def _check_listed(listed: Sequence[int], usable: Sequence[int]) -> None:
    for cpu in listed:
        if cpu not in usable:
            raise refusal(
                f"{{host_placement}} {cpu}: this process may use CPUs {as_list(tuple(usable))}"
            )
    if len(set(listed)) != len(listed):
        raise refusal("{host_placement}: a CPU appears twice; each thread needs one of its own")


def _default_count(
    topology: Topology, function: str, core_to_core: bool, background: str | None
) -> int:
    if background in HELD or function in MAIL or (core_to_core and function in (*DMA, *LISTS)):
        return 2
    if background:
        return topology.cores()
    if function not in TRAFFIC:
        return 1
    cores = topology.cores()
    # Threads form pairs; with two cores or more, each thread has its own core.
    paired = function in PAIRED and cores > 1
    return cores - cores % 2 if paired else cores


def _check_count(function: str, count: int, flag: str, core_to_core: bool) -> None:
    paired = function in (*MAIL, *PAIRED)
    if paired and count % 2:
        raise refusal(
            f"{flag} {count} with {function}: cores communicate in pairs, give an even number"
        )
    if count < 2 and (function in WITH_OTHERS or core_to_core):
        raise refusal(f"{flag} {count} with {function}: between cores takes at least 2")


class WorkingSets(NamedTuple):
    """Memory that threads walk over, in bytes."""

    own_bytes: int
    """The memory of each thread; of thread 0 only, if other threads are in the background."""
    background_bytes: int = 0
    """The memory of each thread in the background."""


def working_set_bytes(topology: Topology, tree: Tree, cpus: Sequence[int], level: str) -> int:
    """Size of each thread's working set. Raises UsageError if the cache sizes are unknown."""
    if level == "memory":
        return _memory(topology, tree, cpus)
    return _cached(topology, cpus, int(level[1:]))


def _cached(topology: Topology, cpus: Sequence[int], level: int) -> int:
    """Size of each thread's working set in this cache level; the same for all threads."""
    most = min(_share(topology, cpus, cpu, level) for cpu in cpus)
    below = max(_share(topology, cpus, cpu, level - 1) for cpu in cpus) if level > 1 else 0
    if most <= below:
        raise refusal(
            f"{{level}} l{level}: a thread's share of it, {most >> 10} KB, is not more than its "
            f"{below >> 10} KB of l{level - 1}; use fewer cores, or another level"
        )
    # Half of this cache's share; but if the next smaller cache's share could hold that half, then
    # the mean of both shares.
    wanted = most // 2 if most // 2 > below else (below + most) // 2
    return max(_PAGE_BYTES, wanted // _PAGE_BYTES * _PAGE_BYTES)


def _share(topology: Topology, cpus: Sequence[int], cpu: int, level: int) -> int:
    """Size of a thread's cache, divided by the number of measured CPUs that share the cache."""
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


def check_room(tree: Tree, size_bytes: int) -> None:
    """Raise UsageError for working sets that together take more than the free memory."""
    free = available_bytes(tree)
    if free is not None and size_bytes > free:
        raise UsageError(
            f"memory: {_mb(size_bytes)} are asked for and {_mb(free)} are free; free some, or give "
            "less"
        )


def available_bytes(tree: Tree) -> int | None:
    """Memory that the kernel and the control group allow this process now, or None if unknown."""
    found = (memory_bytes(tree, "MemAvailable"), read_limits(tree).memory_bytes)
    return min((each for each in found if each is not None), default=None)


def _mb(size_bytes: int) -> str:
    return f"{size_bytes / (1 << 20):.0f} MB"
