"""Cross-validation: chooses the best machine by some claims, and judges it by the others.

A machine that was chosen by all claims fits them better than it would fit new measurements. Claims
that are left out of the choice show the difference.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

from benches.rules.measuring import Numbers
from benches.rules.residuals import loss
from cellstats.reproduce.claims import Claim

Group: TypeAlias = tuple[str, ...]
"""Ids of claims that always stay in the same part of a split."""
SHARE = 2 / 3
"""Fraction of the groups by which the machine is chosen."""


@dataclass(frozen=True)
class Split:
    """A chosen machine, and its predictions."""

    left_out: str
    """A paper, or the number of a random split."""
    machine: int
    """The machine that was chosen."""
    fit: float
    """Mean loss of the claims by which the machine was chosen."""
    predicted: float
    """Mean loss of the claims that were left out."""
    unchanged: float
    """Mean loss of the claims that were left out, for the unchanged machine (the first)."""
    best: float
    """Mean loss of the left-out claims for the machine that fits them best: a lower bound."""


def by_row(claims: Sequence[Claim]) -> list[Group]:
    """Groups the claims of one statement, which are one measurement with several numbers."""
    found: dict[tuple[str, str], list[str]] = {}
    for claim in claims:
        found.setdefault((claim.paper, claim.row), []).append(claim.id)
    return [tuple(ids) for ids in found.values()]


def random_splits(groups: Sequence[Group], count: int, seed: int) -> Iterator[tuple[str, Group]]:
    """The name of each split, and the claims that it leaves out."""
    chance = random.Random(seed)
    for number in range(count):
        shuffled = chance.sample(list(groups), len(groups))
        kept = round(SHARE * len(groups))
        yield str(number), tuple(name for group in shuffled[kept:] for name in group)


def papers(claims: Sequence[Claim]) -> Iterator[tuple[str, Group]]:
    """Splits that leave out one paper each."""
    for paper in dict.fromkeys(claim.paper for claim in claims):
        yield paper, tuple(claim.id for claim in claims if claim.paper == paper)


def validate(
    claims: Sequence[Claim],
    machines: Sequence[Numbers],
    left_out: Iterator[tuple[str, Group]],
) -> list[Split]:
    """Choose a machine for each split; among equally good machines, the first one."""
    losses = [{claim.id: loss(claim, each[claim.id]) for claim in claims} for each in machines]
    totals = [sum(each.values()) for each in losses]
    found = []
    for name, ids in left_out:
        if not ids or len(ids) == len(claims):
            continue
        outside = [sum(each[one] for one in ids) for each in losses]
        inside = [total - out for total, out in zip(totals, outside, strict=True)]
        chosen = min(range(len(machines)), key=lambda nth: inside[nth])
        rest = len(claims) - len(ids)
        fit, predicted = inside[chosen] / rest, outside[chosen] / len(ids)
        best = min(outside) / len(ids)
        found.append(Split(name, chosen, fit, predicted, outside[0] / len(ids), best))
    return found


def means(splits: Sequence[Split]) -> Mapping[str, float]:
    """The mean of each number over all splits."""
    names = ("fit", "predicted", "unchanged", "best")
    return {name: fmean(getattr(split, name) for split in splits) for name in names}
