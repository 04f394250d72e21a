"""Papers with their figures and claims, and the verdict on each claim.

`chosen` reads papers. `judge` measures all figures of the papers, and compares each claim with its
simulated number.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cellstats._native import UsageError
from cellstats.core.display import Showing, picture
from cellstats.core.refusal import known_keywords, refusal
from cellstats.core.words import did_you_mean
from cellstats.measure.progress import Progress
from cellstats.reproduce.claims import (
    Claim,
    Contradiction,
    PaperFile,
    read_claims,
    read_contradictions,
    read_introduction,
)
from cellstats.reproduce.experiments import Experiment, Row, Rows, settled
from cellstats.reproduce.facts import fact
from cellstats.reproduce.figures import Figure
from cellstats.reproduce.metric import Metric
from cellstats.reproduce.runs import Machines, Store, built_in, measure_groups
from cellstats.reproduce.settled import unsettled

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

FOLDER = Path(__file__).parent.parent / "papers"
"""Folder that contains a file for each paper, and a folder for each paper's `claims.toml`."""
MOVED = 0.02
"""Maximum relative change of an `off` claim's number before the claim must be updated."""

Verdict: TypeAlias = Literal["reproduced", "off", "cannot-be-met", "out-of-reach", "method"]


@dataclass(frozen=True)
class Paper:
    """One paper."""

    file: PaperFile
    figures: tuple[Figure, ...]

    @property
    def key(self) -> str:
        """Name of the paper's file and folder, such as `kistler2006`."""
        return self.file.key

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The paper's claims, in the order of `claims.toml`."""
        return self.file.claims

    @property
    def is_recalled(self) -> bool:
        """Whether the numbers were recalled without access to the paper. Claims of recalled papers
        are counted separately.
        """
        return self.file.basis == "recalled"

    @property
    def label(self) -> str:
        """The paper's key for tables, with a remark if the paper is recalled."""
        return f"{self.key}, recalled" if self.is_recalled else self.key

    def only(self, figure: str | None) -> "Paper | None":
        """The paper reduced to one figure and its claims, or None if the paper has no such figure.

        figure: the name or the number of the figure.
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
        """The paper reduced to these claims."""
        return replace(self, file=replace(self.file, claims=tuple(claims)))

    def experiments_of(self, claim: Claim) -> set[Experiment]:
        """The experiments that a claim needs, except those over all placements."""
        of = [figure for figure in self.figures if figure.name == claim.figure]
        if claim.metric is None or not of:
            return set()
        return set(claim.metric.experiments(of[0].experiments))


def paper_keys() -> list[str]:
    """The keys of all papers, sorted by year of publication.

    >>> paper_keys()[0]
    'kistler2006'
    """
    keys = (path.parent.name for path in FOLDER.glob("*/claims.toml"))
    return sorted(keys, key=lambda key: (key.lstrip("abcdefghijklmnopqrstuvwxyz")[:4], key))


def introductions() -> dict[str, dict[str, Any]]:
    """What each paper says about itself in its file: the table `[paper]`, by key.

    >>> introductions()["abellan2008ps3"]["about"]
    'CellStats on a PlayStation 3'
    """
    return {key: read_introduction(FOLDER / key / "claims.toml") for key in paper_keys()}


@cache
def contradictions() -> dict[str, Contradiction]:
    """All contradictions between papers, by id."""
    return read_contradictions(FOLDER / "contradictions.toml")


@cache
def paper(key: str, *, finished: bool = True) -> Paper:
    """The paper with this key. Raises UsageError if no paper has the key, or if its claims are
    invalid.

    finished: refuse placeholders for reasons that are not written yet.
    """
    if key not in paper_keys():
        raise UsageError(f"unknown paper {key!r}; {did_you_mean(key, paper_keys())}")
    # The modules of papers import this package, so this package imports them only here, by name.
    figures: tuple[Figure, ...] = import_module(f"cellstats.papers.{key}").FIGURES
    names = [figure.name for figure in figures]
    path = FOLDER / key / "claims.toml"
    return Paper(read_claims(path, names, contradictions(), finished=finished), figures)


def chosen(keys: Sequence[str], figure: str | None) -> list[Paper]:
    """The papers with these keys, or all papers if `keys` is empty. If `figure` is given, each
    paper is reduced to that figure.

    Raises UsageError if a paper does not exist, or if none of the papers has the figure.
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
    """A claim and its simulated number."""

    _kind = "claim"

    claim: Claim
    simulated: float | None
    """Number to compare with the claim; None if the claim is a method or out of reach."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """The numbers over ten placements and over all placements, if the claim is judged over both."""
    without: float | None = None
    """The simulated number without the disturbance of the paper's harness, if the disturbance
    changes it."""
    unsettled: int = 0
    """Number of runs behind the simulated number that did not settle; 0 if nothing may end
    early."""

    @property
    def agrees(self) -> bool | None:
        """Whether the simulated number agrees with the paper; None if nothing was measured."""
        return None if self.simulated is None else self.claim.agrees(self.simulated)

    @property
    def nearest_published(self) -> float | None:
        """The published number, or the number in a published range that is nearest to the simulated
        one.

        The value is None for an ordering or a trend, or if nothing was measured.
        """
        return None if self.simulated is None else self.claim.nearest_published(self.simulated)

    @property
    def deviation(self) -> float | None:
        """Relative distance from the published number; None if there is no published number."""
        if self.simulated is None or not self.nearest_published:
            return None
        return abs(self.simulated / self.nearest_published - 1)

    @property
    def verdict(self) -> Verdict:
        """Verdict on the simulated number. `surprise` compares it with `claims.toml`."""
        if self.claim.kind == "method":
            return "method"
        if self.simulated is None:
            return "out-of-reach"
        if self.agrees:
            return "reproduced"
        return "cannot-be-met" if self.claim.excluded_by else "off"

    @property
    def surprise(self) -> str | None:
        """Text that describes how the outcome differs from `claims.toml`; None if they agree."""
        claim, simulated = self.claim, self.simulated
        if simulated is None:
            return None
        if claim.status == "reproduced" and not self.agrees:
            return f"{claim.id} is no longer reproduced: {simulated:.4g} {claim.unit}".rstrip()
        if claim.status != "reproduced" and self.agrees:
            return f"{claim.id} is {claim.status} no more: {simulated:.4g} {claim.unit}".rstrip()
        before = claim.simulated
        if before is not None and abs(simulated - before) > MOVED * abs(before):
            moved = f"from {before:.4g} to {simulated:.4g}"
            return f"{claim.id} has moved {moved} {claim.unit}".rstrip()
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
            "cause": claim.cause,
            "reason": claim.reason or claim.how,
            "why": claim.why,
            "disagreements": list(claim.disagreements),
            "excluded_by": list(claim.excluded_by),
            "as_recorded": self.surprise is None,
        }


def published_value(claim: Claim) -> Any:
    """The published number, the two ends of a published range, or the published limits."""
    if claim.published is not None:
        both = isinstance(claim.published, tuple)
        return list(claim.published) if both else claim.published  # type: ignore[arg-type]
    limits = {"above": claim.above, "below": claim.below}
    return {name: limit for name, limit in limits.items() if limit is not None} or None


@dataclass(frozen=True, repr=False)
class Judged(Showing):
    """A paper, the rows of its figures, and the outcome of each claim."""

    _kind = "paper"

    paper: Paper
    rows: Mapping[Figure, Rows]
    outcomes: Sequence[Outcome]

    def __repr__(self) -> str:
        # The text omits the outcomes, which would fill the terminal.
        return f"<Judged {self.paper.key}: {len(self.outcomes)} claims>"

    def __str__(self) -> str:
        return str(Scorecard([self]))

    def plot(self, figure: str | int | None = None) -> "Picture":
        """Draw a figure of the paper, with simulated and published numbers.

        figure: name or number, such as `figure6` or 6; by default, the paper's first figure.

        Raises UsageError if the paper has no such figure, or if matplotlib is missing.
        """
        return picture(self, figure=figure)


class Scorecard(list[Judged], Showing):
    """List of judged papers, which `judge` returns."""

    _kind = "claims"

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
    exact: bool = False,
    bar: Progress | None = None,
    finished: Callable[[Judged], object] = lambda _: None,
) -> Scorecard:
    """Measure all figures of these papers, and judge all claims.

    executor, jobs: how the runs are distributed, as for `cellstats.sweep`.
    exact: whether long runs are simulated in full even if they have settled, and averages over all
        placements take each of them, not one of each orbit.
    bar: counts the runs; by default, a new one does, which is silent in a log without `progress`.
    finished: called with each paper as soon as it is judged. The papers with the least work come
        first, but the result has the papers in the order in which they were given.
    """
    every = list(papers)
    judged: dict[int, Judged] = {}

    def quick(experiment: Experiment) -> Experiment:
        return experiment if exact else settled(experiment.by_symmetry())

    def measured(nth: int, rows: Mapping[Experiment, Row]) -> None:
        each = every[nth]
        own = {e: rows[quick(e)] for figure in each.figures for e in figure.experiments}
        of_figures = {figure: Rows(own[e] for e in figure.experiments) for figure in each.figures}
        judged[nth] = Judged(each, of_figures, outcomes(each, own))
        finished(judged[nth])

    groups = {
        nth: [quick(experiment) for figure in each.figures for experiment in figure.experiments]
        for nth, each in enumerate(every)
    }
    with nullcontext(bar) if bar is not None else Progress(always=progress) as counting:
        measure_groups(groups, measured, store, counting, executor=executor, jobs=jobs)
    return Scorecard(judged[nth] for nth in groups)


def outcomes(
    paper: Paper, rows: Mapping[Experiment, Row], machines: Machines = built_in
) -> list[Outcome]:
    """The outcome of each claim. `rows` must contain the experiments of the paper's claims."""
    figures = {figure.name: figure for figure in paper.figures}

    def rows_of(name: str) -> dict[Experiment, Row]:
        return {each: rows[each] for each in figures[name].experiments if each in rows}

    return [_disturbed(_outcome(claim, rows_of, machines), paper) for claim in paper.claims]


def _disturbed(outcome: Outcome, paper: Paper) -> Outcome:
    """Adjust an outcome to the number that the paper's own harness would have measured."""
    disturbance, simulated = paper.file.disturbance, outcome.simulated
    if disturbance is None or simulated is None or outcome.claim.figure not in disturbance.figures:
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
        rows = rows_of(claim.figure)
        found = [_number(claim, claim.metric, rows)]
        behind = _unsettled(claim.metric, rows)
        # The sensitivity analysis has only the rows over ten placements.
        if claim.all_placements is not None and (every := rows_of(claim.all_placements)):
            found.append(_number(claim, claim.metric, every))
            behind += _unsettled(claim.metric, every)
    except UsageError as error:
        raise UsageError(f"{claim.paper}, {claim.id}: {error}") from None
    numbers = dict(found)
    simulated = max(numbers.values(), key=claim.distance)
    return Outcome(claim, simulated, numbers if len(numbers) > 1 else {}, unsettled=behind)


def _unsettled(metric: Metric, rows: Mapping[Experiment, Row]) -> int:
    return unsettled(rows[each].columns for each in metric.experiments(list(rows)))


_PLACEMENTS: Mapping[Any, str] = {"orbits": "one placement of each orbit"}


def _number(claim: Claim, metric: Metric, rows: Mapping[Experiment, Row]) -> tuple[str, float]:
    """The number of placements as text, and the metric's number that agrees least."""
    which = {rows[each].columns.get("which") for each in metric.selected(rows)}
    kinds = (_PLACEMENTS.get(each, f"{each} placements") for each in which)
    words = " and ".join(sorted(kinds))
    # A claim about several numbers must agree with the number that is farthest off.
    return words, max(metric.values(rows), key=claim.distance)
