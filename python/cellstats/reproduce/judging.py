"""The papers: what they claim, and the scripts of their figures.

Papers measured, and their claims judged.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cellstats._native import UsageError
from cellstats.core.refusal import known_keywords, refusal
from cellstats.core.showing import Showing, picture
from cellstats.core.words import did_you_mean
from cellstats.reproduce.charts import Chart
from cellstats.reproduce.claims import (
    Claim,
    Contradiction,
    PaperFile,
    fact,
    read_claims,
    read_contradictions,
)
from cellstats.reproduce.experiments import Answer, Answers, Ask
from cellstats.reproduce.running import Machines, Store, answered, built_in

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture


HERE = Path(__file__).parent.parent / "papers"


@dataclass(frozen=True)
class Figure:
    """A figure or table of a paper: one script."""

    paper: str
    name: str
    """Of the script, such as `figure4` or `table1`."""

    @cached_property
    def _script(self) -> ModuleType:
        return import_module(f"cellstats.papers.{self.paper}.{self.name}")

    @property
    def title(self) -> str:
        """The first line of the script's description."""
        return (self._script.__doc__ or self.name).strip().splitlines()[0].rstrip(".")

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """What it measures."""
        rows: Callable[[], Iterable[Ask]] = self._script.rows
        return tuple(dict.fromkeys(rows()))

    def charts(self, rows: Answers) -> list[Chart]:
        """Its panels, of rows in the order of `asks`; none for a table."""
        draw: Callable[[Answers], Iterable[Chart]] = self._script.draw
        return list(draw(rows))


@dataclass(frozen=True)
class Paper:
    """One paper."""

    file: PaperFile
    figures: tuple[Figure, ...]

    @property
    def key(self) -> str:
        """The name of its directory, such as `kistler2006`."""
        return self.file.key

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What it says, in the order of the file."""
        return self.file.claims

    def only(self, figure: str | None) -> "Paper | None":
        """The paper as if it had this figure only; None if it has no such figure.

        A figure is called by its script's name, or by its number.
        """
        names = {figure, f"figure{figure}", f"table{figure}"}
        chosen = tuple(each for each in self.figures if each.name in names)
        if not chosen:
            return None
        kept = {each.name for each in chosen}
        one = self.with_claims(claim for claim in self.claims if claim.figure in kept)
        return replace(one, figures=chosen)

    def with_claims(self, claims: Iterable[Claim]) -> "Paper":
        """The paper as if it claimed this only."""
        return replace(self, file=replace(self.file, claims=tuple(claims)))

    def asks_of(self, claim: Claim) -> set[Ask]:
        """The rows that answer a claim."""
        of = [figure for figure in self.figures if figure.name == claim.figure]
        return set(claim.metric.asks(of[0].asks)) if claim.metric is not None and of else set()


def paper_keys() -> list[str]:
    """All papers, by the year of their publication.

    >>> paper_keys()[0]
    'kistler2006'
    """
    keys = (path.parent.name for path in HERE.glob("*/claims.toml"))
    return sorted(keys, key=lambda key: (key.lstrip("abcdefghijklmnopqrstuvwxyz")[:4], key))


@cache
def contradictions() -> dict[str, Contradiction]:
    """All contradictions between papers, by id."""
    return read_contradictions(HERE / "contradictions.toml")


@cache
def paper(key: str, *, finished: bool = True) -> Paper:
    """The paper with this key; finished: with a reason for all that is off.

    Raises UsageError if there is none, or if its file is wrong.
    """
    if key not in paper_keys():
        raise UsageError(f"unknown paper {key!r}; {did_you_mean(key, paper_keys())}")
    file = read_claims(HERE / key / "claims.toml", contradictions(), finished=finished)
    return Paper(file, tuple(Figure(key, name) for name in file.figures))


def chosen(keys: Sequence[str], figure: str | None) -> list[Paper]:
    """These papers, or all; of them only one figure, if it is given.

    Raises UsageError if there is no such paper, or if none of them has such a figure.
    """
    papers = [paper(key) for key in dict.fromkeys(keys or paper_keys())]
    if figure is None:
        return papers
    with_it = [only for each in papers if (only := each.only(figure)) is not None]
    if not with_it:
        names = [name.name for each in papers for name in each.figures]
        raise refusal(f"{{figure}} {figure}: {did_you_mean(figure, list(dict.fromkeys(names)))}")
    return with_it


Verdict: TypeAlias = Literal["reproduced", "off", "out-of-reach", "method"]

MOVED = 0.02
"""Share by which a number that is off may move before its claim has to be written anew."""


@dataclass(frozen=True)
class Outcome(Showing):
    """A claim, and its simulated number."""

    claim: Claim
    simulated: float | None
    """None for a method, and for what is out of reach."""

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

    paper: Paper
    rows: Mapping[Figure, Answers]
    outcomes: Sequence[Outcome]

    def __repr__(self) -> str:
        # Not the outcomes: they would fill the terminal.
        return f"<Judged {self.paper.key}: {len(self.outcomes)} claims>"

    def __str__(self) -> str:
        return str(Scorecard([self]))

    def plot(self, figure: str | int | None = None) -> "Picture":
        """A figure of the paper: what is simulated, and what was published.

        figure: its name or number, such as `figure6` or 6; by default the first one.

        Raises UsageError where the paper has no such figure, and where matplotlib is missing.
        """
        return picture(self, figure=figure)


class Scorecard(list[Judged], Showing):
    """Papers, judged; `judge` makes it."""

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
