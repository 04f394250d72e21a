"""The scale of a matrix's colours, in pictures and terminals: from its lowest value to its highest.

A scale from 0 would hide what a matrix is measured for, the differences between pairs. Those that
are no more than noise get no colours of their own.
"""

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from cellstats.measure.spe_matrix import Matrix

if TYPE_CHECKING:
    from cellstats.host.matrices import HostMatrix

_ALIKE = 0.01
"""A spread of this part of the highest value is as good as none, even where nothing is noisy."""


class Scale(NamedTuple):
    """The ends of a scale of colours."""

    low: float
    high: float
    noise: float
    """As large a difference says nothing."""

    @property
    def alike(self) -> bool:
        """Whether all values are the same, but for noise."""
        return self.high - self.low <= self.noise

    def part(self, value: float) -> float:
        """Where a value is between both ends, 0 to 1; in the middle, if all are the same."""
        return 0.5 if self.alike else (value - self.low) / (self.high - self.low)

    def words(self) -> str:
        """How far the ends are from each other.

        >>> Scale(140.0, 175.0, 1.75).words(), Scale(140.0, 141.0, 1.41).words()
        ('the highest is 25 % above the lowest', 'all are the same to within 1 %')
        """
        if self.alike:
            return f"all are the same to within {_percent(self.noise / self.high)}"
        if self.low <= 0:
            return "from the lowest to the highest"
        return f"the highest is {_percent(self.high / self.low - 1)} above the lowest"


def scale(measured: "Matrix | HostMatrix") -> Scale:
    """The scale of a matrix. Noise of the host is the 95 % interval of the median pair.

    >>> import cellstats as cs
    >>> scale(cs.matrix("mailbox", iterations=100)).words()
    'the highest is 4 % above the lowest'
    """
    values = [value for row in measured.values for value in row if value is not None]
    low, high = min(values), max(values)
    relative = [_ALIKE]
    if not isinstance(measured, Matrix) and measured.results:
        intervals = [
            (each.latency_ns_ci_high - each.latency_ns_ci_low) / each.latency_ns
            for each in measured.results.values()
        ]
        relative.append(median(intervals))
    return Scale(low, high, max(relative) * high)


def _percent(part: float) -> str:
    """A part of one, in per cent.

    >>> _percent(0.012), _percent(0.25), _percent(3.004)
    ('1 %', '25 %', '300 %')
    """
    return f"{100 * part:.0f} %"
