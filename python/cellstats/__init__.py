r"""CellStats: the cost of communication and synchronisation on a Cell Broadband Engine.

A *machine* runs *programs* and leaves a *record*. A measurement runs one of the CellStats functions
on a machine and returns a *result*.

>>> import cellstats as cs
>>> result = cs.measure("dmaget", machine="ps3", spes=2, size="1k", iterations=1000)
>>> result.size_bytes, result.iterations, result.latency_ns > 0
(1024, 1000, True)

    measure, sweep, matrix, placements    the cost: once, over ranges, of pairs, over placements
    trace, watch, breakdown               the events of a run, and the components of a latency
    place                                 the best SPEs for threads
    run, spu_program, linux.run           programs of your own
    static_timing                         the pipelines' issue cycles of a function, without a run
    machine, machine_names                machines; patterns, affinities and others are modules

A result prints the output of the command `cellstats`, and shows itself in notebooks. Most results
have `.plot()`. `help(cellstats.Result)` and so on describe the results.

Programs of your own are async functions (or generator functions) that take a `Spu`:

>>> async def copy_line(spu):
...     await spu.mfc_get(0x1000, 0x0000, 128, tag=0)
...     await spu.mfc_putf(0x1000, 0x8000, 128, tag=0)
...     await spu.mfc_write_tag_mask(1 << 0)
...     await spu.mfc_read_tag_status_all()
>>> done = cs.run(cs.machine("ps3"), {0: copy_line}, memory={0: bytes(range(128))})
>>> done.memory.read(0x8000, 4)
b'\x00\x01\x02\x03'

`cs.machine("host")` is this computer, with the same functions, keywords and columns.

Invalid parameters raise `UsageError`. A simulated run that fails raises `RunError`. Both exceptions
have a one-line message.
"""

from cellstats.core import interrupts

interrupts.end_quietly()  # precedes the imports below, which take most of the start-up time

from typing import TYPE_CHECKING, Any  # noqa: E402

from cellstats._native import RunError as RunError  # noqa: E402
from cellstats._native import UsageError as UsageError  # noqa: E402
from cellstats._native import function_names, machine_names  # noqa: E402
from cellstats.at_once import (  # noqa: E402
    breakdown,
    machine,
    measure,
    trace,
    watch,
)
from cellstats.core.showing import Kind, Showing, View  # noqa: E402
from cellstats.measure.machine import Machine as Machine  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cellstats.core.pattern import Pattern as Pattern
    from cellstats.host.cpu_placement import HostPlaced as HostPlaced
    from cellstats.host.host_machine import HostMachine as HostMachine
    from cellstats.host.host_result import HostResult as HostResult
    from cellstats.host.matrices import HostMatrix as HostMatrix
    from cellstats.measure.best_placement import Placed as Placed
    from cellstats.measure.breakdown import Breakdown as Breakdown
    from cellstats.measure.matrices import Matrix as Matrix
    from cellstats.measure.over_placements import Placements as Placements
    from cellstats.measure.over_placements import placements
    from cellstats.measure.result import Result as Result
    from cellstats.measure.result import SpeResult as SpeResult
    from cellstats.measure.result import to_frame
    from cellstats.measure.sweeps import Sweep as Sweep
    from cellstats.measure.trace import Trace as Trace
    from cellstats.on_any_machine import matrix, place, sweep
    from cellstats.show.page import Page as Page
    from cellstats.spu import Spu as Spu
    from cellstats.spu.executable import SpuProgram as SpuProgram
    from cellstats.spu.executable import spu_program
    from cellstats.spu.ppe import Ppe as Ppe
    from cellstats.spu.simulation import RunResult as RunResult
    from cellstats.spu.simulation import run
    from cellstats.spu.static_timing import StaticTiming as StaticTiming
    from cellstats.spu.static_timing import static_timing

# `__all__` lists only functions: with the result classes, `help(cellstats)` would fill 40 screens.
__all__ = [
    "breakdown",
    "function_names",
    "machine",
    "machine_names",
    "matrix",
    "measure",
    "place",
    "placements",
    "run",
    "spu_program",
    "static_timing",
    "sweep",
    "to_frame",
    "trace",
    "watch",
]
TYPES = (
    "Breakdown",
    "HostMachine",
    "HostMatrix",
    "HostPlaced",
    "HostResult",
    "Machine",
    "Matrix",
    "Page",
    "Pattern",
    "Placed",
    "Placements",
    "Ppe",
    "Result",
    "RunError",
    "RunResult",
    "SpeResult",
    "Spu",
    "SpuProgram",
    "StaticTiming",
    "Sweep",
    "Trace",
    "UsageError",
)
"""Public classes, for type annotations."""

# These names are imported at first use, so that short measurements start quickly.
_LATER = {
    "Breakdown": "measure.breakdown",
    "HostMachine": "host.host_machine",
    "HostMatrix": "host.matrices",
    "HostPlaced": "host.cpu_placement",
    "HostResult": "host.host_result",
    "Matrix": "measure.matrices",
    "Page": "show.page",
    "Pattern": "core.pattern",
    "Placed": "measure.best_placement",
    "Placements": "measure.over_placements",
    "Ppe": "spu.ppe",
    "Result": "measure.result",
    "RunResult": "spu.simulation",
    "SpeResult": "measure.result",
    "Spu": "spu",
    "SpuProgram": "spu.executable",
    "StaticTiming": "spu.static_timing",
    "Sweep": "measure.sweeps",
    "Trace": "measure.trace",
    "matrix": "on_any_machine",
    "place": "on_any_machine",
    "placements": "measure.over_placements",
    "run": "spu.simulation",
    "spu_program": "spu.executable",
    "static_timing": "spu.static_timing",
    "sweep": "on_any_machine",
    "to_frame": "measure.result",
}
# Public modules by their short names, such as `cellstats.host`; each is imported at first use.
_MODULES = {
    "affinities": "placement.affinities",
    "architecture": "architecture",
    "assignment": "placement.solvers",
    "exchanges": "measure.exchanges",
    "host": "host",
    "linux": "linux",
    "montecarlo": "montecarlo",
    "native": "spu.native",
    "patterns": "core.patterns",
    "ppe": "spu.ppe",
    "programs": "programs",
    "reproduce": "reproduce",
    "spu": "spu",
}


def _views() -> "Mapping[Kind, View]":
    from cellstats.show.views import VIEWS

    return VIEWS


Showing._views = staticmethod(_views)


def __getattr__(name: str) -> Any:
    if name in _LATER or name in _MODULES:
        from importlib import import_module

        if name in _MODULES:
            return import_module(f"cellstats.{_MODULES[name]}")
        globals()[name] = getattr(import_module(f"cellstats.{_LATER[name]}"), name)
        return globals()[name]
    if name == "__version__":
        from cellstats.core.version import version

        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    # Names for tab completion, excluding the modules that this file imports.
    return sorted({*__all__, *TYPES, *_MODULES, "__version__"})
