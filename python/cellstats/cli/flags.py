"""Options that several commands share, including those of a measurement.

The options of a measurement are made from the table of parameters (`core.parameters`).
"""

import itertools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from cellstats import _native
from cellstats._native import UsageError
from cellstats.cli.file_flags import MACHINE_FILE, PATTERN_FILE, WRITTEN_PATH
from cellstats.core.display import Kind
from cellstats.core.parameters import MACHINE, PRIVATE_SPES, Parameter, named
from cellstats.core.plain_flags import read, rows
from cellstats.core.processors import usable_cpu_numbers
from cellstats.core.quantities import is_several, parse_count, parse_values
from cellstats.core.refusal import quoted
from cellstats.show.views import check, endings, in_words, names_of
from cellstats.single_runs import machine as find_machine

FUNCTIONS = tuple(_native.function_names())
_FILES = {"machine": MACHINE_FILE, "pattern": PATTERN_FILE}
Command = TypeVar("Command", bound=Callable[..., Any])


def words(choices: Sequence[str], *, many: bool = False) -> dict[str, Any]:
    """Settings that make the shell complete an option's words. The command still checks the value.

    many: also complete comma-separated lists of these words.
    """

    def complete(_ctx: click.Context, _flag: click.Parameter, start: str) -> list[str]:
        before, comma, start = start.rpartition(",") if many else ("", "", start)
        return [before + comma + word for word in choices if word.startswith(start)]

    return {"shell_complete": complete}


def measurement_flags(*, many: bool = False, host: bool = False) -> Callable[[Command], Command]:
    """Options for all parameters, including `--machine` and `-N`, in the order of the table.

    The command receives the keywords of `Machine.measure`, plus `machine` and `private_spes`.

    many: numbers and words stay text for `cellstats.sweep`, and `placement` is a list. Otherwise
        each number is parsed.
    host: include the options that only the host has.
    """

    def add(command: Command) -> Command:
        for parameter in reversed(rows()):
            if host or not parameter.host_only:
                command = _option(parameter, many)(command)
        return command

    return add


def named_flags(*names: str) -> Callable[[Command], Command]:
    """Options for the parameters with these names, as in `measurement_flags`."""

    def add(command: Command) -> Command:
        for parameter in reversed(rows()):
            if parameter.name in names:
                command = _option(parameter, many=False)(command)
        return command

    return add


def machine_flags(*, many: bool = False) -> Callable[[Command], Command]:
    """The options `--machine` and `--set`, whose settings become a part of the machine's name.

    many: the command receives a list of machines, and a setting may have several values.
    """

    def add(command: Command) -> Command:
        command = click.option(
            "--set",
            "settings",
            metavar="KEY=VALUES" if many else "KEY=VALUE",
            multiple=True,
            expose_value=False,
            callback=_set_many if many else _set,
            help="Change a value of the machine, as in eib.hop_bus_cycles=2; may be repeated.",
            shell_complete=_complete_key,
        )(command)
        return _own_option(MACHINE, many)(command)

    return add


def _set(ctx: click.Context, _flag: click.Parameter, texts: Sequence[str]) -> None:
    """Change values of the machine."""
    for text in texts:
        if len(_settings(text)) > 1:
            raise UsageError(f"--set {quoted(text)}: several values are for cellstats sweep")
    if texts:
        [ctx.params["machine"]] = _changed([ctx.params["machine"]], texts)


def _set_many(ctx: click.Context, _flag: click.Parameter, texts: Sequence[str]) -> None:
    """Replace the machines by one for each combination of values."""
    if texts:
        machines = [word.strip() for word in ctx.params["machine"].split(",")]
        ctx.params["machine"] = _changed(machines, texts)


def _changed(machines: Sequence[str], texts: Sequence[str]) -> list[str]:
    if "host" in machines:
        raise UsageError("--set is for simulated machines; host is this computer")
    return [" ".join(words) for words in itertools.product(machines, *map(_settings, texts))]


def _settings(text: str) -> list[str]:
    """The settings of one flag: several if it has several numbers."""
    key, equals, values = (part.strip() for part in text.partition("="))
    if not (equals and "." in key):
        raise UsageError(f"--set {quoted(text)}: give KEY=VALUE, as in eib.hop_bus_cycles=2")
    if not is_several(values) or values.startswith("["):
        return [f"{key}={values}"]
    numbers = parse_values(values, f"--set {key}", _number, doubles=False)
    return [f"{key}={number}" for number in numbers]


def _number(text: str, what: str) -> int:
    return parse_count(text, what, least=0)


def _complete_key(ctx: click.Context, _flag: click.Parameter, start: str) -> list[str]:
    try:
        values = find_machine(ctx.params.get("machine") or MACHINE.default).values()
    except (UsageError, OSError, AttributeError):
        return []
    return [row["key"] + "=" for row in values if row["key"].startswith(start)]


def _option(parameter: Parameter, many: bool) -> Callable[[Command], Command]:
    return machine_flags(many=many) if parameter is MACHINE else _own_option(parameter, many)


def _own_option(parameter: Parameter, many: bool) -> Callable[[Command], Command]:
    settings: dict[str, Any] = {"help": parameter.help}
    if parameter is MACHINE:
        settings["is_eager"] = True  # before --set
    if parameter.kind == "switch":
        return click.option(parameter.flag, parameter.name, is_flag=True, **settings)
    settings |= {"metavar": parameter.metavar, "default": parameter.default}
    settings |= {"type": _FILES[parameter.name]} if parameter.name in _FILES else {}
    settings["show_default"] = parameter.default is not None
    if parameter.kind == "placement":
        settings |= {"shell_complete": _complete_placement}
    elif parameter.words:
        settings |= words(parameter.words, many=many)
    if parameter.kind == "placement":
        settings |= {"multiple": True, "default": ()} if many else {}
        settings["callback"] = _placements(parameter) if many else _reader(parameter)
    elif parameter.is_number and not many:
        settings["callback"] = _reader(parameter)
    return click.option(parameter.flag, *parameter.other_flags, parameter.name, **settings)


def _complete_placement(ctx: click.Context, flag: click.Parameter, start: str) -> list[str]:
    """Complete a placement: by its name, or by an SPE (on the host, a CPU) not yet in the list."""
    row = named(flag.name or "")
    machine = ctx.params.get("machine") or "ps3"
    words = row.words if row is not None and machine != "host" else ()
    names = [word for word in words if word.startswith(start)]
    before, comma, start = start.rpartition(",")
    listed = set(before.split(","))
    try:
        spes = _spes(machine.split(",")[0])
    except (UsageError, OSError):
        spes = ()
    numbers = [str(spe) for spe in spes if str(spe).startswith(start) and str(spe) not in listed]
    return names + [before + comma + number for number in numbers]


def _spes(machine: str) -> Sequence[int]:
    if machine == "host":
        return usable_cpu_numbers()
    return find_machine(machine).spes


def _reader(parameter: Parameter) -> Callable[..., Any]:
    return lambda _ctx, _flag, text: read(parameter, text)


def _placements(parameter: Parameter) -> Callable[..., Any]:
    return lambda _ctx, _flag, texts: [read(parameter, text) for text in texts] or None


def flag_names(*, private: bool) -> dict[str, str]:
    """The flag of each keyword, for messages about the command line."""
    names = {row.name: row.flag for row in rows()} | {"function": "FUNCTION"}
    return names | {"spes": PRIVATE_SPES.flag} if private else names


def function_flag(*, many: bool, known: Sequence[str] = FUNCTIONS) -> Callable[[Command], Command]:
    """Accept FUNCTION as the first argument, or with `-f` as in a plain measurement.

    known: FUNCTIONs that the shell completes.
    """

    def add(command: Command) -> Command:
        completion = words(known, many=many)
        command = click.option(
            "-f", "function", metavar="FUNCTION", help="FUNCTION as a flag.", **completion
        )(command)
        return click.argument("argument", metavar="FUNCTION", required=False, **completion)(command)

    return add


def which_function(argument: str | None, flag: str | None, known: Sequence[str] = FUNCTIONS) -> str:
    """FUNCTION, from the argument or `-f`. Raises UsageError unless exactly one is given."""
    if argument is not None and flag is not None:
        raise UsageError(f"FUNCTION is given twice, {argument} and -f {flag}; leave one out")
    given = flag if argument is None else argument
    if given is None:
        raise UsageError(f"nothing to measure; give FUNCTION, one of {', '.join(known)}")
    return given


def count_flag(
    flag: str, text: str, *, least: int = 1, default: str | None = None
) -> Callable[[Command], Command]:
    """An option for a count. The command receives an integer, or None without the option.

    least: the smallest count allowed. default: as on the command line, such as `4k`.
    """

    def convert(_ctx: click.Context, _flag: click.Parameter, value: str | None) -> int | None:
        return None if value is None else parse_count(value, flag, least)

    shown = default is not None
    return click.option(
        flag, metavar="N", default=default, show_default=shown, callback=convert, help=text
    )


def format_flag(
    *kinds: Kind, text: str = "", at_once: bool = True, **settings: Any
) -> Callable[[Command], Command]:
    """The option `--format`, which the command receives as `form`; the first format is the default.

    text: help; by default the names of all formats.
    at_once: refuse an unknown format when the command line is read, not when the format is used.
    """
    forms = names_of(*kinds)

    def known(_ctx: click.Context, _flag: click.Parameter, form: str) -> str:
        check(forms, form)
        return form

    defaults: dict[str, Any] = {"default": forms[0], "show_default": True}
    settings = defaults | settings
    if at_once:
        settings["callback"] = known
    return click.option(
        "--format",
        "form",
        metavar="FORM",
        help=text or f"{in_words(*kinds)}.",
        **words(forms),
        **settings,
    )


def strict_flag() -> Callable[[Command], Command]:
    """The option `--strict`."""
    return click.option(
        "--strict",
        is_flag=True,
        help="Host: exit status 3 if a number is good to no better than a factor of 2.",
    )


def fast_forward_flag() -> Callable[[Command], Command]:
    """The option `--no-fast-forward`."""
    return click.option(
        "--no-fast-forward", is_flag=True, help="Simulate every cycle; the results are the same."
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
            help=f"Also draw the results: {endings('figure')}.",
        ),
        click.option("--y", metavar="WHAT", help=y, **quantities),
        click.option(
            "--jobs",
            metavar="J",
            callback=lambda _ctx, _flag, text: text and parse_count(text, "--jobs"),
            help="Number of concurrent measurements; by default one per processor.",
        ),
        engine_flag(),
        click.option(
            "--progress", is_flag=True, help="Show progress on stderr even if that is no terminal."
        ),
        fast_forward_flag(),
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def engine_flag() -> Callable[[Command], Command]:
    """The option `--on`, which the command receives as `on`."""
    return click.option(
        "--on",
        metavar="ENGINE",
        help="Measure on the workers of a running engine: dask://HOST:PORT or mpi.",
    )
