"""Built-in machines with some values changed, in memory."""

from collections.abc import Mapping

from cellstats import _native
from cellstats.machine import Machine, machine_of_text


def what_if(name: str, values: Mapping[str, int]) -> Machine:
    """A built-in machine with other values, by their keys; it keeps its name.

    Raises UsageError if there is no such value, if the values do not suit each other, or one is
    beyond its hard limits.

    >>> from cellstats.machine import machine
    >>> other = what_if("ps3", {"eib.hop_bus_cycles": 2})
    >>> [row["key"] for row in machine("ps3").diff(other)]
    ['eib.hop_bus_cycles']
    """
    text = _native.Machine.what_if(name, dict(values))
    return machine_of_text(text, f"{name} with other values")
