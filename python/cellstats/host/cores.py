"""The CPUs that take part in a measurement.

By default one of each physical core, neighbours first; a list says exactly which, in the order of
the threads; `random` draws them by the seed. CPUs that the process may not use are refused.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from cellstats.host.refusals import DMA, LISTS, MAIL, TRAFFIC
from cellstats.host.topology import Topology
from cellstats.host.tree import as_list
from cellstats.measure.ranges import parse_spes
from cellstats.refusal import refusal


def choose_cpus(
    topology: Topology, function: str, values: Mapping[str, Any]
) -> tuple[tuple[int, ...], Any]:
    """The CPU of each thread, and the pattern that they exchange, if there is one.

    values: every keyword with its value. Raises UsageError for what cannot be.
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
        from cellstats.placement.pattern_choice import counted_pattern

        most = len(listed or usable)
        found = counted_pattern(
            values["pattern"], count, values["size"], most=most, counted=flag.strip("{}")
        )
        pattern, count = found.to_native(), found.threads
    if count is None:
        count = len(listed) if listed else _default_count(topology, function, values["spe_to_spe"])
    if listed:
        _check_listed(listed, usable)
    if count > len(usable):
        most, plural = len(usable), "s" * (len(usable) != 1)
        raise refusal(
            f"{flag} {count}: this process may use {most} CPU{plural} ({as_list(usable)}), "
            f"give {most} at most"
        )
    _check_count(function, count, flag, values["spe_to_spe"])
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
        raise refusal("{host_placement}: a CPU is there twice; each thread needs one of its own")


def _default_count(topology: Topology, function: str, core_to_core: bool) -> int:
    if function in MAIL or (core_to_core and function in (*DMA, *LISTS)):
        return 2
    if function not in TRAFFIC:
        return 1
    cores = topology.cores()
    # Partners come in pairs, each on a core of its own where there are two.
    paired = function in ("complement", "pairwise", "couples") and cores > 1
    return cores - cores % 2 if paired else cores


def _check_count(function: str, count: int, flag: str, core_to_core: bool) -> None:
    paired = function in (*MAIL, "complement", "pairwise", "couples")
    if paired and count % 2:
        raise refusal(f"{flag} {count} with {function}: cores talk in pairs, give an even number")
    if count < 2 and (function in ("uniform", "cycle") or core_to_core):
        raise refusal(f"{flag} {count} with {function}: between cores takes at least 2")
