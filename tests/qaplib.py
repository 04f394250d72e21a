"""Instances of QAPLIB with their known optima and bounds.

Burkard, Karisch and Rendl, "QAPLIB - a quadratic assignment problem library", Journal of Global
Optimization 10 (1997) 391-403, and its pages at https://qaplib.mgi.polymtl.ca, which describe each
family. This file contains the numbers that the authors chose, and computes all other numbers from
the descriptions.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

Matrix = list[list[int]]


class Instance(NamedTuple):
    flow: Matrix
    distance: Matrix
    best: int
    """The cost of the best known placement (pages of QAPLIB)."""
    proven: bool
    """Whether the best known cost is proven to be optimal (pages of QAPLIB)."""
    gilmore_lawler: int
    """The Gilmore-Lawler bound (table of lower bounds in the article and on the pages)."""


def nug12() -> Instance:
    """Nugent, Vollmann and Ruml 1968, with distances on a grid of 3 by 4."""
    return Instance(_triangle(NUG12_FLOW, 12), _grid(3, 4), 578, True, 493)


def nug30() -> Instance:
    """Nugent's largest instance, which Anstreicher, Brixius, Goux and Linderoth solved in 2000."""
    return Instance(_triangle(NUG30_FLOW, 30), _grid(5, 6), 6124, True, 4539)


def chr12a() -> Instance:
    """Christofides and Benavent 1989, with traffic along the branches of a tree."""
    flow = [[0] * 12 for _ in range(12)]
    for i, j, weight in CHR12A_TREE:
        flow[i][j] = flow[j][i] = weight
    return Instance(flow, _triangle(CHR12A_DISTANCE, 12), 9552, True, 7245)


def esc16a() -> Instance:
    """Eschermann and Wunderlich 1990. Distances are Hamming distances of 4-bit numbers, minus 1."""
    distance = [[max((k ^ m).bit_count() - 1, 0) for m in range(16)] for k in range(16)]
    return Instance(_triangle(ESC16A_FLOW, 16), distance, 68, True, 38)


def tai12a() -> Instance:
    """Taillard 1991, with random numbers from 0 to 99, generated from seeds."""
    return Instance(_uniform(12, 792100592), _uniform(12, 123456789), 224416, True, 195918)


def tai30a() -> Instance:
    """Taillard 1991, with 30 threads. His best known placement is not proven optimal."""
    return Instance(_uniform(30, 1217840750), _uniform(30, 123456789), 1818146, False, 1504688)


ALL: dict[str, Callable[[], Instance]] = {
    instance.__name__: instance for instance in (nug12, nug30, chr12a, esc16a, tai12a, tai30a)
}


def _grid(rows: int, columns: int) -> Matrix:
    places = [(row, column) for row in range(rows) for column in range(columns)]
    return [[abs(r - s) + abs(c - d) for s, d in places] for r, c in places]


def _triangle(text: str, size: int) -> Matrix:
    """Make a symmetric matrix from the rows above its diagonal. Missing numbers are 0."""
    matrix = [[0] * size for _ in range(size)]
    for i, line in enumerate(text.split("\n")):
        for j, value in enumerate(map(int, line.split()), i + 1):
            matrix[i][j] = matrix[j][i] = value
    return matrix


def _uniform(size: int, seed: int) -> Matrix:
    """Make a symmetric matrix of random numbers, generated row by row above the diagonal."""
    values = _random_numbers(seed)
    matrix = [[0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1, size):
            matrix[i][j] = matrix[j][i] = next(values)
    return matrix


def _random_numbers(seed: int) -> Iterator[int]:
    """Numbers from 0 to 99 from Taillard's generator, a Lehmer generator with the factor 16807."""
    modulus = 2**31 - 1
    while True:
        seed = 16807 * seed % modulus
        yield seed * 100 // modulus


NUG12_FLOW = """\
5 2 4 1 0 0 6 2 1 1 1
3 0 2 2 2 0 4 5 0 0
0 0 0 0 5 5 2 2 2
5 2 2 10 0 0 5 5
10 0 0 0 5 1 1
5 1 1 5 4 0
10 5 2 3 3
0 0 5 0
0 10 10
5 0
2"""

NUG30_FLOW = """\
3 2 0 0 2 10 5 0 5 2 5 0 0 2 0 5 6 3 0 1 10 0 10 2 1 1 1 0 1
4 0 10 4 0 0 2 2 1 0 5 0 0 0 0 2 0 1 6 1 0 1 2 2 5 1 10 5
3 4 0 5 5 5 1 4 1 0 4 0 4 0 6 3 2 5 5 2 1 0 0 3 1 0 2
0 0 0 2 2 0 6 0 2 5 2 5 1 1 1 1 2 2 4 0 2 0 2 2 5 5
5 2 0 0 0 0 2 0 0 0 0 2 1 0 0 2 0 5 1 0 2 1 0 2 1
1 2 2 1 4 10 10 2 5 5 0 5 0 0 0 10 0 0 0 4 0 10 1 1
10 10 5 10 10 6 0 0 10 2 1 10 1 5 5 2 3 5 0 2 0 1 3
1 3 5 0 0 0 2 4 5 2 10 6 0 5 5 2 5 0 5 5 0 2
10 2 1 5 2 0 3 0 2 0 0 4 0 5 2 0 5 2 2 5 2
5 5 6 0 1 5 5 0 5 2 3 5 0 5 2 10 10 1 5 2
0 0 1 2 1 0 2 0 0 0 6 6 0 4 5 3 2 2 10
5 5 2 0 0 0 0 2 0 4 5 10 1 0 0 0 0 1
2 0 4 2 2 1 0 6 2 1 5 5 0 0 1 5 5
2 1 0 5 3 10 0 0 4 2 0 0 4 2 5 5
4 5 1 0 1 0 5 0 2 0 0 5 1 1 0
0 3 0 2 2 0 2 0 5 0 5 2 5 10
2 2 0 0 0 6 5 3 5 0 0 5 1
5 1 2 10 10 4 0 0 5 0 0 0
0 5 5 1 0 5 2 1 2 10 10
5 2 1 3 1 5 6 5 5 3
4 0 1 0 0 0 5 0 0
5 0 4 4 5 0 2 5
0 4 4 1 0 2 2
5 5 0 1 0 0
1 0 10 1 0
0 0 0 0
0 0 10
2 2
2"""

CHR12A_DISTANCE = """\
36 54 26 59 72 9 34 79 17 46 95
73 35 90 58 30 78 35 44 79 36
21 10 97 58 66 69 61 54 63
93 12 46 40 37 48 68 85
64 5 29 76 16 5 76
96 55 38 54 0 34
83 35 11 56 37
44 12 15 80
64 39 33
70 86
18"""

ESC16A_FLOW = """\
2 1 1 2 1 1 2 2 3
1 1 1 0 0 1 1 2
1 0 0 0 1 1 1
0 0 1 1 1 1
1 1 1 1 2
1 1 1 1
1 1 1
2 2
2"""

CHR12A_TREE = [
    (0, 1, 90),
    (0, 2, 10),
    (0, 3, 23),
    (0, 4, 43),
    (1, 5, 88),
    (2, 6, 26),
    (2, 7, 16),
    (5, 8, 1),
    (7, 9, 96),
    (8, 10, 29),
    (9, 11, 37),
]
