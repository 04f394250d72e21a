"""Deviations of simulated numbers from published ones: quartiles, a list of the largest, a scatter
plot.

A deviation is a fraction of the published number. Only measured claims with a published number have
a deviation here, and numbers that were held out, which are summarised apart. Claims about an
ordering have no number. Claims from whose number a value of the machine was chosen prove nothing.
Only `scatter` needs matplotlib.
"""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from html import escape
from statistics import median, quantiles

from cellstats.reproduce.claims import HELD_OUT
from cellstats.reproduce.verdicts import Outcome
from cellstats.show.pictures import slim_svg, style

WORST = 10
"""Number of claims in the list of the largest deviations."""
BAND = 0.10
"""Half the width of the band around equality in the scatter plot."""
_INCHES = (5.6, 5.2)
_COLOURS = ("#000000", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f5539")
"""Okabe and Ito's colours for colour-blind readers, with the faint yellow replaced by a brown."""
_MARKERS = "os^DvP*"


@dataclass(frozen=True)
class Quartiles:
    """The number of deviations, and their quartiles."""

    numbers: int
    lower: float
    median: float
    upper: float


@dataclass(frozen=True)
class OutOfSample:
    """How far the simulator is from numbers that were held out."""

    numbers: int
    within: float
    """Share of the numbers that deviate by no more than the tolerance of such numbers."""
    median: float
    worst: float


def held_out(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes of numbers to which nothing was fitted, with the largest deviation first."""
    found = [
        each for each in outcomes if each.claim.kind == "held-out" and each.deviation is not None
    ]
    return sorted(found, key=_deviation, reverse=True)


def out_of_sample(outcomes: Iterable[Outcome]) -> OutOfSample | None:
    """Summary of the deviations from numbers that were held out; None without such numbers."""
    every = [_deviation(each) for each in held_out(outcomes)]
    if not every:
        return None
    within = sum(each <= HELD_OUT for each in every) / len(every)
    return OutOfSample(len(every), within, median(every), every[0])


def with_numbers(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes of measured claims that have a deviation."""
    return [
        each for each in outcomes if each.claim.kind == "measured" and each.deviation is not None
    ]


def _deviation(of: Outcome) -> float:
    assert of.deviation is not None
    return of.deviation


def quartiles(outcomes: Iterable[Outcome]) -> Quartiles | None:
    """The quartiles of the deviations; None if no claim has a published number."""
    every = [_deviation(each) for each in with_numbers(outcomes)]
    if not every:
        return None
    # A single number is passed twice, because `quantiles` needs two numbers.
    ends = quantiles(every if len(every) > 1 else every * 2, n=4, method="inclusive")
    return Quartiles(len(every), *ends)


def worst(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The claims that are off and deviate most, with the largest deviation first."""
    off = [each for each in with_numbers(outcomes) if each.verdict == "off"]
    return sorted(off, key=_deviation, reverse=True)[:WORST]


def percent(share: float | None) -> str:
    """A deviation as text.

    >>> percent(0.1234), percent(None)
    ('12.3 %', '–')
    """
    return "–" if share is None else f"{100 * share:.1f} %"


def cells(of: Quartiles | OutOfSample) -> list[str]:
    """A summary as the cells of a table: the number of deviations, and its shares."""
    numbers, *shares = astuple(of)
    return [str(numbers), *map(percent, shares)]


def scatter(papers: Mapping[str, Sequence[Outcome]], titles: Mapping[str, str]) -> str:
    """A scatter plot as an `<svg>` element: published numbers on x, simulated numbers on y.

    papers: the outcomes of each paper. titles: the tooltip of each point, by the claim's id. Each
    point is a link to its claim. If no claim has a number, the result is an empty string.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    points = {key: with_numbers(outcomes) for key, outcomes in papers.items()}
    numbers = [each.nearest_published or 0.0 for outcomes in points.values() for each in outcomes]
    if not numbers:
        return ""
    low, high = min(numbers) / 3, max(numbers) * 2
    with style():
        figure = Figure(figsize=_INCHES, layout="constrained")
        axes = figure.add_subplot(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high))
        ends = (low, high)
        edges = ([x * (1 - BAND) for x in ends], [x * (1 + BAND) for x in ends])
        axes.fill_between(ends, *edges, color="#bbbbbb", alpha=0.6, linewidth=0, label="±10 %")
        axes.plot(ends, ends, color="#777777", linewidth=0.8)
        looks = zip(_COLOURS * len(points), _MARKERS * len(points), strict=True)
        for (key, outcomes), (colour, marker) in zip(points.items(), looks, strict=False):
            # Numbers near zero are drawn on the edge, because a logarithmic axis has no zero.
            axes.scatter(
                [each.nearest_published or low for each in outcomes],
                [min(max(each.simulated or 0.0, low), high) for each in outcomes],
                marker=marker,
                s=24,
                facecolors=f"{colour}50",
                edgecolors=colour,
                linewidths=0.8,
                clip_on=False,
                zorder=3,
                label=key,
                urls=[f"#claim-{each.claim.id}" for each in outcomes],
            )
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(StrMethodFormatter("{x:g}"))
            axis.set_minor_formatter(NullFormatter())
        axes.set_xlabel("published (each number in its own unit)")
        axes.set_ylabel("simulated")
        axes.legend(loc="upper left")
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None}, transparent=True)
    return re.sub(
        r'<a [^>]*href="#claim-([^"]+)"[^>]*>',
        lambda found: f'<a href="#claim-{found[1]}"><title>{escape(titles[found[1]])}</title>',
        slim_svg(file.getvalue().decode(), "scatter"),
    )
