"""The bench for rules: residuals of claims, and splits of the claims."""

from typing import Any

import pytest

from benches.rules.residuals import CAP, loss, objective, reproduced, residual
from benches.rules.validation import by_row, papers, random_splits, validate
from cellstats.reproduce.claims import Claim


def claim(name: str = "K001", paper: str = "one", **more: Any) -> Claim:
    return Claim(id=name, paper=paper, statement="s", place="p", status="reproduced", **more)


def test_a_residual_is_in_tolerances_and_1_at_the_edge() -> None:
    one = claim(published=100.0, tolerance=0.1)
    assert [residual(one, number) for number in (100, 110, 85)] == pytest.approx([0, 1, 1.5])
    assert loss(one, 85) == pytest.approx(2.25)
    assert loss(one, 1e6) == CAP
    for number in (90.1, 109.9, 89.9, 110.1):
        assert (residual(one, number) <= 1) == one.agrees(number)


def test_a_range_has_none_inside_and_each_end_its_own_tolerance() -> None:
    both = claim(published=(10.0, 40.0), tolerance=0.05)
    assert [residual(both, number) for number in (10, 25, 40)] == [0, 0, 0]
    assert [residual(both, number) for number in (9, 44)] == pytest.approx([2, 2])


def test_a_trend_holds_or_not() -> None:
    trend = claim(above=1.0, below=2.0)
    assert [residual(trend, number) for number in (1.5, 1.0, 0.1, 7)] == [0, 1, 1, 1]


def test_what_is_compared_with_nothing_is_hopeless_or_right() -> None:
    nothing = claim(published=0.0)
    assert [loss(nothing, number) for number in (0, 0.1)] == [0, CAP]


def test_the_objective_is_the_mean_loss() -> None:
    some = [claim("K001", published=100.0), claim("K002", above=1.0)]
    numbers = {"K001": 110.0, "K002": 0.5}
    assert objective(some, numbers) == pytest.approx((4 + 1) / 2)
    assert reproduced(some, {"K001": 104.0, "K002": 0.5}) == 1


SOME = [claim(f"{paper}00{row}.{n}", paper) for paper in "KJ" for row in range(6) for n in "ab"]


def test_claims_of_one_statement_stay_together() -> None:
    groups = by_row(SOME)
    assert len(groups) == 12
    for _, left_out in random_splits(groups, 50, seed=1):
        assert len(left_out) == 8
        for group in groups:
            assert len(set(group) & set(left_out)) in (0, len(group))


def test_equal_seeds_are_equal_splits() -> None:
    groups = by_row(SOME)
    one, same, other = (list(random_splits(groups, 5, seed)) for seed in (1, 1, 2))
    assert one == same != other


def test_each_paper_is_left_out_once() -> None:
    assert [(name, len(ids)) for name, ids in papers(SOME)] == [("K", 12), ("J", 12)]


def test_what_is_chosen_without_a_claim_is_judged_by_it() -> None:
    claims = [claim("K001", "one", published=10.0), claim("J001", "two", published=10.0)]
    # The second machine agrees with the first paper, but not with the second paper.
    machines = [{"K001": 10.4, "J001": 10.4}, {"K001": 10.0, "J001": 11.0}]
    without_one, without_two = validate(claims, machines, papers(claims))
    assert (without_one.machine, without_two.machine) == (0, 1)
    assert (without_two.fit, without_two.predicted) == pytest.approx((0, 4))
    assert (without_two.unchanged, without_two.best) == pytest.approx((0.64, 0.64))
