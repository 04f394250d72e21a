"""Two chips: the choice of SPEs and memory, and the traffic between the chips."""

import json
from typing import Any

import pytest

import cellstats as cs
from cellstats.architecture import local_store_ea
from cellstats.show.matrix_figure import matrix_figure
from command_line import cellstats

BLADE = cs.machine("qs20")
CELL_0, CELL_1 = tuple(range(8)), tuple(range(8, 16))
QUICK: dict[str, Any] = {"iterations": 20}


@pytest.mark.parametrize(
    ("cells", "spes"),
    [
        (0, CELL_0),
        ("1", CELL_1),
        ("01", CELL_0 + CELL_1),
        ("10", CELL_1 + CELL_0),
        (None, BLADE.spes),
    ],
)
def test_cells_say_whose_spes_are_used_and_in_what_order(
    cells: str | int | None, spes: tuple[int, ...]
) -> None:
    result = BLADE.measure("dmaget", spes=len(spes), cells=cells, **QUICK)
    assert result.placement == spes
    assert result.cells == (None if cells is None else str(cells))
    # The hotspot pattern uses all SPEs of the chosen Cells.
    assert BLADE.measure("hotspot", cells=cells, **QUICK).placement == spes


@pytest.mark.parametrize("cells", ["01", "10"])
def test_chance_and_all_placements_leave_each_thread_its_cell(cells: str) -> None:
    def cells_of(spes: tuple[int, ...]) -> str:
        return "".join(str(BLADE.chip_of(spe)) for spe in spes)

    expected = 8 * cells[0] + 2 * cells[1]
    placed = {
        BLADE.measure(
            "dmaget", spes=10, cells=cells, placement="random", seed=seed, **QUICK
        ).placement
        for seed in range(4)
    }
    assert len(placed) == 4
    assert {cells_of(spes) for spes in placed} == {expected}
    some = cs.placements("cycle", machine=BLADE, which=4, spes=10, cells=cells, **QUICK)
    assert {cells_of(spes) for spes in some.placements} == {expected}
    every = cs.placements("mailbox", machine=BLADE, which="all", spes=1, cells=cells[1], **QUICK)
    assert sorted(spe for (spe,) in every.placements) == list((CELL_0, CELL_1)[int(cells[1])])
    assert some.to_dict()["recipe"]["parameters"]["cells"] == cells


def test_a_list_of_spes_says_how_many_there_are_and_may_have_ranges() -> None:
    listed = [0, *CELL_1]
    by_list, by_text = (
        BLADE.measure("dmaget", spe_to_spe=True, placement=spes, **QUICK)
        for spes in (listed, "0,8-15")
    )
    assert by_list == by_text
    assert (by_list.spes, by_list.placement) == (9, tuple(listed))
    flags = ("-f", "dmaget", "-s", "-i", "20", "--machine", "qs20", "--format", "json")
    for flag in ("--spes", "--placement"):
        assert json.loads(cellstats(*flags, flag, "0,8-15").out)["placement"] == listed
    assert BLADE.measure("dmaget", spes=2, placement="0,8-15", **QUICK).placement == (0, 8)


def test_memory_says_whose_it_is() -> None:
    for memory, served in (("0", [True, False]), ("1", [False, True]), ("interleave", [True] * 2)):
        # The transfers are large enough to touch pages of both memories.
        result = BLADE.measure("dmaget", size="16k", memory=memory, **QUICK)
        reads = [mic["reads"] > 0 for mic in result.counters["mics"]]
        assert (result.memory, reads) == (memory, served)
    assert BLADE.measure("fetchadd", memory=1, **QUICK).memory == "1"
    assert BLADE.measure("mailbox", **QUICK).memory is None
    assert BLADE.measure("dmaget", spe_to_spe=True, **QUICK).memory is None


def test_the_interface_counts_what_it_carries() -> None:
    # The interface only counts traffic with the other Cell's memory, in both directions.
    for function, sender in (("dmaget", 0), ("dmaput", 1)):
        far = BLADE.measure(function, cells=1, size="1k", **QUICK).counters
        assert far["bif"][sender]["bytes_sent"] == 8 * 128 * far["bif"][sender]["lines_sent"] / 8
        assert far["bif"][sender]["lines_sent"] >= 8 * 19
        assert far["bif"][1 - sender]["lines_sent"] == 0
        near = BLADE.measure(function, cells=1, size="1k", memory=1, **QUICK).counters
        assert [end["lines_sent"] for end in near["bif"]] == [0, 0]
    assert cs.machine("ps3").measure("dmaget", **QUICK).counters["bif"] == []


def test_verbose_shows_the_interface() -> None:
    flags = ("-f", "dmaget", "-n", "8", "-b", "16k", "-i", "20", "--machine", "qs20", "-v")
    lines = cellstats(*flags, "--cells", "1").out.splitlines()
    assert any(line.startswith("lanes from Cell 0") and line.endswith("busy") for line in lines)
    assert any(line.startswith("requests of Cell 1 that waited for an entry") for line in lines)
    assert any(line.startswith("ring 0/1 ") for line in lines)
    assert "Cell 1" not in cellstats(*flags).out


@pytest.mark.parametrize("function", ["dmaget", "dmaput", "dmalistget", "dmalistput"])
@pytest.mark.parametrize("machine", ["ps3", "qs20"])
def test_one_spe_may_transfer_with_its_own_local_store(machine: str, function: str) -> None:
    result = cs.machine(machine).measure(function, spes=1, spe_to_spe=True, size="1k", **QUICK)
    assert [(row.thread, row.spe) for row in result.per_spe] == [(0, 0)]
    counters = result.counters
    assert sum(mic["reads"] + mic["writes"] for mic in counters["mics"]) == 0


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        ("mkthread", {}),
        ("mailbox", {"ppe": "library"}),
        ("mailbox", {"ppe": "mmio"}),
        ("signal", {"ppe": "library"}),
        ("signal", {"ppe": "mmio"}),
    ],
)
def test_the_ppe_reaches_spes_of_both_cells(function: str, parameters: dict[str, Any]) -> None:
    near, far = (BLADE.measure(function, cells=cells, **parameters, **QUICK) for cells in "01")
    assert (near.placement, far.placement) == ((0,), (8,))
    assert far.latency_ns >= near.latency_ns


def _pattern(seed: int, size: int) -> bytes:
    return bytes((seed + 7 * i) % 256 for i in range(size))


@pytest.mark.parametrize("memory", [0, 1, "interleave"])
@pytest.mark.parametrize("spe", [0, 8])
def test_bytes_arrive_on_the_other_chip(spe: int, memory: int | str) -> None:
    size, base = 8192, BLADE.memory_ea(memory) + 0x10_0000
    other = 8 - spe
    sent = _pattern(spe, size)

    async def relay(spu: cs.Spu) -> None:
        spu.ls.write(0x4000, sent)
        await spu.mfc_write_tag_mask(1)
        # Each transfer moves the bytes that the previous transfer has moved.
        for move, lsa, ea in (
            (spu.mfc_put, 0x4000, base),
            (spu.mfc_get, 0x8000, base),
            (spu.mfc_put, 0x8000, local_store_ea(other, 0x8000)),
            (spu.mfc_get, 0xC000, local_store_ea(other, 0x8000)),
            (spu.mfc_put, 0xC000, base + size),
            (spu.mfc_get, 0x1_0000, base + size),
        ):
            await move(lsa, ea, size, 0)
            await spu.mfc_read_tag_status_all()

    async def nothing(spu: cs.Spu) -> None:
        await spu.compute(1)

    done = cs.run(BLADE, {0: relay, 1: nothing}, placement=[spe, other])
    assert done.local_stores[1][0x8000 : 0x8000 + size] == sent
    assert done.local_stores[0][0x1_0000 : 0x1_0000 + size] == sent
    if memory != "interleave":
        assert done.memory.read(base, 2 * size) == 2 * sent


def test_atomic_additions_of_both_chips_are_not_lost() -> None:
    variable = BLADE.memory_ea(1) + 0x10_0000

    async def count(spu: cs.Spu) -> None:
        for _ in range(20):
            await spu.atomic_add_return(3, variable)

    done = cs.run(BLADE, dict.fromkeys(range(4), count), placement=[0, 8, 1, 9])
    assert int.from_bytes(done.memory.read(variable, 4), "big") == 4 * 20 * 3


def test_a_line_that_crosses_keeps_its_letter() -> None:
    trace = BLADE.trace("dmaput", placement=[0, 8], spe_to_spe=True, size=256, window=600)
    first, second = (
        [row for row in trace.transfers() if (row["onward_of"] is not None) == onward]
        for onward in (False, True)
    )
    assert [row["onward_of"] for row in second] == [row["id"] for row in first]
    rows = [line.split() for line in trace.waveform(columns=1000).splitlines()]
    drawn = {" ".join(row[:-1]): row[-1] for row in rows if row}
    assert {"SPE8 on", "IOIF0/1 off", "to Cell 0", "IOIF0 on", "SPE0 off"} <= drawn.keys()
    for name in ("SPE8 on", "IOIF0/1 off", "IOIF0 on", "SPE0 off"):
        assert drawn[name].replace(".", "") == "aaaaaaaabbbbbbbb"
    events = trace.to_trace_events()["traceEvents"]
    names = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert {"to Cell 0", "IOIF0/1 off-ramp", "IOIF0 on-ramp"} <= names
    assert any(name.startswith("ring 0/1 ") or "/1 " in name for name in names)


@pytest.mark.parametrize("placement", [[0, 8], [8, 0]])
@pytest.mark.parametrize("size", [128, "1k"])
@pytest.mark.parametrize("function", ["dmaget", "dmaput"])
def test_a_breakdown_says_what_the_interface_costs(
    function: str, size: int | str, placement: list[int]
) -> None:
    near = BLADE.breakdown(function, spe_to_spe=True, size=size, placement=[0, 1])
    far = BLADE.breakdown(function, spe_to_spe=True, size=size, placement=placement)
    assert far["chip_to_chip_interface"].spu_cycles > 0
    assert sum(part.spu_cycles for part in far) == far.total.spu_cycles
    names = [part.component for part in near]
    place = names.index("data_transfer") + 1
    names[place:place] = ["chip_to_chip_interface", "onward_transfer"]
    assert [part.component for part in far] == names
    looped = BLADE.measure(
        function, spe_to_spe=True, size=size, placement=placement, iterations="100k"
    )
    assert far.total.ns == pytest.approx(looped.latency_ns, abs=0.01)


def test_a_matrix_of_two_chips_is_two_worlds() -> None:
    matrix = cs.matrix("signal", machine=BLADE, iterations=10)
    assert len(matrix.results) == 16 * 15
    same = [ns for (a, b), ns in _values(matrix) if (a < 8) == (b < 8)]
    across = [ns for (a, b), ns in _values(matrix) if (a < 8) != (b < 8)]
    assert max(same) < min(across)
    (axes, _) = matrix_figure(matrix).axes
    assert len(axes.texts) == 16 * 15
    assert cs.matrix("signal", machine=BLADE, cells=1, iterations=10).labels == CELL_1
    assert cs.matrix("signal", machine=BLADE, cells="10", iterations=10).labels == CELL_1 + CELL_0


def _values(matrix: cs.Matrix) -> list[tuple[tuple[int, int], float]]:
    return [(pair, result.latency_ns) for pair, result in matrix.results.items()]


def test_one_cell_is_cell_0() -> None:
    one, same = (
        cs.machine("ps3").measure("dmaget", cells=cells, memory=memory, **QUICK)
        for cells, memory in ((None, None), (0, 0))
    )
    assert (same.cells, same.memory) == ("0", "0")
    assert one.latency_ns == same.latency_ns
