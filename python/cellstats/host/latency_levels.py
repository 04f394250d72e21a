"""The levels of memory in a curve of load-to-use latency over the size of the working set.

A curve has a plateau for each level, and rises from one plateau to the next where a working set no
longer fits. The plateaus are the constant pieces of the function that fits the logarithms of the
latencies best. Each piece costs as much as two points that it does not fit, and no point costs more
than a step does, so that the points of a rise belong to no plateau and noise makes none. The best
division into pieces is found by dynamic programming. Neighbouring pieces whose latencies differ by
less than a factor of 1.5 are one plateau: within a level, latencies rise because translations of
addresses miss, or because some lines are already in the next level.

The names come from the caches that the operating system reports. What a working set may use can be
less than that: other computers on the same processor use their share, and a hypervisor may set
limits. Plateaus are therefore named in their order, and only if their number differs from that of
the levels also by their sizes.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

MEMORY = "memory"
# In doublings of the latency: what a point costs that lies on no plateau, and what a plateau costs.
_OFF = 0.35
_PLATEAU = 2 * _OFF
_STEP = math.log2(1.5)  # the smallest step from one plateau to the next


@dataclass(frozen=True, slots=True)
class Plateau:
    """Working sets with nearly equal latencies."""

    name: str
    """`L1` to `L4`, `memory`, or an empty text for a step that no cache explains."""
    sizes_bytes: tuple[int, ...]
    """The working sets, in ascending order."""
    latency_ns: float
    """The median of their latencies."""


def plateaus(curve: Mapping[int, float], caches: Mapping[str, int]) -> list[Plateau]:
    """The plateaus of a curve, the smallest working sets first.

    curve: latency in ns for each size of a working set in bytes.
    caches: size in bytes of each cache by its name, the smallest first.

    >>> curve = {1 << n: 1.0 if n < 16 else 4.0 if n < 20 else 80.0 for n in range(12, 26)}
    >>> [(each.name, max(each.sizes_bytes), each.latency_ns)
    ...  for each in plateaus(curve, {"L1": 32768, "L2": 524288})]
    [('L1', 32768, 1.0), ('L2', 524288, 4.0), ('memory', 33554432, 80.0)]
    """
    sizes = sorted(curve)
    heights = [math.log2(curve[size]) for size in sizes]
    found = []
    for first, last in _joined(heights, _pieces(heights)):
        middle = median(heights[first:last])
        fitting = [i for i in range(first, last) if abs(heights[i] - middle) < _OFF]
        if len(fitting) >= 2:
            found.append(tuple(sizes[fitting[0] : fitting[-1] + 1]))
    names = _names([each[-1] for each in found], caches)
    return [
        Plateau(name, each, median(curve[size] for size in each))
        for name, each in zip(names, found, strict=True)
    ]


def _pieces(heights: Sequence[float]) -> list[tuple[int, int]]:
    """The best division of points into pieces: the first point of each, and the one after it."""
    best: list[tuple[float, list[tuple[int, int]]]] = [(0.0, [])]
    for last in range(1, len(heights) + 1):
        options = []
        for first in range(last):
            cost, before = best[first]
            options.append((cost + _cost(heights[first:last]), [*before, (first, last)]))
        best.append(min(options, key=lambda option: option[0]))
    return best[-1][1]


def _joined(heights: Sequence[float], pieces: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pieces, with neighbours joined between which there is no step."""
    found: list[tuple[int, int]] = []
    for first, last in pieces:
        if found and median(heights[first:last]) - median(heights[slice(*found[-1])]) < _STEP:
            first = found.pop()[0]
        found.append((first, last))
    return found


def _cost(heights: Sequence[float]) -> float:
    middle = median(heights)
    return _PLATEAU + sum(min(abs(height - middle), _OFF) for height in heights)


def _names(ends_bytes: Sequence[int], caches: Mapping[str, int]) -> list[str]:
    """The names of plateaus that end at these sizes."""
    if not ends_bytes:
        return []
    # The largest working sets are larger than all caches, and have no end of their own.
    levels = list(caches)
    inner = ends_bytes[:-1]
    fewer = min(len(inner), len(levels))
    if not fewer:
        return ["" for _ in inner] + [MEMORY]

    def apart(chosen: tuple[tuple[int, ...], tuple[int, ...]]) -> float:
        return sum(
            abs(math.log2(inner[nth] / caches[levels[level]]))
            for nth, level in zip(*chosen, strict=True)
        )

    plateaus_and_levels = itertools.product(
        itertools.combinations(range(len(inner)), fewer),
        itertools.combinations(range(len(levels)), fewer),
    )
    chosen = dict(zip(*min(plateaus_and_levels, key=apart), strict=True))
    return [levels[chosen[nth]] if nth in chosen else "" for nth in range(len(inner))] + [MEMORY]
