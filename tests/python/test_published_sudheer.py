"""Does the blade still show what sudheer2009 says of messages between its two Cells?"""

from functools import cache
from typing import Any

import pytest

import cellstats as cs

PLAIN, ABOUT = 0.05, 0.10
QS20 = cs.machine("qs20")
VALUES = {row["key"]: row["value"] for row in QS20.values()}
ACROSS, WITHIN = "0,8", "0,1"


@cache
def measure(function: str, iterations: int = 1_000, **parameters: Any) -> cs.Result:
    return QS20.measure(function, iterations=iterations, **parameters)


def gb_s(result: cs.Result) -> float:
    assert result.bandwidth_gb_s is not None
    return result.bandwidth_gb_s


# Section 3: messages between the Cells, of 16 KB and, as four DMAs, of 64 KB.

PAIRS = ",".join(f"{spe},{spe + 8}" for spe in range(8))
LIMITS = pytest.mark.parametrize(("op", "limit_gb_s"), [("put", 30), ("get", 20)])


def message(op: str, placement: str, dmas: int) -> float:
    """Couples: the first of each two puts to the second, on Cell 1, or gets from it."""
    parameters = {"op": op, "placement": placement, "size": 16384, "batch": dmas}
    return gb_s(measure("couples", 64, **parameters))


def test_the_interface_carries_30_gb_s_one_way_and_20_the_other() -> None:
    lane = VALUES["bif.lane_bytes_per_second"] / 1e9
    carried = [lane * VALUES[f"bif.lanes_from_chip_{chip}"] for chip in (0, 1)]
    assert carried == pytest.approx([30, 20], rel=ABOUT)
    # abellan2008blade has 20 GB/s each way.
    assert min(carried) == pytest.approx(20, rel=PLAIN)


@LIMITS
@pytest.mark.parametrize("dmas", [1, 4])
def test_one_pair_is_far_from_the_limit(op: str, dmas: int, limit_gb_s: float) -> None:
    assert message(op, ACROSS, dmas) < limit_gb_s / 2


@LIMITS
@pytest.mark.parametrize("dmas", [1, 4])
def test_many_pairs_do_not_reach_it_either(op: str, dmas: int, limit_gb_s: float) -> None:
    assert message(op, ACROSS, dmas) < message(op, PAIRS, dmas) < 0.9 * limit_gb_s


@pytest.mark.parametrize("op", ["get", "put"])
def test_a_pair_of_two_cells_has_much_less_than_one_of_the_same(op: str) -> None:
    assert message(op, ACROSS, 1) < message(op, WITHIN, 1) / 2
