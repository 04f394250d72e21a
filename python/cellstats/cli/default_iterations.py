"""How many iterations each FUNCTION has by default, for help: asked of the FUNCTIONs themselves."""

from itertools import groupby
from typing import Any

from cellstats._native import Machine, UsageError, function_names
from cellstats.measure.request import request
from cellstats.text.labels import short_number

_SIZES = (8, 16)
"""Two sizes that all FUNCTIONs with a default of bytes take."""


def default_iterations() -> list[tuple[tuple[str, ...], str]]:
    """FUNCTIONs with the same default, in the order of all, and that default.

    >>> default_iterations()[-1]
    (('copy',), '64 MB / SIZE')
    """
    machine = Machine.builtin("ps3")
    same = groupby(function_names(), lambda function: _default(machine, function))
    return [(tuple(functions), default) for default, functions in same]


def _default(machine: Machine, function: str) -> str:
    op = _iterations(machine, function, op="get", size=_SIZES[0])
    direction = {} if op is None else {"op": "get"}
    counts = [_iterations(machine, function, size=size, **direction) for size in _SIZES]
    if counts[0] is not None and counts[0] != counts[1]:
        number = short_number(counts[0] * _SIZES[0], "size_bytes")
        twice = _iterations(machine, function, op="copy", size=_SIZES[0])
        half = ", half of it with --op copy" if twice and 2 * twice == op else ""
        return f"{number[:-1]} {number[-1]}B / SIZE{half}"
    pattern = {"pattern": "ring"} if function == "exchange" else {}
    usual = _iterations(machine, function, **pattern)
    in_c = _iterations(machine, function, spe_program="c")
    numbers = [short_number(count, "iterations") for count in (usual, in_c) if count is not None]
    return ", with --spe-program c ".join(numbers)


def _iterations(machine: Machine, function: str, **given: Any) -> int | None:
    """The iterations of a measurement, None where a parameter is refused."""
    try:
        return request(machine, function, given).iterations()
    except UsageError:
        return None
