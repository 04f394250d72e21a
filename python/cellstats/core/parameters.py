"""The parameters of a measurement, once: their names in Python, their flags, how each is read.

The command's options, `Machine.measure` and sweeps all go by the table `PARAMETERS`. A new
parameter is a row here and a keyword of `Machine.measure`.
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
    """The smallest number that is not refused at once."""
    words: tuple[str, ...] = ()
    """What the shell offers for a word."""
    column: str = ""
    """The column of a result, where it has another name."""
    doubles: bool = True
    """In a sweep, a..b means a, 2a, 4a ... and not every number."""
    other_flags: tuple[str, ...] = ()
    """Other spellings of the flag."""
    host_only: bool = False
    """Only the host has it; `Machine.measure` does not."""

    @property
    def is_number(self) -> bool:
        """Whether it is read by `read`, and a sweep may give it ranges."""
        return self.kind in ("count", "bytes")

    def read(self, value: int | str, what: str) -> int:
        """A number as people write it; `what` names it in the message of the UsageError."""
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
"""`-N` in place of `-n`: the keywords `spes` and `private` in one flag."""
PARAMETERS = (
    Parameter(
        "spes",
        "-n",
        "count",
        "NSPE",
        "SPEs, which share one buffer; by default 1, with -s 2, in a pattern all.",
        doubles=False,
    ),
    Parameter(
        "iterations",
        "-i",
        "count",
        "ITER",
        "Iterations; how many by default depends on FUNCTION, see cellstats --help.",
    ),
    Parameter(
        "size",
        "-b",
        "bytes",
        "SIZE",
        "Bytes of a DMA or list element (by default 128, in a pattern 16k), of a message (16k), or "
        "of an access (16).",
        least=0,
        column="size_bytes",
    ),
    Parameter(
        "list_elements",
        "-l",
        "count",
        "LIST",
        "Elements of a DMA list, 1 by default. With -l, a pattern uses lists.",
    ),
    Parameter(
        "stride",
        "-t",
        "bytes",
        "STRIDE",
        "Bytes between private buffers, rounded up.",
        column="stride_bytes",
    ),
    Parameter(
        "spe_to_spe",
        "-s",
        "switch",
        "",
        "Between SPEs, not with the PPE or main memory.",
        default=False,
    ),
    Parameter(
        "ppe",
        "--ppe",
        "word",
        "PATH",
        "How the PPE reaches SPEs: library (system calls) or mmio (registers). On the host, how "
        "cores reach each other: futex (the same as library), eventfd, pipe, or memory (mmio).",
        default="library",
        words=("library", "mmio", "futex", "eventfd", "pipe", "memory"),
    ),
    Parameter(
        "spe_program",
        "--spe-program",
        "word",
        "builtin|c",
        "What the SPEs run: the built-in programs, or the same in C, instruction by instruction.",
        default="builtin",
        words=("builtin", "c"),
    ),
    Parameter(
        "batch",
        "--batch",
        "count",
        "K",
        "Wait for completion after every K DMAs; 0 means only at the end, the default of patterns.",
        least=0,
    ),
    Parameter(
        "op",
        "--op",
        "word",
        "get|put|copy",
        "Direction of a pattern's DMAs; copy means both in turn.",
        words=("get", "put", "copy"),
    ),
    Parameter(
        "target",
        "--target",
        "word",
        "memory|SPE",
        "The hot spot: memory, or an SPE by the number of its thread.",
        words=("memory", "0"),
    ),
    Parameter(
        "level",
        "--level",
        "word",
        "LEVEL",
        "Where load, store and copy go: l1 (by default), l2, l1l2, memory (all by the PPE) or ls; "
        "on the host l1, l2, l3 or memory.",
        words=("l1", "l2", "l1l2", "l3", "memory", "ls"),
    ),
    Parameter(
        "pattern",
        "--pattern",
        "word",
        "NAME|FILE",
        "Messages of an exchange: a pattern that cellstats pattern shows, or a .csv or .json file.",
        words=NAMES_OF_PATTERNS,
    ),
    Parameter(
        "threads",
        "--threads",
        "count",
        "THREADS",
        "Threads of the PPE that load, store or copy: 1 (by default) or 2.",
        doubles=False,
    ),
    Parameter(
        "histogram",
        "--histogram",
        "switch",
        "",
        "Keep the latency of every single DMA.",
        default=False,
    ),
    Parameter(
        "cells",
        "--cells",
        "word",
        "0|1|01|10",
        "Cells whose SPEs are used: one Cell, or both in this order. Random placements, too.",
        words=("0", "1", "01", "10"),
    ),
    Parameter(
        "memory",
        "--memory",
        "word",
        "0|1|interleave",
        "Cell (on the host: NUMA node) whose memory holds buffers and variables, or all in turn.",
        words=("0", "1", "interleave"),
    ),
    Parameter(
        "placement",
        "--placement",
        "placement",
        "SPES|NAME",
        "SPE of each thread, as 0,2,4 or 0,8-15 (without -n, as many as listed); random; or an "
        "affinity: identity, ring, evenodd, overlap, leap2, default, model.",
        words=(*_native.affinity_names(), "default", "model", "random"),
        other_flags=("--spes",),
    ),
    Parameter(
        "seed",
        "--seed",
        "count",
        "SEED",
        "Seed of random placements, and of the targets of uniform traffic.",
        least=0,
        doubles=False,
    ),
    Parameter(
        "non_temporal",
        "--non-temporal",
        "switch",
        "",
        "Host: store past the caches.",
        default=False,
        host_only=True,
    ),
    Parameter(
        "signal_mode",
        "--signal-mode",
        "word",
        "overwrite|or",
        "Host: signals overwrite a word (by default), or set bits in it.",
        words=("overwrite", "or"),
        host_only=True,
    ),
    Parameter(
        "samples",
        "--samples",
        "count",
        "K",
        "Host: number of samples in all repetitions together; by default 150.",
        host_only=True,
        doubles=False,
    ),
    Parameter(
        "budget",
        "--budget",
        "word",
        "TIME",
        "Host: stop sampling after this time, such as 500ms or 2m; a matrix stops after 30s "
        "by default.",
        host_only=True,
    ),
)
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
# No flags of their own: -N and --no-fast-forward say them.
PLAIN_DEFAULTS = {"private": False, "fast_forward": True}
HOST_NAMES = (*_BY_NAME, *PLAIN_DEFAULTS)
"""All keywords of `HostMachine.measure`."""
BREAKDOWN_NAMES = ("size", "list_elements", "spe_to_spe", "cells", "memory", "placement", "seed")
"""All keywords of `Machine.breakdown`."""
NAMES = tuple(name for name in HOST_NAMES if name in PLAIN_DEFAULTS or not _BY_NAME[name].host_only)
"""All keywords of `Machine.measure`."""


def named(name: str) -> Parameter | None:
    """The parameter with this keyword; None for those without a row.

    Raises UsageError for a keyword that no measurement has.
    """
    if name not in HOST_NAMES:
        raise UsageError(f"unknown parameter {name!r}; {did_you_mean(name, HOST_NAMES)}")
    return _BY_NAME.get(name)


def flag_of(name: str) -> str:
    """What the command line calls a parameter, whatever takes it.

    >>> flag_of("size"), flag_of("private_spes"), flag_of("fast_forward"), flag_of("window")
    ('-b', '-N', '--no-fast-forward', '--window')
    """
    row = _BY_NAME.get(name)
    return row.flag if row else _OTHER_FLAGS.get(name, "--" + name.replace("_", "-"))


def flag_in(arguments: Sequence[str]) -> Callable[[str], str]:
    """As `flag_of`, in the spelling of a command line, where a flag has several.

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
    """The keywords of a simulated machine. Raises UsageError for what only the host has."""
    for row in PARAMETERS:
        if row.host_only and given.get(row.name, row.default) not in (None, row.default):
            raise refusal(f"{{{row.name}}} is for {{machine}} host; leave it out")
    return {
        name: value
        for name, value in given.items()
        if name not in _BY_NAME or not _BY_NAME[name].host_only
    }
