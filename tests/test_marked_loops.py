"""Random loops with marks on several SPEs: fast-forward changes neither record nor memory."""

from collections.abc import Callable
from typing import Any, TypeAlias

from hypothesis import example, given
from hypothesis import strategies as st

import cellstats as cs
from cellstats.architecture import local_store_ea
from chance import examples

PS3 = cs.machine("ps3")
USED_BYTES = 0x3_0000
# Not 1 and 2: `Spu.mark` requires equal changes, but part of a counter word changes unequally.
SIZES = (4, 8, 16, 128, 144, 1024, 16384)

Body: TypeAlias = list[tuple[Any, ...]]
"""A loop body: names of steps with their arguments. Every SPE repeats its own body."""


async def _get(spu: cs.Spu, size: int, buffer: int) -> None:
    await spu.mfc_get(0x4000, 0x1_0000 + 0x4000 * buffer, size, buffer)


async def _put(spu: cs.Spu, size: int, buffer: int) -> None:
    await spu.mfc_putf(0x8000, 0x1_0000 + 0x4000 * buffer, size, buffer)


async def _put_to_neighbour(spu: cs.Spu, size: int, thread: int) -> None:
    neighbour = PS3.spes[thread % len(PS3.spes)]
    await spu.mfc_put(0x8000, local_store_ea(neighbour, 0xC000), size, thread)


async def _wait(spu: cs.Spu, mask: int) -> None:
    await spu.mfc_write_tag_mask(mask)
    await spu.mfc_read_tag_status_all()


async def _poll(spu: cs.Spu, mask: int) -> None:
    await spu.mfc_write_tag_mask(mask)
    while await spu.mfc_read_tag_status_immediate() != mask:
        pass


async def _compute(spu: cs.Spu, cycles: int) -> None:
    await spu.compute(cycles)


async def _count(spu: cs.Spu, amount: int) -> None:
    await spu.atomic_add_return(amount, 0x2_C000)


async def _word(spu: cs.Spu, amount: int) -> None:
    spu.store_word(0x8000, spu.load_word(0x8000) + amount)


async def _queue(spu: cs.Spu) -> None:
    await spu.mfc_stat_cmd_queue()


STEPS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (_get, _put, _put_to_neighbour, _wait, _poll, _compute, _count, _word, _queue)
}

_transfers = st.tuples(
    st.sampled_from(["_get", "_put", "_put_to_neighbour"]),
    st.sampled_from(SIZES),
    st.integers(0, 6),
)
_waits = st.tuples(st.sampled_from(["_wait", "_poll"]), st.integers(1, 127))
_numbers = st.tuples(st.sampled_from(["_compute", "_count", "_word"]), st.integers(0, 300))
_bodies = st.lists(st.one_of(_transfers, _waits, _numbers, st.just(("_queue",))), max_size=5)


def looping(rounds: int, body: Body) -> Callable[[cs.Spu], Any]:
    """A program that repeats `body`, and waits for all tags at the end."""

    async def program(spu: cs.Spu) -> None:
        async for _ in spu.iterations(rounds):
            for name, *numbers in body:
                await STEPS[name](spu, *numbers)
        await _wait(spu, 127)

    return program


@examples(60)
@given(loops=st.lists(st.tuples(st.integers(0, 400), _bodies), min_size=1, max_size=4))
# An SPU may be half a bus cycle behind the bus clock when it sets its mark.
@example(loops=[(9, [("_poll", 2), ("_compute", 1), ("_put_to_neighbour", 4, 1)])])
def test_loops_leave_the_same_with_and_without_fast_forward(
    loops: list[tuple[int, Body]],
) -> None:
    def once(fast_forward: bool) -> tuple[str, Any, bytes]:
        programs = {thread: looping(*loop) for thread, loop in enumerate(loops)}
        done = cs.run(PS3, programs, fast_forward=fast_forward)
        return done.record_json, done.local_stores, done.memory.read(0, USED_BYTES)

    assert once(True) == once(False)
