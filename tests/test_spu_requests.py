"""The channel requests that each function of spu_mfcio.h makes, tested without a machine."""

from collections.abc import Generator
from typing import Any

import pytest

from cellstats import Spu
from cellstats.architecture import MFC_TAG_INVALID, Channel
from cellstats.spu import mfc_ceil128, mfc_ea2h, mfc_ea2l, mfc_hl2ea

EA = 0x123_4567_8980


class Store:
    """A local store made of plain bytes."""

    size = 0x4_0000

    def __init__(self) -> None:
        self.content = bytearray(self.size)

    def read(self, addr: int, n: int) -> bytes:
        return bytes(self.content[addr : addr + n])

    def write(self, addr: int, data: bytes) -> None:
        self.content[addr : addr + len(data)] = data


def ask(question: Any, *answers: int) -> tuple[list[tuple[Any, ...]], Any]:
    """Run a coroutine, and send it the answers one by one. Return its requests and its result."""
    requests = []
    waiting = iter(answers)
    try:
        request = question.send(None)
        while True:
            requests.append(request)
            request = question.send(next(waiting, 0))
    except StopIteration as done:
        return requests, done.value


def command(ls: int, ea: int, size: int, tag: int, cmd: int) -> list[tuple[Any, ...]]:
    words = (ls, ea >> 32, ea & 0xFFFF_FFFF, size, tag, cmd)
    return [("write", 16 + index, word) for index, word in enumerate(words)]


@pytest.mark.parametrize(
    ("name", "opcode"),
    [
        ("mfc_put", 0x20),
        ("mfc_putb", 0x21),
        ("mfc_putf", 0x22),
        ("mfc_get", 0x40),
        ("mfc_getb", 0x41),
        ("mfc_getf", 0x42),
    ],
)
def test_transfers(name: str, opcode: int) -> None:
    requests, _ = ask(getattr(Spu(Store()), name)(0x80, EA, 256, 5, tid=1, rid=2))
    assert requests == command(0x80, EA, 256, 5, 1 << 24 | 2 << 16 | opcode)


@pytest.mark.parametrize(
    ("name", "opcode"),
    [
        ("mfc_putl", 0x24),
        ("mfc_putlb", 0x25),
        ("mfc_putlf", 0x26),
        ("mfc_getl", 0x44),
        ("mfc_getlb", 0x45),
        ("mfc_getlf", 0x46),
    ],
)
def test_lists_send_the_list_address_in_place_of_the_low_half(name: str, opcode: int) -> None:
    requests, _ = ask(getattr(Spu(Store()), name)(0x80, EA, 0x400, 16, 5))
    assert requests == command(0x80, EA >> 32 << 32 | 0x400, 16, 5, opcode)


@pytest.mark.parametrize(
    ("name", "arguments", "size", "tag", "opcode"),
    [
        ("mfc_getllar", (), 128, 0, 0xD0),
        ("mfc_putllc", (), 128, 0, 0xB4),
        ("mfc_putlluc", (), 128, 0, 0xB0),
        ("mfc_putqlluc", (3,), 128, 3, 0xB8),
        ("mfc_sndsig", (3,), 4, 3, 0xA0),
        ("mfc_sndsigb", (3,), 4, 3, 0xA1),
        ("mfc_sndsigf", (3,), 4, 3, 0xA2),
    ],
)
def test_atomics_and_signals(
    name: str, arguments: tuple[int, ...], size: int, tag: int, opcode: int
) -> None:
    requests, _ = ask(getattr(Spu(Store()), name)(0x80, EA, *arguments))
    assert requests == command(0x80, EA, size, tag, opcode)


@pytest.mark.parametrize(
    ("name", "opcode"),
    [
        ("mfc_sdcrt", 0x80),
        ("mfc_sdcrtst", 0x81),
        ("mfc_sdcrz", 0x89),
        ("mfc_sdcrst", 0x8D),
        ("mfc_sdcrf", 0x8F),
    ],
)
def test_storage_control(name: str, opcode: int) -> None:
    requests, _ = ask(getattr(Spu(Store()), name)(EA, 512, 4))
    assert requests == command(0, EA, 512, 4, opcode)


@pytest.mark.parametrize(
    ("name", "opcode"), [("mfc_barrier", 0xC0), ("mfc_eieio", 0xC8), ("mfc_sync", 0xCC)]
)
def test_ordering_commands_write_five_channels(name: str, opcode: int) -> None:
    requests, _ = ask(getattr(Spu(Store()), name)(7))
    channels = [(request[1], request[2]) for request in requests]
    assert channels == [(16, 0), (18, 0), (19, 0), (20, 7), (21, opcode)]


def test_tag_status_asks_then_reads() -> None:
    requests, status = ask(Spu(Store()).mfc_read_tag_status_all(), 0, 0b101)
    assert requests == [("write", 23, 2), ("read", 24)]
    assert status == 0b101


def test_channel_names_have_their_numbers() -> None:
    assert (Channel.MFC_Cmd, Channel.SPU_RdInMbox, Channel.SPU_WrOutIntrMbox) == (21, 29, 30)


def test_written_words_are_32_bits() -> None:
    requests, _ = ask(Spu(Store()).spu_write_out_mbox(-1))
    assert requests == [("write", 28, 0xFFFF_FFFF)]


def test_fetch_and_add_starts_again_when_the_reservation_is_lost() -> None:
    spu = Spu(Store())
    line = Store.size - 128
    spu.store_word(line + 4, 41)
    get, put = command(line, 0x1000, 128, 0, 0xD0), command(line, 0x1000, 128, 0, 0xB4)
    attempt = [*get, ("read", 27), *put, ("read", 27)]
    # The first putllc returns 1, as if another unit had written the line.
    answers = [*[0] * 6, 4, *[0] * 6, 1]
    requests, before = ask(spu.atomic_add_return(1, 0x1004), *answers)
    assert requests == attempt * 2
    # In this test, getllar does not reload the line, so the second attempt reads 42.
    assert (before, spu.load_word(line + 4)) == (42, 43)


def test_atomic_results_are_signed() -> None:
    spu = Spu(Store())
    requests, before = ask(spu.atomic_dec_return(0x1000))
    assert len(requests) == 14
    assert (before, spu.load_word(Store.size - 128)) == (0, 0xFFFF_FFFF)
    _, before = ask(spu.atomic_set(0x1000, 5))
    assert before is None
    _, value = ask(spu.atomic_read(0x1000))
    assert value == 5


def test_iterations_in_both_styles_ask_the_same() -> None:
    ran: list[int] = []

    async def awaiting(spu: Spu) -> None:
        async for index in spu.iterations(10):
            ran.append(index)
            await spu.compute(3)

    def yielding(spu: Spu) -> Generator[Any, int, None]:
        left = 10
        while left > 0:
            left -= yield from spu.mark(left)
            yield from spu.compute(3)
            left -= 1

    # After one iteration, the machine skips six iterations.
    answers = [0, 0, 6, 0, 0, 0, 0, 0]
    requests, _ = ask(awaiting(Spu(Store())), *answers)
    assert ran == [0, 7, 8, 9]
    assert [request[1] for request in requests] == [10, 3, 9, 3, 2, 3, 1, 3]
    assert requests == ask(yielding(Spu(Store())), *answers)[0]


def test_tags_run_out() -> None:
    spu = Spu(Store())
    assert [spu.mfc_tag_reserve() for _ in range(33)] == [*range(32), MFC_TAG_INVALID]
    assert spu.mfc_tag_release(3) == 0
    assert spu.mfc_tag_release(3) == MFC_TAG_INVALID
    assert spu.mfc_tag_reserve() == 3


def test_addresses() -> None:
    assert mfc_hl2ea(mfc_ea2h(EA), mfc_ea2l(EA)) == EA
    assert [mfc_ceil128(value) for value in (0, 1, 128, 129)] == [0, 128, 128, 256]
