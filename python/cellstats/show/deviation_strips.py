"""The picture that begins the report: one mark for each published number, on a scale of per cent.

Each paper has a strip. A mark's place along it is the difference between the simulated and the
published number. Marks of equal place are stacked, so a strip is a histogram of its paper. Marks
beyond the scale lie on its edge, and the mark that is farthest off is named.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cellstats.reproduce.causes import CAUSES, cause_word
from cellstats.reproduce.verdicts import Outcome
from cellstats.show.deviations import BAND, held_out, with_numbers

EDGE = 0.50
"""Difference at the right edge of a strip, and at the left edge with a minus sign."""
BIN = 0.01
"""Width of a stack of marks."""
TICKS = (-EDGE, -0.25, -BAND, 0.0, BAND, 0.25, EDGE)


@dataclass(frozen=True)
class Mark:
    """A number in a strip."""

    outcome: Outcome
    difference: float
    """Simulated / published − 1."""
    level: int
    """The number of marks below it."""

    @property
    def is_beyond(self) -> bool:
        """Whether the mark lies on the edge, because the difference is beyond the scale."""
        return abs(self.difference) > EDGE

    @property
    def left(self) -> float:
        """The mark's place in per cent of the strip's width."""
        return place(round(self.difference / BIN) * BIN)

    @property
    def name(self) -> str:
        """The claim's id with the difference: `K057.local-store +131 %`."""
        return f"{self.outcome.claim.id} {signed(self.difference)}"


def place(difference: float) -> float:
    """The place of a difference in per cent of a strip's width.

    >>> place(-0.5), place(0.0), place(0.25), place(1.3)
    (0.0, 50.0, 75.0, 100.0)
    """
    return round(50 + 50 * min(max(difference / EDGE, -1.0), 1.0), 2)


def signed(difference: float) -> str:
    """A difference as text.

    >>> signed(1.312), signed(-0.1), signed(0.0)
    ('+131 %', '−10 %', '0 %')
    """
    text = f"{round(100 * difference):+d} %".replace("-", "−")
    return text.lstrip("+") if round(100 * difference) == 0 else text


@dataclass(frozen=True)
class Strip:
    """The numbers of a paper."""

    marks: Sequence[Mark]
    worst: Mark

    @property
    def levels(self) -> int:
        """Height of the highest stack, in marks."""
        return 1 + max(mark.level for mark in self.marks)


def strip(outcomes: Sequence[Outcome]) -> Strip | None:
    """The strip of a paper's measured and held-out numbers; None without such numbers."""
    heights: Counter[float] = Counter()
    marks = []
    for each in [*with_numbers(outcomes), *held_out(outcomes)]:
        assert each.simulated is not None
        assert each.nearest_published
        mark = Mark(each, each.simulated / each.nearest_published - 1, 0)
        marks.append(Mark(each, mark.difference, heights[mark.left]))
        heights[mark.left] += 1
    if not marks:
        return None
    return Strip(marks, max(marks, key=lambda mark: abs(mark.difference)))


@dataclass(frozen=True)
class Cause:
    """A kind of cause, and the claims that are not met for it."""

    name: str
    about: str
    outcomes: Sequence[Outcome]

    @property
    def number(self) -> int:
        """The number of these claims."""
        return len(self.outcomes)


def causes(outcomes: Iterable[Outcome]) -> list[Cause]:
    """The causes of the claims that are not met, with the most frequent cause first."""
    found: dict[str | None, list[Outcome]] = {}
    for each in outcomes:
        if each.verdict not in ("reproduced", "method"):
            found.setdefault(each.claim.cause, []).append(each)
    ordered = sorted(found.items(), key=lambda pair: -len(pair[1]))
    unknown = "the papers' files have no cause yet"
    return [
        Cause(cause_word(name), CAUSES[name], of) if name else Cause("unexpected", unknown, of)
        for name, of in ordered
    ]
