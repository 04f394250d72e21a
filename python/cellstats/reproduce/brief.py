"""Brief rows: what moves 32 MB for each SPE moves an eighth of that where only differences count.

Such rows are nearly all of the time that papers take. Bandwidth is an average, and has settled long
before: with brief rows hardly a claim of the papers has another verdict, and those that have are
answered by whole rows here, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

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
    """The answer to each row on the machines as they are."""
    outcomes: Mapping[str, Outcome]
    """By claim, on the machines as they are."""

    def judged(self, claims: Iterable[Claim], measured: Mapping[Ask, Answer]) -> list[Outcome]:
        """These of its claims, by what was measured elsewhere, and as known where nothing was."""
        found = {ask: measured.get(as_) or self.known[ask] for ask, as_ in self.rows.items()}
        return outcomes(self.paper.with_claims(claims), found)

    def asks_of(self, claim: Claim) -> set[Ask]:
        """The rows that are measured for a claim."""
        return {self.rows[ask] for ask in self.paper.asks_of(claim)}


def parts(
    judged: Sequence[Judged],
    store: Store | None = None,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> list[Part]:
    """The claims of each paper: by brief rows, and by whole ones where brief rows judge otherwise.

    store, jobs, executor: as for `cellstats.reproduce.running.answered`.
    """
    known = [_known(one) for one in judged]
    instead = {ask: brief(ask) for its in known for ask in its}
    new = [as_ for ask, as_ in instead.items() if as_ != ask]
    measured = answered(new, store, jobs=jobs, executor=executor) if new else {}
    found = []
    for one, its in zip(judged, known, strict=True):
        quick = {ask: measured.get(instead[ask]) or answer for ask, answer in its.items()}
        pairs = list(zip(one.outcomes, outcomes(one.paper, quick), strict=True))
        same = [short for whole, short in pairs if whole.agrees == short.agrees]
        other = [whole for whole, short in pairs if whole.agrees != short.agrees]
        found.append(_part(one.paper, same, instead, quick))
        found.append(_part(one.paper, other, {ask: ask for ask in its}, its))
    return [part for part in found if part.paper.claims]


def _known(judged: Judged) -> dict[Ask, Answer]:
    """The answers to the rows of its claims, in the order of its figures."""
    needed = {ask for claim in judged.paper.claims for ask in judged.paper.asks_of(claim)}
    pairs = (zip(figure.asks, rows, strict=True) for figure, rows in judged.rows.items())
    return {ask: answer for figure in pairs for ask, answer in figure if ask in needed}


def _part(
    paper: Paper,
    judged: Sequence[Outcome],
    rows: Mapping[Ask, Ask],
    known: Mapping[Ask, Answer],
) -> Part:
    own = paper.with_claims(each.claim for each in judged)
    return Part(own, {ask: rows[ask] for ask in known}, known, {o.claim.id: o for o in judged})
