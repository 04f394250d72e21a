"""Claims of papers in a notebook: the scorecard, and what falls short."""

from typing import TYPE_CHECKING

from cellstats.notebook.parts import paragraph, table
from cellstats.reproduce.scorecard import HEAD, ORDER, published, score_rows, simulated

if TYPE_CHECKING:
    from cellstats.reproduce.judging import Judged, Outcome, Scorecard

_COLUMNS = ("claim", "verdict", "published", "simulated", "statement")


def scorecard(of: "Scorecard") -> str:
    """A row for each paper, and a row for each claim, those that fall short first."""
    outcomes = [outcome for judged in of for outcome in judged.outcomes]
    return table(HEAD, score_rows(of), list) + _claims(outcomes)


def judged(of: "Judged") -> str:
    """The same of one paper."""
    title = paragraph(of.paper.file.title, strong=True)
    return title + table(HEAD, score_rows([of]), list) + _claims(list(of.outcomes))


def outcome(of: "Outcome") -> str:
    """What was claimed, what came out, and the reason where it is not the same."""
    reason = of.claim.reason
    return _claims([of]) + (paragraph(reason) if reason else "")


def _claims(outcomes: "list[Outcome]") -> str:
    ordered = sorted(outcomes, key=lambda each: ORDER.index(each.verdict))
    return table(_COLUMNS, ordered, _cells)


def _cells(of: "Outcome") -> list[str]:
    claim = of.claim
    return [claim.id, of.verdict, published(claim), simulated(of), claim.statement]
