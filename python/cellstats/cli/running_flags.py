"""Flags that several commands have in common, beside those of a measurement."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from cellstats._native import UsageError
from cellstats.cli.engine_flags import engine_flag
from cellstats.cli.file_flags import WRITTEN_PATH
from cellstats.cli.flags import FUNCTIONS, words
from cellstats.export.formats import endings
from cellstats.measure.quantities import parse_count

Command = TypeVar("Command", bound=Callable[..., Any])


def function_flag(*, many: bool, known: Sequence[str] = FUNCTIONS) -> Callable[[Command], Command]:
    """FUNCTION as the first argument, or with `-f` as in a plain measurement.

    known: what the shell offers.
    """

    def add(command: Command) -> Command:
        completion = words(known, many=many)
        command = click.option(
            "-f", "function", metavar="FUNCTION", help="The same as FUNCTION.", **completion
        )(command)
        return click.argument("argument", metavar="FUNCTION", required=False, **completion)(command)

    return add


def which_function(argument: str | None, flag: str | None, known: Sequence[str] = FUNCTIONS) -> str:
    """FUNCTION, given as the argument or with `-f`. Raises UsageError unless exactly one is."""
    if argument is not None and flag is not None:
        raise UsageError(f"FUNCTION is given twice, {argument} and -f {flag}; leave one out")
    given = flag if argument is None else argument
    if given is None:
        raise UsageError(f"nothing to measure; give FUNCTION, one of {', '.join(known)}")
    return given


def count_flag(
    flag: str, text: str, *, least: int = 1, default: str | None = None
) -> Callable[[Command], Command]:
    """An option for a number of things, which the command gets parsed; None if it is not given.

    least: the smallest number allowed. default: as people write it.
    """

    def convert(_ctx: click.Context, _flag: click.Parameter, value: str | None) -> int | None:
        return None if value is None else parse_count(value, flag, least)

    shown = default is not None
    return click.option(
        flag, metavar="N", default=default, show_default=shown, callback=convert, help=text
    )


def running_flags(*, y: str) -> Callable[[Command], Command]:
    """The options for running and drawing many measurements.

    y: the help text of `--y`.
    """
    quantities = words(("latency", "bandwidth"))
    options = (
        click.option(
            "--plot",
            type=WRITTEN_PATH,
            metavar="FILE",
            help=f"Also draw it: {endings('figure')}.",
        ),
        click.option("--y", metavar="WHAT", help=y, **quantities),
        click.option(
            "--jobs",
            metavar="J",
            callback=lambda _ctx, _flag, text: text and parse_count(text, "--jobs"),
            help="Measurements at a time; by default one for each processor.",
        ),
        engine_flag(),
        click.option(
            "--progress", is_flag=True, help="Show progress on stderr even if it is no terminal."
        ),
        click.option(
            "--no-fast-forward",
            is_flag=True,
            help="Simulate every cycle; the results are the same.",
        ),
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add
