"""Two modes of all pairs of CPUs: near together or far apart, as a hypervisor places them.

Where a hypervisor moves virtual CPUs, every pair is in the rarer mode at times. That is a property
of the computer and not of a pair, so it is found in all pairs together, and said once. A pair's
number is that of the mode in which it mostly was.
"""

from collections.abc import Collection, Iterable, Sequence
from statistics import median
from typing import NamedTuple

from cellstats.core.quantities import format_latency
from cellstats.host.repetitions import Measurement

_RATIO = 2.0  # between the slowest repetition of the fast mode and the fastest of the slow one
_LEAST = 2  # repetitions in a mode; a single one may be an accident
_SLOW_SHARE = 0.1  # minimum share of the slow mode: rarer ones are interruptions


class Modes(NamedTuple):
    """The two modes of all repetitions of all pairs."""

    fast_ns: float
    """The median of the fast mode."""
    slow_ns: float
    border_ns: float
    """Repetitions that took less are in the fast mode."""
    fast_share: float
    """The share of the repetitions in the fast mode."""

    def words(self) -> str:
        """The modes in a clause.

        >>> Modes(16.1, 158.0, 50.0, 0.007).words()
        'two modes: 0.7 % of the repetitions took 16.1 ns, the others 158 ns'
        """
        fast, slow = format_latency(self.fast_ns), format_latency(self.slow_ns)
        share = f"{100 * self.fast_share:.2g} %"
        return f"two modes: {share} of the repetitions took {fast}, the others {slow}"

    def prevailing(self, medians: Sequence[float]) -> list[bool]:
        """Which repetitions of a pair are in the mode in which most of them are."""
        fast = [each < self.border_ns for each in medians]
        most = 2 * sum(fast) > len(fast)
        return [each == most for each in fast]

    def is_rare(self, medians: Sequence[float]) -> bool:
        """Whether a pair mostly was in the mode in which pairs rarely are."""
        return (median(medians) < self.border_ns) != (self.fast_share > 1 / 2)


def keep_prevailing(pairs: Collection[Measurement]) -> Modes | None:
    """Leave out the repetitions in which pairs were in their rarer mode, and return the modes."""
    modes = modes_of_pairs(each.repetitions_ns for each in pairs)
    if modes is not None:
        for each in pairs:
            each.leave_out(modes.prevailing)
    return modes


def modes_of_pairs(series: Iterable[Sequence[float]]) -> Modes | None:
    """The two modes of all pairs, or None if their repetitions show one.

    series: the medians of each pair's repetitions.
    """
    every = sorted(each for medians in series for each in medians)
    last = int((1 - _SLOW_SHARE) * len(every))
    if last <= _LEAST or every[0] <= 0:
        return None
    border = max(range(_LEAST, last + 1), key=lambda k: every[k] / every[k - 1])
    if every[border] < _RATIO * every[border - 1]:
        return None
    fast, slow = every[:border], every[border:]
    return Modes(median(fast), median(slow), every[border], len(fast) / len(every))
