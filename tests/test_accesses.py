"""Loads, stores and copies: parameters, results, and the PPE's `walk`."""

from typing import Any

import pytest

import cellstats as cs
from command_line import cellstats

PS3 = cs.machine("ps3")
BOARD = cs.machine("eval-board")


def refusal(function: str = "load", **parameters: Any) -> str:
    """The error message for these parameters."""
    with pytest.raises(cs.UsageError) as caught:
        PS3.check(function, **parameters)
    return str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "line"),
    [
        ({"size": 3}, "size 3: a load or store has 1, 2, 4, 8 or 16 bytes"),
        ({"size": 32, "level": "ls"}, "size 32: a load or store has 1, 2, 4, 8 or 16 bytes"),
        ({"level": "l3"}, 'level "l3": give one of l1, l2, l1l2, memory, ls'),
        ({"threads": 3}, "threads 3: the PPE has 2 threads, give 1 to 2"),
        ({"threads": 0}, "threads 0 is too small; give 1 or more"),
        ({"spes": 2}, "spes 2 with load: SPEs only have level ls; at l1 give threads"),
        ({"placement": [0]}, "placement with load: at level l1 no SPE takes part"),
        (
            {"level": "ls", "threads": 2},
            "threads with load: only loads and stores by the PPE have a choice of threads",
        ),
        ({"level": "ls", "spes": 7}, "spes 7: ps3 has 6 SPEs to use, give 1 to 6"),
        (
            {"spe_to_spe": True},
            "spe_to_spe with load: load, store and copy do not communicate, leave spe_to_spe out",
        ),
        ({"histogram": True}, "histogram with load: only latencies of DMAs can be kept"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(parameters: dict[str, Any], line: str) -> None:
    assert refusal(**parameters) == line


def test_only_accesses_have_a_level_and_threads() -> None:
    only = "only load, store and copy have a level"
    assert refusal("dmaget", level="l1") == f"level with dmaget: {only}"
    assert refusal("fetchadd", threads=1).startswith("threads with fetchadd: ")


def test_a_result_has_a_row_for_each_thread_of_the_ppe() -> None:
    result = PS3.measure("copy", size=8, threads=2, iterations="100k")
    assert (result.level, result.threads, result.spes, result.placement) == ("l1", 2, 0, ())
    assert (result.size_bytes, result.batch, result.per_spe) == (8, None, ())
    assert [row.thread for row in result.per_thread] == [0, 1]
    rates = [row.bandwidth_gb_s for row in result.per_thread]
    assert None not in rates
    assert result.bandwidth_gb_s_own == sum(rate or 0 for rate in rates)
    # The threads do not begin in the same bus cycle.
    assert result.bandwidth_gb_s == pytest.approx(result.bandwidth_gb_s_own, rel=0.001)
    assert result.bandwidth_gb_s_own == pytest.approx(2 * 16 / result.latency_ns)
    assert cs.Result.from_json(result.to_json()) == result


def test_by_default_128_mb_are_moved() -> None:
    assert PS3.measure("load").iterations * 16 == 128 << 20
    assert PS3.measure("copy", size=2, threads=2).iterations * 4 * 2 == 128 << 20
    assert PS3.measure("load", level="l1l2").iterations * 128 == 128 << 20


def test_local_stores_are_each_spes_own() -> None:
    one, six = (PS3.measure("store", level="ls", spes=spes) for spes in (1, 6))
    assert one.bandwidth_gb_s is not None
    assert six.bandwidth_gb_s_own == pytest.approx(6 * one.bandwidth_gb_s, rel=1e-4)
    assert (six.threads, six.per_thread, len(six.per_spe)) == (None, (), 6)


def test_they_stay_where_they_belong() -> None:
    lines = 100_000 * 16 // 128
    counters = {
        level: BOARD.measure("load", level=level, iterations=100_000).counters
        for level in ("l1", "l2", "memory")
    }
    assert counters["l1"]["ppe"]["l1_load_misses"] < 300
    assert counters["l2"]["ppe"]["l1_load_misses"] > lines
    assert counters["l2"]["mics"][0]["reads"] < 3000
    assert counters["memory"]["mics"][0]["reads"] > lines


def test_the_command_and_sweeps_have_the_flags() -> None:
    printed = cellstats("-f", "load", "--level", "l1", "-b", "8", "--machine", "blade-2100")
    assert printed.out.splitlines() == ["0.476 ns", "16.8 GB/s"]
    table = cs.sweep("store", level=["l1", "l2"], threads=[1, 2], size=["4", "8"], iterations=10000)
    assert [(row.level, row.threads, row.size_bytes) for row in table] == [
        (level, threads, size) for level in ("l1", "l2") for threads in (1, 2) for size in (4, 8)
    ]


def test_a_walk_is_its_accesses_one_by_one() -> None:
    def program(*, whole: bool) -> Any:
        async def ppe(ppe: cs.Ppe) -> None:
            steps = [(0, 100)] if whole else [(16 * i, 1) for i in range(100)]
            for offset, count in steps:
                await ppe.walk("copy", 0x1000 + offset, 16, count, other=0x4000 + offset)
            await ppe.walk("store", 0x8000, 4, 8, other=7, stride=8)

        return ppe

    memory = {0x1000: bytes(range(100)) * 16}
    whole, single = (
        cs.run(PS3, {}, ppe=program(whole=whole), memory=memory) for whole in (True, False)
    )
    assert whole.record_json == single.record_json
    assert whole.memory.read(0x4000, 1600) == memory[0x1000]
    assert whole.memory.read(0x8000, 16) == (b"\0\0\0\7" + bytes(4)) * 2


def test_the_ppe_runs_two_programs_and_more() -> None:
    def loading(ea: int) -> Any:
        async def ppe(ppe: cs.Ppe) -> None:
            await ppe.walk("store", ea, 8, 1000, other=ea)

        return ppe

    both = cs.run(PS3, {}, ppe=[loading(0x1_0000), loading(0x2_0000)])
    one = cs.run(PS3, {}, ppe=loading(0x1_0000))
    words = (both.memory.read(ea + 7992, 8) for ea in (0x1_0000, 0x2_0000))
    assert [int.from_bytes(word) for word in words] == [0x1_0000, 0x2_0000]
    assert both.record["bus_cycles"] < 2 * one.record["bus_cycles"]
    # More than two programs share the PPE's two hardware threads.
    four = cs.run(PS3, {}, ppe=[loading(0x1_0000 * n) for n in range(1, 5)])
    assert int.from_bytes(four.memory.read(0x4_0000 + 7992, 8)) == 0x4_0000
    assert four.record["bus_cycles"] > 1.5 * both.record["bus_cycles"]
