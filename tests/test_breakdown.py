"""Breakdowns: the components add up to the total, and the command prints the package's result."""

import csv
import io
import json
import math
import pickle

import pytest

import cellstats as cs
from command_line import cellstats

FUNCTIONS = ("dmaget", "dmaput", "dmalistget", "dmalistput")
NAMES = [
    "dma_issue",
    "dma_to_eib",
    "list_element_fetch",
    "coherence_protocol",
    "data_transfer",
    "further_lines",
    "completion",
]


@pytest.mark.parametrize("machine", ["ps3", "qs20"])
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("spe_to_spe", [False, True])
@pytest.mark.parametrize("size", [16, 128, "1k"])
def test_components_add_up(machine: str, function: str, spe_to_spe: bool, size: int | str) -> None:
    parts = cs.machine(machine).breakdown(function, spe_to_spe=spe_to_spe, size=size)
    for column in ("bus_cycles", "spu_cycles", "ns"):
        summed = math.fsum(getattr(part, column) for part in parts)
        assert summed == pytest.approx(getattr(parts.total, column), rel=1e-12)
    absent = {"further_lines"} if size != "1k" else set()
    absent |= {"list_element_fetch"} if "list" not in function else set()
    assert [part.component for part in parts] == [name for name in NAMES if name not in absent]
    for part in (*parts, parts.total):
        assert part.spu_cycles == 2 * part.bus_cycles
        assert part.ns == pytest.approx(part.bus_cycles * 1e9 / cs.machine(machine).bus_hz)


@pytest.mark.parametrize("spe_to_spe", [False, True])
def test_the_total_is_what_a_loop_measures(spe_to_spe: bool) -> None:
    board = cs.machine("eval-board")
    parts = board.breakdown("dmaput", spe_to_spe=spe_to_spe, size=512)
    looped = board.measure(
        "dmaput", spes=1 + spe_to_spe, spe_to_spe=spe_to_spe, size=512, iterations="1m"
    )
    assert parts.total.ns == pytest.approx(looped.latency_ns, abs=0.01)


def test_without_a_function_it_is_a_put_between_two_local_stores() -> None:
    board = cs.machine("eval-board")
    assert board.breakdown() == board.breakdown("dmaput", spe_to_spe=True)
    assert board.breakdown(size=256) == board.breakdown("dmaput", spe_to_spe=True, size=256)
    assert cellstats("breakdown", "-b", "256") == cellstats(
        "breakdown", "dmaput", "-s", "-b", "256"
    )
    # If the FUNCTION is named, the defaults are the same as in all other commands.
    assert board.breakdown("dmaput") == board.breakdown("dmaput", spe_to_spe=False)


def test_parts_have_names() -> None:
    parts = cs.machine().breakdown("dmalistget", list_elements=4)
    assert parts["total"] is parts.total
    assert parts["list_element_fetch"] in parts
    assert sum(part.spu_cycles for part in parts) == parts["total"].spu_cycles
    with pytest.raises(KeyError, match="latency"):
        parts["latency"]
    assert pickle.loads(pickle.dumps(parts)) == parts


def test_placements() -> None:
    board = cs.machine("eval-board")
    near, far = (board.breakdown(placement=[0, other]) for other in (2, 7))
    assert near.placement == (0, 2)
    # Six hops take five bus cycles more than one hop. No other component depends on the SPEs.
    differing = [
        (a.component, b.bus_cycles - a.bus_cycles) for a, b in zip(near, far, strict=True) if a != b
    ]
    assert differing == [("data_transfer", 5)]
    assert board.breakdown(placement="random", seed=3) == board.breakdown(
        placement="random", seed=3
    )


def test_the_command_prints_a_table() -> None:
    done = cellstats("breakdown", "--machine", "eval-board")
    parts = cs.machine("eval-board").breakdown()
    assert done == (0, parts.text(), "")
    title, empty, head, *rows = done.out.splitlines()
    assert title == "dmaput of 128 bytes, SPE 2 and SPE 0 of eval-board"
    assert (empty, head.split()) == ("", ["component", "bus", "cycles", "SPU", "cycles", "ns"])
    assert [row.split()[-2] for row in rows] == [str(part["spu_cycles"]) for part in parts.rows()]
    assert rows[-1].startswith("total ")


def test_formats_say_the_same() -> None:
    flags = ("breakdown", "-f", "dmalistget", "-b", "1k", "-l", "2")
    parts = cs.machine("ps3").breakdown("dmalistget", size="1k", list_elements=2)
    assert json.loads(cellstats(*flags, "--format", "json").out) == parts.to_dict()
    table = list(csv.DictReader(io.StringIO(cellstats(*flags, "--format", "csv").out)))
    assert [{name: str(value) for name, value in row.items()} for row in parts.rows()] == table
    assert parts.to_dict()["components"] == parts.rows()[:-1]
    assert parts.to_dict()["total"] == parts.rows()[-1]


def test_errors_of_the_package() -> None:
    with pytest.raises(cs.UsageError, match="not a single DMA"):
        cs.machine("ps3").breakdown("mailbox")
    with pytest.raises(cs.UsageError, match="schema None cannot be read"):
        cs.Breakdown.from_json("[]")
