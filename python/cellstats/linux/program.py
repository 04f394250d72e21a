"""Runs Linux programs on a machine, with the user's standard streams or with bytes."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Protocol, get_args

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.refusal import known_keywords
from cellstats.core.words import did_you_mean
from cellstats.linux.result import LinuxResult, SpeContext, SpeFault, SpeStop, UnfinishedRun
from cellstats.measure.machine import MachineLike, find_simulated
from cellstats.measure.trace import Trace
from cellstats.spu.executable import Files, StandardStreams

TerminalSize = tuple[int, int]
"""Rows and columns."""


class Streams(Protocol):
    """The standard streams 0, 1 and 2, as the simulator uses them."""

    def read(self, n: int) -> bytes:
        """Up to `n` bytes of standard input, or no bytes at the end of the input."""

    def write(self, file: int, data: bytes) -> None:
        """Write to standard output (1) or the error output (2)."""

    def terminal(self, stream: int) -> TerminalSize | None:
        """The terminal size of a stream, or None if the stream is not a terminal."""


class OwnStreams(StandardStreams):
    """The streams of `sys`."""

    own: tuple[int, ...] = (0, 1, 2)
    """The user's own streams, by number; only these streams may be a terminal."""

    def terminal(self, stream: int) -> TerminalSize | None:
        """The terminal size of a stream, or None if the stream is not a terminal."""
        if stream not in self.own:
            return None
        file: IO[Any] | None = (sys.stdin, sys.stdout, sys.stderr)[stream]
        try:
            size = os.get_terminal_size(file.fileno()) if file is not None else None
        except (OSError, ValueError):
            # The stream is no terminal, has no descriptor (as in a notebook), or is closed.
            return None
        return None if size is None else (size.lines & 0xFFFF, size.columns & 0xFFFF)


class GivenInput(OwnStreams):
    """Standard streams that read input from given bytes, and write to the streams of `sys`."""

    own: tuple[int, ...] = (1, 2)

    def __init__(self, stdin: bytes) -> None:
        self._stdin = memoryview(stdin)

    def read(self, n: int) -> bytes:
        """Up to `n` bytes of standard input, or no bytes at the end of the input."""
        data, self._stdin = self._stdin[:n], self._stdin[n:]
        return bytes(data)


class Captured(GivenInput):
    """Standard streams that read input from given bytes, and keep the output as bytes."""

    own: tuple[int, ...] = ()

    def __init__(self, stdin: bytes) -> None:
        super().__init__(stdin)
        self.kept = {1: bytearray(), 2: bytearray()}

    def write(self, file: int, data: bytes) -> None:
        """Keep the bytes written to standard output (1) or the error output (2)."""
        self.kept[file] += data


ENVIRONMENT = {"HOME": "/", "LANG": "C", "PATH": "/usr/bin:/bin", "USER": "user"}
"""Environment of every program. The user's own variables are omitted, so that runs do not depend on
the user."""
OWN_ROOT = Path(__file__).parent / "root"
"""Root directory with the library that comes with CellStats: libspe2."""


@known_keywords()
def run(
    program: str | Path,
    arguments: Iterable[str | bytes] = (),
    *,
    machine: MachineLike = "ps3",
    sysroot: str | Path | None = None,
    files: Files = "cwd",
    environment: Mapping[str, str] | None = None,
    placement: Sequence[int] | None = None,
    limit_bus_cycles: int | None = None,
    window: tuple[int, int] | None = None,
    profile: bool = False,
    stdin: bytes | None = None,
    capture: bool = False,
    gdb: int | None = None,
    low_addresses: bool = False,
    name: str | None = None,
) -> LinuxResult:
    """Run an executable for the PPE to its end.

    arguments: `argv` after the program's name.
    sysroot: the directory with shared libraries, including `lib/ld.so.1` (`lib64/ld64.so.1` for
        64-bit programs); by default the sysroot of the installed cross compiler. Programs see it
        as `/` and cannot change it. The sysroot need not contain libspe2.
    files: the user's files that the program can reach: `none`; `cwd`, the files in and below the
        current directory, even through links; or `all`.
    environment: variables in addition to `PATH`, `HOME`, `LANG` and `USER`. The user's own
        variables are not passed on.
    placement: the physical SPEs for contexts, in this order; by default, the machine's order.
    limit_bus_cycles: a run that exceeds this length fails; by default there is no limit.
    window: (skip, length) in bus cycles. The trace begins `skip` bus cycles after the first DMA
        command, and the run ends at the end of the trace.
    profile: count issues and stalls of each SPU instruction.
    stdin: bytes for standard input; by default the user's input, or nothing with `capture`.
    capture: keep the program's output instead of passing it on.
    gdb: a port of this computer's loopback address, at which the program waits for a debugger
        before its first instruction. A line on the error output says so.
    low_addresses: keep stacks, libraries and mappings below 2 GB.
    name: the program's name for itself, `argv[0]`; by default its path. Its length moves the stack,
        and with it the times of contended loops, so that equal names give equal times everywhere.

    Raises UsageError for an invalid program or sysroot. Raises UnfinishedRun, a RunError, if the
    run cannot continue because of a missing system call, a deadlock or the limit; its attribute
    `result` has what was counted until then. A crash is no exception; the exit status shows it.
    """
    if not _native.HAS_LINUX:
        raise UsageError(
            "programs of Linux do not run here, because this build of CellStats lacks what runs "
            "them, as each for Windows; use CellStats on Linux or macOS"
        )
    found = find_simulated(machine)
    if files not in get_args(Files):
        raise UsageError(f"files {files!r}: {did_you_mean(str(files), get_args(Files))}")
    words = _words(program if name is None else name, arguments)
    if gdb is not None and window is not None:
        raise UsageError("gdb and window: a trace ends its run by itself; give one of the two")
    streams = _streams(stdin, capture)
    known = _native.linux_run(
        found.native,
        os.fspath(program),
        words,
        environment=_environment(environment or {}),
        system_roots=_system_roots(program, sysroot),
        files=files,
        placement=None if placement is None else list(placement),
        limit_bus_cycles=limit_bus_cycles,
        window=window,
        profile=profile,
        low_addresses=low_addresses,
        standard=streams,
        gdb=None if gdb is None else _listen(gdb),
    )
    if isinstance(streams, Captured):
        known |= {"stdout": bytes(streams.kept[1]), "stderr": bytes(streams.kept[2])}
    result = _result(known)
    if result.failed:
        raise UnfinishedRun(result)
    return result


def _words(program: str | Path, arguments: Iterable[str | bytes]) -> list[bytes]:
    """`argv` of a program."""
    if isinstance(arguments, str | bytes):
        raise UsageError(
            f"arguments {arguments!r} is one text; give a list of them, such as [{arguments!r}]"
        )
    return [os.fsencode(word) for word in (program, *arguments)]


def _listen(port: int) -> "_native.GdbPort":
    """A port for a debugger, and a line that says that the program waits there."""
    listening = _native.GdbPort(port)
    if sys.stderr is not None:
        sys.stderr.write(f"cellstats: waiting for a debugger; (gdb) target remote :{port}\n")
        sys.stderr.flush()
    return listening


def _streams(stdin: bytes | None, capture: bool) -> OwnStreams:
    if capture:
        return Captured(stdin or b"")
    return OwnStreams() if stdin is None else GivenInput(stdin)


def _system_roots(program: str | Path, sysroot: str | Path | None) -> list[str | Path]:
    """Directories to search for libraries. A libspe2 in the sysroot takes precedence."""
    found = _native.linux_sysroot(program) if sysroot is None else sysroot
    return [OWN_ROOT] if found is None else [found, OWN_ROOT]


def _environment(given: Mapping[str, str]) -> list[bytes]:
    for name, value in given.items():
        if not name or "=" in name or "\0" in name + value:
            raise UsageError(f"environment {name!r}: names are not empty and have no = in them")
    return [os.fsencode(f"{name}={value}") for name, value in {**ENVIRONMENT, **given}.items()]


def _result(known: dict[str, Any]) -> LinuxResult:
    contexts = [_context(context) for context in known.pop("contexts")]
    trace_json, positions_json = known.pop("trace_json"), known.pop("positions_json")
    trace = None
    if trace_json is not None:
        trace = Trace.of_commands(trace_json, positions_json)
    return LinuxResult(contexts=contexts, trace=trace, **known)


def _context(known: dict[str, Any]) -> SpeContext:
    faults = [SpeFault(**fault) for fault in known.pop("faults")]
    stop = known.pop("stop")
    return SpeContext(faults=faults, stop=None if stop is None else SpeStop(**stop), **known)
