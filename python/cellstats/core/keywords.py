"""The keywords of a measurement with their types, for editors and type checkers.

`Unpack` of these is what functions take as `**parameters`, so that keywords are completed and
checked. Their names, kinds and words are those of the table in `cellstats.core.parameters`; a test
holds both together. Nothing imports this module when it runs.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, TypedDict

from cellstats.core.patterns import PatternLike

Number: TypeAlias = int | str | None
"""A number, or a text such as `16k`."""
Numbers: TypeAlias = int | str | Iterable[int | str | None] | None
"""One or several: a list, or a text such as `1..6` or `128..16k`."""
Words: TypeAlias = str | Iterable[str | None] | None
"""One or several words."""
WordsOrNumbers: TypeAlias = str | int | Iterable[str | int | None] | None
"""The same of words some of which are numbers."""
Switches: TypeAlias = bool | Iterable[bool]
"""On, off, or both."""
Spes: TypeAlias = Sequence[int] | str | Iterable[Sequence[int | str] | None] | None
"""SPEs or CPUs as a list, as a text such as `0,8-15`, or a name such as `random`; or several."""
Op: TypeAlias = Literal["get", "put", "copy"] | str | None


class _Anywhere(TypedDict, total=False):
    """Keywords with the same values on a simulated machine and on the host."""

    spes: int | None
    private: bool
    iterations: Number
    size: Number
    list_elements: Number
    stride: Number
    spe_to_spe: bool
    batch: int | None
    op: Op
    target: Literal["memory"] | str | int | None
    pattern: PatternLike | None
    placement: Sequence[int] | Literal["random"] | str | None


class Unseeded(_Anywhere, total=False):
    """Keywords of `Machine.measure`, all but `seed`."""

    ppe: Literal["library", "mmio"] | str
    spe_program: Literal["builtin", "c"] | str
    level: Literal["l1", "l2", "l1l2", "memory", "ls"] | str | None
    threads: int | None
    histogram: bool
    cells: Literal["0", "1", "01", "10"] | str | int | None
    memory: Literal["0", "1", "interleave"] | str | int | None
    fast_forward: bool


class Measured(Unseeded, total=False):
    """Keywords of `Machine.measure`."""

    seed: int | None


class Apart(TypedDict, total=False):
    """Keywords of `Machine.breakdown`."""

    size: Number
    list_elements: Number
    spe_to_spe: bool
    cells: Literal["0", "1", "01", "10"] | str | int | None
    memory: Literal["0", "1", "interleave"] | str | int | None
    placement: Sequence[int] | Literal["random"] | str | None
    seed: int | None


class HostUntimed(_Anywhere, total=False):
    """Keywords of `HostMachine.measure`, all but `budget`."""

    ppe: Literal["library", "mmio", "futex", "eventfd", "pipe", "memory"] | str
    level: Literal["l1", "l2", "l3", "memory"] | str | None
    memory: Literal["interleave"] | str | int | None
    seed: int | None
    non_temporal: bool
    signal_mode: Literal["overwrite", "or"] | str | None
    samples: Number


class HostMeasured(HostUntimed, total=False):
    """Keywords of `HostMachine.measure`."""

    budget: str | float | None


class _AnySwept(TypedDict, total=False):
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
    memory: WordsOrNumbers
    placement: Spes
    seed: Numbers


class Swept(_AnySwept, total=False):
    """Keywords of `cellstats.sweep` on simulated machines."""

    spe_program: Words
    threads: Numbers
    histogram: Switches
    cells: WordsOrNumbers
    fast_forward: Switches


class HostSwept(_AnySwept, total=False):
    """Keywords of `cellstats.sweep` on this computer."""

    non_temporal: Switches
    signal_mode: Words
    samples: Numbers
    budget: WordsOrNumbers | float
