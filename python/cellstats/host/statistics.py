"""Statistics of measurements, and how far a number can be trusted.

The number of a measurement is the median of its repetitions' medians. Noise on a computer is mostly
slow: neighbours come and go, a hypervisor moves CPUs, memory pages lie elsewhere. Averaging more
samples of one moment does not make the next measurement agree, so the interval is one for the
number of the *next* measurement. It has two parts, both on logarithms, because noise multiplies:

- what this measurement shows: the differences between its six consecutive parts (as Kalibera and
  Jones, "Rigorous benchmarking in reasonable time", ISMM 2013, take the variation of the level that
  varies most), times Student's t and a constant;
- what no single measurement shows: numbers move from one to the next even where the parts of each
  are equal. How far depends on the kind of computer.

The constants come from pairs of measurements that were recorded (`calibration.toml`). Six parts say
little about their own spread. In a matrix or a survey, the spread of similar measurements counts
with a measurement's own (as Smyth, "Linear models and empirical Bayes methods", Statistical
Applications in Genetics and Molecular Biology 3, 2004, moderates variances), so that chance gives
no pair a bad grade, and a measurement with few repetitions has an interval as well. Fewer than six
repetitions without similar measurements have none.

Where a hypervisor moves CPUs, numbers of several CPUs have two modes, and the interval holds both.

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
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from cellstats.core.quantities import format_latency
from cellstats.host.calibration import moves, moving, share_of_halves
from cellstats.host.disturbances import CAUSES, GRADES, MOVING, TRUST, VIRTUAL, Noticed

CONFIDENCE = 0.95
BESIDE = "; while it does not"
"""What stands in a reason between what the computer does and how good the number is otherwise."""
PARTS = 6
"""Number of parts that an interval is computed from; also the minimum number of repetitions."""
_STUDENT_T = (math.inf, 12.71, 4.303, 3.182, 2.776, 2.571)  # 97.5 % quantile by degrees of freedom
_STUDENT_T_SIMILAR = 2.07  # for 20 to 25 degrees of freedom
_SIMILAR_DEGREES = 20
_SIMILAR_LEAST = 6  # so many similar measurements at least say how much one of them varies
# A variance of parts is so many times the typical one by chance in one of 500 cases (F distribution
# with 5 and many degrees of freedom). Beyond, a measurement is not similar.
_UNLIKE = 4
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


class Spread(NamedTuple):
    """How much similar measurements vary; both are variances of logarithms."""

    halves: float
    """Typical variance of the difference between the second half and the first."""
    parts: float
    """Typical variance of the parts of one."""
    middle: float | None = None
    """The median of all, where only their differences from each other are known."""


class Similar:
    """Similar measurements, which say together how much one of them varies."""

    __slots__ = ("_alike", "_series", "_spreads")

    def __init__(self, series: Iterable[Sequence[float]], *, alike: bool = False) -> None:
        """The measurements to compare.

        series: the medians of each measurement's repetitions, in the order of time.
        alike: whether their numbers are similar as well, and not only their spreads.
        """
        self._series, self._alike = list(series), alike
        self._spreads: dict[int, Spread | None] = {}

    def spread(self, repetitions: int) -> Spread | None:
        """The spread of measurements of so many repetitions; of fewer, if most have fewer.

        None if too few measurements have two.
        """
        lengths = sorted((len(each) for each in self._series if min(each) > 0), reverse=True)
        # Those with many repetitions may have them because they vary, or in a short time.
        most = max(_SIMILAR_LEAST, len(lengths) // 2)
        enough = lengths[most - 1] if len(lengths) >= most else 0
        count = min(max(2, repetitions), enough)
        if count not in self._spreads:
            own = [each[:count] for each in self._series if len(each) >= count and min(each) > 0]
            self._spreads[count] = self._typical(own, count) if count > 1 else self._among()
        return self._spreads[count]

    def _among(self) -> Spread | None:
        """The spread by the differences between all repetitions, which exceed those within one."""
        values = [value for each in self._series for value in each]
        if not self._alike or len(values) < _SIMILAR_LEAST or min(values) <= 0:
            return None
        middle = median(values)
        squares = [math.log(value / middle) ** 2 for value in values]
        return Spread(4 * _typical_variance(squares, 1), 0.0, middle)

    @staticmethod
    def _typical(series: Sequence[Sequence[float]], count: int) -> Spread:
        half = count // 2
        changes = [math.log(median(each[half:]) / median(each[:half])) for each in series]
        variances = [_variance(_parts(each)) for each in series]
        return Spread(
            _typical_variance([change**2 for change in changes], 1),
            _typical_variance(variances, min(count, PARTS) - 1),
        )


def _typical_variance(found: Sequence[float], degrees: int) -> float:
    """The variance of which these are estimates. A mean would follow the worst measurement.

    The median of estimates is below the variance (Wilson and Hilferty, "The distribution of
    chi-square", Proceedings of the National Academy of Sciences 17, 1931).
    """
    return median(found) / (1 - 2 / (9 * degrees)) ** 3


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number from several repetitions, with the interval for that of another measurement."""

    value: float
    low: float | None
    """Lower end of the 95 % interval, or None without an interval."""
    high: float | None
    parts: tuple[float, ...] = ()
    """The median of each part, in the order of time; empty without an interval."""
    far_at_rest: float = math.inf
    """Distance of the interval's farther end while no hypervisor moves CPUs."""

    @property
    def far(self) -> float:
        """Distance of the interval's farther end: 0.1 for 10 %, 1 for a factor of 2.

        Infinite without an interval.
        """
        if not self.low or self.high is None:
            return math.inf
        return max(self.high / self.value, self.value / self.low) - 1


def estimate(
    medians: Sequence[float], noticed: Iterable[Noticed] = (), similar: Similar | None = None
) -> Estimate:
    """The estimate from the median of each repetition, in the order of time.

    noticed: disturbances of the measurement, among them the kind of computer.
    similar: similar measurements, this one among them.

    >>> estimate([10.0, 10.1] * 6).far < 0.02
    True
    """
    value, n = median(medians), len(medians)
    typical = similar.spread(n) if similar else None
    if n < PARTS and typical is None:
        return Estimate(value, None, None)
    parts = _parts(medians)
    if min(parts) <= 0:  # samples without a tick of the clock
        return Estimate(value, 0.0, max(parts), parts)
    causes = {each.cause for each in noticed}
    kind = moves("virtual" if causes & {MOVING, VIRTUAL} else "plain")
    degrees, variance = len(parts) - 1, _variance(parts)
    unlike = n >= PARTS and typical is not None and variance > _UNLIKE * typical.parts
    if typical is None or unlike:
        shown = _STUDENT_T[degrees] * kind.times * math.sqrt(variance)
    else:
        # Similar measurements take turns, so their repetitions are far apart in time, and average
        # out: a whole one varies hardly more than half as much as its halves.
        own = variance / typical.parts if typical.parts else 1.0
        weighed = (degrees * own + _SIMILAR_DEGREES) / (degrees + _SIMILAR_DEGREES)
        shown = _STUDENT_T_SIMILAR * math.sqrt(share_of_halves() * typical.halves * weighed)
        if typical.middle is not None:
            shown = max(shown, abs(math.log(value / typical.middle)))
    at_rest = math.hypot(shown, math.log1p(kind.floor))
    factor = math.exp(at_rest) * (moving().factor if MOVING in causes else 1.0)
    return Estimate(value, value / factor, value * factor, parts, math.expm1(at_rest))


def _parts(medians: Sequence[float]) -> tuple[float, ...]:
    """The medians of consecutive parts; of single repetitions if there are few."""
    n = len(medians)
    count = min(n, PARTS)
    ends = [n * part // count for part in range(count + 1)]
    return tuple(median(medians[a:b]) for a, b in itertools.pairwise(ends))


def _variance(parts: Sequence[float]) -> float:
    return statistics.variance(map(math.log, parts)) if len(parts) > 1 else 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a number can be trusted."""

    grade: str
    """A key of `GRADES`."""
    why: str
    """What limits the grade, in a clause; empty if nothing was noticed."""


def verdict(
    found: Estimate,
    repetitions: int,
    samples: Iterable[float],
    noticed: Sequence[Noticed],
) -> Verdict:
    """The grade of a number, and the reason.

    repetitions: number of the estimate's repetitions.
    samples: all samples, in any order.
    noticed: disturbances during the measurement.
    """
    modes = two_modes(sorted(samples))
    moved = next((each for each in noticed if each.cause == MOVING), None)
    if found.low is None:
        times = f"{repetitions} repetition{'s' * (repetitions != 1)}"
        why = f"{times}, and an interval takes {PARTS}"
    elif moved:
        why = f"{moved.words}{BESIDE}, {TRUST[_grade(found.far_at_rest)]}"
        why += f": {modes}" if modes else ""
    else:
        why = modes or _widened(found, repetitions, noticed)
    by_interval = _grade(found.far)
    limits = [CAUSES[each.cause].limit for each in noticed]
    grade = max([by_interval, *limits], key=GRADES.__getitem__)
    if grade != by_interval:
        why = "; ".join(filter(None, [noticed[limits.index(grade)].words, modes]))
    return Verdict(grade, why)


def _grade(far: float) -> str:
    return next(grade for grade, most in GRADES.items() if far <= most)


def _widened(found: Estimate, repetitions: int, noticed: Sequence[Noticed]) -> str:
    """What widens an interval; empty if it is narrow."""
    if found.far <= min(GRADES.values()):
        return ""
    because = f"; {noticed[0].words}" if noticed else ""
    if repetitions < PARTS:
        return f"{repetitions} repetition{'s' * (repetitions != 1)}{because}"
    first, last = found.parts[: PARTS // 2], found.parts[PARTS // 2 :]
    least, most = format_latency(min(found.parts)), format_latency(max(found.parts))
    if max(first) < min(last):
        return f"it rose from {least} to {most} meanwhile"
    if max(last) < min(first):
        return f"it fell from {most} to {least} meanwhile"
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
