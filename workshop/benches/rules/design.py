"""Two-level designs after Plackett and Burman: each factor is low in half of the runs and high in
the other half, and all four combinations of any two factors are equally frequent.
"""

from collections.abc import Sequence
from typing import TypeAlias

Design: TypeAlias = list[list[int]]
"""A row for each run and a column for each factor; +1 is high, -1 low."""


def plackett_burman(factors: int, *, folded: bool = False) -> Design:
    """The smallest design for this number of factors, made from quadratic residues and doubling.

    folded: adds the mirror image of each run, so that a joint effect of two factors cannot be
        mistaken for the effect of one.

    >>> [len(plackett_burman(factors)) for factors in (3, 4, 11, 12, 30)]
    [4, 8, 12, 16, 32]
    """
    order = next(n for n in range(4, 8 * (factors + 4), 4) if n > factors and _exists(n))
    # The first column is all +1 and stands for the mean.
    rows = [row[1 : factors + 1] for row in hadamard(order)]
    return rows + [[-each for each in row] for row in rows] if folded else rows


def hadamard(order: int) -> Design:
    """A square matrix of +1 and -1 with orthogonal columns, whose first column is all +1.

    Uses Paley's construction if order - 1 is prime, and otherwise Sylvester's doubling. Raises
    ValueError if neither is possible.
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
    """For each factor, the mean response at its high level minus the mean at its low level.

    Runs without a response are left out, so the remaining runs are no longer quite balanced. If all
    runs of one level of a factor are missing, its effect is unknown and counts as 0.
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
