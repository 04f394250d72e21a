"""Which claims lean on which guess: tables of what `cellstats reproduce --sensitivity` found.

`docs/leanings.csv` is its `sensitivity.csv`. The text of claims and the ranges of guesses are read
from where they stand.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellstats.reproduce.claims import Claim
from cellstats.reproduce.guesses import MOVES, Guess, guesses
from cellstats.reproduce.judging import published_value
from cellstats.reproduce.published import chosen

FOUND = Path(__file__).resolve().parents[1] / "leanings.csv"


@dataclass(frozen=True)
class Move:
    """A claim's number with a guess at one end of its range."""

    key: str
    value: float
    claim: str
    simulated: float
    there: float
    flips: bool
    """Whether the verdict changes."""


def moves(path: Path = FOUND) -> list[Move]:
    """All that was found."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Move(
                row["key"],
                float(row["value"]),
                row["claim"],
                float(row["simulated"]),
                float(row["simulated_there"]),
                row["verdict_changes"] == "True",
            )
            for row in csv.DictReader(file)
        ]


def measured_claims() -> dict[str, Claim]:
    """All claims of papers that rows are measured for, by id."""
    return {
        claim.id: claim
        for paper in chosen((), None)
        for claim in paper.claims
        if paper.asks_of(claim)
    }


def all_guesses() -> dict[str, Guess]:
    """The guesses about all machines that papers are measured on, by key."""
    machines = sorted({name for paper in chosen((), None) for name in paper.file.machines})
    return {guess.key: guess for guess in guesses(machines)}


def papers() -> str:
    """A row for each paper: on how many guesses its claims lean, and what could agree."""
    claims, leaning = measured_claims(), _by_claim(moves())
    counts = []
    for paper in chosen((), None):
        own = [claim for claim in paper.claims if claim.id in claims]
        on = [len({move.key for move in leaning.get(c.id, ())}) for c in own if _agrees(c)]
        off = [claim.id in leaning for claim in own if not _agrees(claim)]
        few = on.count(1) + on.count(2)
        counts.append([len(on), on.count(0), few, len(on) - on.count(0) - few, len(off), sum(off)])
    names = [*(paper.key for paper in chosen((), None)), "all"]
    counts.append([sum(column) for column in zip(*counts, strict=True)])
    leans = ("lean on no guess", "on one or two", "on more")
    heads = ("paper", "reproduced", *leans, "off", "would agree at an end")
    rows = [[name, *row] for name, row in zip(names, counts, strict=True)]
    return _table(heads, rows, numbers=range(1, 7))


def by_guess() -> str:
    """A row for each guess that changes a verdict: its range, and the claims at either end."""
    found, known = moves(), all_guesses()
    claims = measured_claims()
    rows = []
    for key in _most_first(found):
        own = [move for move in found if move.key == key]
        moved = {move.claim for move in own} - {move.claim for move in own if move.flips}
        said = f"`{key}`: {known[key].meaning}"
        rows.append([said, known[key].ranges, _ends(own, claims), len(moved)])
    quiet = [f"`{key}`" for key in known if key not in {move.key for move in found if move.flips}]
    heads = ("guess", "value and range", "verdicts that change", f"other numbers, by {MOVES:.0%}")
    table = _table(heads, rows, numbers=[3])
    return f"{table}\n\nThese {len(quiet)} change no verdict: {', '.join(quiet)}."


def by_claim() -> str:
    """A row for each claim that leans on a guess: what the paper says, and what becomes of it."""
    leaning = _by_claim(moves())
    rows = [
        [
            f'<a id="{claim.id}"></a>{claim.id}',
            f"{_escaped(claim.statement)} *{claim.paper}, {_escaped(claim.place)}*",
            _published(claim),
            f"{leaning[claim.id][0].simulated:.4g}" + ("" if _agrees(claim) else " (off)"),
            "<br>".join(_becomes(leaning[claim.id])),
        ]
        for claim in measured_claims().values()
        if claim.id in leaning
    ]
    heads = ("claim", "what it says", "published", "simulated", "with the guess at an end")
    return _table(heads, rows)


TABLES = {"papers": papers, "guesses": by_guess, "claims": by_claim}


def _by_claim(found: Iterable[Move]) -> dict[str, list[Move]]:
    claims: dict[str, list[Move]] = {}
    for move in found:
        if move.flips:
            claims.setdefault(move.claim, []).append(move)
    return claims


def _most_first(found: Iterable[Move]) -> list[str]:
    claims: dict[str, set[str]] = {}
    for move in found:
        if move.flips:
            claims.setdefault(move.key, set()).add(move.claim)
    return sorted(claims, key=lambda key: -len(claims[key]))


def _agrees(claim: Claim) -> bool:
    return claim.status == "reproduced"


def _ends(own: Iterable[Move], claims: Mapping[str, Claim]) -> str:
    """What either end loses, of what is reproduced, and what it wins, of what is off."""
    at: dict[float, dict[str, list[str]]] = {}
    for move in own:
        if move.flips:
            word = "loses" if _agrees(claims[move.claim]) else "wins"
            link = f'<a href="#{move.claim}">{move.claim}</a>'
            at.setdefault(move.value, {}).setdefault(word, []).append(link)
    return "<br>".join(
        f"at {value:g} " + ", and ".join(f"{word} {', '.join(ends[word])}" for word in sorted(ends))
        for value, ends in sorted(at.items())
    )


def _becomes(found: Sequence[Move]) -> Iterator[str]:
    keys: dict[str, list[Move]] = {}
    for move in found:
        keys.setdefault(move.key, []).append(move)
    for key, own in keys.items():
        yield f"`{key}` " + ", ".join(f"{move.value:g}: {move.there:.4g}" for move in own)


def _published(claim: Claim) -> str:
    value = published_value(claim)
    if isinstance(value, Mapping):
        text = " and ".join(f"{name} {limit:g}" for name, limit in value.items())
    elif isinstance(value, list):
        text = " to ".join(f"{end:g}" for end in value)
    else:
        text = f"{value:g}"
    return f"{text} {claim.unit}".rstrip()


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def _table(
    heads: Sequence[str], rows: Iterable[Sequence[object]], numbers: Iterable[int] = ()
) -> str:
    right = {*numbers}
    rule = ["---:" if nth in right else "---" for nth in range(len(heads))]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in (heads, rule, *rows))
