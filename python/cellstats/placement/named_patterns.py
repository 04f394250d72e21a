"""The patterns of communication that have a name."""

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

from cellstats._native import UsageError
from cellstats.measure.quantities import parse_bytes
from cellstats.placement.messages import MEMORY, THREADS_MAX, End, Pattern, Phase, Transfer
from cellstats.refusal import refusal
from cellstats.text.nearest import did_you_mean

_NAMED_PHASES = 4


_Pairs: TypeAlias = list[tuple[End, End]]


_Builder: TypeAlias = Callable[[int], list[_Pairs]]


def named_pattern(name: str, threads: int, size: int | str, *, counted: str) -> Pattern:
    """The pattern of this name, all its messages of one size; `counted` is what a refusal calls
    the number of threads.

    Raises UsageError for an unknown name, and for a number of threads that the pattern cannot have.
    """
    if name not in _BUILDERS:
        raise UsageError(f"unknown pattern {name!r}; {did_you_mean(name, NAMES)}, or a file")
    build, least, rule = _BUILDERS[name]
    even = rule == "even" and threads % 2
    power = rule == "power" and threads & (threads - 1)
    if threads < least or threads > THREADS_MAX or even or power:
        kind = {"even": "an even number", "power": "a power of two", "any": "a number"}[rule]
        reason = f"pattern {name} takes {kind} from {least} to {THREADS_MAX}"
        raise refusal(reason, counted, threads)
    bytes_ = parse_bytes(size, "{size}", least=1)
    phases = (
        Phase(tuple(Transfer(source, destination, bytes_) for source, destination in pairs))
        for pairs in build(threads)
    )
    return Pattern(name, threads, tuple(phases))


def _ring(n: int) -> list[_Pairs]:
    return [[(i, (i + 1) % n) for i in range(n)]]


def _nearest_neighbour(n: int) -> list[_Pairs]:
    return [[(i, to % n) for i in range(n) for to in (i + 1, i - 1)]]


def _pipeline(n: int) -> list[_Pairs]:
    # Stages of a pipeline all work at once, each on a picture of its own.
    return [[(MEMORY, 0), *((i, i + 1) for i in range(n - 1)), (n - 1, MEMORY)]]


def _hotspot(n: int) -> list[_Pairs]:
    return [[(i, 0) for i in range(1, n)]]


def _pairwise(n: int) -> list[_Pairs]:
    return [[(i, i ^ 1) for i in range(n)]]


def _complement(n: int) -> list[_Pairs]:
    return [[(i, n - 1 - i) for i in range(n)]]


def _all_to_all(n: int) -> list[_Pairs]:
    return [[(i, (i + step) % n) for i in range(n)] for step in range(1, n)]


def _binomial(n: int) -> list[_Pairs]:
    steps = [1 << k for k in range((n - 1).bit_length())]
    return [[(i, i + step) for i in range(step) if i + step < n] for step in steps]


def _recursive_doubling(n: int) -> list[_Pairs]:
    return [_doubling_phase(k, n)[0] for k in range(n.bit_length() - 1)]


def _doubling_phase(k: int, n: int) -> list[_Pairs]:
    return [[(i, i ^ (1 << k)) for i in range(n)]]


_BUILDERS: dict[str, tuple[_Builder, int, Literal["any", "even", "power"]]] = {
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


NAMES = tuple(_BUILDERS)
"""The patterns that have a name; `recursive-doubling-1` is the first phase of its pattern."""
