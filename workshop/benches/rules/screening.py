"""Screening: the effect of each factor on claims and on the objective, by a two-level design."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benches.rules.bench import Bench
from benches.rules.design import effects, plackett_burman
from benches.rules.factors import Factor
from benches.rules.machines import Value
from benches.rules.measuring import Numbers
from benches.rules.residuals import objective, scale
from cellstats.reproduce.claims import Claim

NAMED = 4
"""Number of claims listed for a factor, namely the claims that change most."""


@dataclass(frozen=True)
class Effect:
    """The effect of a factor from its low to its high level, averaged over the other factors."""

    factor: Factor
    objective: float
    """Change of the objective; a negative change means that the high level is better."""
    claims: dict[str, float]
    """Change of each claim's number, in tolerances of the claim."""

    @property
    def moved(self) -> list[str]:
        """The claims, in decreasing order of their change."""
        return sorted(self.claims, key=lambda name: -abs(self.claims[name]))


def screen(bench: Bench, factors: Sequence[Factor], *, folded: bool) -> tuple[list[Effect], int]:
    """The effects of all factors, largest first, and the number of refused runs."""
    design = plackett_burman(len(factors), folded=folded)
    found = bench.numbers([levels(factors, row) for row in design])
    claims = bench.evidence.claims
    losses = [None if each is None else objective(claims, each) for each in found]
    of_all = effects(design, losses)
    by_claim = {claim.id: effects(design, _in_tolerances(claim, found)) for claim in claims}
    answer = [
        Effect(factor, of_all[nth], {name: each[nth] for name, each in by_claim.items()})
        for nth, factor in enumerate(factors)
    ]
    return sorted(answer, key=lambda each: -abs(each.objective)), losses.count(None)


def levels(factors: Sequence[Factor], row: Sequence[int]) -> dict[str, Value]:
    """The values of one run of a design."""
    pairs = zip(factors, row, strict=True)
    return {factor.name: factor.ends[1 if sign > 0 else 0] for factor, sign in pairs}


def lines(found: Sequence[Effect]) -> Iterator[list[str]]:
    """A text table with one row for each factor."""
    yield ["factor", "low", "high", "objective", "claims that it moves most, in tolerances"]
    for each in found:
        low, high = each.factor.ends
        moved = [f"{name} {each.claims[name]:+.1f}" for name in each.moved[:NAMED]]
        yield [each.factor.name, str(low), str(high), f"{each.objective:+.3f}", ", ".join(moved)]


def rows(found: Sequence[Effect]) -> Iterator[dict[str, str | float]]:
    """A machine-readable row for each pair of factor and claim; the objective counts as a claim."""
    for each in found:
        for claim, effect in {"objective": each.objective, **each.claims}.items():
            yield {"factor": each.factor.name, "claim": claim, "effect": effect}


def _in_tolerances(claim: Claim, found: Sequence[Numbers | None]) -> list[float | None]:
    numbers = [None if each is None else each[claim.id] for each in found]
    middle = [each for each in numbers if each is not None]
    unit = (scale(claim, middle[0]) if middle else 0) or 1.0
    return [None if each is None else each / unit for each in numbers]
