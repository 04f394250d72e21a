"""This computer as a machine with the FUNCTIONs, keywords and columns of a simulated machine."""

import sys
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.parameters import HOST_NAMES
from cellstats.core.refusal import known_keywords
from cellstats.host.disturbances import Watch
from cellstats.host.environment import read_environment
from cellstats.host.host_result import HostResult
from cellstats.host.repetitions import Measurement, Native, measure, recipe, working_sets
from cellstats.host.request import Asked, ask
from cellstats.host.topology import Files, Topology, Tree, read_topology
from cellstats.patterns import PatternLike

if TYPE_CHECKING:
    from typing import Unpack

    from cellstats.core.keywords import HostMeasured

_SIMULATED = {
    "native": "simulated",
    "source": "simulated",
    "spes": "simulated",
    "chips": "simulated",
    "bus_hz": "simulated",
    "trace": "looked into cycle by cycle",
    "breakdown": "looked into cycle by cycle",
    "watch": "looked into cycle by cycle",
    "list_placements": "measured over placements",
    "values": "described by a machine file",
    "diff": "described by a machine file",
    "hash": "described by a machine file",
    "description": "described by a machine file",
}
"""Attributes that only a `Machine` has, each with the operation that an error message names."""


class OnlySimulatedError(AttributeError, UsageError):
    """An attribute that only simulated machines have.

    The exception is also an AttributeError, so that `hasattr` and protocol checks work.
    """


class HostMachine:
    """The computer that runs this process. `cellstats.machine("host")` makes one.

    >>> import cellstats as cs
    >>> host = cs.machine("host")
    >>> host.name, len(host.cpus) > 0
    ('host', True)
    """

    __slots__ = ("_native_measure", "topology", "tree")

    def __init__(self, tree: Tree | None = None, native_measure: Native | None = None) -> None:
        """This computer, or a recorded computer.

        tree, native_measure: replace the operating system's files and `_native.host_measure` in
            tests.
        """
        if tree is None and sys.platform != "linux":
            raise UsageError(
                "host: a computer can be measured only if it runs Linux; name a simulated machine"
            )
        self.tree: Tree = Files() if tree is None else tree
        self.topology: Topology = read_topology(self.tree)
        self._native_measure = native_measure or _measure_here

    def __reduce__(self) -> tuple[Any, ...]:
        return HostMachine, ()

    def __repr__(self) -> str:
        cores = self.topology.cores()
        return f"<HostMachine: {len(self.cpus)} CPUs to use, {cores} cores>"

    @property
    def name(self) -> str:
        """The name `host`."""
        return "host"

    @property
    def result_type(self) -> type[HostResult]:
        """The class of this machine's results."""
        return HostResult

    @property
    def cpus(self) -> tuple[int, ...]:
        """The CPUs that this process may use, in topological order."""
        return self.topology.numbers

    @known_keywords()
    def measure(
        self,
        function: str,
        *,
        # written by workshop/tidy.py: host keywords
        spes: int | str | None = None,
        private: bool = False,
        iterations: int | str | None = None,
        size: int | str | None = None,
        list_elements: int | str | None = None,
        stride: int | str | None = None,
        spe_to_spe: bool = False,
        ppe: Literal["library", "mmio", "futex", "eventfd", "pipe", "memory", "lines", "oneway"]
        | str = "library",
        batch: int | str | None = None,
        op: Literal["get", "put", "copy"] | str | None = None,
        target: Literal["memory", "0"] | str | int | None = None,
        level: Literal["l1", "l2", "l3", "memory"] | str | None = None,
        pattern: "PatternLike | None" = None,
        rate: str | float | None = None,
        memory: Literal["interleave"] | str | int | None = None,
        placement: Sequence[int] | Literal["random"] | str | None = None,
        seed: int | str | None = None,
        non_temporal: bool = False,
        signal_mode: Literal["overwrite", "or"] | str | None = None,
        working_set: int | str | None = None,
        chase: Literal["lines", "pages"] | str | None = None,
        pages: Literal["small", "huge"] | str | None = None,
        mix: Literal["1:1", "2:1", "3:1"] | str | None = None,
        background: Literal["load", "store", "copy", "clean", "dirty"] | str | None = None,
        samples: int | str | None = None,
        budget: str | float | None = None,
        # end of host keywords
    ) -> HostResult:
        """Measure one of `cellstats.function_names()` on cores of this computer.

        spes: cores that take part. Default: 1; 2 if cores communicate; all in a pattern.
        private: every core has a buffer or variable of its own.
        iterations: measured iterations of each thread in all samples; the clock decides by default.
        size: bytes of a copy (128; 16k in a pattern), element (16) or message.
        list_elements: pieces that a list gathers or scatters.
        stride: bytes between private buffers, rounded up, or between elements of a chase (64).
        spe_to_spe: mailbox, signal: through memory only. DMA: thread 0 holds the buffer in its
            cache, the other threads copy from this buffer or to it. Without spe_to_spe, DMAs are
            between a core and memory.
        ppe: mailbox and signal: `futex` (or `library`), `eventfd`, `pipe`, `memory` (or `mmio`).
            Mailbox: `lines`, through memory with a line for each direction; `oneway`, the time of
            one direction by the clocks of both.
        batch: number of copies after which stores are ordered.
        op: as on a simulated machine.
        target: as on a simulated machine.
        level: the cache, or memory, that holds the elements of load, store and copy.
        pattern: as on a simulated machine.
        rate: GB/s to which the threads in the background limit themselves together.
        memory: NUMA node of the memory, or "interleave"; by default the node of its CPU.
        placement: CPU of each thread, as the operating system numbers them; or "random".
        seed: chooses a random placement, and the targets of uniform traffic.
        non_temporal: stores go past the caches.
        signal_mode: a signal overwrites a word (`overwrite`), or sets bits in it (`or`).
        working_set: bytes that each thread of load, store or copy walks over, in place of a level.
        chase: each load waits for the previous one; in order of all `lines`, or of 16 `pages` at
            once.
        pages: pages of working sets, `small` or `huge`; by default those that malloc gives.
        mix: elements that a copy reads for each one that it writes: `1:1`, `2:1` or `3:1`.
        background: during a chase, all threads but thread 0 `load`, `store` or `copy` in memory. Or
            before each sample, thread 1 takes the working set into its caches, `clean` or `dirty`.
        samples: samples to take in all repetitions; 180 by default.
        budget: seconds, or a text such as "500ms", over which samples are spread and after which no
            more are taken; by default, they are spread over 2 s and all are taken.

        Raises UsageError for invalid parameters, RunError when the measurement fails.
        """
        given = {name: value for name, value in locals().items() if name in HOST_NAMES}
        return self.run(function, given)

    def run(
        self,
        function: str,
        parameters: Mapping[str, Any],
        stop: threading.Event | None = None,
    ) -> HostResult:
        """Like `measure`, with the keywords as a mapping.

        Raises KeyboardInterrupt once `stop` is set.
        """
        asked = self.ask(function, parameters)
        measurement = self.begin(asked)
        watch = Watch(self.tree, self.topology, asked.cpus)
        measure(measurement, stop)
        environment = read_environment(self.tree, self.topology)
        return measurement.result(environment, watch.noticed())

    def begin(self, asked: Asked) -> Measurement:
        """A measurement that `ask` has checked, without a repetition yet.

        Raises UsageError if the computer lacks the level of memory that is asked for.
        """
        return Measurement(asked, self.topology, self.tree, self._native_measure)

    def ask(self, function: str, parameters: Mapping[str, Any]) -> Asked:
        """Check keywords of `measure` and fill in all defaults.

        Raises UsageError for invalid parameters.
        """
        return ask(self.topology, function, parameters)

    @known_keywords(*HOST_NAMES)
    def check(self, function: str, **parameters: "Unpack[HostMeasured]") -> None:
        """Raise the UsageError that `measure` would raise for these parameters; run nothing."""
        working_sets(self.ask(function, parameters), self.topology, self.tree)

    def recipe(self, function: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The request in plain values. Equal recipes lead to similar, but not to equal results."""
        return {**recipe(self.ask(function, parameters)), "machine_hash": None}

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse attributes of simulated machines with a message that explains why."""
        if name not in _SIMULATED:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        known = ", ".join(_native.machine_names())
        raise OnlySimulatedError(
            f"host is this computer and cannot be {_SIMULATED[name]}; give one of {known}"
        )


def _measure_here(request: str, stop: threading.Event | None) -> str:
    return _native.host_measure(request, stop=stop)
