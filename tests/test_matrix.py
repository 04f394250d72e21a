"""The matrix of SPEs: placements of all pairs, and symmetric latencies."""

import pytest

import cellstats as cs
from cellstats.measure.matrices import Matrix, pairs


@pytest.mark.parametrize("machine", ["ps3", "eval-board"])
@pytest.mark.parametrize("function", ["mailbox", "signal"])
def test_mailboxes_and_signals_cost_the_same_both_ways(function: str, machine: str) -> None:
    matrix = cs.matrix(function, machine=machine, iterations=1000)
    spes = len(cs.machine(machine).spes)
    # If a loop ends between two ticks of the clock, its time is rounded up or down.
    tick_ns = 1e9 / cs.machine(machine).timebase_hz / 1000
    assert matrix.labels == tuple(range(spes))
    assert [len(row) for row in matrix.values] == [spes] * spes
    for a in range(spes):
        assert matrix.values[a][a] is None
        for b in set(range(spes)) - {a}:
            there, back = matrix.values[a][b], matrix.values[b][a]
            assert there == pytest.approx(back, abs=1.01 * tick_ns)
    numbers = [value for row in matrix.values for value in row if value is not None]
    assert max(numbers) - min(numbers) > 10 * tick_ns  # distance matters


def test_rows_transfer_and_columns_hold_the_buffer() -> None:
    matrix = cs.matrix("dmaget", size="1k", iterations=100)
    for (initiator, partner), result in matrix.results.items():
        assert result.placement == (partner, initiator)
        assert [row.spe for row in result.per_spe] == [initiator]
        row, column = matrix.labels.index(initiator), matrix.labels.index(partner)
        assert matrix.values[row][column] == result.latency_ns


def test_a_pair_is_the_plain_measurement() -> None:
    matrix = cs.matrix("dmaput", size="2k", iterations=100, batch=4, y="bandwidth")
    plain = cs.machine("ps3").measure(
        "dmaput", spes=2, spe_to_spe=True, placement=[4, 1], size="2k", iterations=100, batch=4
    )
    assert matrix.results[1, 4] == plain
    assert (matrix.values[1][4], matrix.unit) == (plain.bandwidth_gb_s, "GB/s")
    assert (matrix.quantity, matrix.function, matrix.machine) == ("bandwidth_gb_s", "dmaput", "ps3")


def test_every_ordered_pair_once() -> None:
    rows = pairs("mailbox", "ps3", {})
    assert len(rows) == 6 * 5
    assert {tuple(row.parameters["placement"]) for row in rows.values()} == set(rows)


@pytest.mark.parametrize(
    ("function", "parameters", "words"),
    [
        ("mkthread", {}, "mailbox, signal, dmaget, dmaput"),
        ("mailbx", {}, "did you mean mailbox?"),
        ("mailbox", {"y": "bandwidth"}, "moves no data"),
        ("dmaget", {"y": "speed"}, "latency, bandwidth"),
        ("dmaget", {"size": 24}, "multiple of 16"),
        ("mailbox", {"size": 128}, "only DMA"),
        ("mailbox", {"machine": "ps4"}, "did you mean ps3?"),
    ],
)
def test_what_is_refused(function: str, parameters: dict[str, str], words: str) -> None:
    with pytest.raises(cs.UsageError) as error:
        cs.matrix(function, **parameters)  # type: ignore[call-overload]
    assert words in str(error.value)


def test_the_package_offers_them() -> None:
    assert cs.Matrix is Matrix
    assert {"sweep", "matrix", "Matrix"} <= set(dir(cs))
    with pytest.raises(AttributeError, match="no attribute 'sweeps_of'"):
        _ = cs.sweeps_of  # type: ignore[attr-defined]
