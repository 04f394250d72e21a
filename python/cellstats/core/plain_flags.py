"""Reads the flags of a plain measurement without Click.

Importing Click takes longer than the measurement. This module reads only unambiguous command lines:
each flag is a separate argument, occurs at most once, and is followed by its value. Click reads all
other command lines (help, errors, completion, `-n2`, `--size=1k`, sub-commands). Both readers
return the same keywords.
"""

import os
from collections.abc import Sequence
from typing import Any

from cellstats._native import UsageError
from cellstats.core.parameters import MACHINE, PARAMETERS, PRIVATE_SPES, Parameter
from cellstats.core.quantities import is_several, parse_spes

_COMPLETION = "_CELLSTATS_COMPLETE"
"""Set by the shell if it asks for completions instead of a measurement."""
_WORDS = {"-f": "function", "--format": "form"}
_SWITCHES = {
    "--no-fast-forward": "no_fast_forward",
    "-v": "verbose",
    "--verbose": "verbose",
}
_DEFAULTS = {
    "function": None,
    "which": None,
    "on": None,
    "form": "text",
    "strict": False,
    **dict.fromkeys(_SWITCHES.values(), False),
}


def rows() -> list[Parameter]:
    """All parameters, including `--machine` and `-N`, in the order of `--help`."""
    spes, *others = PARAMETERS
    first_word = next(i for i, row in enumerate(others) if row.flag.startswith("--"))
    return [spes, PRIVATE_SPES, *others[:first_word], MACHINE, *others[first_word:]]


def read(parameter: Parameter, text: str | None) -> Any:
    """The parameter's value for a text, or None for None. Raises UsageError for invalid text."""
    if text is None:
        return None
    if parameter.kind == "placement":
        return text if text[:1].isalpha() else parse_spes(text, f"{{{parameter.name}}}")
    if not parameter.is_number:
        return text
    if is_several(text):
        raise UsageError(
            f"{parameter.flag} {text!r} is more than one number; several are for cellstats sweep"
        )
    return parameter.read(text, parameter.flag)


def check_strict(strict: bool, machine: str) -> None:
    """Raise UsageError if `--strict` was given, because nothing disturbs a simulated machine."""
    if strict:
        raise UsageError(f"--strict: nothing disturbs the simulated {machine}; leave it out")


def which_spes(shared: Any, private: Any) -> dict[str, Any]:
    """The keywords `spes` and `private` from the values of `-n` and `-N`."""
    if shared is not None and private is not None:
        raise UsageError(
            "-n and -N exclude each other; give -n for a shared or -N for private buffers"
        )
    return {"spes": private if shared is None else shared, "private": private is not None}


def plain_flags(arguments: Sequence[str]) -> dict[str, Any] | None:
    """Keywords of `plain_measurement.measure` for a command line, or None if Click must read it.

    >>> plain_flags(["-f", "dmaget", "-b", "1k"])["size"]
    1024
    >>> plain_flags(["-f", "dmaget", "-b1k"]), plain_flags(["--help"])
    (None, None)
    """
    if _COMPLETION in os.environ or os.name == "nt":
        # On Windows, Click expands * and ~ in arguments, as shells do on other systems.
        return None
    table = rows()
    by_flag = {flag: row for row in table for flag in (row.flag, *row.other_flags)}
    given: dict[str, Any] = {}
    rest = iter(arguments)
    for flag in rest:
        row = by_flag.get(flag)
        switch = flag in _SWITCHES or (row is not None and row.kind == "switch")
        name = row.name if row is not None else _SWITCHES.get(flag) or _WORDS.get(flag)
        if name is None or name in given:
            return None
        text = "" if switch else next(rest, "-")
        if text.startswith("-"):
            return None
        try:
            given[name] = True if switch else text if row is None else read(row, text)
        except UsageError:
            return None
    return _DEFAULTS | {row.name: row.default for row in table} | given if given else None
