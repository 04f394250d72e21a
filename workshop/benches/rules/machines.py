"""Machines with some values changed, without changing their files.

An override maps names of factors to values. A factor is a value of a machine file:
`eib.hop_bus_cycles` is the value in the chip's file, for all machines that inherit it;
`qs20:mfc.outstanding_writes` is the value in the file `qs20.toml`.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, TypeAlias

from cellstats._native import UsageError
from cellstats.core.words import did_you_mean
from cellstats.measure.machine import Machine
from cellstats.single_runs import machine as find_machine

CHIP = "cell-be"
Value: TypeAlias = int | str
Override: TypeAlias = Mapping[str, Value]


def factor_name(file: str, key: str) -> str:
    """The name of the factor for a key in a machine file.

    >>> factor_name("cell-be", "eib.hop_bus_cycles"), factor_name("qs20", "mfc.outstanding_writes")
    ('eib.hop_bus_cycles', 'qs20:mfc.outstanding_writes')
    """
    return key if file == CHIP else f"{file}:{key}"


def file_and_key(factor: str) -> tuple[str, str]:
    """The machine file of a factor, and the factor's key in that file.

    >>> file_and_key("qs20:mfc.outstanding_writes"), file_and_key("eib.hop_bus_cycles")
    (('qs20', 'mfc.outstanding_writes'), ('cell-be', 'eib.hop_bus_cycles'))
    """
    file, colon, key = factor.rpartition(":")
    return (file, key) if colon else (CHIP, key)


@cache
def rows(name: str) -> dict[str, dict[str, Any]]:
    """The values of a built-in machine by the names of their factors."""
    found = find_machine(name).values()
    return {factor_name(row["base"] or name, row["key"]): row for row in found}


def check_known(names: Iterable[str], machines: Iterable[str]) -> None:
    """Raise UsageError for a factor that none of these machines has."""
    known = [factor for machine in sorted(machines) for factor in rows(machine)]
    for name in names:
        if name not in known:
            raise UsageError(f"unknown value {name!r}; {did_you_mean(name, known)}")


def relevant(names: frozenset[str], override: Override) -> tuple[tuple[str, Value], ...]:
    """The part of an override that changes any of these machines, in the order of the names.

    >>> relevant(frozenset({"ps3"}), {"qs20:bif.outstanding_lines": 30, "eib.hop_bus_cycles": 2})
    (('eib.hop_bus_cycles', 2),)
    """
    return tuple(
        (factor, value)
        for factor, value in sorted(override.items())
        if any(factor in rows(name) and rows(name)[factor]["value"] != value for name in names)
    )


def overridden(name: str, override: Override) -> Machine:
    """The built-in machine, with those values of the override that apply to it or its chip.

    Raises UsageError if values contradict each other, or if a value exceeds its hard limits.
    """
    known = rows(name)
    numbers: dict[str, int] = {}
    for factor, value in relevant(frozenset({name}), override):
        if isinstance(value, str):
            raise UsageError(f"{factor} {value!r}: {name} has a number there")
        numbers[known[factor]["key"]] = value
    return Machine.find(name, numbers)
