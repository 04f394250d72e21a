"""Facts about a machine. Claims of the kind `machine` compare facts with the machine file.

`facts` of a claim has one of three forms.

    facts = { machine = "ps3", product = ["chip.bus_hz", 16], per = [1e9] }

is a quotient of products of machine values and numbers, here the 25.6 GB/s of 16 bytes in each bus
cycle. The values are the keys of `cellstats machine show`, and the numbers of `spes` and `chips`.

    facts = { machine = "ps3", accepts = [{ function = "dmaget", size = 16 }], refuses = [ … ] }

counts the listed measurements that the machine accepts or refuses in agreement with the paper.

    facts = { machine = "ps3", hops = [1, 5] }

is the number of hops on the ring from one SPE to another, in the direction of the data.
"""

from collections.abc import Mapping
from math import prod
from typing import Any

from cellstats._native import UsageError
from cellstats.core.words import did_you_mean
from cellstats.measure.machine import Machine
from cellstats.reproduce.runs import Machines

_KEYS = ("machine", "product", "per", "accepts", "refuses", "hops")


def fact(facts: Mapping[str, Any], machines: Machines) -> float:
    """Compute the number that `facts` describe. Raises UsageError for an unknown key or value."""
    for name in facts:
        if name not in _KEYS:
            raise UsageError(f"facts {name!r}; {did_you_mean(name, _KEYS)}")
    machine = machines(facts["machine"])
    if "product" in facts:
        per = prod(_number(machine, each) for each in facts.get("per", ()))
        return prod(_number(machine, each) for each in facts["product"]) / per
    if "hops" in facts:
        return machine.native.hops(*facts["hops"])
    accepted = sum(_takes(machine, asked) for asked in facts.get("accepts", ()))
    return accepted + sum(not _takes(machine, asked) for asked in facts.get("refuses", ()))


def _number(machine: Machine, each: Any) -> float:
    if isinstance(each, int | float):
        return each
    if each in ("spes", "chips"):
        return len(machine.spes) if each == "spes" else machine.chips
    values = {row["key"]: row["value"] for row in machine.values()}
    if each not in values:
        raise UsageError(f"{machine.name} has no {each!r}; {did_you_mean(each, list(values))}")
    value = values[each]
    return len(value) if isinstance(value, list | tuple) else float(value)


def _takes(machine: Machine, asked: Mapping[str, Any]) -> bool:
    try:
        machine.check(**asked)
    except UsageError:
        return False
    return True
