"""The bench for rules: experimental designs, and effects computed from them."""

import pytest

from benches.rules.design import effects, hadamard, plackett_burman


@pytest.mark.parametrize("factors", [1, 3, 7, 11, 12, 16, 23, 30, 47, 65])
@pytest.mark.parametrize("folded", [False, True])
def test_factors_are_balanced_and_orthogonal(factors: int, folded: bool) -> None:
    design = plackett_burman(factors, folded=folded)
    columns = list(zip(*design, strict=True))
    assert len(columns) == factors < len(design)
    for nth, one in enumerate(columns):
        assert sum(one) == 0
        for other in columns[:nth]:
            assert sum(a * b for a, b in zip(one, other, strict=True)) == 0


def test_a_design_is_little_larger_than_its_factors() -> None:
    for factors in range(1, 110):
        assert len(plackett_burman(factors)) <= factors + 12


def test_orders_that_are_not_known_are_refused() -> None:
    for order in (6, 28, 36):
        with pytest.raises(ValueError, match="no design of"):
            hadamard(order)


def test_effects_are_those_that_were_put_in() -> None:
    design = plackett_burman(7)
    response = [10 + 3 * row[0] - 0.5 * row[4] for row in design]
    assert effects(design, response) == pytest.approx([6, 0, 0, 0, -1, 0, 0])


def test_what_two_factors_do_together_is_nobodys_in_a_folded_design() -> None:
    design = plackett_burman(7, folded=True)
    together = [float(row[0] * row[1]) for row in design]
    assert effects(design, together) == pytest.approx([0.0] * 7)
    plain = plackett_burman(7)
    assert any(abs(each) > 0.5 for each in effects(plain, [float(r[0] * r[1]) for r in plain]))


def test_runs_without_a_response_are_left_out() -> None:
    design = plackett_burman(3)
    response = [None if row[0] > 0 else 1.0 for row in design]
    assert effects(design, response)[0] == 0
    some = [5.0 + row[1] for row in design]
    assert effects(design, [None, *some[1:]])[1] == pytest.approx(2)
