"""Programs written in Python on the simulated machine."""

from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cellstats as cs
from cellstats import programs
from cellstats.architecture import local_store_ea
from chance import examples

PS3 = cs.machine("ps3")


@examples(20)
@given(
    chunk=st.sampled_from([16, 128, 1040, 4096, 16384]),
    chunks=st.integers(1, 20),
    pattern=st.binary(min_size=1, max_size=300),
)
def test_a_double_buffered_copy_copies(chunk: int, chunks: int, pattern: bytes) -> None:
    total = chunk * chunks
    source = (pattern * (total // len(pattern) + 1))[:total]
    copy = programs.double_buffered_copy(0x10_0000, 0x80_0000, total, chunk)
    done = cs.run(PS3, {0: copy}, memory={0x10_0000: source})
    assert done.memory.read(0x80_0000, total) == source
    assert done.memory.read(0x80_0000 + total, 16) == bytes(16)


def test_ping_pong_ends_and_is_the_same_every_time() -> None:
    def once(fast_forward: bool) -> cs.RunResult:
        pair = {0: programs.ping(200, PS3.spes[1]), 1: programs.pong(200, PS3.spes[0])}
        return cs.run(PS3, pair, fast_forward=fast_forward)

    first, second = once(fast_forward=True), once(fast_forward=True)
    assert first.record_json == second.record_json
    assert first.local_stores == once(fast_forward=False).local_stores
    assert first.local_stores[0][programs.MESSAGE_LSA :][:4] == b"PING"


def test_async_and_generator_programs_leave_the_same_record() -> None:
    async def awaiting(spu: cs.Spu) -> int:
        await spu.mfc_get(0x1000, 0x2000, 256, 1)
        await spu.mfc_write_tag_mask(1 << 1)
        return await spu.mfc_read_tag_status_all()

    def yielding(spu: cs.Spu) -> Generator[Any, int, int]:
        yield from spu.mfc_get(0x1000, 0x2000, 256, 1)
        yield from spu.mfc_write_tag_mask(1 << 1)
        return (yield from spu.mfc_read_tag_status_all())

    memory = {0x2000: bytes(range(256))}
    records = [cs.run(PS3, {0: p}, memory=memory).record_json for p in (awaiting, yielding)]
    assert records[0] == records[1]


def test_atomic_additions_are_not_lost() -> None:
    async def count(spu: cs.Spu) -> None:
        for _ in range(25):
            await spu.atomic_add_return(2, 0x1004)

    done = cs.run(PS3, dict.fromkeys(range(6), count))
    assert int.from_bytes(done.memory.read(0x1004, 4), "big") == 6 * 25 * 2


def test_a_put_reaches_the_other_local_store() -> None:
    async def give(spu: cs.Spu) -> None:
        spu.ls.write(0x100, b"sixteen bytes ..")
        await spu.mfc_put(0x100, local_store_ea(PS3.spes[1], 0x500), 16, 0)
        await spu.mfc_write_tag_mask(1)
        await spu.mfc_read_tag_status_all()

    async def idle(spu: cs.Spu) -> None:
        await spu.compute(10_000)

    done = cs.run(PS3, {0: give, 1: idle})
    assert done.local_stores[1][0x500:0x510] == b"sixteen bytes .."


@pytest.mark.parametrize("register", [False, True])
def test_the_ppe_talks_by_library_and_by_register(register: bool) -> None:
    async def double(spu: cs.Spu) -> None:
        await spu.spu_write_out_mbox(2 * await spu.spu_read_in_mbox())
        await spu.spu_write_out_mbox(await spu.spu_read_signal1())

    heard: list[int] = []

    async def ppe(ppe: cs.Ppe) -> None:
        await ppe.spe_create_thread(0)
        if register:
            await ppe.mmio_write_in_mbox(0, 21)
            heard.append(await ppe.mmio_read_out_mbox(0))
            await ppe.mmio_write_signal(0, 1, 7)
            heard.append(await ppe.mmio_read_out_mbox(0))
        else:
            await ppe.spe_in_mbox_write(0, 21)
            while not await ppe.spe_out_mbox_status(0):
                pass
            heard.append(await ppe.spe_out_mbox_read(0))
            await ppe.spe_signal_write(0, 1, 7)
            while not await ppe.spe_out_mbox_status(0):
                pass
            heard.append(await ppe.spe_out_mbox_read(0))
        await ppe.spe_wait(0)

    cs.run(PS3, {0: double}, ppe=ppe)
    assert heard == [42, 7]


def test_a_broken_rule_names_itself() -> None:
    async def misaligned(spu: cs.Spu) -> None:
        await spu.mfc_get(0x1001, 0x2000, 128, 0)
        await spu.mfc_write_tag_mask(1)
        await spu.mfc_read_tag_status_all()

    with pytest.raises(cs.RunError, match="align") as caught:
        cs.run(PS3, {0: misaligned})
    assert len(str(caught.value).splitlines()) == 1


def test_a_deadlock_says_who_waits() -> None:
    async def wait(spu: cs.Spu) -> None:
        await spu.spu_read_in_mbox()

    with pytest.raises(cs.RunError, match="deadlock") as caught:
        cs.run(PS3, {0: wait, 1: wait})
    assert len(str(caught.value).splitlines()) == 1


def test_an_endless_program_meets_the_limit() -> None:
    async def endless(spu: cs.Spu) -> None:
        while True:
            await spu.compute(1000)

    with pytest.raises(cs.RunError, match="100000"):
        cs.run(PS3, {0: endless}, limit_bus_cycles=100_000)


def test_exceptions_of_programs_come_out() -> None:
    async def wrong(spu: cs.Spu) -> None:
        await spu.compute(1)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        cs.run(PS3, {0: wrong})


def test_functions_that_are_no_programs() -> None:
    with pytest.raises(cs.UsageError, match="write it as an async function"):
        cs.run(PS3, {0: lambda _: None})  # type: ignore[dict-item,return-value]


def test_the_local_store_is_closed_outside_the_run() -> None:
    kept: list[cs.Spu] = []

    async def keep(spu: cs.Spu) -> None:
        kept.append(spu)
        await spu.compute(1)

    cs.run(PS3, {0: keep})
    with pytest.raises(RuntimeError):
        kept[0].ls.read(0, 4)


def test_copies_that_cannot_be() -> None:
    with pytest.raises(cs.UsageError, match="multiple of 16"):
        programs.double_buffered_copy(0, 0x1000, 100, 24)
