"""A machine to measure: one of the built-in ones, or a machine file of your own."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from cellstats import _native
from cellstats._native import UsageError
from cellstats.measure.quantities import parse_count
from cellstats.measure.request import check, plain_parameters, request
from cellstats.parameters import BREAKDOWN_NAMES, HOST_NAMES, NAMES
from cellstats.refusal import known_keywords
from cellstats.text.nearest import did_you_mean
from cellstats.text.printable import file_name

if TYPE_CHECKING:
    import threading
    from pathlib import Path
    from typing import Unpack

    from cellstats.host.host_machine import HostMachine
    from cellstats.keywords import Measured
    from cellstats.measure.breakdown import Breakdown
    from cellstats.measure.trace import Trace
    from cellstats.page.run_page import Page
    from cellstats.placement.pattern_choice import PatternLike
    from cellstats.result import Result

AnyMachine: TypeAlias = "Machine | HostMachine"
"""A simulated machine, or this computer."""
MachineLike: TypeAlias = "Machine | str | Path"
"""A simulated machine, its name, or the file that describes it."""
AnyMachineLike: TypeAlias = "MachineLike | HostMachine"
"""The same, or this computer."""


class Machine:
    """A machine that answers experiments. Make one with `cellstats.machine`.

    >>> ps3 = machine("ps3")
    >>> ps3.name, len(ps3.spes)
    ('ps3', 6)
    """

    __slots__ = ("native", "source")

    def __init__(self, native: _native.Machine, source: tuple[str, ...]) -> None:
        self.native = native
        # The name of a built-in machine, or text and name of a file: it is pickled as these.
        self.source = source

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_source, self.source

    def __repr__(self) -> str:
        return f"<Machine {self.name}: {len(self.spes)} SPEs, bus at {self.bus_hz / 1e9:g} GHz>"

    def _repr_html_(self) -> str:
        from cellstats.export.formats import function_at

        html: str = function_at("notebook.chip_html:machine")(self)
        return html

    @property
    def name(self) -> str:
        """The name its file gives it, such as `ps3`."""
        return self.native.name

    @property
    def description(self) -> str:
        """One line for people."""
        return self.native.description

    @property
    def hash(self) -> str:
        """A digest of all its values: two machines with the same hash give the same results."""
        return self.native.hash

    @property
    def spes(self) -> tuple[int, ...]:
        """The physical SPEs that programs may use, in the order in which threads get them."""
        return tuple(self.native.spes)

    @property
    def chips(self) -> int:
        """How many Cells it has."""
        return self.native.chips

    def chip_of(self, spe: int) -> int:
        """The Cell that a physical SPE is on.

        >>> machine("qs20").chip_of(7), machine("qs20").chip_of(8)
        (0, 1)
        """
        return self.native.chip_of(spe)

    def memory_ea(self, memory: Literal["0", "1", "interleave"] | str | int = "0") -> int:
        """The first effective address of a Cell's memory, or of both interleaved.

        >>> hex(machine("qs20").memory_ea(1))
        '0x20000000'
        """
        return self.native.memory_ea(str(memory))

    @property
    def bus_hz(self) -> int:
        """Bus cycles per second (half the processor clock)."""
        return self.native.bus_hz

    @property
    def timebase_hz(self) -> int:
        """Ticks per second of the SPU decrementers and of the PPE's time base."""
        return self.native.timebase_hz

    def values(self) -> list[dict[str, Any]]:
        """Every hardware value: key, value, unit, basis, range, interval, source and meaning.

        `range` is where the value could honestly lie, `interval` the part of it that explains what
        was published as well; each is None where the file has none. `base` is the machine that the
        value is taken over from, None if the own file says it.
        """
        return self.native.values()

    def diff(self, other: "Machine") -> list[dict[str, Any]]:
        """The values in which another machine differs; two with the same hash differ in none.

        A row has `key` and `unit`, and value, basis, range and source of both: `value_a` here,
        `value_b` there, and so on.

        >>> [row["key"] for row in machine("ps3").diff(machine("eval-board"))]
        ['chip.timebase_hz', 'chip.main_memory_bytes', 'chip.spes']
        """
        rows = []
        for a, b in zip(self.values(), other.values(), strict=True):
            if a["value"] != b["value"]:
                both = {
                    f"{name}_{side}": value[name]
                    for name in ("value", "basis", "range", "source")
                    for side, value in (("a", a), ("b", b))
                }
                rows.append({"key": a["key"], "unit": a["unit"], **both})
        return rows

    @known_keywords()
    def measure(
        self,
        function: str,
        *,
        # written by tests/tidy.py: cell keywords
        spes: int | str | None = None,
        private: bool = False,
        iterations: int | str | None = None,
        size: int | str | None = None,
        list_elements: int | str | None = None,
        stride: int | str | None = None,
        spe_to_spe: bool = False,
        ppe: Literal["library", "mmio"] | str = "library",
        spe_program: Literal["builtin", "c"] | str = "builtin",
        batch: int | str | None = None,
        op: Literal["get", "put", "copy"] | str | None = None,
        target: Literal["memory", "0"] | str | int | None = None,
        level: Literal["l1", "l2", "l1l2", "memory", "ls"] | str | None = None,
        pattern: "PatternLike | None" = None,
        threads: int | str | None = None,
        histogram: bool = False,
        cells: Literal["0", "1", "01", "10"] | str | int | None = None,
        memory: Literal["0", "1", "interleave"] | str | int | None = None,
        placement: Sequence[int] | Literal["random"] | str | None = None,
        seed: int | str | None = None,
        fast_forward: bool = True,
        # end of cell keywords
    ) -> "Result":
        """Measure one of `cellstats.function_names()`; the same parameters as the command's flags.

        spes: SPEs that take part; by default 1, 2 with spe_to_spe, all in a pattern, 0 for the PPE.
        private: every SPE has a buffer (or variable) of its own, not one shared by all.
        iterations: measured iterations, k = 1000; `cellstats --help` lists each function's default.
        size: bytes of a DMA or list element, k = 1024: 128 by default, in a pattern 16k; of an
            access: 16; of each message of an exchange whose pattern is given by name: 16k.
        list_elements: elements of one DMA list, 1 by default; a pattern uses lists where this is
            given.
        stride: bytes between private buffers, rounded up so that they do not overlap.
        spe_to_spe: between SPEs, not with the PPE or main memory.
        ppe: how the PPE reaches an SPE: `library` (system calls) or `mmio` (direct registers).
        spe_program: what the SPEs run: the `builtin` programs, or the same in `c` (mkthread to
            fetchset), compiled for the SPU and run instruction by instruction.
        batch: DMAs (pairs, of a copy) before each wait, 1 by default; 0, a pattern's default, waits
            only at the end.
        op: direction of a pattern's DMAs; `copy` (default of couples, cycle) is both in turn.
        target: hot spot: `memory` (by default), or the number of the thread that is hot.
        level: where load, store and copy go: `l1` (default), `l2`, `l1l2` (lines), `memory`, `ls`.
        pattern: an exchange's messages: a name of `cellstats.patterns`, a `Pattern`, or a file's
            name.
        threads: threads of the PPE, 1 (by default) or 2, everywhere but in `ls`.
        histogram: keep the latency of every single DMA, for the column `dma_latency`.
        cells: Cells whose SPEs are used: 0 or 1 for one Cell's, "01" or "10" for both, in this
            order; by default all, in the order of the machine's `spes`.
        memory: Cell whose memory holds buffers and variables, 0 by default, or "interleave": both.
        placement: physical SPE of each thread: a list, a text like "0,8-15", an affinity of
            `cellstats.affinities`, "model" (the best for an exchange's pattern), or "random"
            (chosen by `seed` within `cells`). A list without `spes` says how many SPEs take part.
        seed: chooses a random placement, and the targets of uniform traffic.
        fast_forward: skip whole periods of the loop; never changes a result. True by default.

        Raises UsageError for parameters that cannot be, RunError when the simulated run fails.

        >>> machine("ps3").measure("fetchadd", spes=2, private=True, iterations="1k").private
        True
        """
        given = {name: value for name, value in locals().items() if name in NAMES}
        return self.run(function, given)

    def run(
        self,
        function: str,
        parameters: Mapping[str, Any],
        stop: "threading.Event | None" = None,
    ) -> "Result":
        """`measure`, its keywords as a mapping; KeyboardInterrupt once stop is set."""
        from cellstats.result import Result

        return Result.from_json(request(self.native, function, parameters).measure(stop))

    def recipe(self, function: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What decides a result, in plain values; `size="1k"` is the same as `size=1024`."""
        from cellstats.measure.version import version

        plain = plain_parameters(self.native, function, parameters)
        del plain["fast_forward"]  # changes nothing
        return {
            "version": version(),
            "machine": self.name,
            "machine_hash": self.hash,
            "function": function,
            "parameters": plain,
        }

    def list_placements(
        self, function: str, which: int | str, parameters: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The placements of a measurement, and which of them are the same run.

        which: number of random placements, or `"all"`.
        parameters: keywords of `measure`, without a placement; `seed` chooses the random ones.

        Answers `placements`, and for each in `same_as` the index of the first with the same run.
        Raises UsageError for parameters that cannot be.
        """
        import json

        asked, seed = request(self.native, function, parameters), parameters.get("seed") or 0
        count = None if which == "all" else which
        listed: dict[str, Any] = json.loads(asked.placements(count, seed))
        return listed

    @known_keywords(*HOST_NAMES)
    def check(self, function: str, **parameters: "Unpack[Measured]") -> None:
        """Raise the UsageError that `measure` would raise for these parameters, and run nothing.

        >>> machine("ps3").check("dmaget", spes=7)
        Traceback (most recent call last):
        ...
        cellstats._native.UsageError: spes 7: ps3 has 6 SPEs to use, give 1 to 6
        """
        check(self.native, function, parameters)

    @known_keywords(*HOST_NAMES)
    def trace(
        self,
        function: str,
        *,
        window: int | str = 160,
        skip: int | str = 0,
        **parameters: "Unpack[Measured]",
    ) -> "Trace":
        """Look at a measurement bus cycle by bus cycle; `parameters` are those of `measure`.

        window: bus cycles to look at, from the first measured DMA on; no more than hold half a
            million events. Functions without DMAs begin when the clock is read that they are
            measured by.
        skip: bus cycles to leave out before the window.

        Raises UsageError for parameters that cannot be, and where the run ends before the window
        begins; RunError when the simulated run fails.

        >>> len(machine("ps3").trace("dmaget", size="1k", window=400).transfers())
        8
        """
        from cellstats.measure.trace import Trace

        asked = request(self.native, function, parameters)
        span = parse_count(skip, "{skip}", least=0), parse_count(window, "{window}")
        return Trace.from_json(asked.trace(*span))

    @known_keywords(*HOST_NAMES)
    def watch(
        self,
        function: str,
        *,
        window: int | str = 4000,
        skip: int | str = 0,
        at: int | str | None = None,
        **parameters: "Unpack[Measured]",
    ) -> "Page":
        """A page that plays a measurement in a browser; `parameters` are those of `measure`.

        window: bus cycles to play, 200000 at most, counted as by `trace`.
        skip: bus cycles to leave out before them.
        at: the bus cycle that is shown first, such as 1500; by default the page chooses.

        Raises UsageError and RunError as `trace` does.

        >>> machine("ps3").watch("couples", spes=4)
        <Page: couples on ps3>
        """
        from cellstats.page.run_page import page_of

        return page_of(self, function, parameters, skip=skip, window=window, at=at)

    @known_keywords()
    def breakdown(
        self,
        function: Literal["dmaget", "dmaput", "dmalistget", "dmalistput"] | str | None = None,
        *,
        size: int | str | None = None,
        list_elements: int | str | None = None,
        spe_to_spe: bool = False,
        cells: Literal["0", "1", "01", "10"] | str | int | None = None,
        memory: Literal["0", "1", "interleave"] | str | int | None = None,
        placement: Sequence[int] | Literal["random"] | str | None = None,
        seed: int | str | None = None,
    ) -> "Breakdown":
        """Take the latency of one DMA on an otherwise idle machine apart, by its recorded events.

        function: what is done; a put between two local stores if nobody says (as if `"dmaput"` and
            `spe_to_spe=True` were given).
        The other parameters are those of `measure`.

        Raises UsageError for parameters that cannot be, RunError when the simulated run fails.

        >>> machine("eval-board").breakdown()["coherence_protocol"].spu_cycles
        100
        """
        given = {name: value for name, value in locals().items() if name in BREAKDOWN_NAMES}
        from cellstats.measure.breakdown import Breakdown, check_ends

        given["spe_to_spe"] = spe_to_spe or function is None
        check_ends(placement, given["spe_to_spe"])
        name = function or "dmaput"
        return Breakdown.from_json(request(self.native, name, given).breakdown())


@overload
def machine(name_or_path: Literal["host"]) -> "HostMachine": ...  # type: ignore[overload-overlap]
@overload
def machine(name_or_path: "str | Path" = "ps3") -> Machine: ...
def machine(name_or_path: "str | Path" = "ps3") -> AnyMachine:
    """A built-in machine by name, the machine described by a TOML file, or `host`: this computer.

    A text with a slash or ending in `.toml` is a file. Raises UsageError when there is no such
    machine, when the file cannot be read, and when it says something that is wrong.

    >>> machine("eval-board").name
    'eval-board'
    """
    text = str(name_or_path)
    if text == "host":
        from cellstats.host.host_machine import HostMachine

        return HostMachine()
    if text in _native.machine_names():
        return _from_source(text)
    if isinstance(name_or_path, os.PathLike) or is_file(text):
        from pathlib import Path

        from cellstats.text.whole_input import whole_text

        path = Path(name_or_path)
        wanted = f"give a readable .toml file, or one of {', '.join(_native.machine_names())}"
        source = whole_text(path, f"machine file {str(path)!r}", wanted)
        return _from_source(source, file_name(text))
    if text in _native.machine_bases():
        _native.Machine.builtin(text)  # raises what a base is
    known = (*_native.machine_names(), "host")
    raise UsageError(f"unknown machine {text!r}; {did_you_mean(text, known)}, or a .toml file")


def is_file(name: str) -> bool:
    """Whether a machine of this name is described by a file."""
    return "/" in name or name.endswith(".toml")


def machine_of_text(text: str, name: str) -> Machine:
    """The machine that the text of a file describes; `name` is what messages call the file."""
    return _from_source(text, name)


def _from_source(*source: str) -> Machine:
    build = _native.Machine.builtin if len(source) == 1 else _native.Machine.parse
    return Machine(build(*source), source)
