"""The same workload in Rust and in Python produces the same record.

The tests compare, byte by byte, local stores, main memory, and the record, which lists every
transfer on the rings.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

import cellstats as cs
from cellstats import native, programs
from command_line import ROOT

SIXTEEN = ROOT / "machines/examples/sixteen-spes.toml"
MACHINES = {name: cs.machine(name) for name in ("ps3", "eval-board")}
MACHINES["sixteen"] = cs.machine(SIXTEEN)

SOURCE_EA, TARGET_EA, TOTAL_BYTES, CHUNK_BYTES = 0x10_0000, 0x80_0000, 96 * 1024, 4096
SOURCE = bytes(index * index % 251 for index in range(TOTAL_BYTES))
USED_BYTES = TARGET_EA + 8 * TOTAL_BYTES
ROUNDS = 60

Pair = tuple[Callable[..., Any], Callable[..., Any]]
PAIRS: Mapping[str, Pair] = {
    "python": (programs.ping, programs.pong),
    "rust": (native.ping, native.pong),
    "rust, python": (native.ping, programs.pong),
    "python, rust": (programs.ping, native.pong),
}


@pytest.fixture(name="machine", params=MACHINES, scope="module")
def _machine(request: pytest.FixtureRequest) -> cs.Machine:
    return MACHINES[request.param]


def ping_pong(machine: cs.Machine, pair: Pair, rounds: int = ROUNDS, **how: Any) -> cs.RunResult:
    """Run ping-pong between the first and the last SPE of the machine."""
    ping, pong = pair
    placement = (machine.spes[0], machine.spes[-1])
    both = {0: ping(rounds, placement[1]), 1: pong(rounds, placement[0])}
    return cs.run(machine, both, placement=placement, **how)


def copy(
    machine: cs.Machine, *makers: Callable[..., Any], chunk: int = CHUNK_BYTES
) -> cs.RunResult:
    """Run a thread for each maker, all at the same time. Each thread copies to its own target."""
    jobs = {
        thread: make(SOURCE_EA, TARGET_EA + thread * TOTAL_BYTES, TOTAL_BYTES, chunk)
        for thread, make in enumerate(makers)
    }
    return cs.run(machine, jobs, memory={SOURCE_EA: SOURCE}, events=True)


def same(one: cs.RunResult, other: cs.RunResult) -> None:
    """Assert that two runs have the same record, local stores and memory."""
    assert one.record_json == other.record_json
    assert one.local_stores == other.local_stores
    assert one.memory.read(0, USED_BYTES) == other.memory.read(0, USED_BYTES)


@pytest.mark.parametrize("languages", ["rust", "rust, python", "python, rust"])
def test_ping_pong_in_either_language_and_mixed(machine: cs.Machine, languages: str) -> None:
    python = ping_pong(machine, PAIRS["python"], events=True)
    same(python, ping_pong(machine, PAIRS[languages], events=True))
    assert len(python.record["transfers"]) >= 2 * ROUNDS
    assert {store[0x100C:0x1010] for store in python.local_stores.values()} == {b"PING"}


@pytest.mark.parametrize("languages", PAIRS)
@pytest.mark.parametrize("rounds", [0, 1, 2, 3000])
def test_ping_pong_with_and_without_fast_forward(
    machine: cs.Machine, languages: str, rounds: int
) -> None:
    fast = ping_pong(machine, PAIRS[languages], rounds, fast_forward=True)
    same(fast, ping_pong(machine, PAIRS[languages], rounds, fast_forward=False))
    same(fast, ping_pong(machine, PAIRS["python"], rounds, fast_forward=True))


def test_double_buffered_copy_in_either_language(machine: cs.Machine) -> None:
    python = copy(machine, programs.double_buffered_copy)
    same(python, copy(machine, native.double_buffered_copy))
    assert python.memory.read(TARGET_EA, TOTAL_BYTES) == SOURCE
    assert sum(row["bytes"] for row in python.record["transfers"]) == 2 * TOTAL_BYTES


def test_six_copies_at_once_in_mixed_languages(machine: cs.Machine) -> None:
    here, compiled = programs.double_buffered_copy, native.double_buffered_copy
    python = copy(machine, *[here] * 6)
    same(python, copy(machine, *[here, compiled] * 3))
    assert python.memory.read(TARGET_EA, 6 * TOTAL_BYTES) == 6 * SOURCE


def test_another_chunk_size_leaves_another_record(machine: cs.Machine) -> None:
    python = copy(machine, programs.double_buffered_copy)
    smaller = copy(machine, native.double_buffered_copy, chunk=CHUNK_BYTES // 2)
    assert smaller.memory.read(TARGET_EA, TOTAL_BYTES) == SOURCE
    with pytest.raises(AssertionError):
        same(python, smaller)


def test_compiled_programs_refuse_what_the_others_refuse() -> None:
    refusals = []
    for maker in (programs.double_buffered_copy, native.double_buffered_copy):
        with pytest.raises(cs.UsageError, match="multiple of 16") as caught:
            maker(0, 0x1000, 100, 24)
        refusals.append(str(caught.value))
    assert refusals[0] == refusals[1]
    with pytest.raises(cs.UsageError, match="partner_spe -1 is out of range"):
        native.ping(1, -1)
