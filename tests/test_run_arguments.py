"""What `cs.run` and the calls of a program accept, and how a run's record is read."""

from collections.abc import Callable
from typing import Any

import pytest

import cellstats as cs
from cellstats.spu import Spu

PS3 = cs.machine("ps3")


async def get(spu: Spu) -> None:
    await spu.mfc_get(0, 0x8000, 256, tag=0)
    await spu.mfc_write_tag_mask(1)
    await spu.mfc_read_tag_status_all()


def test_a_list_of_programs_is_one_for_each_thread() -> None:
    listed, numbered = cs.run(PS3, [get, get]), cs.run(PS3, {0: get, 1: get})
    assert listed.record_json == numbered.record_json
    assert listed.bus_cycles == listed.record["bus_cycles"]
    assert listed.time_ns == listed.bus_cycles * 0.625
    with pytest.raises(cs.UsageError, match=r"is no list of programs; write \[program\]"):
        cs.run(PS3, get)  # type: ignore[arg-type]


def test_transfers_are_a_table() -> None:
    frame = cs.run(PS3, [get], events=True).to_frame()
    assert list(frame["from"]) == ["MIC", "MIC"]
    assert list(frame["to"]) == ["SPE0", "SPE0"]
    assert frame["bytes"].sum() == 256
    with pytest.raises(cs.UsageError, match="events=True"):
        cs.run(PS3, [get]).to_frame()
    traced = PS3.trace("dmaget", size="1k", window=400).to_frame()
    assert (len(traced), set(traced["from"])) == (8, {"MIC"})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda spu: spu.spu_write_out_mbox(1 << 32), "0x100000000, has more than 32 bits"),
        (lambda spu: spu.spu_write_out_mbox(-(1 << 31) - 1), "more than 32 bits"),
        (lambda spu: spu.mfc_write_tag_mask(1.5), "1.5, is not a whole number"),
        (lambda spu: spu.mfc_get(0, "8000", 16, tag=0), "address, '8000', is not a whole number"),
        (lambda spu: spu.mfc_get(0, 1 << 64, 16, tag=0), "is not a whole number of 64 bits"),
        (lambda spu: spu.mfc_get("0", 0, 16, tag=0), "local-store address, '0', is not"),
        (lambda spu: spu.mfc_get(0, 0, 16, tag=None), "the tag, None, is not a whole number"),
        (lambda spu: spu.mfc_getllar(0, None), "address, None, is not a whole number"),
    ],
)
def test_numbers_that_are_no_words_are_refused(call: Callable[[Any], Any], message: str) -> None:
    async def program(spu: Spu) -> None:
        await call(spu)

    with pytest.raises(cs.UsageError, match=message):
        cs.run(PS3, [program])


def test_words_may_be_negative() -> None:
    async def program(spu: Spu) -> None:
        spu.store_word(0, -1)
        await spu.spu_write_out_mbox(-(1 << 31))

    assert cs.run(PS3, [program]).local_stores[0][:4] == b"\xff" * 4
