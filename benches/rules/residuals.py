"""How far a machine is from what was published: residuals of claims, and one number of them all."""

from collections.abc import Iterable, Mapping

from cellstats.reproduce.claims import Claim

CAP = 9.0
"""The most that one claim counts: three tolerances, squared. A hopeless one does not rule."""


def residual(claim: Claim, number: float) -> float:
    """Distance from what was published, in tolerances: up to 1 the claim is reproduced.

    Between both ends of a published range it is 0; so it is for a trend that holds, else 1.
    """
    if claim.published is None:
        return 0.0 if claim.agrees(number) else 1.0
    ends = claim.published if isinstance(claim.published, tuple) else (claim.published,) * 2
    low, high = float(ends[0]), float(ends[1])
    away = max(low - number, number - high, 0.0)
    if away == 0:
        return 0.0
    unit = scale(claim, number)
    return away / unit if unit else CAP


def scale(claim: Claim, number: float) -> float:
    """One tolerance of a claim, at the published end nearest to a number, in the claim's unit.

    Orders and trends have the usual tolerance of their limit; what is compared with 0 has none.
    """
    limits = (claim.above, claim.below) if claim.published is None else claim.published
    ends = limits if isinstance(limits, tuple) else (limits,)
    nearest = min(
        (float(end) for end in ends if end is not None), key=lambda end: abs(number - end)
    )
    return claim.tolerance * abs(nearest)


def loss(claim: Claim, number: float) -> float:
    """The residual squared, capped."""
    return min(residual(claim, number) ** 2, CAP)


def objective(claims: Iterable[Claim], numbers: Mapping[str, float]) -> float:
    """The mean loss of these claims: 0 is all as published, 1 all at the edge of agreeing."""
    losses = [loss(claim, numbers[claim.id]) for claim in claims]
    return sum(losses) / len(losses)


def reproduced(claims: Iterable[Claim], numbers: Mapping[str, float]) -> int:
    """How many claims agree."""
    return sum(claim.agrees(numbers[claim.id]) for claim in claims)
