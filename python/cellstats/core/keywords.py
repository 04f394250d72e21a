"""The keywords of a measurement with their types, for editors and type checkers.

Functions take `**parameters` of type `Unpack[...]` of these classes, so that tools can complete and
check keywords. `workshop/tidy.py --write` generates the classes from the table of parameters.
Nothing imports this module at run time.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, TypedDict

from cellstats.core.pattern import PatternLike

Numbers: TypeAlias = int | str | Iterable[int | str | None] | None
"""One or several numbers: a list, or a text such as `1..6` or `128..16k`."""
Words: TypeAlias = str | Iterable[str | None] | None
"""One or several words."""
WordsOrNumbers: TypeAlias = str | int | Iterable[str | int | None] | None
"""One or several words or numbers."""
Switches: TypeAlias = bool | Iterable[bool]
"""On, off, or both."""
Spes: TypeAlias = Sequence[int] | str | Iterable[Sequence[int | str] | None] | None
"""SPEs or CPUs: a list, a text such as `0,8-15`, a name such as `random`, or several of these."""
# written by workshop/tidy.py: keywords


class Unseeded(TypedDict, total=False):
    """Keywords of `Machine.measure`, all but `seed`."""

    spes: int | str | None
    private: bool
    iterations: int | str | None
    size: int | str | None
    list_elements: int | str | None
    stride: int | str | None
    spe_to_spe: bool
    ppe: Literal["library", "mmio"] | str
    spe_program: Literal["builtin", "c"] | str
    batch: int | str | None
    op: Literal["get", "put", "copy"] | str | None
    target: Literal["memory", "0"] | str | int | None
    level: Literal["l1", "l2", "l1l2", "memory", "ls"] | str | None
    pattern: PatternLike | None
    threads: int | str | None
    histogram: bool
    rate: str | float | None
    injection: Literal["periodic", "bernoulli", "bursts"] | str | None
    cells: Literal["0", "1", "01", "10"] | str | int | None
    memory: Literal["0", "1", "interleave"] | str | int | None
    placement: Sequence[int] | Literal["random"] | str | None
    settle: bool
    fast_forward: bool


class Measured(Unseeded, total=False):
    """Keywords of `Machine.measure`."""

    seed: int | str | None


class Apart(TypedDict, total=False):
    """Keywords of `Machine.breakdown`."""

    size: int | str | None
    list_elements: int | str | None
    spe_to_spe: bool
    cells: Literal["0", "1", "01", "10"] | str | int | None
    memory: Literal["0", "1", "interleave"] | str | int | None
    placement: Sequence[int] | Literal["random"] | str | None
    seed: int | str | None


class HostUntimed(TypedDict, total=False):
    """Keywords of `HostMachine.measure`, all but `budget`."""

    spes: int | str | None
    private: bool
    iterations: int | str | None
    size: int | str | None
    list_elements: int | str | None
    stride: int | str | None
    spe_to_spe: bool
    ppe: Literal["library", "mmio", "futex", "eventfd", "pipe", "memory", "lines", "oneway"] | str
    batch: int | str | None
    op: Literal["get", "put", "copy"] | str | None
    target: Literal["memory", "0"] | str | int | None
    level: Literal["l1", "l2", "l3", "memory"] | str | None
    pattern: PatternLike | None
    rate: str | float | None
    memory: Literal["interleave"] | str | int | None
    placement: Sequence[int] | Literal["random"] | str | None
    seed: int | str | None
    non_temporal: bool
    signal_mode: Literal["overwrite", "or"] | str | None
    working_set: int | str | None
    chase: Literal["lines", "pages"] | str | None
    pages: Literal["small", "huge"] | str | None
    mix: Literal["1:1", "2:1", "3:1"] | str | None
    background: Literal["load", "store", "copy", "clean", "dirty"] | str | None
    samples: int | str | None


class HostMeasured(HostUntimed, total=False):
    """Keywords of `HostMachine.measure`."""

    budget: str | float | None


class Swept(TypedDict, total=False):
    """Keywords of `cellstats.sweep` on simulated machines."""

    spes: Numbers
    private: Switches
    iterations: Numbers
    size: Numbers
    list_elements: Numbers
    stride: Numbers
    spe_to_spe: Switches
    ppe: Words
    spe_program: Words
    batch: Numbers
    op: Words
    target: WordsOrNumbers
    level: Words
    pattern: PatternLike | Iterable[PatternLike | None] | None
    threads: Numbers
    histogram: Switches
    rate: WordsOrNumbers | float
    injection: Words
    cells: WordsOrNumbers
    memory: WordsOrNumbers
    placement: Spes
    seed: Numbers
    settle: Switches
    fast_forward: Switches


class HostSwept(TypedDict, total=False):
    """Keywords of `cellstats.sweep` on this computer."""

    spes: Numbers
    private: Switches
    iterations: Numbers
    size: Numbers
    list_elements: Numbers
    stride: Numbers
    spe_to_spe: Switches
    ppe: Words
    batch: Numbers
    op: Words
    target: WordsOrNumbers
    level: Words
    pattern: PatternLike | Iterable[PatternLike | None] | None
    rate: WordsOrNumbers | float
    memory: WordsOrNumbers
    placement: Spes
    seed: Numbers
    non_temporal: Switches
    signal_mode: Words
    working_set: Numbers
    chase: Words
    pages: Words
    mix: Words
    background: Words
    samples: Numbers
    budget: WordsOrNumbers | float


# end of keywords
