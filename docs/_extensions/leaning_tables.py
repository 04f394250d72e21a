"""Tables of the claims that are sensitive to guesses, from `cellstats reproduce --sensitivity`.

`docs/leanings.csv` is a copy of its `sensitivity.csv`. The text of the claims comes from `papers/`,
and the ranges of the guesses come from the machine files.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from cellstats.reproduce.claims import Claim
from cellstats.reproduce.guesses import MOVES, Guess, Leaning, Shift, guesses
from cellstats.reproduce.judging import Outcome, chosen
from cellstats.show.claims import published

FOUND = Path(__file__).resolve().parents[1] / "leanings.csv"


def rows() -> list[dict[str, str]]:
    """The rows of the file: a claim's value with one guess at one end of its range."""
    with FOUND.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def leanings() -> list[Leaning]:
    """The sensitivities to each guess; guesses that change most claims come first."""
    claims, known = measured_claims(), all_guesses()
    shifts: dict[str, list[Shift]] = {key: [] for key in known}
    for row in rows():
        before = Outcome(claims[row["claim"]], float(row["simulated"]))
        shift = Shift(before, float(row["value"]), float(row["simulated_there"]))
        shifts[row["key"]].append(shift)
    found = [Leaning(guess, shifts[key], []) for key, guess in known.items()]
    return sorted(found, key=lambda each: -len(_ids(each.flips)))


def measured_claims() -> dict[str, Claim]:
    """All claims with measured rows, by id."""
    return {
        claim.id: claim
        for paper in chosen((), None)
        for claim in paper.claims
        if paper.asks_of(claim)
    }


def all_guesses() -> dict[str, Guess]:
    """The guesses of all machines of the papers, by key."""
    machines = sorted({name for paper in chosen((), None) for name in paper.file.machines})
    return {guess.key: guess for guess in guesses(machines)}


def papers() -> str:
    """A row for each paper: how many of its claims are sensitive, and how many could agree."""
    claims, leaning = measured_claims(), _by_claim()
    counts = []
    for paper in chosen((), None):
        own = [claim for claim in paper.claims if claim.id in claims]
        on = [len(leaning.get(claim.id, {})) for claim in own if _agrees(claim)]
        off = [claim.id in leaning for claim in own if not _agrees(claim)]
        few = on.count(1) + on.count(2)
        counts.append([len(on), on.count(0), few, len(on) - on.count(0) - few, len(off), sum(off)])
    names = [*(paper.key for paper in chosen((), None)), "all"]
    counts.append([sum(column) for column in zip(*counts, strict=True)])
    leans = ("sensitive to no guess", "to one or two", "to more")
    heads = ("paper", "reproduced", *leans, "off", "would agree at an end")
    lines = [[name, *row] for name, row in zip(names, counts, strict=True)]
    return _table(heads, lines, numbers=range(1, 7))


def by_guess() -> str:
    """A row for each guess that changes a verdict: its range, and the claims lost or gained."""
    found = [each for each in leanings() if each.flips]
    lines = [
        [
            f"`{each.guess.key}`: {each.guess.meaning}",
            each.guess.ranges,
            _ends(each.flips),
            len(_ids(each.moves) - _ids(each.flips)),
        ]
        for each in found
    ]
    quiet = [f"`{each.guess.key}`" for each in leanings() if not each.flips]
    heads = ("guess", "value and range", "changed verdicts", f"other numbers, by {MOVES:.0%}")
    table = _table(heads, lines, numbers=[3])
    return f"{table}\n\nThese {len(quiet)} guesses change no verdict: {', '.join(quiet)}."


def by_claim() -> str:
    """A row for each sensitive claim: what the paper says, and its value at the ends of guesses."""
    leaning = _by_claim()
    lines = []
    for claim in measured_claims().values():
        if claim.id in leaning:
            before = next(iter(leaning[claim.id].values()))[0].before
            lines.append(
                [
                    f'<a id="{claim.id}"></a>{claim.id}',
                    f"{_escaped(claim.statement)} *{claim.paper}, {_escaped(claim.place)}*",
                    published(claim),
                    f"{before.simulated:.4g}" + ("" if _agrees(claim) else " (off)"),
                    "<br>".join(_becomes(leaning[claim.id])),
                ]
            )
    heads = ("claim", "statement", "published", "simulated", "with the guess at an end")
    return _table(heads, lines)


TABLES = {"papers": papers, "guesses": by_guess, "claims": by_claim}


def _ids(shifts: Iterable[Shift]) -> set[str]:
    return {shift.before.claim.id for shift in shifts}


def _by_claim() -> dict[str, dict[str, list[Shift]]]:
    """The guesses, by key, that change the verdict of each claim, with the changes."""
    claims: dict[str, dict[str, list[Shift]]] = {}
    for each in leanings():
        for shift in each.flips:
            own = claims.setdefault(shift.before.claim.id, {})
            own.setdefault(each.guess.key, []).append(shift)
    return claims


def _agrees(claim: Claim) -> bool:
    return claim.status == "reproduced"


def _ends(flips: Iterable[Shift]) -> str:
    """Reproduced claims that either end loses, and missed claims that it gains."""
    at: dict[float, dict[str, list[str]]] = {}
    for shift in flips:
        claim = shift.before.claim
        word = "loses" if _agrees(claim) else "gains"
        link = f'<a href="#{claim.id}">{claim.id}</a>'
        at.setdefault(shift.value, {}).setdefault(word, []).append(link)
    return "<br>".join(
        f"at {value:g} " + ", and ".join(f"{word} {', '.join(ends[word])}" for word in sorted(ends))
        for value, ends in sorted(at.items())
    )


def _becomes(guesses_of: dict[str, list[Shift]]) -> Iterator[str]:
    for key, shifts in guesses_of.items():
        yield f"`{key}` " + ", ".join(f"{shift.value:g}: {shift.after:.4g}" for shift in shifts)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def _table(
    heads: Sequence[str], lines: Iterable[Sequence[object]], numbers: Iterable[int] = ()
) -> str:
    right = {*numbers}
    rule = ["---:" if nth in right else "---" for nth in range(len(heads))]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in (heads, rule, *lines))
