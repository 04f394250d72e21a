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
from cellstats._native import function_names as function_names  # noqa: E402
from cellstats._native import machine_names as machine_names  # noqa: E402
from cellstats.core.display import Kind, Showing, View  # noqa: E402
from cellstats.measure.machine import Machine as Machine  # noqa: E402
from cellstats.single_runs import breakdown as breakdown  # noqa: E402
from cellstats.single_runs import machine as machine  # noqa: E402
from cellstats.single_runs import measure as measure  # noqa: E402
from cellstats.single_runs import trace as trace  # noqa: E402
from cellstats.single_runs import watch as watch  # noqa: E402

# The imports above and below are the list of public names. Those below are made when a name is
# first used, so that short measurements start quickly.
if TYPE_CHECKING:
    from collections.abc import Mapping

    from cellstats import affinities as affinities
    from cellstats import architecture as architecture
    from cellstats import assignment as assignment
    from cellstats import host as host
    from cellstats import linux as linux
    from cellstats import montecarlo as montecarlo
    from cellstats import patterns as patterns
    from cellstats import programs as programs
    from cellstats import reproduce as reproduce
    from cellstats import spu as spu
    from cellstats.core.pattern import Pattern as Pattern
    from cellstats.host.cpu_placement import HostPlaced as HostPlaced
    from cellstats.host.host_machine import HostMachine as HostMachine
    from cellstats.host.host_result import HostResult as HostResult
    from cellstats.host.matrices import HostMatrix as HostMatrix
    from cellstats.many_runs import matrix as matrix
    from cellstats.many_runs import place as place
    from cellstats.many_runs import sweep as sweep
    from cellstats.measure import exchanges as exchanges
    from cellstats.measure.best_placement import Placed as Placed
    from cellstats.measure.breakdown import Breakdown as Breakdown
    from cellstats.measure.matrices import Matrix as Matrix
    from cellstats.measure.over_placements import Placements as Placements
    from cellstats.measure.over_placements import placements as placements
    from cellstats.measure.result import Result as Result
    from cellstats.measure.result import to_frame as to_frame
    from cellstats.measure.result_parts import SpeResult as SpeResult
    from cellstats.measure.sweeps import Sweep as Sweep
    from cellstats.measure.trace import Trace as Trace
    from cellstats.show.page import Page as Page
    from cellstats.spu import Spu as Spu
    from cellstats.spu import native as native
    from cellstats.spu import ppe as ppe
    from cellstats.spu.executable import SpuProgram as SpuProgram
    from cellstats.spu.executable import spu_program as spu_program
    from cellstats.spu.ppe import Ppe as Ppe
    from cellstats.spu.simulation import RunResult as RunResult
    from cellstats.spu.simulation import run as run
    from cellstats.spu.static_timing import StaticTiming as StaticTiming
    from cellstats.spu.static_timing import static_timing as static_timing

# written by workshop/tidy.py: public names
_MODULES = {
    "affinities": "affinities",
    "architecture": "architecture",
    "assignment": "assignment",
    "exchanges": "measure.exchanges",
    "host": "host",
    "linux": "linux",
    "montecarlo": "montecarlo",
    "native": "spu.native",
    "patterns": "patterns",
    "ppe": "spu.ppe",
    "programs": "programs",
    "reproduce": "reproduce",
    "spu": "spu",
}
_HOMES = {
    "Breakdown": "measure.breakdown",
    "HostMachine": "host.host_machine",
    "HostMatrix": "host.matrices",
    "HostPlaced": "host.cpu_placement",
    "HostResult": "host.host_result",
    "Machine": "measure.machine",
    "Matrix": "measure.matrices",
    "Page": "show.page",
    "Pattern": "core.pattern",
    "Placed": "measure.best_placement",
    "Placements": "measure.over_placements",
    "Ppe": "spu.ppe",
    "Result": "measure.result",
    "RunError": "_native",
    "RunResult": "spu.simulation",
    "SpeResult": "measure.result_parts",
    "Spu": "spu",
    "SpuProgram": "spu.executable",
    "StaticTiming": "spu.static_timing",
    "Sweep": "measure.sweeps",
    "Trace": "measure.trace",
    "UsageError": "_native",
    "breakdown": "single_runs",
    "function_names": "_native",
    "machine": "single_runs",
    "machine_names": "_native",
    "matrix": "many_runs",
    "measure": "single_runs",
    "place": "many_runs",
    "placements": "measure.over_placements",
    "run": "spu.simulation",
    "spu_program": "spu.executable",
    "static_timing": "spu.static_timing",
    "sweep": "many_runs",
    "to_frame": "measure.result",
    "trace": "single_runs",
    "watch": "single_runs",
}
# end of public names

# Only functions: with the result classes, `help(cellstats)` would fill 40 screens.
__all__ = [name for name in _HOMES if name.islower()]
TYPES = tuple(name for name in _HOMES if not name.islower())
"""Public classes, for type annotations."""


def _views() -> "Mapping[Kind, View]":
    from cellstats.show.views import VIEWS

    return VIEWS


Showing._views = staticmethod(_views)


if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> Any:
        if name in _HOMES or name in _MODULES:
            from importlib import import_module

            if name in _MODULES:
                return import_module(f"cellstats.{_MODULES[name]}")
            globals()[name] = getattr(import_module(f"cellstats.{_HOMES[name]}"), name)
            return globals()[name]
        if name == "__version__":
            from cellstats.core.version import version

            return version()
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    # Names for tab completion, excluding the modules that this file imports.
    return sorted({*_HOMES, *_MODULES, "__version__"})
