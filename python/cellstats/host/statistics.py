"""Statistics of samples: medians, quantiles, and confidence intervals.

The interval of a median is the percentile interval of its bootstrap distribution. For a median
nothing has to be drawn at random: a resample's median is at most the k-th smallest sample exactly
if at least half of its n draws are among the k smallest, which a binomial distribution gives
(Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7, 1979, section
3). So equal samples always give equal intervals.

Left out: means and their errors. Times on a computer have a long tail to one side, in which an
interval of the mean says more of the tail than of what is measured.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics of a series of samples, in their unit."""

    count: int
    mean: float
    median: float
    ci_low: float
    """Lower end of the median's 95 % confidence interval."""
    ci_high: float
    least: float
    """Smallest sample."""
    p99: float
    """One sample in a hundred is larger."""


def summary(samples: Sequence[float]) -> Summary:
    """The statistics of at least one sample.

    >>> summary([3.0, 1.0, 2.0]).median
    2.0
    """
    ordered = sorted(samples)
    low, high = median_interval(ordered)
    return Summary(
        len(ordered),
        math.fsum(ordered) / len(ordered),
        median(ordered),
        low,
        high,
        ordered[0],
        quantile(ordered, 0.99),
    )


def median(ordered: Sequence[float]) -> float:
    """The middle of sorted samples, or between the two in the middle."""
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest of sorted samples that at least this share does not exceed.

    >>> quantile([1.0, 2.0, 3.0, 4.0], 0.5)
    2.0
    """
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def median_interval(
    ordered: Sequence[float], confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The confidence interval of the median of sorted samples, by the bootstrap's percentiles.

    >>> median_interval([float(i) for i in range(1, 102)])
    (41.0, 61.0)
    """
    n, tail = len(ordered), (1 - confidence) / 2
    low = _first(n, lambda k: _share_at_most(n, k) > tail)
    # The upper end is the same, counted from the largest sample.
    return ordered[low - 1], ordered[n - low]


def disagreement(medians: Sequence[float]) -> float:
    """The spread of the medians of repetitions, as a share of the smallest.

    >>> disagreement([100.0, 110.0, 105.0])
    0.1
    """
    least = min(medians)
    return round((max(medians) - least) / least, 12) if least > 0 else 0.0


def _share_at_most(n: int, k: int) -> float:
    """The share of resamples in which at least half of n draws are among the k smallest."""
    if k >= n:
        return 1.0
    p, half = k / n, (n + 1) // 2
    # Terms further from the mean are too small to change a sum of doubles.
    mean, far = k, 10 * math.sqrt(k * (1 - p)) + 10
    logs = (
        math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
        + i * math.log(p) + (n - i) * math.log1p(-p)
        for i in range(max(half, math.floor(mean - far)), min(n, math.ceil(mean + far)) + 1)
    )  # fmt: skip
    return math.fsum(math.exp(each) for each in logs)


def _first(n: int, holds: Callable[[int], bool]) -> int:
    """The first k from 1 to n that holds, if all larger ones hold too."""
    low, high = 1, n
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
