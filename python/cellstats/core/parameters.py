"""The parameters of a measurement: Python names, flags, and parsing.

The command's options, `Machine.measure` and sweeps all use the table `PARAMETERS`. The rows of this
table are compiled from `crates/cellstats/src/parameters.rs`; add new parameters to that file.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.pattern_pairs import NAMES as NAMES_OF_PATTERNS
from cellstats.core.quantities import parse_bytes, parse_count
from cellstats.core.refusal import refusal
from cellstats.core.words import did_you_mean

Kind: TypeAlias = Literal["count", "bytes", "word", "switch", "placement"]


PAIRED = ("complement", "pairwise", "couples")
"""Patterns of traffic whose threads form pairs."""
WITH_OTHERS = ("uniform", "cycle", "neighbour", "tornado", "permutation")
"""Patterns of traffic whose threads transfer with any other ones."""
TRAFFIC = ("hotspot", *PAIRED, *WITH_OTHERS)
"""All FUNCTIONs that are patterns of traffic."""


class Parameter(NamedTuple):
    """One parameter of a measurement."""

    name: str
    """The keyword of `Machine.measure`."""
    flag: str
    kind: Kind
    metavar: str
    help: str
    default: Any = None
    least: int = 1
    """The smallest number that `read` accepts."""
    words: tuple[str, ...] = ()
    """Words that the shell offers as completions of the value."""
    column: str = ""
    """Name of the result's column, if it differs from `name`."""
    doubles: bool = True
    """Whether a..b in a sweep means a, 2a, 4a ... instead of every number."""
    other_flags: tuple[str, ...] = ()
    """Other accepted spellings of the flag."""
    host_only: bool = False
    """Whether only measurements of the host take the parameter."""
    particular: bool = False
    """Whether only some FUNCTIONs take the parameter."""

    @property
    def is_number(self) -> bool:
        """Whether `read` parses the value, so that a sweep accepts ranges."""
        return self.kind in ("count", "bytes")

    def read(self, value: int | str, what: str) -> int:
        """Parse a number in the users' notation; error messages call the number `what`."""
        parse = parse_bytes if self.kind == "bytes" else parse_count
        return parse(value, what, self.least)


MACHINE = Parameter(
    "machine",
    "--machine",
    "word",
    "NAME|FILE",
    "A built-in machine, a .toml file of your own, or host: this computer.",
    default="ps3",
    words=(*_native.machine_names(), "host"),
)
PRIVATE_SPES = Parameter(
    "private_spes",
    "-N",
    "count",
    "NSPE",
    "SPEs, each with a buffer of its own.",
    doubles=False,
)
"""The flag `-N`, used instead of `-n`, sets both keywords `spes` and `private`."""


def _of_table(row: dict[str, Any]) -> Parameter:
    """A row of the compiled table."""
    kind: str = row["kind"]
    flag, *others = row["flags"]
    words = NAMES_OF_PATTERNS if kind == "pattern" else (*row["words"], *row["host_words"])
    if kind == "placement":
        words = (*_native.affinity_names(), "default", "model", "random")
    return Parameter(
        row["name"],
        flag,
        _KINDS.get(kind, kind),
        row["metavar"],
        row["help"],
        default=False if kind == "switch" else row["default"],
        least=row["least"],
        words=tuple(dict.fromkeys(words)),
        column=row["column"] or "",
        doubles=row["doubles"],
        other_flags=tuple(others),
        host_only=not row["cell"],
        particular=row["particular"],
    )


_KINDS: Mapping[str, Any] = dict.fromkeys(("word or number", "time", "rate", "pattern"), "word")
_TABLE = _native.parameters()
PARAMETERS = tuple(_of_table(row) for row in _TABLE if row["flags"])
"""All parameters that have their own flag, in the order of the compiled table."""
WORDS_OR_NUMBERS = tuple(row["name"] for row in _TABLE if row["kind"] == "word or number")
"""Parameters whose value is a word or a number."""
_BY_NAME = {parameter.name: parameter for parameter in PARAMETERS}
_OTHER_FLAGS = {
    "function": "-f",
    "private": "-N",
    "private_spes": "-N",
    "any_spes": "-n or -N",
    "shared": "-n",
    "pattern_threads": "-n",
    "which": "--placements",
    "fast_forward": "--no-fast-forward",
    "host_placement": "--spes",
    "cpus": "--spes",
    "matrices": "--matrix",
}
# These keywords do not have their own flags; -N and --no-fast-forward set them.
PLAIN_DEFAULTS = {"private": False, "fast_forward": True}
HOST_NAMES = (*_BY_NAME, *PLAIN_DEFAULTS)
"""All keywords of `HostMachine.measure`."""
BREAKDOWN_NAMES = ("size", "list_elements", "spe_to_spe", "cells", "memory", "placement", "seed")
"""All keywords of `Machine.breakdown`."""
NAMES = tuple(name for name in HOST_NAMES if name in PLAIN_DEFAULTS or not _BY_NAME[name].host_only)
"""All keywords of `Machine.measure`."""


def named(name: str) -> Parameter | None:
    """The parameter with this keyword, or None for a keyword without a row in the table.

    Raises UsageError for a keyword that no measurement has.
    """
    if name not in HOST_NAMES:
        raise UsageError(f"unknown parameter {name!r}; {did_you_mean(name, HOST_NAMES)}")
    return _BY_NAME.get(name)


def flag_of(name: str) -> str:
    """The flag for a parameter, with or without a row in the table.

    >>> flag_of("size"), flag_of("private_spes"), flag_of("fast_forward"), flag_of("window")
    ('-b', '-N', '--no-fast-forward', '--window')
    """
    row = _BY_NAME.get(name)
    return row.flag if row else _OTHER_FLAGS.get(name, "--" + name.replace("_", "-"))


def flag_in(arguments: Sequence[str]) -> Callable[[str], str]:
    """Returns a function like `flag_of` that spells each flag as the command line does.

    >>> flag_in(["-f", "mailbox", "--spes=0"])("placement"), flag_in([])("placement")
    ('--spes', '--placement')
    """
    given = {word.partition("=")[0] for word in arguments}

    def name(parameter: str) -> str:
        row = _BY_NAME.get(parameter)
        others = row.other_flags if row is not None and row.flag not in given else ()
        return next((flag for flag in others if flag in given), flag_of(parameter))

    return name


def simulated(given: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords for a simulated machine. Raises UsageError for parameters of the host only."""
    for row in PARAMETERS:
        if row.host_only and given.get(row.name, row.default) not in (None, row.default):
            raise refusal(f"{{{row.name}}} is for {{machine}} host; leave it out")
    return {
        name: value
        for name, value in given.items()
        if name not in _BY_NAME or not _BY_NAME[name].host_only
    }
