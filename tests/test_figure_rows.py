"""Correctness of the columns that only figures have: rings, stores, SPE programs."""

import pytest

from cellstats.reproduce import Experiment, Row, measured, programmed
from cellstats.reproduce.runs import measured_rows


def row(experiments: list[Experiment]) -> Row:
    [one] = measured_rows(experiments, progress=False).values()
    return one


def read(placement: str, **other: object) -> Row:
    common = {"spe_to_spe": True, "batch": 0, "size": "16k", "iterations": 50, **other}
    return row(list(measured("eval-board", "dmaget", placement=placement, **common)))


@pytest.mark.parametrize(("placement", "clockwise"), [("1,3", 1), ("3,1", 0)])
def test_lines_go_the_shorter_way(placement: str, clockwise: int) -> None:
    # The first SPE of the placement sends to the second. SPE 3 follows SPE 1 clockwise.
    assert read(placement)["clockwise_share"] == clockwise


def test_of_four_rings_one_flow_keeps_a_quarter_of_the_time_busy_or_a_little_more() -> None:
    # A cache line takes eight beats over one hop. The next one follows after eight cycles.
    one = read("1,3")
    assert 0.24 < one["ring_busy"] < 0.30
    assert 0 <= one["ring_evenness"] <= 1


def test_a_blade_counts_the_cell_that_is_busy() -> None:
    experiments = measured(
        "qs20", "dmaget", placement="9,11", spe_to_spe=True, batch=0, size="16k", iterations=50
    )
    assert row(list(experiments))["clockwise_share"] == 1


def test_nothing_on_the_rings_is_no_share() -> None:
    assert "clockwise_share" not in row(list(measured("ps3", "load", level="ls"))).columns


@pytest.mark.parametrize(("function", "times"), [("load", 1), ("store", 1 / 8), ("copy", 9 / 16)])
def test_stores_count_their_bytes_between_the_caches(function: str, times: float) -> None:
    experiments = measured("blade-2100", function, level="l1l2", size=16, iterations=1000)
    one = row(list(experiments))
    assert one["bandwidth_gb_s_stored"] == pytest.approx(times * one["bandwidth_gb_s"])


def test_a_stream_of_one_buffer_waits_for_each_dma() -> None:
    one, two = (
        row(list(programmed("ps3", "stream", spes=1, op="put", size=4096, depth=depth)))
        for depth in (1, 2)
    )
    [blocking] = measured_rows(
        measured("ps3", "dmaput", size=4096, iterations=100), progress=False
    ).values()
    assert one["bandwidth_gb_s"] == pytest.approx(blocking["bandwidth_gb_s"], rel=0.05)
    assert two["bandwidth_gb_s"] > 1.2 * one["bandwidth_gb_s"]


@pytest.mark.parametrize(("kind", "spu_cycles"), [("single", 128), ("double", 128 * 7)])
def test_a_loop_of_independent_instructions_takes_what_they_take(
    kind: str, spu_cycles: int
) -> None:
    experiments = list(programmed("eval-board", "loop", kind=kind, instructions=128))
    # The remaining cycles are used by the loop's counter and branch.
    assert 0 < row(experiments)["spu_cycles"] - spu_cycles < 12


def test_a_bounce_takes_more_than_a_private_atomic_operation_s_hits() -> None:
    turn = row(list(programmed("ps3", "bounce", turns=50)))["latency_ns"]
    more = row(list(programmed("ps3", "bounce", turns=100)))["latency_ns"]
    assert turn == pytest.approx(more, rel=0.05)
    # Forwarding a cache line takes at least one command phase, which lasts 50 bus cycles.
    assert turn > 50 * 0.625
