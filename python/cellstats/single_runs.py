"""The functions `machine`, `measure`, `trace`, `watch`, `breakdown`, for machines by name."""

import os
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from cellstats._native import UsageError
from cellstats.core.machine import NONE
from cellstats.core.parameters import BREAKDOWN_NAMES, HOST_NAMES
from cellstats.core.refusal import known_keywords, quoted
from cellstats.measure.machine import Machine, MachineLike

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Unpack

    from cellstats.core.display import Page
    from cellstats.core.keywords import Apart, HostMeasured, Measured
    from cellstats.host.host_machine import HostMachine
    from cellstats.host.host_result import HostResult
    from cellstats.measure.breakdown import Breakdown
    from cellstats.measure.result import Result
    from cellstats.measure.trace import Trace

AnyMachine: TypeAlias = "Machine | HostMachine"
"""A simulated machine, or this computer."""
AnyMachineLike: TypeAlias = "MachineLike | HostMachine"
"""A machine, its name, or the file that describes it."""


@overload
def machine(name_or_path: Literal["host"]) -> "HostMachine": ...  # type: ignore[overload-overlap]
@overload
def machine(
    name_or_path: "str | Path" = "ps3", values: "Mapping[str, int | str | Sequence[Any]]" = NONE
) -> Machine: ...
def machine(
    name_or_path: "str | Path" = "ps3", values: "Mapping[str, int | str | Sequence[Any]]" = NONE
) -> AnyMachine:
    """A built-in machine by name, a machine described by a TOML file, or this computer (`host`).

    A name that contains a slash or ends in `.toml` is taken as a path. Behind the name, values of
    the machine can be changed, as in `ps3 eib.hop_bus_cycles=2`, which is then its name.

    values: values to change, by their keys.

    Raises UsageError if there is no such machine, if the file is invalid or cannot be read, if a
    key is unknown, or if a value exceeds its limits or contradicts another.

    >>> machine("eval-board").name
    'eval-board'
    >>> machine("ps3", {"eib.hop_bus_cycles": 2}).name
    'ps3 eib.hop_bus_cycles=2'
    """
    if str(name_or_path) == "host" and not values:
        from cellstats.host.host_machine import HostMachine

        return HostMachine()
    return Machine.find(name_or_path, values)


@overload
def measure(  # type: ignore[overload-overlap]
    function: str, *, machine: "Literal['host'] | HostMachine", **parameters: "Unpack[HostMeasured]"
) -> "HostResult": ...
@overload
def measure(
    function: str, *, machine: "MachineLike" = "ps3", **parameters: "Unpack[Measured]"
) -> "Result": ...
@known_keywords(*HOST_NAMES)
def measure(function: str, *, machine: AnyMachineLike = "ps3", **parameters: Any) -> Any:
    """Measure one of `cellstats.function_names()` on a machine.

    machine: a machine, its name, its file, or `host` for this computer.
    parameters: keywords of `Machine.measure`, or of `HostMachine.measure` for the host.

    Raises UsageError for invalid parameters, RunError when the run fails.

    >>> round(measure("mailbox", spes=2, spe_to_spe=True).latency_ns)
    158
    """
    found = any_machine(machine)
    if isinstance(found, Machine):
        return found.measure_one(function, parameters)
    return found.run(function, parameters)


@known_keywords(*HOST_NAMES)
def trace(
    function: str,
    *,
    machine: "MachineLike" = "ps3",
    window: int | str = 160,
    skip: int | str = 0,
    **parameters: "Unpack[Measured]",
) -> "Trace":
    """Trace a measurement bus cycle by bus cycle, with the keywords of `Machine.trace`.

    >>> len(trace("dmaget", size="1k", window=400).transfers())
    8
    """
    return _simulated(machine).trace(function, window=window, skip=skip, **parameters)


@known_keywords(*HOST_NAMES)
def watch(
    function: str,
    *,
    machine: "MachineLike" = "ps3",
    window: int | str = 4000,
    skip: int | str = 0,
    at: int | str | None = None,
    **parameters: "Unpack[Measured]",
) -> "Page":
    """A page that plays a measurement in a browser, with the keywords of `Machine.watch`.

    >>> watch("couples", spes=4)
    <Page: couples on ps3>
    """
    return _simulated(machine).watch(function, window=window, skip=skip, at=at, **parameters)


@known_keywords(*BREAKDOWN_NAMES)
def breakdown(
    function: str | None = None, *, machine: "MachineLike" = "ps3", **parameters: "Unpack[Apart]"
) -> "Breakdown":
    """Split the latency of one DMA into components, with the keywords of `Machine.breakdown`.

    >>> breakdown("dmaget", size="1k")
    <Breakdown dmaget of 1024 bytes, SPE 0 and memory of ps3: 193.1 ns>
    """
    return _simulated(machine).breakdown(function, **parameters)


def any_machine(given: AnyMachineLike) -> AnyMachine:
    """Find a machine that is given as an object, by name, or as a file.

    Raises UsageError for an unknown machine, and for any other object.

    >>> any_machine(7)
    Traceback (most recent call last):
    ...
    cellstats._native.UsageError: machine 7: give a machine, the name of one, or its file
    """
    if isinstance(given, str | os.PathLike):
        return machine(given)  # type: ignore[arg-type]
    if not hasattr(given, "recipe"):
        raise UsageError(f"machine {quoted(given)}: give a machine, the name of one, or its file")
    return given


def _simulated(given: AnyMachineLike) -> Machine:
    """Same as `any_machine`, but typed `Machine`; methods that the host lacks raise UsageError."""
    found: Any = any_machine(given)
    simulated: Machine = found
    return simulated
