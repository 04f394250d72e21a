"""Statistics of measurements, and how far a number can be trusted.

The number of a measurement is the median of its repetitions' medians. Noise on a computer is mostly
slow: neighbours come and go, a hypervisor moves CPUs, memory pages lie elsewhere. Averaging more
samples of one moment does not make the next measurement agree, so the interval is one for the
number of the *next* measurement, from the differences between parts of this one (as Kalibera and
Jones, "Rigorous benchmarking in reasonable time", ISMM 2013, take the variation of the level that
varies most). The repetitions are divided into six consecutive parts. Both numbers, this one and the
next, are taken to vary as much as the parts do, as if the noise of a measurement did not average
out. The interval is that of Student's t for the difference of two such numbers, on logarithms,
because noise multiplies. Fewer than six repetitions have no interval. What changes more rarely than
a measurement takes, such as a hypervisor that moves CPUs every minute, is not in the interval.

`median_interval` is for values that are known to be independent, such as ratios of times that were
measured in turn: the percentile interval of the bootstrap distribution of their median. For a
median, this distribution has a closed form. The median of a resample is at most the k-th smallest
sample if and only if at least half of the n draws are among the k smallest samples. The binomial
distribution gives the probability of this event (Efron, "Bootstrap methods: another look at the
jackknife", Annals of Statistics 7, 1979, section 3). The interval needs no random numbers, so equal
samples always have equal intervals.

A number is graded by how far the ends of its interval are away. A disturbance with lasting effects
limits the grade (`disturbances`). Numbers are graded and never changed.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median, stdev

from cellstats.core.quantities import format_latency
from cellstats.host.disturbances import CAUSES, GRADES, Noticed

CONFIDENCE = 0.95
PARTS = 6
"""Number of parts that an interval is computed from; also the minimum number of repetitions."""
_STUDENT_T = 2.571  # 97.5 % quantile for five degrees of freedom, one less than there are parts
_MODE_SHARE = 0.2  # minimum share of the samples in each of two modes
_MODE_RATIO = 1.1  # minimum ratio of the modes' medians


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest sample that at least a `share` (0 to 1) of the sorted samples do not exceed.

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
    # The upper end's rank from the top equals the lower end's rank from the bottom.
    return ordered[low - 1], ordered[n - low]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number from several repetitions, with the interval for that of another measurement."""

    value: float
    low: float | None
    """Lower end of the 95 % interval, or None without an interval."""
    high: float | None
    parts: tuple[float, ...] = ()
    """The median of each part, in the order of time; empty without an interval."""

    @property
    def far(self) -> float:
        """Distance of the interval's farther end: 0.1 for 10 %, 1 for a factor of 2.

        Infinite without an interval.
        """
        if not self.low or self.high is None:
            return math.inf
        return max(self.high / self.value, self.value / self.low) - 1


def estimate(medians: Sequence[float]) -> Estimate:
    """The estimate from the median of each repetition, in the order of time.

    >>> estimate([10.0, 10.1] * 6).far < 0.02
    True
    """
    value, n = median(medians), len(medians)
    if n < PARTS:
        return Estimate(value, None, None)
    ends = [n * part // PARTS for part in range(PARTS + 1)]
    parts = tuple(median(medians[a:b]) for a, b in itertools.pairwise(ends))
    if min(parts) <= 0:  # samples without a tick of the clock
        return Estimate(value, 0.0, max(parts), parts)
    spread = stdev(map(math.log, parts))
    factor = math.exp(_STUDENT_T * math.sqrt(2) * spread)
    return Estimate(value, value / factor, value * factor, parts)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a number can be trusted."""

    grade: str
    """`1 %`, `10 %`, `factor 2` or `do not use`."""
    why: str
    """What limits the grade, in a clause; empty if nothing was noticed."""


def verdict(
    found: Estimate,
    repetitions: int,
    samples: Iterable[float],
    noticed: Sequence[Noticed],
    alike: Sequence[float] = (),
) -> Verdict:
    """The grade of a number, and the reason.

    repetitions: number of the estimate's repetitions.
    samples: all samples, in any order.
    noticed: disturbances during the measurement.
    alike: the numbers of repetitions of similar measurements, this one among them. They replace the
        interval if there is none: nineteen twentieths of them, widened to the number.
    """
    far, modes = found.far, two_modes(sorted(samples))
    why = f"{repetitions} repetition{'s' * (repetitions != 1)}, "
    if found.low is not None:
        why = modes or _widened(found, noticed)
    elif len(alike) < PARTS:
        why += f"and an interval takes {PARTS}"
    else:
        ordered = sorted(alike)
        low = min(found.value, quantile(ordered, 0.025))
        high = max(found.value, quantile(ordered, 0.975))
        far = Estimate(found.value, low, high).far
        why += f"and similar pairs take {format_latency(low)} to {format_latency(high)}"
    by_interval = next(grade for grade, most in GRADES.items() if far <= most)
    limits = [CAUSES[each.cause].limit for each in noticed]
    grade = max([by_interval, *limits], key=GRADES.__getitem__)
    if grade != by_interval:
        why = "; ".join(filter(None, [noticed[limits.index(grade)].words, modes]))
    return Verdict(grade, why)


def _widened(found: Estimate, noticed: Sequence[Noticed]) -> str:
    """What widens an interval; empty if it is narrow."""
    if found.far <= min(GRADES.values()):
        return ""
    first, last = found.parts[: PARTS // 2], found.parts[PARTS // 2 :]
    least, most = format_latency(min(found.parts)), format_latency(max(found.parts))
    if max(first) < min(last):
        return f"it rose from {least} to {most} meanwhile"
    if max(last) < min(first):
        return f"it fell from {most} to {least} meanwhile"
    because = f"; {noticed[0].words}" if noticed else ""
    return f"parts of the measurement differ, {least} to {most}{because}"


def two_modes(ordered: Sequence[float]) -> str:
    """A clause about the two modes of samples, or an empty text if there are not two.

    ordered: sorted samples. They are divided where the ratio of neighbours is largest, and the
    parts are modes if each has a fifth of the samples, and if most of the distance between their
    medians is empty.

    >>> two_modes([10.0] * 6 + [40.0] * 4)
    'two modes, 10 ns in 60 % of the samples and 40 ns in the others'
    """
    n = len(ordered)
    least = max(2, math.ceil(_MODE_SHARE * n))
    if n < 2 * least or ordered[0] <= 0:
        return ""
    k = max(range(least, n - least + 1), key=lambda k: ordered[k] / ordered[k - 1])
    low, high = ordered[:k], ordered[k:]
    apart = math.log(median(high) / median(low))
    empty = math.log(quantile(high, 0.1) / quantile(low, 0.9))
    if apart < math.log(_MODE_RATIO) or empty < apart / 2:
        return ""
    one, other = format_latency(median(low)), format_latency(median(high))
    return f"two modes, {one} in {100 * k / n:.0f} % of the samples and {other} in the others"


def _share_at_most(n: int, k: int) -> float:
    """The probability that at least half of a resample's n draws are among the k smallest."""
    if k >= n:
        return 1.0
    p, half = k / n, (n + 1) // 2
    # Terms farther from the mean are too small to change a double-precision sum.
    mean, far = k, 10 * math.sqrt(k * (1 - p)) + 10
    logs = (
        math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
        + i * math.log(p) + (n - i) * math.log1p(-p)
        for i in range(max(half, math.floor(mean - far)), min(n, math.ceil(mean + far)) + 1)
    )  # fmt: skip
    return math.fsum(math.exp(each) for each in logs)


def _first(n: int, holds: Callable[[int], bool]) -> int:
    """The smallest k from 1 to n for which `holds` is true; all larger k must also satisfy it."""
    low, high = 1, n
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
