"""The named patterns as pairs of a sender and a receiver, without message sizes.

The command line lists these names, so this module avoids slow imports.
"""

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

MEMORY: Literal["memory"] = "memory"
"""Main memory, as the source or destination of a transfer."""
ENDINGS = (".csv", ".txt", ".dat", ".mat", ".json")
"""Endings of the names of pattern files."""
End: TypeAlias = int | Literal["memory"]
"""A thread number, or main memory."""
Pairs: TypeAlias = list[tuple[End, End]]
"""The messages of one phase: source and destination of each."""
Rule: TypeAlias = Literal["any", "even", "power"]
"""Allowed numbers of threads: any number, even numbers, or powers of two."""

_NAMED_PHASES = 4
_Builder: TypeAlias = Callable[[int], list[Pairs]]


def _ring(n: int) -> list[Pairs]:
    return [[(i, (i + 1) % n) for i in range(n)]]


def _nearest_neighbour(n: int) -> list[Pairs]:
    return [[(i, to % n) for i in range(n) for to in (i + 1, i - 1)]]


def _pipeline(n: int) -> list[Pairs]:
    # All stages work at the same time, each on its own item.
    return [[(MEMORY, 0), *((i, i + 1) for i in range(n - 1)), (n - 1, MEMORY)]]


def _hotspot(n: int) -> list[Pairs]:
    return [[(i, 0) for i in range(1, n)]]


def _pairwise(n: int) -> list[Pairs]:
    return [[(i, i ^ 1) for i in range(n)]]


def _complement(n: int) -> list[Pairs]:
    return [[(i, n - 1 - i) for i in range(n)]]


def _all_to_all(n: int) -> list[Pairs]:
    return [[(i, (i + step) % n) for i in range(n)] for step in range(1, n)]


def _binomial(n: int) -> list[Pairs]:
    steps = [1 << k for k in range((n - 1).bit_length())]
    return [[(i, i + step) for i in range(step) if i + step < n] for step in steps]


def _recursive_doubling(n: int) -> list[Pairs]:
    return [_doubling_phase(k, n)[0] for k in range(n.bit_length() - 1)]


def _doubling_phase(k: int, n: int) -> list[Pairs]:
    return [[(i, i ^ (1 << k)) for i in range(n)]]


BUILDERS: dict[str, tuple[_Builder, int, Rule]] = {
    "ring": (_ring, 2, "any"),
    "nearest-neighbour": (_nearest_neighbour, 3, "any"),
    "pipeline": (_pipeline, 1, "any"),
    "hotspot": (_hotspot, 2, "any"),
    "pairwise": (_pairwise, 2, "even"),
    "complement": (_complement, 2, "even"),
    "all-to-all": (_all_to_all, 2, "any"),
    "binomial-tree": (_binomial, 2, "any"),
    "recursive-doubling": (_recursive_doubling, 2, "power"),
    **{
        f"recursive-doubling-{k + 1}": (partial(_doubling_phase, k), 2 << k, "power")
        for k in range(_NAMED_PHASES)
    },
}
"""For each pattern: the builder of its phases, its least number of threads, and its `Rule`."""
NAMES = tuple(BUILDERS)
"""Names of patterns; `recursive-doubling-1` is the first phase of `recursive-doubling`."""
