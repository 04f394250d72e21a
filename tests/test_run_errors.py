"""Wrong arguments of `run` cause a one-line error or the program's exception, not a panic."""

import os
import signal
import threading
import time
from collections.abc import Generator
from typing import Any

import pytest

import cellstats as cs
from cellstats.spu import native

PS3 = cs.machine("ps3")
HUGE = 10**5000
MEMORY_BYTES = 200 << 20


def asks(request: Any) -> Any:
    """A program that makes one request."""

    def program(_: Any) -> Generator[Any, int, None]:
        yield request

    return program


def usage_line(programs: Any, **how: Any) -> str:
    with pytest.raises(cs.UsageError) as caught:
        cs.run(PS3, programs, **how)
    line = str(caught.value)
    assert line.splitlines() == [line]
    return line


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (("raed", 3), "('read', channel)"),
        (("read",), "('read', channel)"),
        (("read", 3, 4), "('read', channel)"),
        ((), "('mark', iterations_left)"),
        (None, "a program asked None"),
        ("read", "a program asked 'read'"),
        ((None, 3), "a program asked"),
        (("\ud800", 3), "a program asked"),
        (("read\n" * 100, 3), "a program asked"),
        (("read", 128), "channel 128 is out of range; give 0 to 127"),
        (("read", -1), "channel -1 is out of range"),
        (("read", 2.0), "channel 2.0 is not a whole number"),
        (("read", HUGE), "channel int is out of range"),
        (("write", 28, 1 << 32), "out of range; give 0 to 4294967295"),
        (("write", 28, "1"), "not a whole number"),
        (("count", None), "channel None is not a whole number"),
        (("compute", -1), "out of range"),
        (("compute", 1 << 41), "out of range"),
        (("mark", 0), "out of range; give 1 to"),
        (("mark", 1 << 64), "out of range"),
    ],
)
def test_what_an_spu_program_cannot_ask(request_: Any, words: str) -> None:
    assert words in usage_line({0: asks(request_)})


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (("laod", 0, 4), "('load', ea, bytes)"),
        (("timebase", 1), "('timebase',)"),
        (None, "a program asked None"),
        (("load", 0, 3), "give 1, 2, 4 or 8"),
        (("load", -1, 4), "effective address -1 is out of range"),
        (("load", 0, HUGE), "give 1, 2, 4 or 8"),
        (("store", 0, 2, 0x1_0000), "the value 65536 is out of range; give 0 to 65535"),
        (("store", 0, 0, 0), "give 1, 2, 4 or 8"),
        (("syscall", "open", 0, 0), "known are thread_create"),
        (("syscall", None, 0, 0), "known are thread_create"),
        (("syscall", "thread_join", 256, 0), "thread 256 is out of range"),
        (("syscall", "in_mbox_write", 0, 1 << 32), "the message"),
        (("syscall", "signal_write", 0, 3 << 32), "there is no signal register 3; give 1 or 2"),
        (("compute", 1 << 64), "out of range"),
    ],
)
def test_what_a_ppe_program_cannot_ask(request_: Any, words: str) -> None:
    assert words in usage_line({}, ppe=asks(request_))


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (("syscall", "thread_create", 9, 0), "thread 9"),
        (("syscall", "thread_join", 0, 0), "thread 0 was never created"),
        (("load", 1 << 63, 8), "nothing is mapped"),
        (("store", (1 << 64) - 8, 8, 1), "nothing is mapped"),
        (("load", 2, 4), "aligned"),
    ],
)
def test_rules_that_a_ppe_program_can_break(request_: Any, words: str) -> None:
    with pytest.raises(cs.RunError, match=words):
        cs.run(PS3, {0: asks(("compute", 1))}, ppe=asks(request_))


@pytest.mark.parametrize(
    ("programs", "how", "words"),
    [
        ({6: asks(("compute", 1))}, {}, "thread 6 has no SPE; there are threads 0, 1, 2, 3, 4, 5"),
        ({-1: asks(("compute", 1))}, {}, "thread -1 has no SPE"),
        ({"0": asks(("compute", 1))}, {}, "thread '0' has no SPE"),
        ({1: asks(("compute", 1))}, {"placement": [3]}, "there are threads 0"),
        ({0: 7}, {}, "the program of thread 0 is not one"),
        ({}, {"placement": [0, 0]}, "SPE 0 appears twice"),
        ({}, {"placement": [6]}, "SPE 6 is not usable"),
        ({}, {"placement": [256]}, "SPE 256 is not usable"),
        ({}, {"placement": [-1]}, "out of range"),
        ({}, {"memory": {-1: b"x"}}, "effective address -1 is out of range"),
        ({}, {"memory": {MEMORY_BYTES - 1: b"xy"}}, "2 bytes at 0xc7fffff do not fit"),
        ({}, {"memory": {0: "text"}}, "memory at 0 is of str; give bytes"),
        ({}, {"limit_bus_cycles": 0}, "limit_bus_cycles 0 is out of range"),
        ({}, {"limit_bus_cycles": HUGE}, "limit_bus_cycles int is out of range"),
    ],
)
def test_what_cannot_be_run(programs: Any, how: Any, words: str) -> None:
    assert words in usage_line(programs, **how)


@pytest.mark.parametrize("value", [-1, 1 << 32, "done", 0.5])
def test_stop_codes_are_32_bits(value: Any) -> None:
    async def program(_: cs.Spu) -> Any:
        return value

    assert "the stop code that a program returned" in usage_line({0: program})


def test_stop_codes_are_in_the_record() -> None:
    async def program(spu: cs.Spu) -> int:
        await spu.compute(1)
        return 0xFFFF_FFFF

    assert cs.run(PS3, {0: program}).record["threads"][0]["stop_code"] == 0xFFFF_FFFF


@pytest.mark.parametrize("addr_n", [(0x4_0000, 1), (-1, 4), (0, 0x4_0001), (HUGE, 1), (0, "4")])
def test_the_local_store_has_an_end(addr_n: tuple[Any, Any]) -> None:
    lines = []

    async def program(spu: cs.Spu) -> None:
        with pytest.raises(ValueError, match=r"local store|out of range|whole number") as caught:
            spu.ls.read(*addr_n)
        lines.append(str(caught.value))
        with pytest.raises(ValueError, match="not in the local store"):
            spu.ls.write(0x3_FFFF, b"xy")
        assert spu.ls.read(0x4_0000, 0) == b""

    cs.run(PS3, {0: program})
    assert [line.splitlines() for line in lines] == [[lines[0]]]


def test_a_local_store_belongs_to_its_own_turn() -> None:
    seen: list[cs.Spu] = []
    refused = []

    async def first(spu: cs.Spu) -> None:
        seen.append(spu)
        await spu.compute(5000)

    async def second(spu: cs.Spu) -> None:
        await spu.compute(1000)
        with pytest.raises(RuntimeError, match="only by its own program") as caught:
            seen[0].ls.read(0, 4)
        refused.append(caught.value)

    cs.run(PS3, {0: first, 1: second})
    assert len(refused) == 1


@pytest.mark.parametrize("ea_size", [(-1, 4), (0, -1), (MEMORY_BYTES, 1), (0, HUGE), (None, 1)])
def test_memory_has_an_end(ea_size: tuple[Any, Any]) -> None:
    memory = cs.run(PS3, {}).memory
    assert memory.size == MEMORY_BYTES
    with pytest.raises(cs.UsageError):
        memory.read(*ea_size)


def test_the_exception_of_a_program_comes_out_as_it_is() -> None:
    mine = LookupError("mine")

    async def ppe(ppe: cs.Ppe) -> None:
        await ppe.compute(1)
        raise mine

    with pytest.raises(LookupError) as caught:
        cs.run(PS3, {}, ppe=ppe)
    assert caught.value is mine
    assert [entry.name for entry in caught.traceback][-1] == "ppe"


def test_stop_iteration_inside_a_program_is_no_end() -> None:
    def start(_: cs.Spu) -> Any:
        raise StopIteration(3)

    with pytest.raises(StopIteration):
        cs.run(PS3, {0: start})


def test_a_run_inside_a_run() -> None:
    async def inner(spu: cs.Spu) -> int:
        await spu.compute(10)
        return 5

    async def outer(spu: cs.Spu) -> int:
        await spu.compute(10)
        code: int = cs.run(PS3, {0: inner}).record["threads"][0]["stop_code"]
        return code

    assert cs.run(PS3, {0: outer}).record["threads"][0]["stop_code"] == 5


def _interrupt_soon() -> threading.Thread:
    def interrupt() -> None:
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    return thread


async def _spin(spu: cs.Spu) -> None:
    while True:
        spu.store_word(0, spu.load_word(0) + 1)


async def _compute_nothing(spu: cs.Spu) -> None:
    while True:
        await spu.compute(0)


async def _work(spu: cs.Spu) -> None:
    while True:
        await spu.compute(100)


@pytest.mark.parametrize("program", [_spin, _work])
def test_an_interrupt_ends_a_run_of_python_programs(program: Any) -> None:
    interrupter = _interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        cs.run(PS3, {0: program}, limit_bus_cycles=1 << 60)
    interrupter.join()


def test_a_loop_in_which_no_time_passes_is_an_error() -> None:
    with pytest.raises(cs.RunError, match=r"SPE 0, .*no time passed"):
        cs.run(PS3, {0: _compute_nothing})


def test_an_interrupt_ends_a_run_of_compiled_programs() -> None:
    interrupter = _interrupt_soon()
    rounds = 10**9
    with pytest.raises(KeyboardInterrupt):
        cs.run(
            PS3,
            {0: native.ping(rounds, 1), 1: native.pong(rounds, 0)},
            limit_bus_cycles=1 << 60,
            fast_forward=False,
        )
    interrupter.join()


def test_other_threads_live_during_a_measurement() -> None:
    ticks = []

    def tick() -> None:
        for _ in range(20):
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    PS3.measure("dmaget", spes=6, size="16k", iterations=2000, fast_forward=False)
    thread.join()
    assert len(ticks) == 20
