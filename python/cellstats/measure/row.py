"""A row of a sweep: one measurement of many, before it is made."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cellstats.machine import AnyMachine


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement that a sweep will make."""

    machine: AnyMachine
    function: str
    parameters: Mapping[str, Any]
    """Keywords of `Machine.measure`."""

    def __str__(self) -> str:
        given = [f"{name}={value!r}" for name, value in self.parameters.items()]
        return f"{self.function} on {self.machine.name}" + "".join(f", {each}" for each in given)

    def recipe(self) -> dict[str, Any]:
        """What decides its result, in plain values; `size="1k"` equals `size=1024`."""
        return self.machine.recipe(self.function, self.parameters)
