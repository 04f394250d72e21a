"""The report: one self-contained page, for screens of all sizes and for paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cellstats.reproduce.claims import Contradiction
from cellstats.reproduce.guesses import Leaning
from cellstats.reproduce.judging import Judged, Outcome
from cellstats.reproduce.published import Figure, contradictions
from cellstats.reproduce.scorecard import ORDER, Score, published, score, simulated
from cellstats.reproduce.watching import Link

WORDS = {
    "reproduced": "reproduced",
    "off": "off",
    "out-of-reach": "out of reach",
    "method": "method",
}


@dataclass(frozen=True)
class Drawn:
    """A figure on the page: its panels as elements, and its files beside the page."""

    figure: Figure
    panels: Sequence[tuple[str, str]]
    """Title and `<svg>` of each."""
    files: Mapping[str, str]
    """By kind: `CSV`, `SVG`, `PNG`; relative to the page."""
    watch: Link | None
    """To one of its rows in the page in which runs are watched."""


@dataclass(frozen=True)
class Section:
    """A paper on the page."""

    judged: Judged
    drawn: Sequence[Drawn]

    @property
    def key(self) -> str:
        """The paper's."""
        return self.judged.paper.key

    @property
    def score(self) -> Score:
        """How many claims of each kind and status."""
        return score(self.judged.outcomes)

    @property
    def outcomes(self) -> list[Outcome]:
        """The outcomes, those that are off first."""
        return sorted(self.judged.outcomes, key=lambda each: ORDER.index(each.verdict))

    def of_figure(self, figure: Figure) -> list[Outcome]:
        """The outcomes of a figure's claims, those that are off first."""
        return [each for each in self.outcomes if each.claim.figure == figure.name]


def page(
    sections: Sequence[Section], leanings: Sequence[Leaning] | None, command: str, version: str
) -> str:
    """The page as text.

    leanings: what `--sensitivity` found; None without it.
    command: the command line that makes the page again.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("cellstats.reproduce", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(published=published, simulated=simulated, words=WORDS)
    seen = {
        name
        for section in sections
        for each in section.outcomes
        for name in each.claim.disagreements
    }
    return environment.get_template("page.html").render(
        sections=sections,
        total=score([each for section in sections for each in section.judged.outcomes]),
        contradictions=[each for each in contradictions().values() if each.id in seen],
        claims_of=lambda each: _claims_of(each, sections),
        leanings=leanings,
        command=command,
        version=version,
    )


def _claims_of(contradiction: Contradiction, sections: Sequence[Section]) -> list[Outcome]:
    return [
        each
        for section in sections
        for each in section.judged.outcomes
        if contradiction.id in each.claim.disagreements
    ]
