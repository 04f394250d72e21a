"""`cellstats spu`: runs an SPU executable on one or more SPEs."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from cellstats._native import UsageError
from cellstats.cli.command import Command
from cellstats.cli.exit_status import DONE
from cellstats.cli.file_flags import READ, READ_PIECE, WRITTEN_PIECE
from cellstats.cli.flags import named_flags, words
from cellstats.cli.program_flags import (
    bus_cycles,
    files_flag,
    limit_flag,
    one_of,
    output_flags,
    outputs_of,
    placement_flag,
)
from cellstats.core.files import check_place, write_whole
from cellstats.core.machine import value_of
from cellstats.core.quantities import format_latency, parse_bytes, parse_count
from cellstats.core.words import harmless, printable, reason
from cellstats.measure.machine import Machine
from cellstats.show.program import listing
from cellstats.show.views import either
from cellstats.single_runs import machine as find_machine
from cellstats.spu.executable import Executed, Files, spu_program
from cellstats.spu.simulation import RunResult, run
from cellstats.spu.static_timing import static_timing

FORMS = ("text", "json")
Flagged = TypeVar("Flagged", bound=Callable[..., Any])

_HELP = """Run an SPU executable on one or more SPEs.

FILE is an executable made by spu-elf-gcc. It runs on N SPEs at the same time. Its main(speid, argp,
envp) receives the number of its SPE, its rank (0 to N-1), and N. If FILE is linked with -mstdmain,
its main(argc, argv) receives FILE and ARGS. Write -- before ARGS that begin with -.

The program's output goes to standard output. It can read, write and remove your files in the
current directory and below, and no others, even through links; --files none and --files all change
this. Main memory holds the files of --memory, and zeros elsewhere. When all SPEs have ended, their
time is shown on the error output.

With --timing FUNCTION nothing runs: the rules of the pipelines time the code of a function in the
order of its addresses, with the cycle, the pipe and the stalls of each instruction. Branches count
as not taken, and channels as ready.

The exit status is the program's; with several SPEs, the first status that is not 0. It is 1, with
one line of explanation, if a program makes an error: an unknown instruction, a halt, an unknown
stop code, a wrong channel or DMA command. It is 2 if the command line is wrong.

\b
  cellstats spu hello.elf -n 6
  cellstats spu matrix.elf --memory input.bin@0x100000 --save-memory output.bin@0x200000:16k
  cellstats spu matrix.elf --profile
  cellstats spu matrix.elf --timing main
  cellstats spu matrix.elf -n 6 --trace 10k --watch matrix.html
"""


class _Piece(NamedTuple):
    """A file, and the range of main memory that is loaded from the file or saved to it."""

    path: str
    ea: int
    size: int


def _read_piece(text: str, flag: str, sized: bool) -> _Piece:
    path, at, where = text.rpartition("@")
    if not at:
        path, where = (text, "0") if not sized else ("", "")
    ea, colon, size = where.partition(":")
    try:
        address = int(ea, 0)
    except ValueError:
        address = -1
    if not path or address < 0 or bool(colon) != sized:
        form = "FILE@EA:BYTES" if sized else "FILE or FILE@EA"
        right = "out.bin@0x1000:16k" if sized else "in.bin@0x1000"
        raise UsageError(f"{flag} {text!r} is not {form}; write for example {right}")
    return _Piece(path, address, parse_bytes(size, flag, 1) if sized else 0)


def _pieces(flag: str, sized: bool, text: str) -> Callable[[Flagged], Flagged]:
    def convert(_ctx: click.Context, _flag: click.Parameter, values: Any) -> list[_Piece]:
        return [_read_piece(value, flag, sized) for value in values]

    metavar = "FILE@EA:BYTES" if sized else "FILE[@EA]"
    kind = WRITTEN_PIECE if sized else READ_PIECE
    return click.option(
        flag, metavar=metavar, type=kind, multiple=True, callback=convert, help=text
    )


def _count(_ctx: click.Context, flag: click.Parameter, value: str) -> int:
    return parse_count(value, flag.opts[0])


@click.command(cls=Command, help=_HELP, short_help=_HELP.splitlines()[0])
@click.argument("file", metavar="FILE", type=READ)
@click.argument("arguments", metavar="[ARGS]...", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "-n", "spes", metavar="N", default="1", callback=_count, help="Number of SPEs that run FILE."
)
@named_flags("machine")
@placement_flag("SPE of each rank, as 0,2,4 or 0,8-15.")
@_pieces("--memory", False, "Load a file into main memory, at EA or 0, before the start.")
@_pieces("--save-memory", True, "Save a range of main memory to a file at the end.")
@limit_flag("SPU cycles", "10000m")
@files_flag()
@output_flags(profile="Show where time was spent, by instruction.")
@click.option("--timing", metavar="FUNCTION", help="Time a function's instructions without a run.")
@click.option(
    "--format",
    "form",
    metavar="FORM",
    default="text",
    show_default=True,
    callback=one_of(FORMS),
    help=f"Form of --timing: {either(FORMS)}.",
    **words(FORMS),
)
@click.option("-v", "--verbose", is_flag=True, help="Show the times of each SPE.")
def spu(**flags: Any) -> int:
    """Run `cellstats spu`; returns the exit status."""
    function, form = flags.pop("timing"), flags.pop("form")
    if function is not None:
        return _time(function, form, flags)
    if form != "text":
        raise UsageError(f"--format {form} without --timing; --record FILE writes counters as JSON")
    return _spu(**flags)


_RUN_FLAGS = {
    "arguments": "ARGS",
    "placement": "--placement",
    "memory": "--memory",
    "save_memory": "--save-memory",
    "profile": "--profile",
    "span": "--trace",
    "record": "--record",
}
"""What only a run uses, by parameter."""


def _time(function: str, form: str, flags: dict[str, Any]) -> int:
    """Show the timing of a function; returns the exit status."""
    for parameter, flag in _RUN_FLAGS.items():
        if flags[parameter]:
            raise UsageError(f"--timing runs nothing; leave out {flag}")
    found = static_timing(spu_program(flags["file"]), function, find_machine(flags["machine"]))
    shown = json.dumps(found.data) + "\n" if form == "json" else found.text()
    sys.stdout.write(printable(shown))
    return DONE


def _spu(
    *,
    file: str,
    arguments: tuple[str, ...],
    spes: int,
    machine: str,
    placement: Any,
    memory: list[_Piece],
    save_memory: list[_Piece],
    limit: int,
    files: Files,
    profile: bool,
    verbose: bool,
    **output: Any,
) -> int:
    outputs = outputs_of(**output)
    target = find_machine(machine)
    if spes > len(target.spes):
        raise UsageError(f"-n {spes}; {target.name} has {len(target.spes)} SPEs")
    programs = {
        rank: spu_program(file, arguments, argp=rank, envp=spes, profile=profile)
        for rank in range(spes)
    }
    memory_bytes = value_of(target, "chip.main_memory_bytes")
    contents = _contents(memory, memory_bytes)
    _check_saved(save_memory, memory_bytes)
    result = run(
        target,
        programs,
        memory=contents,
        limit_bus_cycles=bus_cycles(limit, target),
        placement=placement,
        window=outputs.span,
        files=files,
    )
    outputs.write_trace(result.trace, f"{Path(file).name} on {target.name}")
    for piece in save_memory:
        write_whole(Path(piece.path), result.memory.read(piece.ea, piece.size))
    outputs.write_record(lambda: _record(result))
    if profile:
        sys.stdout.write(printable(_profiles(result)))
    sys.stdout.flush()
    sys.stderr.write(harmless(outputs.drawn(result.trace) + outputs.missing(result.trace)))
    sys.stderr.write(_summary(result, target, verbose))
    return next((code for code in map(_status, result.record["threads"]) if code), 0)


def _status(thread: dict[str, Any]) -> int:
    """The exit status in a thread's stop code."""
    return int(thread["stop_code"]) & 0xFF


def _contents(pieces: list[_Piece], memory_bytes: int) -> dict[int, bytes]:
    contents: dict[int, bytes] = {}
    until, before = 0, ""
    for piece in sorted(pieces, key=lambda piece: piece.ea):
        room = max(memory_bytes - piece.ea, 0)
        try:
            # Reads at most one byte more than fits in memory, because a device may have no end.
            with Path(piece.path).open("rb") as file:
                content = file.read(room + 1)
        except OSError as error:
            raise UsageError(
                f"--memory {piece.path!r}: {reason(error)}; give a readable file"
            ) from None
        if len(content) > room:
            raise UsageError(
                f"--memory {piece.path!r} at {piece.ea:#x} does not fit into main memory, "
                f"which ends at {memory_bytes:#x}"
            )
        if piece.ea < until:
            raise UsageError(
                f"--memory {piece.path!r} at {piece.ea:#x} overlaps {before!r}; "
                f"give it an address from {until:#x} on"
            )
        contents[piece.ea] = content
        until, before = piece.ea + len(content), piece.path
    return contents


def _check_saved(pieces: list[_Piece], memory_bytes: int) -> None:
    """Before the run, refuse files and ranges that cannot be saved after it."""
    for piece in pieces:
        check_place(Path(piece.path), "--save-memory")
        if piece.ea + piece.size > memory_bytes:
            raise UsageError(
                f"--save-memory {piece.path!r}: {piece.size} bytes at {piece.ea:#x} are not in "
                f"main memory, which ends at {memory_bytes:#x}"
            )


def _record(result: RunResult) -> dict[str, Any]:
    executables = {
        str(thread): {
            "instructions": known.instructions,
            "channels": [
                dict(zip(("instruction", "channel", "count", "spu_cycles"), row, strict=True))
                for row in known.channels
            ],
            "profile": None if known.profile_json is None else json.loads(known.profile_json),
        }
        for thread, known in result.executables.items()
    }
    return result.record | {"executables": executables}


def _profiles(result: RunResult) -> str:
    """Each thread's listing, and the SPU cycles of its channel instructions, including waits."""
    parts = []
    for thread, known in result.executables.items():
        heading = f"rank {thread}\n" if len(result.executables) > 1 else ""
        assert known.profile_json is not None
        channels = "".join(f"{line}\n" for line in _channel_lines(known, "  "))
        parts.append(heading + listing(json.loads(known.profile_json)) + channels)
    return "\n".join(parts)


def _channel_lines(known: Executed, indent: str) -> list[str]:
    return [
        f"{indent}{mnemonic} {channel}: {count} time{'s' if count > 1 else ''}, "
        f"{spu_cycles} SPU cycles with its waits"
        for mnemonic, channel, count, spu_cycles in known.channels
    ]


def _summary(result: RunResult, target: Machine, verbose: bool) -> str:
    threads, ranks = result.record["threads"], len(result.executables)
    # The run ends when the traced window ends, perhaps before the programs end.
    ended = "" if len(threads) == ranks else ", cut off where the window ends"
    if ended:
        ratio = value_of(target, "chip.processor_cycles_per_bus_cycle")
        cycles = result.record["bus_cycles"] * ratio
    else:
        cycles = max(thread["stopped_at_spu_cycle"] for thread in threads)
    time = format_latency(cycles / value_of(target, "chip.processor_clock_hz") * 1e9)
    spes = "1 SPE" if ranks == 1 else f"{ranks} SPEs"
    lines = [f"{spes}, {cycles} SPU cycles, {time}{ended}"]
    for thread in threads if verbose else ():
        known = result.executables[thread["thread"]]
        stopped = thread["stopped_at_spu_cycle"]
        lines.append(
            f"  rank {thread['thread']} on SPE {thread['spe']}: {stopped} SPU cycles, "
            f"{known.instructions} instructions, exit status {_status(thread)}"
        )
        lines += _channel_lines(known, "    ")
    return "".join(f"{line}\n" for line in lines)
