"""Run your own programs on a simulated machine."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from cellstats import _native
from cellstats._native import NativeProgram, RunError, UsageError
from cellstats.core.display import Showing
from cellstats.core.plain import to_frame, with_stops
from cellstats.core.refusal import known_keywords
from cellstats.core.words import did_you_mean
from cellstats.measure.machine import Machine, MachineLike, find_simulated
from cellstats.measure.trace import Trace
from cellstats.spu import Spu
from cellstats.spu.channels import LocalStore
from cellstats.spu.door import Caller, Running
from cellstats.spu.executable import Executed, Files, SpuProgram, StandardStreams
from cellstats.spu.ppe import Ppe

if TYPE_CHECKING:
    import pandas as pd

Program: TypeAlias = Callable[[Spu], Running]
"""An async function or a generator function of one `Spu`."""
AnyProgram: TypeAlias = "Program | NativeProgram | SpuProgram"
PpeProgram: TypeAlias = Callable[[Ppe], Running]
"""An async function or a generator function of one `Ppe`."""


@dataclass(frozen=True, repr=False)
class RunResult(Showing):
    """The record of a run, and the memories at its end."""

    _kind = "run"

    record_json: str
    """The simulator's record as JSON; equal runs give equal bytes."""
    local_stores: Mapping[int, bytes]
    """The local store of each thread at the end."""
    memory: _native.NativeMemory
    """Main memory at the end; `memory.read(ea, size)` gives bytes."""
    executables: Mapping[int, Executed]
    """Counts of the threads that ran an SPU executable, by thread."""
    machine: Machine
    """The machine of the run."""
    trace: Trace | None = None
    """The traced window, if it has begun."""

    def __repr__(self) -> str:
        # Omits the local stores, which would fill the terminal.
        cycles, threads = self.record["bus_cycles"], len(self.record["threads"])
        return f"<RunResult: {threads} threads, {cycles} bus cycles>"

    def __str__(self) -> str:
        return repr(self)

    @cached_property
    def record(self) -> dict[str, Any]:
        """The record, parsed.

        Its keys are `schema`, `machine` and `machine_hash`; `bus_cycles`, the length of the run;
        `threads`, with the SPE, the stop code and the SPU cycle of each thread's end; `counters`,
        as in the results of measurements; and with `events=True`, `transfers`: all data over the
        rings, with the bus cycles of grant and arrival, the ring, the stops, and the bytes.
        """
        parsed: dict[str, Any] = json.loads(self.record_json)
        return parsed

    @property
    def bus_cycles(self) -> int:
        """Length of the run."""
        length: int = self.record["bus_cycles"]
        return length

    @property
    def time_ns(self) -> float:
        """Length of the run."""
        return self.bus_cycles * 1e9 / self.machine.bus_hz

    def to_frame(self) -> "pd.DataFrame":
        """A pandas DataFrame of the record's `transfers`. `from` and `to` are elements of the ring.

        Raises UsageError if the run recorded no events, and ImportError without pandas.
        """
        if "transfers" not in self.record:
            raise UsageError("the run recorded no transfers; run it with events=True")
        stops = [name for chip in self.machine.native.rings() for name in chip]
        return to_frame(with_stops(self.record["transfers"], stops))


@known_keywords()
def run(
    machine: MachineLike,
    # The types are quoted, so that `help` shows their names and not their definitions.
    programs: "Mapping[int, AnyProgram] | Sequence[AnyProgram]",
    *,
    ppe: "PpeProgram | Sequence[PpeProgram] | None" = None,
    memory: Mapping[int, bytes] | None = None,
    limit_bus_cycles: int = 1_000_000_000,
    fast_forward: bool = True,
    placement: Sequence[int] | None = None,
    events: bool = False,
    window: tuple[int, int] | None = None,
    files: Files = "cwd",
) -> RunResult:
    r"""Run a program per thread, and programs of the PPE if given, until all have stopped.

    programs: thread number -> program, or a list of programs: Python functions, programs of
        `cellstats.spu.native`, and executables of `cellstats.spu_program`.
    ppe: the PPE's program, or several programs, which start together. Each program has a hardware
        thread of its own, of which each chip has two; more programs share the hardware threads.
    memory: effective address -> bytes at that address at the start; all other bytes are zero.
    limit_bus_cycles: a run that exceeds this length fails.
    fast_forward: skip whole periods of marked loops; never changes the record.
    placement: the physical SPE of threads 0, 1, ...; the machine's own order by default.
    events: record every transfer over the rings in addition to counts; disables fast_forward.
    window: (delay, length) in bus cycles. The trace covers `length` bus cycles and begins `delay`
        bus cycles after the first DMA command. The run ends when the trace ends.
    files: the user's files that executables can open, remove and rename: `none`; `cwd`, only files
        in and below the current directory, without links that lead outside; or `all`. Executables
        can never open pipes and devices.

    Without a PPE program, all threads start at once. Raises UsageError for invalid parameters.
    Raises RunError if a program breaks a rule of the machine, or if the run deadlocks or exceeds
    the limit. An exception inside a program is raised unchanged.

    >>> import cellstats as cs
    >>> async def answer(spu):
    ...     spu.store_word(0, 42)
    ...     await spu.compute(100)
    >>> cs.run(cs.machine("ps3"), {0: answer}).local_stores[0][:4]
    b'\x00\x00\x00*'
    """
    found = find_simulated(machine)
    if not isinstance(programs, Mapping):
        if not isinstance(programs, Sequence):
            raise UsageError(f"programs: {programs!r} is no list of programs; write [program]")
        programs = dict(enumerate(programs))
    if files not in get_args(Files):
        raise UsageError(f"files {files!r}: {did_you_mean(str(files), get_args(Files))}")
    spes = list(found.spes if placement is None else placement)
    with _all_asked(cut=window is not None) as callers:
        ran = _native.run(
            found.native,
            {thread: _spu_entry(thread, each, callers) for thread, each in programs.items()},
            ppe=[_ppe_entry(program, spes, callers) for program in _ppe_programs(ppe)],
            memory=dict(memory or {}),
            limit_bus_cycles=limit_bus_cycles,
            fast_forward=fast_forward,
            placement=None if placement is None else spes,
            events=events,
            window=window,
            standard=StandardStreams(),
            files=files,
        )
    executables = {thread: Executed(**known) for thread, known in ran["executed"].items()}
    trace = None
    if ran["trace_json"] is not None:
        trace = Trace.of_commands(ran["trace_json"], ran["positions"])
    return RunResult(
        ran["record_json"],
        ran["local_stores"],
        ran["main_memory"],
        executables,
        found,
        trace,
    )


@contextmanager
def _all_asked(*, cut: bool) -> Iterator[list[Caller]]:
    """Raise UsageError for a call that a program has not awaited; yields the list of callers.

    cut: whether the run may end before its programs, which might have awaited the call later.
    """
    callers: list[Caller] = []
    try:
        yield callers
    except RunError:
        # The cause of this error may be a call that was not awaited.
        for caller in callers:
            caller.check()
        raise
    for caller in () if cut else callers:
        caller.check()


def _spu_entry(
    thread: int, program: Program | NativeProgram | SpuProgram, callers: list[Caller]
) -> object:
    """The function that the simulator calls with the local store, or the compiled program."""
    if isinstance(program, SpuProgram):
        return program.native
    if not callable(program):
        return program

    def start(ls: LocalStore, argp: int = 0) -> Running:
        spu = Spu(ls, argp)
        callers.append(spu)
        return _started(program(spu), f"thread {thread}")

    return start


def _ppe_programs(ppe: PpeProgram | Sequence[PpeProgram] | None) -> Sequence[PpeProgram]:
    if ppe is None:
        return ()
    return ppe if isinstance(ppe, Sequence) else (ppe,)


def _ppe_entry(program: PpeProgram, spes: Sequence[int], callers: list[Caller]) -> object:
    def start() -> Running:
        called = Ppe(spes)
        callers.append(called)
        return _started(program(called), "the PPE")

    return start


def _started(running: Any, where: str) -> Running:
    if not hasattr(running, "send"):
        raise UsageError(
            f"the program of {where} is not one: it returned {type(running).__name__}; "
            "write it as an async function, or as a generator function"
        )
    started: Running = running
    return started
