"""The flags of a measurement: their order, and how the text of each is read.

Click's options (`flags`) and the short reader of plain measurements (`plain_flags`) go by these, so
that both read the same; nothing here needs Click.
"""

from typing import Any

from cellstats._native import UsageError
from cellstats.measure.ranges import parse_spes
from cellstats.parameters import MACHINE, PARAMETERS, PRIVATE_SPES, Parameter


def rows() -> list[Parameter]:
    """All parameters, `--machine` and `-N` among them, in the order of `--help`."""
    spes, *others = PARAMETERS
    first_word = next(i for i, row in enumerate(others) if row.flag.startswith("--"))
    return [spes, PRIVATE_SPES, *others[:first_word], MACHINE, *others[first_word:]]


def read(parameter: Parameter, text: str | None) -> Any:
    """One value of a parameter, None if it is not given. Raises UsageError if it cannot be read."""
    if text is None:
        return None
    if parameter.kind == "placement":
        return text if text[:1].isalpha() else parse_spes(text, f"{{{parameter.name}}}")
    if not parameter.is_number:
        return text
    if ".." in text or "," in text:
        raise UsageError(
            f"{parameter.flag} {text!r} is more than one number; several are for cellstats sweep"
        )
    return parameter.read(text, parameter.flag)


def check_strict(strict: bool, machine: str) -> None:
    """Raise UsageError if `--strict` was given for a machine that nothing disturbs."""
    if strict:
        raise UsageError(f"--strict: nothing disturbs the simulated {machine}; leave it out")


def which_spes(shared: Any, private: Any) -> dict[str, Any]:
    """The keywords `spes` and `private` from the values of `-n` and `-N`."""
    if shared is not None and private is not None:
        raise UsageError(
            "-n and -N exclude each other; give -n for a shared or -N for private buffers"
        )
    return {"spes": private if shared is None else shared, "private": private is not None}
