"""Words for pictures: the labels of lines, and the title with what all lines have in common."""

from collections.abc import Sequence
from typing import Any

from cellstats.measure.columns import parameter_columns
from cellstats.result import AnyResult

_CELLS = {"0": "Cell 0", "1": "Cell 1", "01": "Cell 0 first", "10": "Cell 1 first"}
_MEMORY = {"0": "memory 0", "1": "memory 1", "interleave": "memory interleaved"}


def short_number(value: int, column: str) -> str:
    """A number as it stands on an axis: binary K for bytes, decimal k for the rest.

    >>> short_number(16384, "size_bytes"), short_number(100000, "iterations")
    ('16K', '100k')
    """
    factor, letters = (
        (1024, ("", "K", "M")) if column.endswith("_bytes") else (1000, ("", "k", "m"))
    )
    power = 0
    while value and value % factor == 0 and power < 2:
        value //= factor
        power += 1
    return f"{value}{letters[power]}"


def element(results: Sequence[AnyResult]) -> str:
    """The name of what takes part in these measurements: SPE, or core on the host."""
    return "core" if any(result.machine == "host" for result in results) else "SPE"


def described(column: str, value: Any, element: str = "SPE") -> str:
    """One parameter as a legend names it.

    >>> described("spes", 1), described("size_bytes", 2048), described("private", True)
    ('1 SPE', '2K bytes', 'private')
    """
    plural = "" if value == 1 else "s"
    phrases = {
        "cells": _CELLS.get(str(value), str(value)),
        "memory": _MEMORY.get(str(value), f"memory {value}"),
        "spes": f"{value} {element}{plural}",
        "private": "private" if value else "shared",
        "spe_to_spe": f"between {element}s" if value else "with PPE or memory",
        "list_elements": f"{value} element{plural}",
        "batch": "one wait at the end" if value == 0 else f"batch {value}",
        "placement": f"{element}{'' if ',' not in str(value) else 's'} {value}",
    }
    if column in phrases and value is not None:
        return phrases[column]
    if isinstance(value, int) and not isinstance(value, bool):
        unit = column.removesuffix("_bytes") if column != "size_bytes" else ""
        number = short_number(value, column)
        return f"{unit} {number}".strip() + (" bytes" if column.endswith("_bytes") else "")
    return "none" if value is None else str(value)


def title(results: Sequence[AnyResult], shown: Sequence[str]) -> str:
    """The common values of all results, without the columns that are shown elsewhere.

    >>> import cellstats as cs
    >>> results = cs.sweep("dmaget", spes=[1, 2], private=True, iterations=10)
    >>> title(results, shown=["spes"])
    'dmaget on ps3: private buffers, 128 bytes'
    """
    row = results[0].row()
    common = {
        name: row.get(name)
        for name in parameter_columns(results)
        if name not in shown and all(result.row().get(name) == row.get(name) for result in results)
    }
    head = " on ".join(str(common[name]) for name in ("function", "machine") if name in common)
    parts = []
    if common.get("private"):
        parts.append("private buffers")
    if common.get("spe_to_spe"):
        parts.append(f"between {element(results)}s")
    if common.get("ppe") == "mmio":
        parts.append("by registers")
    if common.get("spe_program") == "c":
        parts.append("programs in C")
    if common.get("path") not in (None, "memory"):
        parts.append(f"by {common['path']}")
    for name in ("cells", "memory", "spes", "size_bytes", "list_elements"):
        # Memory 0 is the default.
        if common.get(name) is not None and (name, common[name]) != ("memory", "0"):
            parts.append(described(name, common[name], element(results)))
    if common.get("batch") not in (None, 1):
        parts.append(described("batch", common["batch"]))
    return ": ".join(part for part in (head, ", ".join(parts)) if part)
