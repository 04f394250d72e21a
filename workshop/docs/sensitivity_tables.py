"""Which claims depend on which guess: tables from `cellstats reproduce --sensitivity`.

`docs/sensitivity.csv` has the rows of that command's `sensitivity.csv` in which a verdict changes.
The texts of claims come from `claims.toml`, and the ranges of guesses come from the machine files.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from cellstats.reproduce.claims import Claim
from cellstats.reproduce.guesses import Guess, guesses
from cellstats.reproduce.sensitivity import Change, Sensitivity
from cellstats.reproduce.verdicts import Outcome, chosen
from cellstats.show.claims import published

FOUND = Path(__file__).resolve().parents[2] / "docs" / "sensitivity.csv"


def rows() -> list[dict[str, str]]:
    """The rows of the file: a claim, and an end of a guess at which its verdict changes."""
    with FOUND.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def sensitivities() -> list[Sensitivity]:
    """The claims that depend on each guess; the guesses with most claims come first."""
    claims, known = measured_claims(), all_guesses()
    changes: dict[str, list[Change]] = {key: [] for key in known}
    for row in rows():
        before = Outcome(claims[row["claim"]], float(row["simulated"]))
        change = Change(before, float(row["value"]), float(row["simulated_there"]))
        changes[row["key"]].append(change)
    found = [Sensitivity(guess, changes[key], []) for key, guess in known.items()]
    return sorted(found, key=lambda each: -len(_ids(each.flips)))


def measured_claims() -> dict[str, Claim]:
    """All claims that are answered by measured rows, by id."""
    return {
        claim.id: claim
        for paper in chosen((), None)
        for claim in paper.claims
        if paper.experiments_of(claim)
    }


def all_guesses() -> dict[str, Guess]:
    """The guesses of all machines on which papers are measured, by key."""
    machines = sorted({name for paper in chosen((), None) for name in paper.file.machines})
    return {guess.key: guess for guess in guesses(machines)}


def papers() -> str:
    """A row for each paper: how many claims depend on guesses, and how many could agree."""
    claims, dependent = measured_claims(), _by_claim()
    counts = []
    for paper in chosen((), None):
        own = [claim for claim in paper.claims if claim.id in claims]
        on = [len(dependent.get(claim.id, {})) for claim in own if _agrees(claim)]
        off = [claim.id in dependent for claim in own if not _agrees(claim)]
        few = on.count(1) + on.count(2)
        counts.append([len(on), on.count(0), few, len(on) - on.count(0) - few, len(off), sum(off)])
    names = [*(paper.key for paper in chosen((), None)), "all"]
    counts.append([sum(column) for column in zip(*counts, strict=True)])
    depends = ("depend on no guess", "on one or two", "on more")
    heads = ("paper", "reproduced", *depends, "off", "would agree at an end")
    lines = [[name, *row] for name, row in zip(names, counts, strict=True)]
    return _table(heads, lines, numbers=range(1, 7))


def by_guess() -> str:
    """A row for each guess that changes a verdict: its range, and the claims at either end."""
    found = [each for each in sensitivities() if each.flips]
    lines = [
        [
            f"`{each.guess.key}`: {each.guess.meaning}",
            each.guess.ranges,
            _ends(each.flips),
        ]
        for each in found
    ]
    quiet = [f"`{each.guess.key}`" for each in sensitivities() if not each.flips]
    table = _table(("guess", "value and range", "verdicts that change"), lines)
    return (
        f"{table}\n\nThese {len(quiet)} guesses change no verdict, or are newer than the tables: "
        f"{', '.join(quiet)}."
    )


def by_claim() -> str:
    """A row for each claim that depends on a guess: its statement, and its numbers at the ends."""
    dependent = _by_claim()
    lines = []
    for claim in measured_claims().values():
        if claim.id in dependent:
            before = next(iter(dependent[claim.id].values()))[0].before
            lines.append(
                [
                    f'<a id="{claim.id}"></a>{claim.id}',
                    f"{_escaped(claim.statement)} *{claim.paper}, {_escaped(claim.place)}*",
                    published(claim),
                    f"{before.simulated:.4g}" + ("" if _agrees(claim) else " (off)"),
                    "<br>".join(_becomes(dependent[claim.id])),
                ]
            )
    heads = ("claim", "statement", "published", "simulated", "with the guess at an end")
    return _table(heads, lines)


TABLES = {"papers": papers, "guesses": by_guess, "claims": by_claim}


def _ids(changes: Iterable[Change]) -> set[str]:
    return {change.before.claim.id for change in changes}


def _by_claim() -> dict[str, dict[str, list[Change]]]:
    """For each dependent claim, its changes by the key of the guess."""
    claims: dict[str, dict[str, list[Change]]] = {}
    for each in sensitivities():
        for change in each.flips:
            own = claims.setdefault(change.before.claim.id, {})
            own.setdefault(each.guess.key, []).append(change)
    return claims


def _agrees(claim: Claim) -> bool:
    return claim.status == "reproduced"


def _ends(flips: Iterable[Change]) -> str:
    """The reproduced claims that each end loses, and the claims that are off that it wins."""
    at: dict[float, dict[str, list[str]]] = {}
    for change in flips:
        claim = change.before.claim
        word = "loses" if _agrees(claim) else "wins"
        link = f'<a href="#{claim.id}">{claim.id}</a>'
        at.setdefault(change.value, {}).setdefault(word, []).append(link)
    return "<br>".join(
        f"at {value:g} " + ", and ".join(f"{word} {', '.join(ends[word])}" for word in sorted(ends))
        for value, ends in sorted(at.items())
    )


def _becomes(guesses_of: dict[str, list[Change]]) -> Iterator[str]:
    for key, changes in guesses_of.items():
        yield f"`{key}` " + ", ".join(f"{change.value:g}: {change.after:.4g}" for change in changes)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def _table(
    heads: Sequence[str], lines: Iterable[Sequence[object]], numbers: Iterable[int] = ()
) -> str:
    right = {*numbers}
    rule = ["---:" if nth in right else "---" for nth in range(len(heads))]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in (heads, rule, *lines))
