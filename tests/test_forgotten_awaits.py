"""A program that does not await a call raises an error, which names the line."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

import cellstats as cs
from cellstats import Spu
from cellstats.spu.door import Asked
from cellstats.spu.ppe import Ppe

PS3 = cs.machine("ps3")
EA = 0x10_0000


def line_of(mark: str) -> int:
    """The number of the line that ends in `# mark` in this file."""
    with open(__file__, encoding="utf-8") as file:  # noqa: PTH123
        return next(n for n, line in enumerate(file, 1) if line.endswith(f"# {mark}\n"))


def forgotten(mark: str, name: str) -> str:
    where = f"{__file__}, line {line_of(mark)}: {name}(…) is not awaited, so it does nothing; "
    return re.escape(where)


async def before_another_call(spu: Spu) -> None:
    spu.mfc_get(0, EA, 128, 3)  # a get
    await spu.mfc_write_tag_mask(8)
    raise AssertionError("it went on")


async def as_the_last_call(spu: Spu) -> None:
    await spu.compute(10)
    spu.mfc_put(0, EA, 128, 3)  # a put


async def in_a_variable(spu: Spu) -> int:
    word = spu.spu_read_in_mbox()  # a read
    await spu.compute(10)
    return 0 if word else 1


async def in_a_helper(spu: Spu) -> None:
    def helper() -> None:
        spu.atomic_add_return(EA, 1)  # an atomic

    helper()
    await spu.compute(10)


async def in_a_loop(spu: Spu) -> None:
    async for _ in spu.iterations(100):
        spu.compute(10)  # a loop


async def over_lines(spu: Spu) -> None:
    spu.mfc_get(  # lines
        0,
        EA,
        128,
        tag=3,
    )


def in_a_generator(spu: Spu) -> Iterator[Any]:
    yield from spu.compute(1)
    spu.spu_write_out_mbox(1)  # a generator
    yield from spu.compute(1)


async def where_all_wait(spu: Spu) -> None:
    spu.spu_writech(0x1C, 1)  # a wait
    await spu.spu_read_in_mbox()


@pytest.mark.parametrize(
    ("program", "mark", "name"),
    [
        (before_another_call, "a get", "mfc_get"),
        (as_the_last_call, "a put", "mfc_put"),
        (in_a_variable, "a read", "spu_read_in_mbox"),
        (in_a_helper, "an atomic", "atomic_add_return"),
        (in_a_loop, "a loop", "compute"),
        (over_lines, "lines", "mfc_get"),
        (in_a_generator, "a generator", "spu_write_out_mbox"),
        (where_all_wait, "a wait", "spu_writech"),
    ],
)
def test_the_line_of_a_forgotten_await_is_named(program: Any, mark: str, name: str) -> None:
    with pytest.raises(cs.UsageError, match=forgotten(mark, name)):
        cs.run(PS3, {0: program})


def test_what_waits_for_a_forgotten_call_does_not_hide_it() -> None:
    async def reads(spu: Spu) -> None:
        await spu.spu_read_in_mbox()

    async def ppe(ppe: Ppe) -> None:
        ppe.spe_in_mbox_write(0, 1)  # a deadlock

    with pytest.raises(cs.UsageError, match=forgotten("a deadlock", "spe_in_mbox_write")):
        cs.run(PS3, {0: reads}, ppe=ppe)


def test_so_are_those_of_the_ppe() -> None:
    async def first(ppe: Ppe) -> None:
        ppe.store(EA, 4, 1)  # a store
        await ppe.sync()

    async def second(ppe: Ppe) -> None:
        await ppe.compute(5)

    with pytest.raises(cs.UsageError, match=forgotten("a store", "store")):
        cs.run(PS3, {}, ppe=[second, first])


def test_a_call_may_be_awaited_later() -> None:
    asked: list[Asked[Any]] = []

    async def later(spu: Spu) -> int:
        first, second = spu.compute(1000), spu.compute(10)
        await second
        await first
        asked.extend(spu.compute(100) for _ in range(5))
        for each in asked:
            await each
        return 0

    async def at_once(spu: Spu) -> int:
        for cycles in (10, 1000, *[100] * 5):
            await spu.compute(cycles)
        return 0

    assert cs.run(PS3, {0: later}).record == cs.run(PS3, {0: at_once}).record


def test_what_is_held_and_then_dropped_is_found() -> None:
    async def program(spu: Spu) -> None:
        held = [spu.compute(1), spu.compute(2)]  # held
        await held.pop()
        held.clear()
        await spu.compute(3)

    with pytest.raises(cs.UsageError, match=forgotten("held", "compute")):
        cs.run(PS3, {0: program})


def test_a_window_that_ends_before_the_program_forgets_nothing() -> None:
    async def program(spu: Spu) -> None:
        later = spu.compute(1)
        for _ in range(100):
            await spu.mfc_get(0, EA, 128, 3)
        await later

    assert cs.run(PS3, {0: program}, window=(0, 20)).trace is not None


def test_an_exception_of_the_program_comes_out_as_it_is() -> None:
    async def program(spu: Spu) -> None:
        spu.compute(1)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        cs.run(PS3, {0: program})


def test_calls_keep_their_signature() -> None:
    with pytest.raises(TypeError, match=r"mfc_get\(\) missing 3 required positional arguments"):
        Spu.mfc_get(Spu(None), 0)  # type: ignore[arg-type, call-arg]
    with pytest.raises(TypeError, match=r"compute\(\) got an unexpected keyword"):
        Spu.compute(Spu(None), cycles=1)  # type: ignore[arg-type, call-arg]
    assert Spu.compute.__doc__
