"""Brief rows: what moves 32 MB for each SPE moves an eighth of that where only differences count.

Such rows are nearly all of the time that papers take. Bandwidth is an average, and has settled long
before: with brief rows hardly a claim of the papers has another verdict, and those that have are
answered by whole rows here, too.
"""

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property

from cellstats.measure.request import request
from cellstats.reproduce.answers import Answer
from cellstats.reproduce.asks import Ask
from cellstats.reproduce.claims import Claim
from cellstats.reproduce.judging import Judged, Outcome, outcomes
from cellstats.reproduce.published import Paper
from cellstats.reproduce.running import answered, built_in
from cellstats.reproduce.store import Store

_SHARE = 8
_IN_BULK = ("couples", "cycle", "hotspot")


def brief(ask: Ask) -> Ask:
    """The row with an eighth of its iterations; the row itself unless it moves a pattern's 32 MB.

    >>> from cellstats.reproduce.asks import measured
    >>> [row] = measured("ps3", "couples", spes=2)
    >>> brief(row).given
    (('spes', 2), ('iterations', 128))
    """
    if ask.function not in _IN_BULK or "iterations" in dict(ask.given):
        return ask
    [row, *_] = ask.rows(built_in(ask.machine))
    whole = request(built_in(ask.machine).native, row.function, row.parameters).iterations()
    return replace(ask, given=(*ask.given, ("iterations", max(whole // _SHARE, 1))))


@dataclass(frozen=True)
class Part:
    """Claims of a paper that are judged in one way: all by whole rows, or all by brief ones."""

    paper: Paper
    """With only these claims."""
    rows: Mapping[Ask, Ask]
    """For each row that answers them the one that is measured."""
    known: Mapping[Ask, Answer]
    """The answers to those on the machines as they are."""

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """The claims on the machines as they are, by their ids."""
        return {each.claim.id: each for each in self.judged({})}

    def judged(self, measured: Mapping[Ask, Answer]) -> list[Outcome]:
        """The claims, by what was measured elsewhere, and as known where nothing was."""
        found = {ask: measured.get(as_) or self.known[as_] for ask, as_ in self.rows.items()}
        return outcomes(self.paper, found)

    def with_claims(self, claims: Iterable[Claim]) -> "Part":
        """With only these of its claims."""
        return replace(self, paper=self.paper.with_claims(claims))

    def asks_of(self, claim: Claim) -> set[Ask]:
        """The rows that are measured for a claim."""
        return {self.rows[ask] for ask in self.paper.asks_of(claim)}


def parts(
    judged: Iterable[Judged],
    store: Store | None = None,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> list[Part]:
    """The claims of each paper: by brief rows, and by whole ones where brief rows judge otherwise.

    store, jobs, executor: as for `cellstats.reproduce.running.answered`.
    """
    whole = [_whole(each) for each in judged]
    instead = {ask: brief(ask) for part in whole for ask in _asks(part)}
    short = [as_ for ask, as_ in instead.items() if as_ != ask]
    measured = answered(short, store, jobs=jobs, executor=executor) if short else {}
    found = []
    for part in whole:
        rows = {ask: instead[ask] for ask in _asks(part)}
        quick = Part(part.paper, rows, {**part.known, **measured})
        same = {
            claim.id
            for claim in part.paper.claims
            if quick.outcomes[claim.id].agrees == part.outcomes[claim.id].agrees
        }
        found.append(quick.with_claims(c for c in part.paper.claims if c.id in same))
        found.append(part.with_claims(c for c in part.paper.claims if c.id not in same))
    return [part for part in found if part.paper.claims]


def _whole(judged: Judged) -> Part:
    pairs = (zip(figure.asks, rows, strict=True) for figure, rows in judged.rows.items())
    known = dict(pair for figure in pairs for pair in figure)
    return Part(judged.paper, {ask: ask for ask in known}, known)


def _asks(part: Part) -> list[Ask]:
    asks = {ask for claim in part.paper.claims for ask in part.paper.asks_of(claim)}
    return [ask for ask in part.rows if ask in asks]
