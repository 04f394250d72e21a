"""What a PPE program in Python can do with threads, by the names of libspe2."""

from pathlib import Path

import pytest

import cellstats as cs
from cellstats.architecture import local_store_ea

STOPS = Path(__file__).resolve().parents[2] / "programs" / "tests" / "stops.elf"
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
    # Without anybody on the PPE such a stop means nothing.
    with pytest.raises(cs.RunError, match="stop of type 0x1111; here only exits"):
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
