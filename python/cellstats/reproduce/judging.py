"""Judging: papers with their figures and claims, and the verdict on each claim.

`chosen` reads papers. `judge` measures all their figures, and compares each claim with its
simulated number.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cellstats._native import UsageError
from cellstats.core.refusal import known_keywords, refusal
from cellstats.core.showing import Showing, picture
from cellstats.core.words import did_you_mean
from cellstats.reproduce.claims import (
    Claim,
    Contradiction,
    PaperFile,
    read_claims,
    read_contradictions,
)
from cellstats.reproduce.experiments import Experiment, Row, Rows
from cellstats.reproduce.facts import fact
from cellstats.reproduce.figures import Figure
from cellstats.reproduce.metric import Metric
from cellstats.reproduce.running import Machines, Store, built_in, measured_rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

PAPERS = Path(__file__).parent.parent / "papers"
"""The folder with a file for each paper, and a folder for each paper's `claims.toml`."""
MOVED = 0.02
"""Maximum relative change of an `off` claim's number before the claim must be updated."""

Verdict: TypeAlias = Literal["reproduced", "off", "out-of-reach", "method"]


@dataclass(frozen=True)
class Paper:
    """One paper."""

    file: PaperFile
    figures: tuple[Figure, ...]

    @property
    def key(self) -> str:
        """The name of its file and folder, such as `kistler2006`."""
        return self.file.key

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Its claims, in the order of the file."""
        return self.file.claims

    @property
    def is_recalled(self) -> bool:
        """Whether nobody had the paper at hand; its claims are counted apart."""
        return self.file.basis == "recalled"

    @property
    def label(self) -> str:
        """Its key in tables; says if the paper is recalled."""
        return f"{self.key}, recalled" if self.is_recalled else self.key

    def only(self, figure: str | None) -> "Paper | None":
        """The paper with only this figure and its claims; None if it has no such figure.

        figure: the name of the figure, or its number.
        """
        names = {figure, f"figure{figure}", f"table{figure}"}
        chosen = tuple(each for each in self.figures if each.name in names)
        if not chosen:
            return None
        kept = {each.name for each in chosen}
        claims = [claim for claim in self.claims if claim.figure in kept]
        kept |= {claim.all_placements for claim in claims if claim.all_placements}
        one = self.with_claims(claims)
        return replace(one, figures=tuple(each for each in self.figures if each.name in kept))

    def with_claims(self, claims: Iterable[Claim]) -> "Paper":
        """The paper with only these claims."""
        return replace(self, file=replace(self.file, claims=tuple(claims)))

    def experiments_of(self, claim: Claim) -> set[Experiment]:
        """The experiments that a claim needs; of an average over placements, only the ten."""
        of = [figure for figure in self.figures if figure.name == claim.figure]
        if claim.metric is None or not of:
            return set()
        return set(claim.metric.experiments(of[0].experiments))


def paper_keys() -> list[str]:
    """The keys of all papers, by the year of publication.

    >>> paper_keys()[0]
    'kistler2006'
    """
    keys = (path.parent.name for path in PAPERS.glob("*/claims.toml"))
    return sorted(keys, key=lambda key: (key.lstrip("abcdefghijklmnopqrstuvwxyz")[:4], key))


@cache
def contradictions() -> dict[str, Contradiction]:
    """All contradictions between papers, by id."""
    return read_contradictions(PAPERS / "contradictions.toml")


@cache
def paper(key: str, *, finished: bool = True) -> Paper:
    """The paper with this key. Raises UsageError if there is none, or if its claims are wrong.

    finished: refuse placeholders of reasons that nobody has written yet.
    """
    if key not in paper_keys():
        raise UsageError(f"unknown paper {key!r}; {did_you_mean(key, paper_keys())}")
    # Papers import this package; it imports them only here, by name, to get their figures.
    figures: tuple[Figure, ...] = import_module(f"cellstats.papers.{key}").FIGURES
    names = [figure.name for figure in figures]
    path = PAPERS / key / "claims.toml"
    return Paper(read_claims(path, names, contradictions(), finished=finished), figures)


def chosen(keys: Sequence[str], figure: str | None) -> list[Paper]:
    """These papers, or all papers if `keys` is empty; with only one figure if it is given.

    Raises UsageError if there is no such paper, or if none of the papers has such a figure.
    """
    papers = [paper(key) for key in dict.fromkeys(keys or paper_keys())]
    if figure is None:
        return papers
    with_it = [only for each in papers if (only := each.only(figure)) is not None]
    if not with_it:
        names = [each.name for paper in papers for each in paper.figures]
        raise refusal(f"{{figure}} {figure}: {did_you_mean(figure, list(dict.fromkeys(names)))}")
    return with_it


@dataclass(frozen=True)
class Outcome(Showing):
    """A claim, and its simulated number."""

    claim: Claim
    simulated: float | None
    """None for a method, and for a claim that is out of reach."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """The numbers over ten and over all placements, if the claim is judged over both."""
    without: float | None = None
    """The simulated number without the disturbance of the paper's harness, if that matters."""

    @property
    def agrees(self) -> bool | None:
        """Whether the number agrees with the paper; None if nothing was measured."""
        return None if self.simulated is None else self.claim.agrees(self.simulated)

    @property
    def nearest_published(self) -> float | None:
        """The published number; of a range, the number nearest to the simulated one.

        None for an ordering or a trend, or if nothing was measured.
        """
        return None if self.simulated is None else self.claim.nearest_published(self.simulated)

    @property
    def deviation(self) -> float | None:
        """The distance from the published number, as a share of it; None without such a number."""
        if self.simulated is None or not self.nearest_published:
            return None
        return abs(self.simulated / self.nearest_published - 1)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the number; if it differs from `claims.toml`, there is a `surprise`."""
        if self.claim.kind == "method":
            return "method"
        if self.simulated is None:
            return "out-of-reach"
        return "reproduced" if self.agrees else "off"

    @property
    def surprise(self) -> str | None:
        """The difference between the outcome and `claims.toml`, in words; None if they agree."""
        claim, simulated = self.claim, self.simulated
        if simulated is None:
            return None
        if claim.status == "reproduced" and not self.agrees:
            return f"{claim.id} is no longer reproduced: {simulated:.4g} {claim.unit}".rstrip()
        if claim.status != "reproduced" and self.agrees:
            return f"{claim.id} is {claim.status} no more: {simulated:.4g} {claim.unit}".rstrip()
        before = claim.simulated
        if before is not None and abs(simulated - before) > MOVED * abs(before):
            return (
                f"{claim.id} has moved from {before:.4g} to {simulated:.4g} {claim.unit}".rstrip()
            )
        return None

    def to_dict(self) -> dict[str, Any]:
        """The outcome's columns in JSON and CSV."""
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
            "deviation": self.deviation,
            "numbers": dict(self.numbers),
            "without_disturbance": self.without,
            "unit": claim.unit,
            "tolerance": None if claim.is_exact else claim.tolerance,
            "status": self.verdict,
            "reason": claim.reason or claim.how,
            "why": claim.why,
            "disagreements": list(claim.disagreements),
            "as_recorded": self.surprise is None,
        }


def published_value(claim: Claim) -> Any:
    """The published number, the two ends of a range, or the limits."""
    if claim.published is not None:
        both = isinstance(claim.published, tuple)
        return list(claim.published) if both else claim.published  # type: ignore[arg-type]
    limits = {"above": claim.above, "below": claim.below}
    return {name: limit for name, limit in limits.items() if limit is not None} or None


@dataclass(frozen=True, repr=False)
class Judged(Showing):
    """A paper, the rows of its figures, and the outcome of each claim."""

    paper: Paper
    rows: Mapping[Figure, Rows]
    outcomes: Sequence[Outcome]

    def __repr__(self) -> str:
        # Omits the outcomes, which would fill the terminal.
        return f"<Judged {self.paper.key}: {len(self.outcomes)} claims>"

    def __str__(self) -> str:
        return str(Scorecard([self]))

    def plot(self, figure: str | int | None = None) -> "Picture":
        """A figure of the paper, simulated and published.

        figure: its name or number, such as `figure6` or 6; by default the first one.

        Raises UsageError if the paper has no such figure, or if matplotlib is missing.
        """
        return picture(self, figure=figure)


class Scorecard(list[Judged], Showing):
    """Judged papers, as `judge` returns them."""

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

    executor, jobs: how the runs are distributed, as for `cellstats.sweep`.
    """
    every = list(papers)
    experiments = [e for each in every for figure in each.figures for e in figure.experiments]
    rows = measured_rows(experiments, store, executor=executor, jobs=jobs, progress=progress)
    return Scorecard(
        Judged(
            each,
            {figure: Rows(rows[e] for e in figure.experiments) for figure in each.figures},
            outcomes(each, rows),
        )
        for each in every
    )


def outcomes(
    paper: Paper, rows: Mapping[Experiment, Row], machines: Machines = built_in
) -> list[Outcome]:
    """The outcome of each claim; `rows` needs only the experiments of these claims."""
    figures = {figure.name: figure for figure in paper.figures}

    def rows_of(name: str) -> dict[Experiment, Row]:
        return {each: rows[each] for each in figures[name].experiments if each in rows}

    return [_disturbed(_outcome(claim, rows_of, machines), paper) for claim in paper.claims]


def _disturbed(outcome: Outcome, paper: Paper) -> Outcome:
    """The outcome as the paper's own harness would have found it."""
    disturbance, simulated = paper.file.disturbance, outcome.simulated
    if disturbance is None or simulated is None:
        return outcome
    found = disturbance.found(simulated, outcome.claim.unit)
    return outcome if found == simulated else replace(outcome, simulated=found, without=simulated)


def _outcome(
    claim: Claim, rows_of: Callable[[str], Mapping[Experiment, Row]], machines: Machines
) -> Outcome:
    try:
        if claim.facts is not None:
            return Outcome(claim, fact(claim.facts, machines))
        if claim.metric is None or claim.figure is None:
            return Outcome(claim, None)
        found = [_number(claim, claim.metric, rows_of(claim.figure))]
        # Sensitivity has only the rows over ten placements.
        if claim.all_placements is not None and (rows := rows_of(claim.all_placements)):
            found.append(_number(claim, claim.metric, rows))
    except UsageError as error:
        raise UsageError(f"{claim.paper}, {claim.id}: {error}") from None
    numbers = dict(found)
    simulated = max(numbers.values(), key=claim.distance)
    return Outcome(claim, simulated, numbers if len(numbers) > 1 else {})


def _number(claim: Claim, metric: Metric, rows: Mapping[Experiment, Row]) -> tuple[str, float]:
    """The number of placements, in words, and the metric's number that is farthest off."""
    which = {each.columns.get("which") for each in metric.selected(rows)}
    words = " and ".join(sorted(f"{each} placements" for each in which))
    # A claim about several numbers must hold for the number that is farthest off.
    return words, max(metric.values(rows), key=claim.distance)
