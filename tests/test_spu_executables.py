"""Runs of SPU executables: output, memory and exit status."""

import json
import os
import random
import re
import struct
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats.architecture import local_store_ea
from cellstats.measure.machine import Machine

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "programs" / "tests"
SAMPLES = ROOT / "programs" / "samples"
PS3 = cs.machine("ps3")
LOCAL_STORE_BYTES = 262144


def executed(name: str, *args: str, **how: Any) -> cs.RunResult:
    return cs.run(PS3, {0: cs.spu_program(TESTS / f"{name}.elf", args, **how)})


def status(result: cs.RunResult, thread: int = 0) -> int:
    """The exit status of a thread, which must have stopped with the code for an exit."""
    code: int = result.record["threads"][thread]["stop_code"]
    assert code >> 8 == 0x20
    return code & 0xFF


def printed(capfd: pytest.CaptureFixture[str], kind: int, form: str, **values: bytes) -> str:
    store = {"format": form.encode() + b"\0", "kind": struct.pack(">i", kind), **values}
    assert status(executed("print", local_store=store)) == 0
    return capfd.readouterr().out


def test_printf_formats_as_c_does(chance: random.Random, capfd: pytest.CaptureFixture[str]) -> None:
    # Python's % operator has the same flags and conversions as C's printf.
    for _ in range(50):
        flags = "".join(flag for flag in "-+ 0#" if chance.random() < 0.3)
        width = chance.choice(["", "1", "7", "20"])
        precision = chance.choice(["", ".0", ".3", ".12"])
        real = chance.choice([0.0, 1.0, -2.5, 1e-7, 123456.789, 1e20, chance.gauss(0, 1e5)])
        form = f"<%{flags}{width}{precision}{chance.choice('eEfgG')}>"
        assert printed(capfd, 2, form, real=struct.pack(">d", real)) == form % real
        # The number 0 is not tested, because C writes nothing for 0 with a precision of 0.
        word = chance.choice([1, -1, 1234, 2**31 - 1, -(2**31)])
        form = f"<%{flags.replace('#', '')}{width}{precision}d>"
        if precision and "0" in flags:
            # For these formats, Python pads with zeros, but C does not.
            form = "<%" + form[2:].replace("0", "", 1)
        assert printed(capfd, 0, form, word=struct.pack(">i", word)) == form % word


def test_printf_of_long_long_and_text(capfd: pytest.CaptureFixture[str]) -> None:
    assert printed(capfd, 1, "%lld\n", longer=struct.pack(">q", -(2**62))) == f"{-(2**62)}\n"
    out = printed(capfd, 3, "%-*s|", width=struct.pack(">i", 6), text=b"four\0")
    assert out == "four  |"


def test_many_arguments_of_mixed_sizes_into_a_buffer(capfd: pytest.CaptureFixture[str]) -> None:
    form = "%d %lld %.1f %s %d %lld %.2f %c" + "x" * 60
    out = printed(capfd, 4, form)
    assert out == ("1 2 3.5 four 5 6 7.25 c" + "x" * 60)[:63] + "\n"


def test_streams_and_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    result = executed("files")
    assert (capfd.readouterr().out, status(result)) == ("", 0)
    assert (tmp_path / "renamed.txt").read_text() == ("first line\n-42 2.50 word\nabcdef!more")


def test_an_argument_vector(capfd: pytest.CaptureFixture[str]) -> None:
    assert status(executed("arguments", "one", "two words")) == 3
    assert capfd.readouterr().out == "1: one\n2: two words\n"


def test_three_numbers_and_a_program_for_each_spe(capfd: pytest.CaptureFixture[str]) -> None:
    programs = {n: cs.spu_program(SAMPLES / "hello.elf", argp=n, envp=3) for n in range(3)}
    result = cs.run(PS3, programs)
    assert [status(result, n) for n in range(3)] == [0, 0, 0]
    lines = sorted(capfd.readouterr().out.splitlines())
    assert lines == [f"hello from SPE {n} of 3" for n in range(3)]
    assert result.executables[1].instructions > 100


def test_symbols_lead_to_variables_before_and_after_a_run() -> None:
    program = cs.spu_program(TESTS / "print.elf", local_store={"kind": struct.pack(">i", 4)})
    at = program.symbols["length"]
    result = cs.run(PS3, {0: program})
    (length,) = struct.unpack_from(">i", result.local_stores[0], at)
    assert length == len("%d\n") - 1


def test_a_profile_has_the_code_that_ran_though_it_is_overwritten() -> None:
    # This library's printf writes a loop onto the stack, and executes it to save the arguments.
    program = cs.spu_program(SAMPLES / "hello.elf", profile=True)
    profile_json = cs.run(PS3, {0: program}).executables[0].profile_json
    assert profile_json is not None
    rows = json.loads(profile_json)["records"]
    loop = [row for row in rows if row["address"] > 0x30000 and row["record"]["issues"] > 1]
    assert any(row["text"].startswith("sync") for row in loop)
    assert all(row["record"]["word"] != 0 for row in loop)


def test_every_command_does_what_a_program_expects_of_it(capfd: pytest.CaptureFixture[str]) -> None:
    # All SPEs run at the same time. Each SPE has its own memory, and all share the bus.
    program = TESTS / "commands.elf"
    result = cs.run(PS3, {n: cs.spu_program(program, argp=n, envp=6) for n in range(6)})
    assert capfd.readouterr().out == ""
    assert [status(result, n) for n in range(6)] == [0] * 6


def test_interrupts_come_at_once_and_leave_the_program_as_it_was(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert status(executed("interrupts")) == 0
    assert capfd.readouterr().out == (
        "5 interrupts, late by 0 ticks at most\nwork lost: 0\nwhile disabled: 0, afterwards: 1\n"
    )
    # Profiling splits the run at different points, but has no effect on the program.
    assert status(executed("interrupts", profile=True)) == 0
    assert capfd.readouterr().out.startswith("5 interrupts, late by 0 ticks at most\n")


def test_an_executable_runs_beside_a_program_in_python() -> None:
    elf = cs.spu_program(TESTS / "faults.elf", local_store={"which": struct.pack(">i", 7)})
    # The executable loops for ever, and the Python program reads one of its variables by DMA.
    wanted = elf.symbols["which"]
    seen = []

    async def other(spu: cs.Spu) -> None:
        await spu.mfc_get(0x1000, local_store_ea(PS3.spes[0], wanted & ~15), 16, tag=0)
        await spu.mfc_write_tag_mask(1)
        await spu.mfc_read_tag_status_all()
        seen.append(spu.load_word(0x1000 + wanted % 16))

    with pytest.raises(cs.RunError, match="not finished"):
        cs.run(PS3, {0: elf, 1: other}, limit_bus_cycles=100_000)
    assert seen == [7]


FAULTS = {
    0: r"\(\.long 0x800000\), program: 0x00800000 is no instruction",
    1: r"\(heqi? .*\), program: its condition holds: the program halts",
    2: r"\(stop\), program: stop of type 0x1234; only exits",
    3: r"\(wrch \$ch99,\$\d+\), write of 0x1 to .*99",
    4: r"mfc_get lsa=0x1001|get lsa=0x1001",
    5: r"program: function 255 of library 0x2100 is not provided",
    6: r"program: function 1 of library 0x2105 is not provided",
}


@pytest.mark.parametrize("which", FAULTS)
def test_a_fault_is_one_line_with_spe_address_disassembly_and_cycle(which: int) -> None:
    with pytest.raises(cs.RunError) as caught:
        executed("faults", local_store={"which": struct.pack(">i", which)})
    line = str(caught.value)
    assert line.splitlines() == [line]
    assert re.match(r"SPE 0, bus cycle \d+, at 0x[0-9a-f]+ \(.*\), ", line), line
    assert re.search(FAULTS[which], line), line


def test_a_stack_that_runs_over_its_end_is_named() -> None:
    def failure(name: str) -> str:
        with pytest.raises(cs.RunError) as caught:
            executed(name)
        line = str(caught.value)
        assert line.splitlines() == [line]
        return line

    # After the stack overflow, the SPU executes an address that was saved on the stack.
    over = r"stop of type 0x[0-9a-f]+: the stack has run over its end and over the program's code"
    assert re.search(rf"\(stop\), program: {over}", failure("stack"))
    # With -fstack-check, the program halts in time. Each call level takes 1056 bytes.
    left = re.search(
        r"\(heqi .*\), program: its condition holds: the program halts: "
        r"(\d+) bytes are left of the stack, and -fstack-check needs more",
        failure("stack_checked"),
    )
    assert left is not None
    assert int(left[1]) < 1056


def test_code_that_something_else_overwrote_is_named_too() -> None:
    # Another SPE overwrites main with zeros, which decode as "stop 0".
    program = cs.spu_program(TESTS / "faults.elf")
    at = program.symbols["main"]

    async def other(spu: cs.Spu) -> None:
        await spu.mfc_put(0x1000, local_store_ea(PS3.spes[0], at & ~127), 128, tag=0)
        await spu.mfc_write_tag_mask(1)
        await spu.mfc_read_tag_status_all()

    looping = cs.spu_program(TESTS / "faults.elf", local_store={"which": struct.pack(">i", 7)})
    # The zeros must arrive before the program has left this line.
    quick = Machine.find("ps3", {"translation.mfc_walk_bus_cycles": 0})
    with pytest.raises(
        cs.RunError, match=r"stop of type 0x0: the program's code was overwritten here$"
    ):
        cs.run(quick, {0: looping, 1: other}, limit_bus_cycles=1_000_000)
    with pytest.raises(cs.RunError, match=r"is no instruction$"):
        cs.run(PS3, {0: program})


def test_what_is_wrong_with_a_file_or_its_arguments_is_one_line(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.elf"
    damaged.write_bytes((TESTS / "print.elf").read_bytes()[:300])
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (tmp_path / "none.elf", {}, "no such file or directory; give an SPU executable"),
        (Path(__file__), {}, "not an ELF file"),
        (damaged, {}, "segment 0 is cut off"),
        (TESTS / "print.elf", {"argp": -1}, "argp"),
        (TESTS / "print.elf", {"args": "word"}, "give a list"),
        (TESTS / "print.elf", {"args": ["a"]}, "takes no arguments; link it with -mstdmain"),
        (TESTS / "print.elf", {"local_store": {"kind": 3}}, "give bytes"),
        (TESTS / "print.elf", {"local_store": {"kimd": b""}}, "did you mean kind"),
        (TESTS / "print.elf", {"local_store": {2**20 + 1: b"x"}}, "local-store address"),
    ]
    for path, how, words in wrong:
        with pytest.raises(cs.UsageError) as caught:
            cs.spu_program(path, **how)
        line = str(caught.value)
        assert words in line
        assert line.splitlines() == [line]
    large = cs.spu_program(TESTS / "print.elf", local_store={LOCAL_STORE_BYTES - 1: b"xy"})
    with pytest.raises(cs.UsageError, match="too large"):
        cs.run(PS3, {0: large})


def test_a_file_without_an_end_is_not_read_to_it(tmp_path: Path) -> None:
    huge, pipe = tmp_path / "huge.elf", tmp_path / "pipe.elf"
    with huge.open("wb") as file:
        file.truncate(20 * 2**30)
    os.mkfifo(pipe)
    for path, words in [
        (huge, "larger than 64 MiB; give an SPU executable"),
        (pipe, "not an ordinary file; give an SPU executable"),
        (Path("/dev/zero"), "not an ordinary file; give an SPU executable"),
        (tmp_path, "not an ordinary file; give an SPU executable"),
    ]:
        with pytest.raises(cs.UsageError) as caught:
            cs.spu_program(path)
        assert str(caught.value) == f"program {str(path)!r}: {words}"
    # A file of the maximum size is read.
    with huge.open("wb") as file:
        file.truncate(64 * 2**20)
    with pytest.raises(cs.UsageError, match="not an ELF file"):
        cs.spu_program(huge)


def test_a_run_is_the_same_again_to_the_byte() -> None:
    def once() -> cs.RunResult:
        programs = {n: cs.spu_program(SAMPLES / "barrier.elf", argp=n, envp=6) for n in range(6)}
        return cs.run(PS3, programs)

    one, two = once(), once()
    assert one.record_json == two.record_json
    assert one.local_stores == two.local_stores
