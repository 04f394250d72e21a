"""Claims of papers: the format of `claims.toml`, and the rule by which a number agrees with a
claim.

The file begins with a description of the paper:

    [paper]
    about = "…"              # a line for help
    measured = "…"           # what the source measured, for the guide
    title = "…"
    authors = "…"
    published = "…"
    basis = "read"           # the default; or "recalled" (without access), not in sums
    machines = ["ps3"]

If the source's measuring harness slows down everything that it times, the file declares this once,
with evidence:

    [paper.disturbance]
    factor = 1.08            # the harness measures 1.08 ns for 1 ns
    figures = ["eib"]        # the figures that it timed
    range = [1.07, 1.09]     # the range that the evidence allows
    basis = "derived"        # or "measured", "assumed"
    source = "…"             # the evidence, which must not be a number that the factor adjusts

Each simulated time, rate and share of time of these figures is adjusted to the value that this
harness would have measured.

The claims follow. Each claim has an id, which consists of the paper's letter and the statement's
number: `C017`. A statement with several numbers has several claims, each with its own suffix:
`C017.six`.

    [[claim]]
    id = "C017"
    kind = "measured"        # the default; or "held-out", "read-back", "machine", "method"
    statement = "…"          # in our words
    place = "Figure 3"       # position of the statement in the paper
    figure = "figure3"       # the figure with the rows that answer the claim
    metric = { of = "latency_ns", where = { private = true } }
    all_placements = "…"     # another figure: the same rows over all placements instead of ten
    published = 135          # or a range [2, 3]; or, in its place, above = 1, below = 1 or both
    unit = "ns"
    approximate = true       # the paper says about, around, almost: tolerance 10 % instead of 5 %
    tolerance = 0.15         # a wider tolerance, and
    why = "…"                # the reason for it, and for a range that accepts more than ±10 %
    status = "off"           # or "reproduced", "out-of-reach"
    simulated = 171          # the simulated number of a claim that is off or held out
    cause = "rings"          # the kind of its cause, from `cellstats.reproduce.causes`
    reason = "…"             # the cause in words, and what was tried
    excluded_by = ["C031"]   # claims with which no machine can agree if it agrees with this one

`cellstats.reproduce.metric` describes `metric`. A claim with `all_placements` must agree with the
rows of both figures. The kinds of claims:

* `measured`: a metric of measured rows.
* `held-out`: also a metric of measured rows. The number was entered before it was simulated, and no
  rule or value of the simulator was chosen from it, so it judges all rules. The tolerance is 10 %.
* `read-back`: also a metric of measured rows. Agreement says little about the model, because the
  machine file's values listed in `reads` were chosen from the claim's own number.
* `machine`: describes the hardware only, and is compared with the machine file by its `facts`
  (`cellstats.reproduce.facts`).
* `method`: describes how the paper measured something. The field `how` describes how CellStats
  measures it.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypeAlias

from cellstats._native import UsageError
from cellstats.core.words import did_you_mean
from cellstats.reproduce.causes import CAUSES
from cellstats.reproduce.disturbance import Disturbance
from cellstats.reproduce.metric import Metric

PLAIN, ABOUT = 0.05, 0.10
"""Tolerances of numbers that papers state exactly, and of numbers that papers call approximate."""
HELD_OUT = ABOUT
"""Tolerance of numbers that nothing was fitted to."""
UNSAID = "?"
"""Placeholder that `workshop/claims.py` writes as the cause and the reason of a claim that is no
longer reproduced."""
KINDS = ("measured", "held-out", "read-back", "machine", "method")
BASES = ("read", "recalled")
STATUSES = ("reproduced", "off", "out-of-reach")
_ID = re.compile(r"[A-Z]\d{3}(\.[a-z0-9-]+)?")

Kind: TypeAlias = Literal["measured", "held-out", "read-back", "machine", "method"]
Basis: TypeAlias = Literal["read", "recalled"]
Status: TypeAlias = Literal["reproduced", "off", "out-of-reach"]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One claim of a paper. The module's docstring explains the fields."""

    id: str
    paper: str
    statement: str
    place: str
    kind: Kind = "measured"
    figure: str | None = None
    metric: Metric | None = None
    all_placements: str | None = None
    """Name of the figure that has these rows over all placements instead of over ten."""
    reads: tuple[str, ...] = ()
    """Keys of the machine values that were chosen from this claim's number."""
    facts: Mapping[str, Any] | None = None
    how: str | None = None
    published: float | tuple[float, float] | None = None
    above: float | None = None
    below: float | None = None
    unit: str = ""
    approximate: bool = False
    tolerance: float = PLAIN
    why: str | None = None
    status: Status | None = None
    simulated: float | None = None
    """The simulated number when `claims.toml` was written; None unless the claim is off or held
    out."""
    cause: str | None = None
    """Kind of the cause why the claim is not reproduced; None if it is reproduced."""
    reason: str | None = None
    disagreements: tuple[str, ...] = ()
    """Ids of the contradictions between papers that involve this claim."""
    excluded_by: tuple[str, ...] = ()
    """Ids of claims with which no machine can agree if it agrees with this claim."""

    @property
    def row(self) -> str:
        """Id of the statement: `C017` for `C017.six`."""
        return self.id.partition(".")[0]

    @property
    def is_exact(self) -> bool:
        """Whether the claim is an ordering or a trend, which has no tolerance."""
        return self.published is None

    @property
    def leniency(self) -> float | None:
        """Half the width of the interval of agreeing numbers, divided by the interval's midpoint.

        For a single published number, the value equals `tolerance`; for a published range, it is
        greater. The value is None for an interval that is open on one side.
        """
        if self.published is not None:
            low, high = self._ends()
        elif self.above is not None and self.below is not None:
            low, high = self.above, self.below
        else:
            return None
        return (high - low) / abs(high + low) if high + low else None

    @property
    def is_lenient(self) -> bool:
        """Whether the claim's tolerance is wider than that of approximate numbers."""
        return self.leniency is not None and self.leniency > ABOUT * (1 + 1e-9)

    def agrees(self, simulated: float) -> bool:
        """Whether a simulated number agrees with the published number or limits."""
        return self.distance(simulated) <= 0

    def distance(self, simulated: float) -> float:
        """Distance to the nearest number that would agree; zero or less if the number agrees."""
        if self.published is not None:
            low, high = self._ends()
            middle, half = (low + high) / 2, (high - low) / 2
            # The factor 1 + 1e-9 allows for rounding errors at the ends of the range.
            return abs(simulated - middle) - half * (1 + 1e-9)
        outside = []
        if self.above is not None:
            outside.append(self.above - simulated)
        if self.below is not None:
            outside.append(simulated - self.below)
        # A number that is equal to a limit does not agree.
        return max(outside) or 1e-12

    def nearest_published(self, simulated: float) -> float | None:
        """The published number, or the number in a published range that is nearest to `simulated`.

        Returns None for an ordering or a trend.
        """
        if self.published is None:
            return None
        low, high = self._published_ends()
        return min(max(simulated, low), high)

    def _published_ends(self) -> tuple[float, float]:
        both = self.published if isinstance(self.published, tuple) else (self.published,) * 2
        return float(both[0] or 0), float(both[1] or 0)

    def _ends(self) -> tuple[float, float]:
        low, high = self._published_ends()
        return low - self.tolerance * abs(low), high + self.tolerance * abs(high)


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """A contradiction between papers, and its explanation."""

    id: str
    topic: str
    says: str
    """The statements of the papers."""
    believed: str
    """The mechanism, or the difference between machines, that explains the contradiction."""
    evidence: str


@dataclass(frozen=True, kw_only=True)
class PaperFile:
    """One `claims.toml`."""

    key: str
    title: str
    authors: str
    published: str
    machines: tuple[str, ...]
    basis: Basis = "read"
    """Whether the numbers were read in the paper, or recalled by people who had read the paper
    before."""
    disturbance: Disturbance | None = None
    claims: tuple[Claim, ...] = field(repr=False)


def read_claims(
    path: Path,
    figures: Sequence[str],
    contradictions: Mapping[str, Contradiction],
    *,
    finished: bool = True,
) -> PaperFile:
    """Read and check a `claims.toml`. Raises UsageError, whose message names the invalid claim and
    the reason.

    figures: names of the paper's figures.
    finished: refuse placeholders for reasons that are not written yet.
    """
    data = _toml(path)
    key = path.parent.name
    needed = ("about", "measured", "title", "authors", "published", "machines")
    _check_keys(data, ("paper", "claim"), f"{path}")
    paper = data.get("paper", {})
    _check_keys(paper, (*needed, "basis", "disturbance"), f"{path}: [paper]")
    for name in needed:
        if name not in paper:
            raise UsageError(f"{path}: [paper] lacks {name}; it needs {', '.join(needed)}")
    basis = paper.get("basis", "read")
    if basis not in BASES:
        raise UsageError(f"{path}: [paper] basis {did_you_mean(basis, BASES)}")
    claims = tuple(_claim(key, entry, path) for entry in data.get("claim", []))
    seen: set[str] = set()
    for claim in claims:
        where = f"{path}: {claim.id}"
        if claim.id in seen:
            raise UsageError(f"{where} appears twice; give each claim an id of its own")
        seen.add(claim.id)
        if finished and UNSAID in (claim.cause, claim.reason):
            raise UsageError(f"{where} is off now; replace {UNSAID!r} by its cause and its reason")
        for figure in (claim.figure, claim.all_placements):
            if figure is not None and figure not in figures:
                raise UsageError(f"{where}: figure {did_you_mean(figure, figures)}")
        for each in claim.disagreements:
            if each not in contradictions:
                raise UsageError(f"{where}: disagreement {each!r} is not in contradictions.toml")
    words = {name: paper[name] for name in ("title", "authors", "published")}
    machines = tuple(paper["machines"])
    disturbance = _disturbance(paper.get("disturbance"), f"{path}: [paper.disturbance]")
    return PaperFile(
        key=key,
        machines=machines,
        basis=basis,
        disturbance=disturbance,
        claims=claims,
        **words,
    )


def _disturbance(table: Mapping[str, Any] | None, where: str) -> Disturbance | None:
    if table is None:
        return None
    needed = [each.name for each in fields(Disturbance)]
    _check_keys(table, needed, where)
    for name in needed:
        if name not in table:
            raise UsageError(f"{where} lacks {name}; it needs {', '.join(needed)}")
    low, high = table["range"]
    if not low <= table["factor"] <= high:
        raise UsageError(f"{where}: factor {table['factor']} is outside its range")
    return Disturbance(**{**table, "range": (low, high), "figures": tuple(table["figures"])})


def read_contradictions(path: Path) -> dict[str, Contradiction]:
    """The contradictions of `contradictions.toml`, by id."""
    known = [each.name for each in fields(Contradiction)]
    found = {}
    for entry in _toml(path)["contradiction"]:
        _check_keys(entry, known, f"{path}: {entry.get('id')}")
        found[entry["id"]] = Contradiction(**entry)
    return found


def read_introduction(path: Path) -> dict[str, Any]:
    """The table `[paper]` of a `claims.toml`, without the time that its claims would take."""
    paper: dict[str, Any] = _toml(path, until="\n[[claim]]").get("paper", {})
    if missing := [key for key in ("about", "measured") if key not in paper]:
        raise UsageError(f"{path}: [paper] has no {missing[0]}; say it in a few words")
    return paper


def _toml(path: Path, until: str | None = None) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text if until is None else text.partition(until)[0])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: {error}; a claims file is TOML") from None


def _claim(paper: str, entry: Mapping[str, Any], path: Path) -> Claim:
    name = str(entry.get("id"))
    where = f"{path}: {name}"

    def wrong(what: str) -> UsageError:
        return UsageError(f"{where}: {what}")

    if not _ID.fullmatch(name):
        raise wrong("an id is a letter and three digits, and perhaps a dot and a name: C017.six")
    _check_keys(entry, [each.name for each in fields(Claim) if each.name != "paper"], where)
    given = dict(entry)
    if given.get("kind", "measured") not in KINDS:
        raise wrong(f"kind {given['kind']!r}; {did_you_mean(given['kind'], KINDS)}")
    if "metric" in given:
        given["metric"] = Metric.of_table(given["metric"], where)
    if isinstance(given.get("published"), list):
        given["published"] = tuple(given["published"])
    if "tolerance" in given and "why" not in given:
        raise wrong('a tolerance of its own needs its reason, why = "…"')
    usual = HELD_OUT if given.get("kind") == "held-out" else PLAIN
    given.setdefault("tolerance", ABOUT if given.get("approximate") else usual)
    for several in ("disagreements", "excluded_by", "reads"):
        given[several] = tuple(given.get(several, ()))
    try:
        claim = Claim(paper=paper, **given)
    except TypeError as error:
        raise wrong(f"{error}") from None
    if claim.is_lenient and claim.why is None:
        raise wrong('what accepts more than 10 % needs its reason, why = "…"')
    problem = _problem(claim)
    if problem:
        raise wrong(problem)
    return claim


def _problem(claim: Claim) -> str | None:
    """Returns a description of missing or conflicting keys, or None if the claim is valid."""
    limits = [claim.published, claim.above, claim.below]
    if claim.kind == "method":
        return None if claim.how else 'a method needs how = "…": how it is measured here'
    if claim.status not in STATUSES:
        return f"status {claim.status!r}; give one of {', '.join(STATUSES)}"
    if claim.status != "reproduced" and not claim.reason:
        return f'what is {claim.status} needs reason = "…": why, and what was tried'
    if problem := _problem_of_cause(claim):
        return problem
    if claim.status == "out-of-reach":
        return None
    if (claim.status == "off" or claim.kind == "held-out") and claim.simulated is None:
        return "what is off or held out needs simulated = …: what comes out"
    if claim.published is not None and (claim.above, claim.below) != (None, None):
        return "published, or above and below, not both"
    if all(limit is None for limit in limits):
        return "published, above or below has to say what would agree"
    if (claim.kind == "read-back") != bool(claim.reads):
        return 'kind = "read-back" and reads = [ … ], the values that it reads back, go together'
    if claim.kind == "machine":
        return None if claim.facts else "a machine's facts are missing: facts = { … }"
    if claim.metric is None or claim.figure is None:
        return "a measured claim needs figure and metric"
    return None


def _problem_of_cause(claim: Claim) -> str | None:
    if claim.status == "reproduced":
        return None if claim.cause is None else "cause is for what is not reproduced; remove it"
    if claim.cause is None:
        return f"what is {claim.status} needs cause = …: one of {', '.join(CAUSES)}"
    if claim.cause not in (*CAUSES, UNSAID):
        return f"cause {did_you_mean(claim.cause, list(CAUSES))}"
    if claim.excluded_by and claim.cause not in ("contradiction", UNSAID):
        return 'excluded_by goes with cause = "contradiction"'
    return None


def _check_keys(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for name in table:
        if name not in known:
            raise UsageError(f"{where}: unknown key {name!r}; {did_you_mean(name, list(known))}")
