"""The command `cellstats`, with all flags that the paper on the original CellStats describes."""

import textwrap
from collections.abc import Mapping
from importlib import import_module
from itertools import zip_longest
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem, get_completion_class

from cellstats._native import UsageError, function_help
from cellstats.cli.command import Group
from cellstats.cli.flags import (
    FUNCTIONS,
    engine_flag,
    fast_forward_flag,
    format_flag,
    measurement_flags,
    strict_flag,
    words,
)
from cellstats.cli.help import Grouped, default_iterations
from cellstats.cli.plain_measurement import measure
from cellstats.core.version import version_line

_NAMES_WIDTH = 22
_COMMAND_WIDTH = 10
_INDENT = 2
"""Columns that Click leaves free to the left of a help text."""

_HELP = """Measure what communication and synchronisation cost on a Cell Broadband Engine.

\b
FUNCTION is one of
{functions}

With -n, all SPEs share one buffer (or variable); with -N, each SPE has its own. The starts of
consecutive private buffers are as far apart as the smallest multiple of STRIDE that holds a buffer,
so private buffers never overlap.

Numbers may end in k or m. These suffixes are binary for sizes in bytes (-b 2k is 2048,
and -t likewise) and decimal for counts (-i 1m is 1000000).

\b
Iterations without -i:
{iterations}

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

\b
More: a pattern, two chips, this computer (its cores as SPEs, its NUMA nodes as memories)
  cellstats -f couples -n 8 --placements 10 --machine eval-board
  cellstats -f signal -s --spes 0,8 --machine qs20
  cellstats -f mailbox -s --machine host

The first line of the output is the latency: the mean, or on the host the median.

Exit status: 0 done, 1 the run or its output failed, 2 usage, 3 not to be trusted
(--strict, doctor), 130 interrupted.
"""


SHELLS = ("bash", "zsh", "fish")


def _show_version(ctx: click.Context, _flag: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(version_line())
        ctx.exit()


class _Commands(Grouped, Group):
    """Sub-commands. Each sub-command is imported only when it is used."""

    groups: Mapping[str, Mapping[str, str]] = {
        "Measure": {
            "sweep": "Measure FUNCTION for every combination of several values.",
            "matrix": "Measure FUNCTION between every two SPEs: a matrix.",
            "place": "Find the placement with which PATTERN takes the least time.",
            "reproduce": "Repeat the measurements of papers, and compare the results.",
        },
        "Inspect a run": {
            "trace": "Show what happens in a measurement, bus cycle by bus cycle.",
            "watch": "Write a page that plays a measurement in a browser, bus cycle by bus cycle.",
            "breakdown": "Split the latency of one DMA into its stages.",
        },
        "Run programs": {
            "spu": "Run an SPU executable on one or more SPEs.",
            "run": "Run an unmodified Linux program on the PPE and the SPEs.",
            "embed": "Make an object file for PowerPC programs from an SPU executable.",
            "sdk": "Lay out a Cell SDK, with which unmodified Makefiles build Linux programs.",
        },
        "Show information": {
            "host": "Measure a first picture of this computer, in less than a minute.",
            "machine": "List machines, show one, or compare two.",
            "pattern": "Show patterns of communication.",
            "doctor": "Find what would disturb measurements on this computer, and how to fix it.",
            "completion": "Print a completion script for bash, zsh or fish.",
        },
    }
    """First sentence of each sub-command's help, so that `--help` need not import its module."""
    later = tuple(name for names in groups.values() for name in names if name != "completion")
    """Names of the sub-commands; NAME is the function `NAME` in the module `NAME_command`."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # The text is made only when help is shown, because a measurement does not need it.
        columns = formatter.width - _INDENT
        self.help = _HELP.format(functions=_functions(columns), iterations=_iterations(columns))
        super().format_help_text(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        Grouped.format_options(self, ctx, formatter)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, names in self.groups.items():
            with formatter.section(heading):
                formatter.write_dl(
                    [(name.ljust(_COMMAND_WIDTH), text) for name, text in names.items()]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete flags or sub-commands."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        known = sorted(item for names in self.groups.values() for item in names.items())
        return [
            CompletionItem(name, help=text) for name, text in known if name.startswith(incomplete)
        ]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self.later])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.later:
            module = import_module(f"cellstats.cli.{cmd_name}_command")
            command: click.Command = getattr(module, cmd_name)
            return command
        return super().get_command(ctx, cmd_name)

    def refuse(self, name: str) -> None:
        if name in FUNCTIONS:
            raise UsageError(f"{name} is a FUNCTION; write cellstats -f {name}")


def _functions(columns: int) -> str:
    """All FUNCTIONs in two columns, grouped by family."""
    lines = []
    for heading, rows in function_help():
        lines += [heading] if heading else []
        for names, what in rows:
            lines += _in_two_columns(names, what, columns)
    return "\n".join(lines)


def _iterations(columns: int) -> str:
    """The default number of iterations of each FUNCTION, in two columns."""
    rows = [
        _in_two_columns(", ".join(names), what, columns) for names, what in default_iterations()
    ]
    return "\n".join(line for lines in rows for line in lines)


def _in_two_columns(names: str, what: str, columns: int) -> list[str]:
    left = textwrap.wrap(names, _NAMES_WIDTH)
    right = textwrap.wrap(what, columns - _NAMES_WIDTH - 4, break_on_hyphens=False)
    rows = zip_longest(left, right, fillvalue="")
    return [f"  {first:{_NAMES_WIDTH}}  {second}".rstrip() for first, second in rows]


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND]",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("-f", "function", metavar="FUNCTION", help="What to measure.", **words(FUNCTIONS))
@measurement_flags(host=True)
@click.option(
    "--placements",
    "which",
    metavar="N|all|orbits",
    help="Measure over N random placements (chosen by --seed), over all placements, or over one of "
    "each orbit, which stands for all that turning or mirroring the ring makes of it.",
)
@engine_flag()
@fast_forward_flag()
@format_flag("results", at_once=False)
@strict_flag()
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
def cellstats(ctx: click.Context, /, **flags: Any) -> int | None:
    """Measure, unless a sub-command is given; returns the exit status."""
    if ctx.invoked_subcommand is None:
        return measure(**flags)
    for flag in ctx.command.params:
        # A sub-command would ignore flags that precede it.
        if ctx.get_parameter_source(flag.name or "") is ParameterSource.COMMANDLINE:
            sub = ctx.invoked_subcommand
            raise UsageError(
                f"{flag.opts[0]} before {sub}; write cellstats {sub} {flag.opts[0]} ..."
            )
    return None


_COMPLETION_HELP = """Print a completion script for bash, zsh or fish.

\b
bash: eval "$(cellstats completion bash)" in ~/.bashrc
zsh:  eval "$(cellstats completion zsh)" in ~/.zshrc
fish: cellstats completion fish > ~/.config/fish/completions/cellstats.fish
"""


@cellstats.command(help=_COMPLETION_HELP)
@click.argument("shell", **words(SHELLS))
def completion(shell: str) -> None:
    """Print a completion script."""
    kind = get_completion_class(shell)
    if kind is None or shell not in SHELLS:
        raise UsageError(f"no completion for {shell!r}; give one of {', '.join(SHELLS)}")
    click.echo(kind(cellstats, {}, "cellstats", "_CELLSTATS_COMPLETE").source())
