"""Help in groups, and completion of the flags that a FUNCTION takes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from cellstats.cli.command import Command

_HEADINGS: Mapping[str, Sequence[str]] = {
    "What is measured": (
        "function",
        "spes",
        "private_spes",
        "size",
        "list_elements",
        "stride",
        "spe_to_spe",
        "op",
        "target",
        "level",
        "pattern",
        "ppe",
        "signal_mode",
        "non_temporal",
    ),
    "Where": ("machine", "cells", "memory", "placement", "which", "seed", "threads"),
    "How": (
        "iterations",
        "batch",
        "spe_program",
        "no_fast_forward",
        "jobs",
        "samples",
        "budget",
        "strict",
    ),
    "The window": ("skip", "window", "at", "columns", "scale"),
    "Output": ("form", "verbose", "histogram", "out", "plot", "y", "progress", "opened"),
}
_OTHERS = "Other"
_HEADING_OF = {name: heading for heading, names in _HEADINGS.items() for name in names}


class Grouped(Command):
    """A command with its flags under headings; those that its FUNCTION lacks are not offered."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the flags, heading by heading."""
        records: dict[str, list[tuple[str, str]]] = {
            heading: [] for heading in (*_HEADINGS, _OTHERS)
        }
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is not None and record[1]:
                records[_HEADING_OF.get(option.name or "", _OTHERS)].append(record)
        for heading, rows in records.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """What the shell offers."""
        found = super().shell_complete(ctx, incomplete)
        refused = set(_refused(ctx)) if incomplete.startswith("-") else set()
        return [item for item in found if item.value not in refused]


def _refused(ctx: click.Context) -> Iterator[str]:
    """The flags that FUNCTION, as far as the command line says which, does not take."""
    from cellstats._native import function_names
    from cellstats.parameters import PARAMETERS, PRIVATE_SPES

    text = ctx.params.get("argument") or ctx.params.get("function") or ""
    functions = [word for word in text.split(",") if word in function_names()]
    host = ctx.params.get("machine") == "host"
    takes = _host_takes if host else _cell_takes
    if functions and not any(takes(function, "private") for function in functions):
        yield PRIVATE_SPES.flag
    for row in PARAMETERS:
        if (row.host_only and not host) or (
            functions and not any(takes(function, row.name) for function in functions)
        ):
            yield from (row.flag, *row.other_flags)


def _host_takes(function: str, name: str) -> bool:
    from cellstats._native import UsageError, refuse_on_host
    from cellstats.host.refusals import CELL_ONLY, PARTICULAR

    try:
        refuse_on_host(function, [name] if name in PARTICULAR else [])
    except UsageError:
        return False
    return name not in CELL_ONLY


def _cell_takes(function: str, name: str) -> bool:
    from cellstats._native import UsageError
    from cellstats.host.refusals import CELL_ONLY, PARTICULAR
    from cellstats.machine import machine
    from cellstats.parameters import named

    if name not in (*PARTICULAR, *CELL_ONLY) or name in ("cells", "ppe"):
        return True
    # What is not the default; a stride is refused where buffers cannot be private.
    row = named(name)
    is_switch = row is None or row.kind == "switch"
    value: Any = True if is_switch else row.words[-1] if row and row.words else 2
    given = {name: value} | ({"private": True} if name == "stride" else {})
    try:
        machine().check(function, **given)
    except UsageError as error:
        parts = error.refusal
        return parts is None or parts[2] != function or parts[0] not in given
    return True
