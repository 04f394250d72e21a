"""Help: flags under headings, the flags that each FUNCTION takes, and its default iterations."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import click
from click.shell_completion import CompletionItem

from cellstats._native import Machine, UsageError, function_names, refuse_on_host
from cellstats.cli.command import Command
from cellstats.core.parameters import PARAMETERS, PRIVATE_SPES, named
from cellstats.core.words import short_number
from cellstats.host.cores import CELL_ONLY, PARTICULAR
from cellstats.measure.request import request
from cellstats.single_runs import machine

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
    """A command whose help groups flags under headings; completes only flags FUNCTION takes."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the flags under their headings."""
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
        """Complete flags, without those that FUNCTION does not take."""
        found = super().shell_complete(ctx, incomplete)
        refused = set(_refused(ctx)) if incomplete.startswith("-") else set()
        return [item for item in found if item.value not in refused]


def _refused(ctx: click.Context) -> Iterator[str]:
    """The flags that no FUNCTION on the command line takes."""
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
    try:
        refuse_on_host(function, [name] if name in PARTICULAR else [])
    except UsageError:
        return False
    return name not in CELL_ONLY


def _cell_takes(function: str, name: str) -> bool:
    if name not in (*PARTICULAR, *CELL_ONLY) or name in ("cells", "ppe"):
        return True
    # Try a value other than the default. The parameter `stride` needs private buffers.
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


_SIZES = (8, 16)
"""Two sizes. Every FUNCTION whose default depends on the size accepts both."""


def default_iterations() -> list[tuple[tuple[str, ...], str]]:
    """Groups of FUNCTIONs with the same default iterations, in the order of `function_names`.

    >>> default_iterations()[-1]
    (('copy',), '64 MB / SIZE')
    """
    machine = Machine.builtin("ps3")
    same = groupby(function_names(), lambda function: _default(machine, function))
    return [(tuple(functions), default) for default, functions in same]


def _default(machine: Machine, function: str) -> str:
    op = _iterations(machine, function, op="get", size=_SIZES[0])
    direction = {} if op is None else {"op": "get"}
    counts = [_iterations(machine, function, size=size, **direction) for size in _SIZES]
    if counts[0] is not None and counts[0] != counts[1]:
        number = short_number(counts[0] * _SIZES[0], "size_bytes")
        twice = _iterations(machine, function, op="copy", size=_SIZES[0])
        half = ", half of it with --op copy" if twice and 2 * twice == op else ""
        return f"{number[:-1]} {number[-1]}B / SIZE{half}"
    pattern = {"pattern": "ring"} if function == "exchange" else {}
    usual = _iterations(machine, function, **pattern)
    in_c = _iterations(machine, function, spe_program="c")
    numbers = [short_number(count, "iterations") for count in (usual, in_c) if count is not None]
    return ", with --spe-program c ".join(numbers)


def _iterations(machine: Machine, function: str, **given: Any) -> int | None:
    """Number of iterations of a measurement, or None if a parameter is refused."""
    try:
        return request(machine, function, given).iterations()
    except UsageError:
        return None
