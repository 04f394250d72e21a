"""Papers measured, and their claims judged."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from cellstats._native import UsageError
from cellstats.export.formats import Kind, function_at
from cellstats.notebook.showing import Showing, drawn
from cellstats.refusal import known_keywords
from cellstats.reproduce.answers import Answer, Answers
from cellstats.reproduce.asks import Ask
from cellstats.reproduce.claims import Claim
from cellstats.reproduce.facts import fact
from cellstats.reproduce.published import Figure as PaperFigure
from cellstats.reproduce.published import Paper
from cellstats.reproduce.running import Machines, answered, built_in
from cellstats.reproduce.store import Store

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Verdict: TypeAlias = Literal["reproduced", "off", "out-of-reach", "method"]

MOVED = 0.02
"""Share by which a number that is off may move before its claim has to be written anew."""


@dataclass(frozen=True)
class Outcome(Showing):
    """A claim, and its simulated number."""

    _html: ClassVar[str] = "notebook.claims_html:outcome"

    claim: Claim
    simulated: float | None
    """None for a method, and for what is out of reach."""

    def __str__(self) -> str:
        line: str = function_at("reproduce.scorecard:line")(self)
        return line

    @property
    def agrees(self) -> bool | None:
        """Whether it agrees with what was published; None where nothing was measured."""
        return None if self.simulated is None else self.claim.agrees(self.simulated)

    @property
    def verdict(self) -> Verdict:
        """The judgement of the number; `claims.toml` has the same, unless there is a surprise."""
        if self.claim.kind == "method":
            return "method"
        if self.simulated is None:
            return "out-of-reach"
        return "reproduced" if self.agrees else "off"

    @property
    def surprise(self) -> str | None:
        """The difference from `claims.toml`, in words; None if there is none."""
        claim, simulated = self.claim, self.simulated
        if simulated is None:
            return None
        if claim.status == "reproduced" and not self.agrees:
            return f"{claim.id} is reproduced no more: {simulated:.4g} {claim.unit}".rstrip()
        if claim.status != "reproduced" and self.agrees:
            return f"{claim.id} is {claim.status} no more: {simulated:.4g} {claim.unit}".rstrip()
        before = claim.simulated
        if before is not None and abs(simulated - before) > MOVED * abs(before):
            return (
                f"{claim.id} has moved from {before:.4g} to {simulated:.4g} {claim.unit}".rstrip()
            )
        return None

    def to_dict(self) -> dict[str, Any]:
        """Its columns, as JSON and CSV have them."""
        claim = self.claim
        return {
            "id": claim.id,
            "paper": claim.paper,
            "kind": claim.kind,
            "reads": list(claim.reads),
            "statement": claim.statement,
            "place": claim.place,
            "figure": claim.figure,
            "published": published_value(claim),
            "simulated": self.simulated,
            "unit": claim.unit,
            "tolerance": None if claim.is_exact else claim.tolerance,
            "status": self.verdict,
            "reason": claim.reason or claim.how,
            "why": claim.why,
            "disagreements": list(claim.disagreements),
            "as_recorded": self.surprise is None,
        }


def published_value(claim: Claim) -> Any:
    """The number, the two ends of a range, or the limits."""
    if claim.published is not None:
        both = isinstance(claim.published, tuple)
        return list(claim.published) if both else claim.published  # type: ignore[arg-type]
    limits = {"above": claim.above, "below": claim.below}
    return {name: limit for name, limit in limits.items() if limit is not None} or None


@dataclass(frozen=True, repr=False)
class Judged(Showing):
    """A paper, its figures' rows, and the outcome of each claim."""

    _html: ClassVar[str] = "notebook.claims_html:judged"

    paper: Paper
    rows: Mapping[PaperFigure, Answers]
    outcomes: Sequence[Outcome]

    def __repr__(self) -> str:
        # Not the outcomes: they would fill the terminal.
        return f"<Judged {self.paper.key}: {len(self.outcomes)} claims>"

    def __str__(self) -> str:
        return str(Scorecard([self]))

    def plot(self, figure: str | int | None = None) -> "Figure":
        """A figure of the paper: what is simulated, and what was published.

        figure: its name or number, such as `figure6` or 6; by default the first one.

        Raises UsageError where the paper has no such figure, and where matplotlib is missing.
        """
        found: Figure = drawn("draw.paper_figure:paper_figure", self, figure)
        return found


class Scorecard(list[Judged], Showing):
    """Papers, judged; `judge` makes it."""

    _kind: ClassVar[Kind] = "claims"
    _html: ClassVar[str] = "notebook.claims_html:scorecard"

    def __repr__(self) -> str:
        claims = sum(len(each.outcomes) for each in self)
        papers = ", ".join(each.paper.key for each in self)
        return f"<Scorecard of {papers or 'no paper'}: {claims} claims>"


@known_keywords()
def judge(
    papers: Iterable[Paper],
    store: Store | None = None,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    progress: bool = True,
) -> Scorecard:
    """Measure all figures of these papers, and judge all claims.

    executor, jobs: where the runs are made, as for `cellstats.sweep`.
    """
    every = list(papers)
    asks = [ask for each in every for figure in each.figures for ask in figure.asks]
    answers = answered(asks, store, executor=executor, jobs=jobs, progress=progress)
    return Scorecard(
        Judged(
            each,
            {figure: Answers(answers[ask] for ask in figure.asks) for figure in each.figures},
            outcomes(each, answers),
        )
        for each in every
    )


def outcomes(
    paper: Paper, answers: Mapping[Ask, Answer], machines: Machines = built_in
) -> list[Outcome]:
    """The outcome of each claim; `answers` needs only the rows of these claims."""
    figures = {figure.name: figure for figure in paper.figures}

    def rows(name: str) -> dict[Ask, Answer]:
        return {ask: answers[ask] for ask in figures[name].asks if ask in answers}

    return [Outcome(claim, _simulated(claim, rows, machines)) for claim in paper.claims]


def _simulated(
    claim: Claim, rows: Callable[[str], Mapping[Ask, Answer]], machines: Machines
) -> float | None:
    try:
        if claim.facts is not None:
            return fact(claim.facts, machines)
        if claim.metric is None or claim.figure is None:
            return None
        values = claim.metric.values(rows(claim.figure))
    except UsageError as error:
        raise UsageError(f"{claim.paper}, {claim.id}: {error}") from None
    # A claim about several numbers has to hold for the one that is farthest off.
    return max(values, key=claim.distance)
