"""A machine to measure: a built-in machine, or a machine file of your own."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.display import Showing, page
from cellstats.core.machine import Hardware
from cellstats.core.parameters import BREAKDOWN_NAMES, HOST_NAMES, NAMES
from cellstats.core.quantities import parse_count
from cellstats.core.refusal import known_keywords
from cellstats.core.version import version
from cellstats.measure.request import check, plain_parameters, request

if TYPE_CHECKING:
    import threading
    from pathlib import Path
    from typing import Unpack

    from cellstats.core.display import Page
    from cellstats.core.keywords import Measured as MeasuredKeywords
    from cellstats.measure.breakdown import Breakdown
    from cellstats.measure.result import Measured, Result
    from cellstats.measure.trace import Trace
    from cellstats.patterns import PatternLike

MachineLike: TypeAlias = "Machine | str | Path"
"""A simulated machine, its name, or the file that describes it."""


class Measuring(Protocol):
    """The methods that `measure` calls on a simulated machine or on this computer."""

    @property
    def name(self) -> str:
        """Name of the machine, such as `ps3` or `host`."""

    @property
    def result_type(self) -> "type[Measured]":
        """The class of the machine's results."""

    def run(
        self,
        function: str,
        parameters: Mapping[str, Any],
        stop: "threading.Event | None" = None,
    ) -> "Measured":
        """Measure a FUNCTION. Raises KeyboardInterrupt once `stop` is set."""

    def recipe(self, function: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All values that determine a result, in plain form."""

    @property
    def check(self) -> Callable[..., None]:
        """A function that raises the UsageError that `run` would raise."""


class Machine(Hardware, Showing):
    """A machine that can be measured. Make one with `cellstats.machine`.

    >>> ps3 = Machine.find("ps3")
    >>> ps3.name, len(ps3.spes)
    ('ps3', 6)
    """

    __slots__ = ()
    _kind = "machine"

    def __str__(self) -> str:
        return repr(self)

    @property
    def result_type(self) -> "type[Result]":
        """The class of the machine's results."""
        from cellstats.measure.result import Result

        return Result

    @known_keywords()
    def measure(
        self,
        function: str,
        *,
        # written by workshop/tidy.py: cell keywords
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
        rate: str | float | None = None,
        injection: Literal["periodic", "bernoulli", "bursts"] | str | None = None,
        cells: Literal["0", "1", "01", "10"] | str | int | None = None,
        memory: Literal["0", "1", "interleave"] | str | int | None = None,
        placement: Sequence[int] | Literal["random"] | str | None = None,
        seed: int | str | None = None,
        settle: bool = False,
        fast_forward: bool = True,
        # end of cell keywords
    ) -> "Result":
        """Measure one of `cellstats.function_names()`; the parameters are the command's flags.

        spes: number of SPEs that take part. Default: 1; 2 with spe_to_spe; all in a pattern; 0 for
            the PPE.
        private: whether every SPE has a private buffer (or variable) instead of a shared one.
        iterations: measured iterations, k = 1000; `cellstats --help` lists each function's default.
        size: bytes, k = 1024: of a DMA or list element (128 by default, 16k in a pattern), of an
            access (16), or of each message of an exchange whose pattern is given by name (16k).
        list_elements: elements of one DMA list, 1 by default; a pattern uses lists only with this
            parameter.
        stride: bytes between private buffers, rounded up so that they do not overlap.
        spe_to_spe: whether SPEs communicate with each other, not with the PPE or main memory.
        ppe: how the PPE reaches an SPE: `library` (system calls) or `mmio` (direct registers).
        spe_program: what the SPEs run: the `builtin` programs, or the same programs in `c`
            (mkthread to fetchset only), compiled for the SPU and run instruction by instruction.
        batch: DMAs before each wait (in a copy, pairs of DMAs), 1 by default. 0, the default of
            patterns, waits only at the end.
        op: direction of a pattern's DMAs; `copy` (default of couples and cycle) alternates both.
        target: hot spot: `memory` (by default), or the number of the thread that is hot.
            Permutation: the partner of each thread as in "1,2,0", or the name of a file with these
            numbers; random by default.
        level: where load, store and copy go: `l1` (default), `l2`, `l1l2` (lines), `memory`, `ls`.
        pattern: an exchange's messages: a name of `cellstats.patterns`, a `Pattern`, or a file's
            name.
        threads: threads of the PPE, 1 (by default) or 2, for every level except `ls`.
        histogram: keep the latency of every single DMA, for the column `dma_latency`.
        rate: rate at which each SPE is offered DMAs, however fast they are served: a share of what
            its port carries in each direction, such as `0.3` or `30%`, or a bandwidth, such as
            `8GB/s`. Latency counts from the offer.
        injection: when DMAs are offered at a rate: `periodic`, `bernoulli` (by default; each cycle
            with the same probability) or in `bursts` at the peak, of 8 DMAs on average.
        cells: Cells whose SPEs are used: 0 or 1 for a single Cell, "01" or "10" for both, in this
            order. By default, all SPEs in the order of the machine's `spes`.
        memory: Cell whose memory holds buffers and variables, 0 by default, or "interleave" for
            both.
        placement: physical SPE of each thread: a list, a text like "0,8-15", an affinity of
            `cellstats.affinities`, "model" (the best for an exchange's pattern), or "random"
            (chosen by `seed` within `cells`). Without `spes`, the length of a list sets the number
            of SPEs.
        seed: chooses a random placement, the targets of uniform traffic, and when DMAs are offered
            at a rate.
        settle: skip the rest of a loop whose pace has settled in its first eighth; the result says
            whether it has.
        fast_forward: skip whole periods of the loop; never changes a result. True by default.

        Raises UsageError for invalid parameters, RunError when the simulated run fails.

        >>> Machine.find("ps3").measure("fetchadd", spes=2, private=True, iterations="1k").private
        True
        """
        given = {name: value for name, value in locals().items() if name in NAMES}
        return self.measure_one(function, given)

    def measure_one(self, function: str, parameters: Mapping[str, Any]) -> "Result":
        """Run `measure` with a mapping of keywords. A short run tells the share of start-up."""
        asked = request(self.native, function, parameters)
        return self.result_type.from_json(asked.measure(start_up=True))

    def run(
        self,
        function: str,
        parameters: Mapping[str, Any],
        stop: "threading.Event | None" = None,
    ) -> "Result":
        """Run `measure` with a mapping of keywords. Raises KeyboardInterrupt once `stop` is set."""
        return self.result_type.from_json(request(self.native, function, parameters).measure(stop))

    def alike(self, asked: Sequence[tuple[str, Mapping[str, Any]]]) -> list[int]:
        """For each measurement, the index of the first measurement that gives the same run.

        asked: the arguments of `run`. An invalid measurement is like no other.
        """
        requests: dict[int, _native.Request] = {}
        for nth, (function, parameters) in enumerate(asked):
            with suppress(UsageError):
                requests[nth] = request(self.native, function, parameters)
        valid = list(requests)
        first = dict(zip(valid, _native.alike(list(requests.values())), strict=True))
        return [valid[first[nth]] if nth in first else nth for nth in range(len(asked))]

    def run_alike(
        self,
        asked: Sequence[tuple[str, Mapping[str, Any]]],
        stop: "threading.Event | None" = None,
    ) -> "list[Result]":
        """The result of each of these measurements, which must give the same run. Like `run`."""
        first, *others = (request(self.native, *each) for each in asked)
        return [self.result_type.from_json(text) for text in first.measure_alike(others, stop)]

    def recipe(self, function: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All values that determine a result, in plain form: `size="1k"` becomes 1024."""
        plain = plain_parameters(self.native, function, parameters)
        del plain["fast_forward"]  # never changes a result
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
        """List the placements of a measurement, and find the placements that share a run.

        which: number of random placements, `"all"`, or `"orbits"` for one placement of each orbit.
        parameters: keywords of `measure` without a placement; the `seed` chooses random placements.

        Returns three lists. `placements` has the placements. For each placement, `same_as` has the
        index of the first placement that shares its run, and `stands_for` has the number of
        placements for which it stands. Raises UsageError for invalid parameters.
        """
        asked, seed = request(self.native, function, parameters), parameters.get("seed") or 0
        listed: dict[str, Any] = json.loads(asked.placements(which, seed))
        return listed

    @known_keywords(*HOST_NAMES)
    def check(self, function: str, **parameters: "Unpack[MeasuredKeywords]") -> None:
        """Raise the UsageError that `measure` would raise for these parameters; run nothing.

        >>> Machine.find("ps3").check("dmaget", spes=7)
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
        **parameters: "Unpack[MeasuredKeywords]",
    ) -> "Trace":
        """Trace a measurement bus cycle by bus cycle, with the keywords of `measure`.

        window: number of bus cycles to trace, with half a million events at most. The window begins
            at the first measured DMA, or at the first clock reading for functions without DMAs.
        skip: number of bus cycles to leave out before the window.

        Raises UsageError for invalid parameters, and if the run ends before the window begins.
        Raises RunError when the simulated run fails.

        >>> len(Machine.find("ps3").trace("dmaget", size="1k", window=400).transfers())
        8
        """
        asked = request(self.native, function, parameters)
        span = parse_count(skip, "{skip}", least=0), parse_count(window, "{window}")
        from cellstats.measure.trace import Trace

        return Trace(json.loads(asked.trace(*span)))

    @known_keywords(*HOST_NAMES)
    def watch(
        self,
        function: str,
        *,
        window: int | str = 4000,
        skip: int | str = 0,
        at: int | str | None = None,
        **parameters: "Unpack[MeasuredKeywords]",
    ) -> "Page":
        """A page that plays a measurement in a browser, with the keywords of `measure`.

        window: number of bus cycles to play, 200000 at most; the window begins as in `trace`.
        skip: number of bus cycles to leave out before the window.
        at: the bus cycle to show first, such as 1500; by default the page chooses.

        Raises UsageError and RunError in the same cases as `trace`.

        >>> Machine.find("ps3").watch("couples", spes=4)
        <Page: couples on ps3>
        """
        return page(self, function, parameters, skip=skip, window=window, at=at)

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
        """Split the latency of one DMA on an otherwise idle machine into its components.

        function: the FUNCTION of the DMA; by default a put between two local stores, the same as
            `"dmaput"` with `spe_to_spe=True`.
        The other parameters are those of `measure`.

        Raises UsageError for invalid parameters, RunError when the simulated run fails.

        >>> Machine.find("eval-board").breakdown()["coherence_protocol"].spu_cycles
        100
        """
        given = {name: value for name, value in locals().items() if name in BREAKDOWN_NAMES}
        given["spe_to_spe"] = spe_to_spe or function is None
        from cellstats.measure.breakdown import Breakdown, check_ends

        check_ends(placement, given["spe_to_spe"])
        name = function or "dmaput"
        return Breakdown.from_json(request(self.native, name, given).breakdown())


def find_simulated(given: MachineLike) -> Machine:
    """Find a simulated machine that is given as an object, by name, or as a file."""
    # Any other object is taken as a machine; the host itself raises errors for missing methods.
    return Machine.find(given) if isinstance(given, str | os.PathLike) else given
