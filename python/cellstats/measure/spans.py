"""Spans of time: lanes in which none overlap, and how many there are at each moment."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Span = tuple[int, int]
"""The first moment of a span, and the first moment after it."""


def lanes(items: Iterable[tuple[Span, Item]]) -> list[list[tuple[Span, Item]]]:
    """The items in as few lanes as possible, such that no two spans of a lane overlap.

    >>> lanes([((0, 8), "a"), ((5, 9), "b"), ((8, 12), "c")])
    [[((0, 8), 'a'), ((8, 12), 'c')], [((5, 9), 'b')]]
    """
    spread: list[list[tuple[Span, Item]]] = []
    for (begin, end), item in sorted(items, key=lambda row: row[0]):
        free = next((lane for lane in spread if lane[-1][0][1] <= begin), None)
        if free is None:
            spread.append(free := [])
        free.append(((begin, end), item))
    return spread


def depths(spans: Iterable[Span]) -> list[tuple[int, int]]:
    """The moments at which the number of spans changes, each with the new number.

    >>> depths([(2, 5), (3, 5), (5, 6)])
    [(2, 1), (3, 2), (5, 1), (6, 0)]
    """
    steps: dict[int, int] = {}
    for begin, end in spans:
        steps[begin] = steps.get(begin, 0) + 1
        steps[end] = steps.get(end, 0) - 1
    depth, found = 0, []
    for at in sorted(steps):
        if steps[at]:
            depth += steps[at]
            found.append((at, depth))
    return found


def clipped(spans: Sequence[Span], begin: int, end: int) -> list[Span]:
    """The spans cut to what lies between two moments; those outside are left out.

    >>> clipped([(0, 4), (3, 9), (8, 9)], 2, 8)
    [(2, 4), (3, 8)]
    """
    cut = [(max(first, begin), min(last, end)) for first, last in spans]
    return [(first, last) for first, last in cut if first < last]
