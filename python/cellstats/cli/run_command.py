"""`cellstats run`: runs a Linux program, both its PPE and its SPE side."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from cellstats._native import UsageError
from cellstats.cli.command import Command
from cellstats.cli.exit_status import DONE, FAILED
from cellstats.cli.file_flags import READ
from cellstats.cli.flags import named_flags, words
from cellstats.cli.program_flags import (
    Outputs,
    bus_cycles,
    files_flag,
    limit_flag,
    one_of,
    output_flags,
    outputs_of,
    placement_flag,
)
from cellstats.core.quantities import parse_count
from cellstats.core.words import harmless
from cellstats.linux.program import run as run_linux
from cellstats.linux.result import LinuxResult, UnfinishedRun
from cellstats.show.program import listing, profile
from cellstats.show.views import either
from cellstats.single_runs import machine as find_machine
from cellstats.spu.executable import Files

FORMS = ("text", "json")
PORT_MAX = 65535

_HELP = """Run an unmodified Linux program on the PPE and the SPEs.

PROGRAM is a PowerPC executable of 32 or 64 bits, followed by its arguments. CellStats provides
libspe2; other libraries come from the sysroot. The program has your standard input, output and
error. It can reach your files in the current directory and below, and no others, even through
links; --files none and --files all change this. Its environment has only HOME, LANG, PATH and USER,
with values of its own, and the variables of --env.

The exit status is the program's, or 128 plus the number of the signal that ended it. It is 1, with
one line of explanation, if the run cannot continue (a missing system call, a deadlock, --limit). It
is 2 if the command line or PROGRAM is wrong.

When the program has ended, or the run cannot continue, the report goes to the error output: with
-v, times and counts, and why each SPE context stopped; with --format json, these and all counters
as one line of JSON. --record FILE writes that JSON to a file.

\b
  cellstats run ./hello 6
  cellstats run -v --placement 0,2,4 ./matrix --size 512
  cellstats run --trace 400 ./copy
  cellstats run --trace 10k --watch copy.html ./copy
  cellstats run --profile --record run.json ./copy
  cellstats run --gdb 1234 ./copy
"""


def _environment(_ctx: click.Context, _flag: click.Parameter, texts: Any) -> dict[str, str]:
    for text in texts:
        if not text.partition("=")[0] or "=" not in text:
            raise UsageError(f"--env {text!r} is not NAME=VALUE; write for example --env DEBUG=1")
    return dict(text.split("=", 1) for text in texts)


def _port(_ctx: click.Context, _flag: click.Parameter, text: str | None) -> int | None:
    if text is None:
        return None
    port = parse_count(text, "--gdb")
    if port > PORT_MAX:
        raise UsageError(f"--gdb {text} is no port; give a number from 1 to {PORT_MAX}")
    return port


@click.command(
    cls=Command,
    help=_HELP,
    short_help=_HELP.splitlines()[0],
    context_settings={"allow_interspersed_args": False},
)
@click.argument("program", metavar="PROGRAM", type=READ)
@click.argument("arguments", metavar="[ARGS]...", nargs=-1, type=click.Path())
@named_flags("machine")
@click.option(
    "--sysroot",
    metavar="DIR",
    type=click.Path(),
    help="Directory of shared libraries, with lib/ld.so.1; by default the cross compiler's.",
)
@placement_flag("SPEs of the program's contexts, in this order, as 0,2,4 or 0,8-15.")
@files_flag()
@click.option(
    "--env",
    "environment",
    metavar="NAME=VALUE",
    multiple=True,
    callback=_environment,
    help="Set an environment variable of the program.",
)
@limit_flag("Processor cycles")
@click.option(
    "--low-addresses",
    is_flag=True,
    help="Keep stacks, libraries and mappings below 2 GB, for pointers that are stored in an int.",
)
@click.option(
    "--gdb",
    metavar="PORT",
    callback=_port,
    help="Wait for a debugger at this port: gdb-multiarch PROGRAM, then target remote :PORT.",
)
@output_flags(profile="Show where time was spent: PPE by function, SPEs by instruction.")
@click.option(
    "--format",
    "form",
    metavar="FORM",
    default="text",
    show_default=True,
    callback=one_of(FORMS),
    help=f"Times and counts on the error output: {either(FORMS)}; text needs -v.",
    **words(FORMS),
)
@click.option("-v", "--verbose", is_flag=True, help="Show times and counts.")
def run(**flags: Any) -> int:
    """Run `cellstats run`; returns the exit status."""
    return _run(**flags)


def _run(
    *,
    program: str,
    arguments: tuple[str, ...],
    machine: str,
    sysroot: str | None,
    placement: Any,
    files: Files,
    environment: dict[str, str],
    limit: int | None,
    low_addresses: bool,
    gdb: int | None,
    profile: bool,
    form: str,
    verbose: bool,
    **output: Any,
) -> int:
    outputs = outputs_of(**output)
    if gdb is not None and outputs.span is not None:
        raise UsageError("--gdb and --trace: a trace ends its run by itself; give one of the two")
    target = find_machine(machine)
    try:
        result = run_linux(
            program,
            arguments,
            machine=target,
            sysroot=sysroot,
            placement=placement,
            files=files,
            environment=environment,
            limit_bus_cycles=None if limit is None else bus_cycles(limit, target),
            window=outputs.span,
            profile=profile,
            gdb=gdb,
            low_addresses=low_addresses,
        )
    except UnfinishedRun as error:
        result = error.result
    outputs.write_record(lambda: result.data)
    outputs.write_trace(result.trace, f"{Path(program).name} on {target.name}")
    _report(result, outputs, profile, verbose, form)
    if result.failed:
        return FAILED
    return DONE if result.status is None else result.status


def _report(result: LinuxResult, outputs: Outputs, profile: bool, verbose: bool, form: str) -> None:
    """Write the report to stderr, after the program's own output."""
    if sys.stdout is not None:
        sys.stdout.flush()
    parts = [f"cellstats: {result.line}\n"] if result.line is not None else []
    parts.append(outputs.drawn(result.trace))
    if form == "json":
        parts.append(json.dumps(result.data) + "\n")
    else:
        parts += [_profiles(result)] if profile else []
        parts += [result.text()] if verbose else []
    if not result.failed:
        parts.append(outputs.missing(result.trace))
    sys.stderr.write(harmless("".join(parts)))
    sys.stderr.flush()


def _profiles(result: LinuxResult) -> str:
    """The profile of the PPE, and the listing of each SPE context that has run."""
    listings = [
        f"context {number}\n{listing(json.loads(context.profile_json))}"
        for number, context in enumerate(result.contexts, 1)
        if context.profile_json is not None and context.instructions > 0
    ]
    return "\n".join([profile(result.data["ppe"]["profile"]), *listings])
