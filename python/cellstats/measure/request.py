"""Turns the keywords of `Machine.measure` into a request to the compiled simulator."""

import json
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.parameters import PARAMETERS, PLAIN_DEFAULTS, WORDS_OR_NUMBERS, named, simulated
from cellstats.core.quantities import parse_spes
from cellstats.core.refusal import quoted, refusal
from cellstats.core.words import did_you_mean

if TYPE_CHECKING:
    from cellstats.core.pattern import Pattern

_BITS_MAX = 256
"""Maximum number of bits in a number; longer numbers raise UsageError without being printed."""


def request(machine: _native.Machine, function: str, given: Mapping[str, Any]) -> _native.Request:
    """Make the request for these keywords. Raises UsageError for a value that cannot be parsed."""
    plain = plain_parameters(machine, function, given)
    fields = (f'"{name}": {_json(name, value)}' for name, value in plain.items())
    return _native.Request(machine, f'{{"function": "{function}", {", ".join(fields)}}}')


def plain_parameters(
    machine: _native.Machine, function: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Convert all keywords to plain values. Raises UsageError for a value that cannot be parsed.

    Numbers are parsed, and names of placements and patterns are resolved. For None, the simulator
    chooses a value.

    >>> plain_parameters(_native.Machine.builtin("ps3"), "dmaget", {"size": "2k"})["size"]
    2048
    """
    if function not in _native.function_names():
        known = _native.function_names()
        raise UsageError(f"unknown function {function!r}; {did_you_mean(str(function), known)}")
    for name in given:
        named(name)
    given = simulated(given)
    plain: dict[str, Any] = {name: given.get(name, PLAIN_DEFAULTS[name]) for name in PLAIN_DEFAULTS}
    for parameter in PARAMETERS:
        if parameter.host_only:
            continue
        value = given.get(parameter.name, parameter.default)
        if parameter.is_number and (value is not None or parameter.default is not None):
            value = parameter.read(value, parameter.name)
        plain[parameter.name] = value
    for name in WORDS_OR_NUMBERS:
        if plain[name] is not None:
            plain[name] = str(plain[name])
    if function == "permutation" and given.get("target") is not None:
        from cellstats.core.partners import partners

        plain["target"] = partners(plain["target"])
    placement = plain["placement"]
    if isinstance(placement, str) and placement in ("random", "default"):
        # A random placement models an operating system without affinity.
        plain["placement"] = "random"
    elif isinstance(placement, str) and placement[:1].isalpha():
        return _with_affinity(machine, function, plain, placement)
    elif placement is not None:
        plain["placement"] = _spes(placement)
    return _with_pattern(machine, function, plain)


def _json(name: str, value: Any) -> str:
    """Convert a parameter's value to JSON. Raises UsageError if JSON cannot express it."""
    if type(value).__name__ in ("bool", "bool_"):
        value = bool(value)  # accepts NumPy's truth values
    try:
        if isinstance(value, int) and value.bit_length() > _BITS_MAX:
            raise ValueError
        if isinstance(value, str):
            value.encode()
        return json.dumps(value, default=repr, allow_nan=False)
    except (ValueError, RecursionError):
        raise refusal("no parameter can have this value", name, _shown(value)) from None


def _shown(value: Any) -> str | None:
    return repr(value) if isinstance(value, float) else None


def check(machine: _native.Machine, function: str, given: Mapping[str, Any]) -> None:
    """Raise the UsageError that `Machine.measure` would raise for these keywords."""
    request(machine, function, given).check()


def _spes(placement: Any) -> list[int]:
    if isinstance(placement, str):
        return parse_spes(placement)
    if not isinstance(placement, Iterable):
        raise refusal("give a list of SPEs", "placement", repr(placement))
    return [_spe(spe) for spe in placement]


def _spe(spe: Any) -> int:
    try:
        return index(spe)
    except TypeError:
        raise refusal(f"SPE {quoted(spe)} is not a whole number", "placement") from None


def _with_affinity(
    machine: _native.Machine, function: str, plain: dict[str, Any], name: str
) -> dict[str, Any]:
    """Replace the placement and `cells` in the keywords by the SPEs of a named affinity."""
    from cellstats import affinities as spe_orders

    if name not in (*spe_orders.NAMES, "model"):
        near = did_you_mean(name, (*spe_orders.NAMES, "model", "random"))
        raise refusal(f"{near}, or a list of SPEs", "placement", repr(name))
    whole = _with_pattern(machine, function, {**plain, "placement": None})
    placed: Iterable[int]
    if name == "model":
        placed = _by_model(machine, plain, whole["spes"])
    else:
        placed = spe_orders.named_order(machine, name, whole["spes"], plain["cells"])
    return whole | {"placement": list(placed), "cells": None}


def _by_model(
    machine: _native.Machine, plain: dict[str, Any], threads: int | None
) -> Sequence[int]:
    """The placement that `cellstats.place` finds by its model."""
    from cellstats.placement.search import by_model, task_of

    if plain["pattern"] is None:
        reason = "the model places a pattern's threads, give {pattern}"
        raise refusal(reason, "placement", "model")
    task = task_of(
        machine,
        plain["pattern"],
        threads=threads,
        size=plain["size"],
        cells=plain["cells"],
        memory=plain["memory"],
    )
    first = {"placement": task.spes[: task.pattern.threads], "memory": task.memory}
    check(machine, "exchange", {"pattern": task.pattern, **first})
    return task.on_spes(by_model(task, None).placement)


def _with_pattern(machine: _native.Machine, function: str, plain: dict[str, Any]) -> dict[str, Any]:
    """Insert an exchange's pattern into the keywords, with its number of threads and its sizes."""
    given, spes, cells = (plain[name] for name in ("pattern", "spes", "cells"))
    if given is None:
        return plain
    if function != "exchange":
        raise refusal("only an exchange has one, leave it out", "pattern", with_=function)
    from cellstats.patterns import counted_pattern

    usable = [
        spe for spe in machine.spes if cells not in ("0", "1") or cells == _cell(machine, spe)
    ]
    listed = plain["placement"]
    most = len(listed if isinstance(listed, list) and listed else usable)
    found: Pattern = counted_pattern(given, spes, plain["size"], most=most, counted="spes")
    return plain | {"pattern": found.to_request(), "spes": found.threads, "size": None}


def _cell(machine: _native.Machine, spe: int) -> str:
    return str(machine.chip_of(spe))
