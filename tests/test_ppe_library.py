"""PPE programs in Python that control SPE threads with functions named as in libspe2."""

from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats.architecture import local_store_ea
from cellstats.spu.ppe import (
    SPE_EVENT_OUT_INTR_MBOX,
    SPE_EVENT_SPE_STOPPED,
    SPE_EVENT_TAG_GROUP,
    SPE_TAG_ANY,
    SPE_TAG_IMMEDIATE,
)

STOPS = Path(__file__).resolve().parents[1] / "programs" / "tests" / "stops.elf"
PS3 = cs.machine("ps3")


def test_an_executable_stops_with_codes_of_its_own_and_goes_on() -> None:
    program = cs.spu_program(STOPS)
    codes = []

    async def main(ppe: cs.Ppe) -> None:
        def at(name: str) -> int:
            return local_store_ea(ppe.spes[0], program.symbols[name])

        await ppe.spe_create_thread(0)
        codes.append(await ppe.spe_wait(0))
        await ppe.store(at("given"), 4, 21)
        await ppe.spe_continue(0)
        codes.append(await ppe.spe_wait(0))
        codes.append(await ppe.load(at("doubled"), 4))
        await ppe.spe_continue(0)
        codes.append(await ppe.spe_wait(0))

    result = cs.run(PS3, {0: program}, ppe=main)
    assert codes == [0x1111, 0x1112, 42, 0x202B]
    assert result.record["threads"][0]["stop_code"] == 0x202B
    # Without a PPE program, this stop is an error.
    with pytest.raises(cs.RunError, match="stop of type 0x1111; only exits"):
        cs.run(PS3, {0: program})


def test_a_python_program_stops_and_goes_on_too() -> None:
    codes = []

    async def spe(spu: cs.Spu) -> int:
        for code in (7, 0x3FFF):
            await spu.stop(code)
        return 9

    async def main(ppe: cs.Ppe) -> None:
        await ppe.spe_create_thread(0)
        codes.append(await ppe.spe_wait(0))
        for _ in range(2):
            await ppe.spe_continue(0)
            codes.append(await ppe.spe_wait(0))
        await ppe.spe_continue(0)

    with pytest.raises(cs.RunError, match="thread_continue: thread 0 has ended, and cannot go on"):
        cs.run(PS3, {0: spe}, ppe=main)
    assert codes == [7, 0x3FFF, 9]

    async def wrong(spu: cs.Spu) -> None:
        await spu.stop(0x4000)

    with pytest.raises(cs.UsageError, match="stop code 16384 is out of range; give 0 to 16383"):
        cs.run(PS3, {0: wrong})


def test_the_ppe_moves_data_by_a_threads_proxy_queue() -> None:
    data = bytes(range(256)) * 64
    told: list[Any] = []

    async def main(ppe: cs.Ppe) -> None:
        await ppe.spe_mfcio_get(0, 0x4000, 0x10_0000, 16384, tag=3)
        await ppe.spe_mfcio_putf(0, 0x4000, 0x20_0000, 16384, tag=3)
        told.append(await ppe.spe_event_wait({0: SPE_EVENT_TAG_GROUP}))
        told.append(await ppe.spe_mfcio_tag_status_read(0))
        told.append(await ppe.spe_mfcio_tag_status_read(0, behavior=SPE_TAG_ANY))
        told.append(await ppe.spe_mfcio_tag_status_read(0, 0xFF, SPE_TAG_IMMEDIATE))

    result = cs.run(PS3, {0: nothing}, ppe=main, memory={0x10_0000: data})
    assert result.memory.read(0x20_0000, len(data)) == data
    assert told == [{0: SPE_EVENT_TAG_GROUP}, 1 << 3, 0, 0xFF]


async def nothing(_: cs.Spu) -> None:
    """A program that ends immediately."""


def test_the_ppe_waits_for_whichever_event_comes_first() -> None:
    wanted = dict.fromkeys(range(3), SPE_EVENT_OUT_INTR_MBOX | SPE_EVENT_SPE_STOPPED)
    seen = []

    async def spe(spu: cs.Spu) -> None:
        await spu.compute(1_000_000 * (3 - spu.argp))
        await spu.spu_write_out_intr_mbox(spu.argp)

    async def main(ppe: cs.Ppe) -> None:
        seen.append(await ppe.spe_event_wait(wanted, timeout_ns=1000))
        for thread in wanted:
            await ppe.spe_create_thread(thread, thread)
        left = dict(wanted)
        while left:
            for thread, events in (await ppe.spe_event_wait(left)).items():
                seen.append({thread: events & SPE_EVENT_OUT_INTR_MBOX})
                assert await ppe.spe_out_intr_mbox_read(thread) == thread
                del left[thread]

    cs.run(PS3, dict.fromkeys(wanted, spe), ppe=main)
    assert seen[0] == {}
    assert {thread for found in seen[1:] for thread in found} == set(wanted)


def test_what_cannot_be_asked_of_the_library_is_one_line() -> None:
    def refused(main: Any) -> str:
        with pytest.raises(cs.UsageError) as caught:
            cs.run(PS3, {0: nothing}, ppe=main)
        line = str(caught.value)
        assert line.splitlines() == [line]
        return line

    async def events(ppe: cs.Ppe) -> None:
        await ppe.spe_event_wait({0: 16})

    async def behavior(ppe: cs.Ppe) -> None:
        await ppe.spe_mfcio_tag_status_read(0, 1, 4)

    async def size(ppe: cs.Ppe) -> None:
        await ppe.spe_mfcio_get(0, 0, 0, 65536, 0)

    async def read(ppe: cs.Ppe) -> None:
        await ppe.read_memory(0xC80_0000 - 1, 2)

    async def write(ppe: cs.Ppe) -> None:
        await ppe.write_memory(0, "text")  # type: ignore[arg-type]

    assert "2 bytes at 0xc7fffff are not in main memory, which ends at 0xc800000" in refused(read)
    assert "memory is written with str; give bytes" in refused(write)
    assert "events 0: 16; give threads 0 to 15" in refused(events)
    assert "behavior 4; give SPE_TAG_ALL" in refused(behavior)
    assert "size 65536 is out of range" in refused(size)


def test_memory_is_read_and_written_by_the_piece_and_takes_its_time() -> None:
    data = bytes(range(1, 256)) * 1000
    times = []
    read = []

    async def spe(spu: cs.Spu) -> None:
        await spu.mfc_get(0, 0x10_0000, 128, tag=0)
        await spu.mfc_write_tag_mask(1)
        await spu.mfc_read_tag_status_all()

    async def main(ppe: cs.Ppe) -> None:
        for size in (1000, len(data)):
            begin = await ppe.timebase()
            await ppe.write_memory(0x10_0003, data[:size])
            times.append(await ppe.timebase() - begin)
        read.append(await ppe.read_memory(0x10_0003, len(data)))
        read.append(await ppe.read_memory(0x10_0000, 3))
        read.append(await ppe.read_memory(0, 0))
        await ppe.spe_create_thread(0)

    result = cs.run(PS3, {0: spe}, ppe=main)
    assert read == [data, bytes(3), b""]
    assert result.local_stores[0][:128] == bytes(3) + data[:125]
    assert result.memory.read(0x10_0000, 3 + len(data)) == bytes(3) + data
    # The transfer of a quarter of a megabyte takes far longer than that of a kilobyte.
    assert times[1] > 50 * times[0] > 0


def test_a_write_of_the_ppe_takes_a_lines_reservation() -> None:
    statuses = []

    async def spe(spu: cs.Spu) -> None:
        await spu.mfc_getllar(0, 0x1000)
        await spu.mfc_read_atomic_status()
        await spu.spu_write_out_mbox(1)
        await spu.spu_read_in_mbox()
        await spu.mfc_putllc(0, 0x1000)
        statuses.append(await spu.mfc_read_atomic_status())

    async def main(ppe: cs.Ppe) -> None:
        await ppe.spe_create_thread(0)
        while not await ppe.spe_out_mbox_status(0):
            pass
        await ppe.write_memory(0x1010, b"new")
        await ppe.spe_in_mbox_write(0, 1)

    result = cs.run(PS3, {0: spe}, ppe=main)
    assert statuses == [1]
    assert result.memory.read(0x1010, 4) == b"new\0"


def test_as_many_ppe_programs_as_one_likes() -> None:
    ended = []

    async def spe(spu: cs.Spu) -> int:
        await spu.compute(3_000_000)
        return spu.argp

    def starter(thread: int) -> Any:
        async def main(ppe: cs.Ppe) -> None:
            await ppe.spe_create_thread(thread, argp=thread)
            assert await ppe.spe_wait(thread) == thread
            ended.append(thread)

        return main

    one = cs.run(PS3, {0: spe}, ppe=starter(0))
    ended.clear()
    six = cs.run(PS3, dict.fromkeys(range(6), spe), ppe=[starter(n) for n in range(6)])
    assert sorted(ended) == list(range(6))
    # The SPEs run in parallel, although two hardware threads create the SPE threads one by one.
    assert six.record["bus_cycles"] < 6 * one.record["bus_cycles"] / 2
    again = cs.run(PS3, dict.fromkeys(range(6), spe), ppe=[starter(n) for n in range(6)])
    assert again.record_json == six.record_json
