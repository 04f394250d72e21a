"""The timing of a function of an SPU executable, without a run."""

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cellstats._native import UsageError
from cellstats.core.display import Showing, text
from cellstats.core.words import did_you_mean
from cellstats.measure.machine import MachineLike, find_simulated
from cellstats.spu.executable import SpuProgram


@dataclass(frozen=True, repr=False)
class StaticTiming(Showing):
    """The issue cycle of each instruction of a function, in the order of addresses.

    The pipelines begin empty, and all registers are ready. No branch is taken, so hints have no
    effect, and no channel operation waits.
    """

    _kind = "static timing"

    machine: str
    """Name of the machine."""
    function: str
    """Name of the function."""
    start: int
    """Local-store address of the first instruction."""
    end: int
    """Local-store address after the last instruction."""
    timing_json: str
    """The timing as written by the simulator."""

    def __repr__(self) -> str:
        cycles = self.data["totals"]["spu_cycles"]
        return f"<StaticTiming: {self.function}, {cycles} SPU cycles on {self.machine}>"

    @cached_property
    def data(self) -> dict[str, Any]:
        """The timing as plain data: instructions, totals, and the causes of stalls."""
        own = {"machine": self.machine, "function": self.function}
        timing: dict[str, Any] = json.loads(self.timing_json)
        return own | {"start": self.start, "end": self.end} | timing

    def text(self) -> str:
        """A line for each instruction, and the totals."""
        return text(self)


def static_timing(program: SpuProgram, function: str, machine: MachineLike = "ps3") -> StaticTiming:
    """Time a function of an executable by the rules of the pipelines, without a run.

    function: the name of a function or of another label of code.

    Raises UsageError if the executable has no such function, or does not fit into the machine's
    local store.
    """
    found = find_simulated(machine)
    functions = program.native.functions
    if function not in functions:
        known = "the file has no symbols at all"
        if functions:
            known = did_you_mean(function, list(functions))
        raise UsageError(f"no function {function!r} in {str(program.path)!r}; {known}")
    start, end = functions[function]
    return StaticTiming(
        found.name, function, start, end, program.native.timing(found.native, start, end)
    )
