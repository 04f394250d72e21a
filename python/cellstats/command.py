"""The command line: the flags of the original CellStats as printed in its paper, and ours."""

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import click
from click.core import ParameterSource

from cellstats import _native
from cellstats._native import UsageError
from cellstats.quantities import parse_bytes, parse_count
from cellstats.trace_command import trace_command

_HELP = """Measure what communication and synchronisation cost on a Cell Broadband Engine.

\b
FUNCTION is one of
  mkthread                           create a thread and wait for its end
  mailbox, signal                    PPE-SPE round trip; with -s, between SPEs
  dmaget, dmaput                     main memory (with -s, SPE 0's local store) by DMA
  dmalistget, dmalistput             the same by DMA lists
  fetchadd, fetchsub, fetchinc,      atomic operations on a word of main memory
  fetchdec, fetchset

-n shares one buffer (or variable) between all SPEs, -N gives each its own. Private buffers start
STRIDE bytes apart, rounded up: the distance between the starts of consecutive private buffers is
the smallest multiple of STRIDE that holds a buffer, so private buffers never overlap.

Numbers may end in k or m. They are binary for sizes in bytes (-b 2k is 2048, -t too) and decimal
for counts (-i 1m is 1000000).

\b
The examples of the paper (Abellan, Fernandez, Acacio, PDP 2008):
  cellstats -f mkthread -n 1 -i 100k
  cellstats -f mailbox -n 1 -i 1m
  cellstats -f mailbox -n 2 -i 1m -s
  cellstats -f signal -n 2 -i 1m -s
  cellstats -f signal -n 1 -i 1m
  cellstats -f fetchadd -N 6 -t 2k -i 1m
  cellstats -f dmaget -n 6 -b 1k -i 1m
  cellstats -f dmaput -N 6 -b 2k -i 100k -t 512
  cellstats -f dmalistget -N 6 -l 16 -b 64 -t 256 -i 1m

The average latency is printed first, by itself. Exit status: 0 done, 1 the run failed, 2 usage,
130 interrupted.
"""


FUNCTIONS = tuple(_native.function_names())
MACHINES = tuple(_native.machine_names())
SHELLS = ("bash", "zsh", "fish")

Convert: TypeAlias = Callable[[click.Context, click.Parameter, Any], Any]


def _count(least: int = 1) -> Convert:
    """Turn what a flag was given into a count, complaining under the flag's name."""
    return lambda _ctx, flag, value: (
        None if value is None else parse_count(value, flag.opts[0], least)
    )


def _bytes(least: int = 1) -> Convert:
    """As `_count`, for sizes."""
    return lambda _ctx, flag, value: (
        None if value is None else parse_bytes(value, flag.opts[0], least)
    )


def _placement(_ctx: click.Context, _flag: click.Parameter, text: str | None) -> Any:
    if text is None or text == "random":
        return text
    spes = text.split(",")
    if not all(spe.strip().isdecimal() for spe in spes):
        raise UsageError(f"--placement {text!r} is not a list of SPEs; write 0,2,4 or random")
    return [int(spe) for spe in spes]


def _words(words: Sequence[str]) -> dict[str, Any]:
    """Let the shell complete these; whether a word is one of them is checked when it is used."""
    return {"shell_complete": lambda _ctx, _flag, start: [w for w in words if w.startswith(start)]}


def _show_version(ctx: click.Context, _flag: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"cellstats {version('cellstats')}")
        ctx.exit()


@click.group(
    help=_HELP,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND]",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("-f", "function", metavar="FUNCTION", help="What to measure.", **_words(FUNCTIONS))
@click.option(
    "-n",
    "shared",
    metavar="NSPE",
    callback=_count(),
    help="SPEs, sharing one buffer; by default 1, or 2 with -s.",
)
@click.option(
    "-N", "private", metavar="NSPE", callback=_count(), help="SPEs, each with a buffer of its own."
)
@click.option(
    "-i",
    "iterations",
    metavar="ITER",
    callback=_count(),
    default="1m",
    show_default=True,
    help="Iterations.",
)
@click.option(
    "-b",
    "size",
    metavar="SIZE",
    callback=_bytes(least=0),
    help="Bytes of a DMA, or of a list element; 128 by default.",
)
@click.option(
    "-l",
    "list_elements",
    metavar="LIST",
    callback=_count(),
    help="Elements of a DMA list; 1 by default.",
)
@click.option(
    "-t",
    "stride",
    metavar="STRIDE",
    callback=_bytes(),
    help="Bytes between private buffers, rounded up.",
)
@click.option(
    "-s", "spe_to_spe", is_flag=True, help="Between SPEs, not with the PPE or main memory."
)
@click.option(
    "--machine",
    metavar="NAME|FILE",
    default="ps3",
    show_default=True,
    help="A built-in machine, or a .toml file of your own.",
    **_words(MACHINES),
)
@click.option(
    "--ppe",
    metavar="PATH",
    default="library",
    show_default=True,
    help="How the PPE reaches SPEs: library (system calls) or mmio (registers).",
    **_words(("library", "mmio")),
)
@click.option(
    "--batch",
    metavar="K",
    callback=_count(least=0),
    default="1",
    show_default=True,
    help="Wait for completion after every K DMAs; 0 = only at the end.",
)
@click.option(
    "--placement",
    metavar="SPES|random",
    callback=_placement,
    help="Physical SPE of each thread, such as 0,2,4.",
)
@click.option(
    "--seed", metavar="SEED", callback=_count(least=0), help="Chooses the random placement."
)
@click.option(
    "--no-fast-forward", is_flag=True, help="Simulate every cycle; the results are the same."
)
@click.option(
    "--format",
    "form",
    metavar="FORM",
    default="text",
    show_default=True,
    help="text, json (one object per line) or csv.",
    **_words(("text", "json", "csv")),
)
@click.option("-v", "--verbose", is_flag=True, help="Add the times of each SPE, and counters.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version.",
)
@click.pass_context
def cellstats(ctx: click.Context, /, **flags: Any) -> None:
    """What runs without a sub-command: a measurement."""
    if ctx.invoked_subcommand is None:
        _measure(**flags)
        return
    for option in ctx.command.params:
        if ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE:
            flag, sub_command = option.opts[0], ctx.invoked_subcommand
            raise UsageError(f"{flag} before {sub_command} does nothing; give flags after it")


def _measure(
    *,
    function: str | None,
    machine: str,
    shared: int | None,
    private: int | None,
    no_fast_forward: bool,
    form: str,
    verbose: bool,
    **parameters: Any,
) -> None:
    from cellstats import output
    from cellstats.machine import machine as find_machine

    if function is None:
        known = ", ".join(_native.function_names())
        raise UsageError(f"nothing to measure; give -f FUNCTION, one of {known}")
    if shared is not None and private is not None:
        raise UsageError(
            "-n and -N exclude each other; give -n for a shared or -N for private buffers"
        )
    writer = output.writer(form, verbose)
    target = find_machine(machine)
    if no_fast_forward and sys.stderr.isatty():
        print("cellstats: simulating every cycle; this may take minutes", file=sys.stderr)
    result = target.measure(
        function,
        spes=private if shared is None else shared,
        private=private is not None,
        fast_forward=not no_fast_forward,
        **parameters,
    )
    sys.stdout.write(writer([result]))
    sys.stdout.flush()


@cellstats.command()
@click.argument("shell", **_words(SHELLS))
def completion(shell: str) -> None:
    r"""Print a completion script for bash, zsh or fish.

    \b
    bash: eval "$(cellstats completion bash)" in ~/.bashrc
    zsh:  eval "$(cellstats completion zsh)" in ~/.zshrc
    fish: cellstats completion fish > ~/.config/fish/completions/cellstats.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None or shell not in SHELLS:
        raise UsageError(f"no completion for {shell!r}; give one of {', '.join(SHELLS)}")
    click.echo(kind(cellstats, {}, "cellstats", "_CELLSTATS_COMPLETE").source())


cellstats.add_command(trace_command(cellstats, _words(FUNCTIONS)))
