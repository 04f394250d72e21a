"""Built-in machines with some values changed, in memory."""

import json
from collections.abc import Mapping
from typing import Any

from cellstats.machine import Machine, machine, machine_of_text


def what_if(name: str, values: Mapping[str, int | str]) -> Machine:
    """A built-in machine with other values, by their keys; it keeps its name.

    Raises UsageError if the values do not suit each other, or one is beyond its hard limits.

    >>> other = what_if("ps3", {"eib.hop_bus_cycles": 2})
    >>> [row["key"] for row in machine("ps3").diff(other)]
    ['eib.hop_bus_cycles']
    """
    known = {row["key"]: row for row in machine(name).values()}
    lines = [f"base = {json.dumps(name)}", f"name = {json.dumps(name)}"]
    lines += [f"{key} = {_entry(known[key], value)}" for key, value in values.items()]
    return machine_of_text("\n".join(lines) + "\n", f"{name} with other values")


def _entry(row: Mapping[str, Any], value: int | str) -> str:
    parts = [
        f"value = {json.dumps(value)}",
        f"unit = {json.dumps(row['unit'])}",
        'basis = "assumed"',
    ]
    if isinstance(value, int):
        low, high = row["range"] or (value, value)
        parts.append(f"range = [{min(low, value)}, {max(high, value)}]")
    return "{ " + ", ".join([*parts, 'source = "what if"']) + " }"
