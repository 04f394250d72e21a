"""From the keywords of `Machine.measure` to what `_native.measure` takes, and to its answer.

Nothing else calls `_native.measure`, and nothing but `cellstats.machine` calls this.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from cellstats import _native
from cellstats._native import UsageError
from cellstats.measure.ranges import parse_spes
from cellstats.parameters import PARAMETERS, PLAIN_DEFAULTS, named, simulated
from cellstats.placement.pattern_choice import pattern as find_pattern
from cellstats.text.nearest import did_you_mean


def native_arguments(
    machine: _native.Machine, function: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    """What `_native.measure` takes for these keywords of `Machine.measure`: numbers read, defaults
    filled in, a pattern in place of its name. Raises UsageError for what cannot be read.

    >>> native_arguments(_native.Machine.builtin("ps3"), "dmaget", {"size": "2k"})["size_bytes"]
    2048
    """
    if function not in _native.function_names():
        known = _native.function_names()
        raise UsageError(f"unknown function {function!r}; {did_you_mean(function, known)}")
    for name in given:
        named(name)
    given = simulated(given)
    arguments: dict[str, Any] = {**PLAIN_DEFAULTS}
    for name in PLAIN_DEFAULTS.keys() & given.keys():
        arguments[name] = given[name]
    for parameter in PARAMETERS:
        if parameter.host_only:
            continue
        value = given.get(parameter.name, parameter.default)
        if parameter.is_number and (value is not None or parameter.default is not None):
            value = parameter.read(value, parameter.name)
        arguments[parameter.native or parameter.name] = value
    for name in ("target", "cells", "memory"):
        # Words, some of which are numbers.
        if arguments[name] is not None:
            arguments[name] = str(arguments[name])
    placement = arguments["placement"]
    # What an operating system does without affinity.
    by_chance = placement in ("random", "default")
    arguments["random_placement"] = by_chance
    if by_chance:
        arguments["placement"] = None
    elif _is_affinity(placement):
        return _with_affinity(machine, function, arguments, placement)
    elif placement is not None:
        listed = parse_spes(placement) if isinstance(placement, str) else placement
        arguments["placement"] = list(listed)
    return _with_pattern(machine, function, arguments)


def ask(machine: _native.Machine, function: str, given: Mapping[str, Any], **how: Any) -> str:
    """What `_native.measure` answers to these keywords of `Machine.measure`.

    how: what else it takes: `stop`, `check_only`, `trace`, `placements` or `breakdown`.
    """
    return _native.measure(machine, function, **native_arguments(machine, function, given), **how)


def check(machine: _native.Machine, function: str, given: Mapping[str, Any]) -> None:
    """Raise the UsageError that `Machine.measure` would raise for these keywords."""
    ask(machine, function, given, check_only=True)


def _is_affinity(placement: Any) -> bool:
    return isinstance(placement, str) and placement[:1].isalpha()


def _with_affinity(
    machine: _native.Machine, function: str, arguments: dict[str, Any], name: str
) -> dict[str, Any]:
    """The SPEs that an affinity's name stands for, which have the threads and the Cells in them."""
    from cellstats.placement import spe_orders

    if name not in (*spe_orders.NAMES, "model"):
        near = did_you_mean(name, (*spe_orders.NAMES, "model", "random"))
        raise UsageError(f"--placement {name!r}: {near}, or a list of SPEs")
    whole = _with_pattern(machine, function, {**arguments, "placement": None})
    if name == "model":
        placed = _by_model(machine, arguments, whole["spes"])
    else:
        placed = spe_orders.named_order(machine, name, whole["spes"], arguments["cells"])
    return whole | {"placement": list(placed), "cells": None}


def _by_model(
    machine: _native.Machine, arguments: dict[str, Any], threads: int | None
) -> Sequence[int]:
    """What `cellstats.place` finds by the model, and nothing to compare it with."""
    from cellstats.placement.model_search import by_model
    from cellstats.placement.task import task_of

    if arguments["pattern"] is None:
        raise UsageError("--placement model: the model places a pattern's threads, give --pattern")
    task = task_of(
        machine,
        arguments["pattern"],
        threads=threads,
        size=arguments["size_bytes"],
        cells=arguments["cells"],
        memory=arguments["memory"],
    )
    first = {"placement": task.spes[: task.pattern.threads], "memory": task.memory}
    check(machine, "exchange", {"pattern": task.pattern, **first})
    return task.on_spes(by_model(task, None).placement)


def _with_pattern(
    machine: _native.Machine, function: str, arguments: dict[str, Any]
) -> dict[str, Any]:
    """An exchange's threads and sizes are those of its pattern."""
    given, spes, cells = (arguments[name] for name in ("pattern", "spes", "cells"))
    if given is None:
        return arguments
    if function != "exchange":
        raise UsageError(f"--pattern with {function}: only an exchange has one, leave it out")
    usable = [
        spe for spe in machine.spes if cells not in ("0", "1") or cells == _cell(machine, spe)
    ]
    most = len(arguments["placement"] or usable)
    found = find_pattern(given, spes, arguments["size_bytes"], most=most)
    return arguments | {"pattern": found.to_native(), "spes": found.threads, "size_bytes": None}


def _cell(machine: _native.Machine, spe: int) -> str:
    return str(machine.chip_of(spe))
