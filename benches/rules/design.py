"""Two-level designs after Plackett and Burman: each factor low in half of the runs, high in the
other half, and of each two factors all four combinations equally often.
"""

from collections.abc import Sequence
from typing import TypeAlias

Design: TypeAlias = list[list[int]]
"""A row for each run, a column for each factor; +1 is high, -1 low."""


def plackett_burman(factors: int, *, folded: bool = False) -> Design:
    """The smallest design for so many factors that is made of quadratic residues and doubling.

    folded: with each run also its mirror image, so that what two factors do together cannot be
        taken for what one of them does.

    >>> [len(plackett_burman(factors)) for factors in (3, 4, 11, 12, 30)]
    [4, 8, 12, 16, 32]
    """
    order = next(n for n in range(4, 8 * (factors + 4), 4) if n > factors and _exists(n))
    # The first column is all +1: it is the mean.
    rows = [row[1 : factors + 1] for row in hadamard(order)]
    return rows + [[-each for each in row] for row in rows] if folded else rows


def hadamard(order: int) -> Design:
    """A square of +1 and -1 with orthogonal columns, the first of them all +1.

    By Paley if order - 1 is a prime, else by doubling (Sylvester). Raises ValueError for others.
    """
    if order == 1:
        return [[1]]
    prime = order - 1
    if order % 4 == 0 and _is_prime(prime):
        residues = {each * each % prime for each in range(prime)}
        sign = [1 if each in residues else -1 for each in range(prime)]
        shifted = [
            [sign[(column - row) % prime] for column in range(prime)] for row in range(prime)
        ]
        return [[1, *row] for row in shifted] + [[1, *([-1] * prime)]]
    if order % 2:
        raise ValueError(f"no design of {order} runs is known here")
    half = hadamard(order // 2)
    return [row + row for row in half] + [row + [-each for each in row] for row in half]


def effects(design: Design, responses: Sequence[float | None]) -> list[float]:
    """For each factor the mean response where it is high, less that where it is low.

    Runs without a response are left out; the others are then no longer quite balanced. A factor
    that is left with runs on one side only has no effect that can be told: 0.
    """
    found = []
    for column in zip(*design, strict=True):
        both = {level: _mean(column, level, responses) for level in (1, -1)}
        high, low = both[1], both[-1]
        found.append(0.0 if high is None or low is None else high - low)
    return found


def _mean(column: Sequence[int], level: int, responses: Sequence[float | None]) -> float | None:
    pairs = zip(column, responses, strict=True)
    chosen = [each for sign, each in pairs if sign == level and each is not None]
    return sum(chosen) / len(chosen) if chosen else None


def _exists(order: int) -> bool:
    try:
        hadamard(order)
    except ValueError:
        return False
    return True


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % each for each in range(2, int(number**0.5) + 1))
