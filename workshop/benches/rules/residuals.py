"""The distance of a machine from published values: residuals, and one number for all claims."""

from collections.abc import Iterable, Mapping

from cellstats.reproduce.claims import Claim

CAP = 9.0
"""Maximum loss of one claim: the square of three tolerances, so that no claim dominates."""


def residual(claim: Claim, number: float) -> float:
    """Distance from the published value in tolerances; at most 1 if the claim is reproduced.

    The distance is 0 inside a published range. For a trend, the distance is 0 if the trend holds,
    and 1 if not.
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
    """One tolerance, in the claim's unit, at the end of the published range nearest to a number.

    Orderings and trends have the usual tolerance of their limit; a comparison with 0 has no
    tolerance.
    """
    limits = (claim.above, claim.below) if claim.published is None else claim.published
    ends = limits if isinstance(limits, tuple) else (limits,)
    nearest = min(
        (float(end) for end in ends if end is not None), key=lambda end: abs(number - end)
    )
    return claim.tolerance * abs(nearest)


def loss(claim: Claim, number: float) -> float:
    """The squared residual, up to the cap."""
    return min(residual(claim, number) ** 2, CAP)


def objective(claims: Iterable[Claim], numbers: Mapping[str, float]) -> float:
    """The mean loss of these claims: 0 if all match, 1 if all are at the edge of tolerance."""
    losses = [loss(claim, numbers[claim.id]) for claim in claims]
    return sum(losses) / len(losses)


def reproduced(claims: Iterable[Claim], numbers: Mapping[str, float]) -> int:
    """Number of claims that agree."""
    return sum(claim.agrees(numbers[claim.id]) for claim in claims)
