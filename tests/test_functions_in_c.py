"""FUNCTIONs in C measure the same as built-in programs, and samples work as documented."""

import re
import struct
import subprocess
import sys
from collections.abc import Generator
from typing import Any

import pytest

import cellstats as cs
from cellstats.measure.machine import Machine
from command_line import ROOT, cellstats, usage_error
from parts import needs

PROGRAMS = ROOT / "programs"
SAMPLES = PROGRAMS / "samples"
CONTROL_BLOCK = PROGRAMS / "cellstats" / "control_block.h"

# Measurements in which SPEs do not contend for cache lines.
# With contention, the result depends on the order of the SPEs, as docs/spe-programs.md explains.
POINTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("mkthread", {"spes": 2, "iterations": 100}),
    ("mailbox", {"spes": 2}),
    ("mailbox", {"spes": 6, "ppe": "mmio"}),
    ("mailbox", {"spes": 6, "spe_to_spe": True}),
    ("signal", {"spes": 1}),
    ("signal", {"spes": 2, "ppe": "mmio"}),
    ("signal", {"spes": 2, "spe_to_spe": True}),
    *(
        (function, {"size": size, "spes": spes, "private": True})
        for function in ("dmaget", "dmaput")
        for size, spes in ((128, 1), (128, 6), ("16k", 1), ("16k", 6))
    ),
    ("dmaget", {"size": "2k", "spes": 2, "batch": 16}),
    ("dmaget", {"size": "1k", "spes": 2, "spe_to_spe": True}),
    ("dmaput", {"size": "1k", "spes": 4, "spe_to_spe": True, "batch": 0}),
    ("dmalistget", {"size": 128, "list_elements": 16, "spes": 1}),
    ("dmalistget", {"size": "2k", "list_elements": 4, "spes": 6}),
    ("dmalistput", {"size": 256, "list_elements": 8, "spes": 1, "private": True}),
    *(
        (function, {"spes": spes, "private": True})
        for function in ("fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset")
        for spes in (1, 6)
    ),
)


@pytest.mark.parametrize(("function", "given"), POINTS, ids=lambda value: str(value))
def test_c_measures_what_the_built_in_program_does(function: str, given: dict[str, Any]) -> None:
    # The C programs build their DMA lists before the measurement begins.
    ps3 = Machine.find("ps3", {"software.list_spu_cycles": 0})
    given = {"iterations": 500, **given}
    builtin = ps3.measure(function, **given)
    in_c = ps3.measure(function, **given, spe_program="c")
    assert in_c.latency_ns == pytest.approx(builtin.latency_ns, rel=0.03)
    assert (in_c.spe_program, in_c.recipe["parameters"]["spe_program"]) == ("c", "c")


def test_a_run_by_instructions_is_shorter_by_default() -> None:
    assert cs.machine("ps3").measure("dmaget", spe_program="c").iterations == 10_000


@pytest.mark.parametrize(("function", "spes"), [("mkthread", 3), ("mailbox", 2), ("dmaget", 2)])
def test_fast_forward_changes_nothing(function: str, spes: int) -> None:
    given: dict[str, Any] = {"spes": spes, "iterations": 2000, "spe_program": "c"}
    ps3 = cs.machine("ps3")
    assert ps3.measure(function, **given) == ps3.measure(function, **given, fast_forward=False)


def test_a_trace_shows_the_program_in_c() -> None:
    trace = cs.machine("ps3").trace("dmaget", size=512, window=400, spe_program="c")
    assert len(trace.transfers()) == 4


@pytest.mark.parametrize("function", ["hotspot", "exchange", "load"])
def test_there_is_no_c_for_what_the_original_tool_did_not_have(function: str) -> None:
    pattern = "ring" if function == "exchange" else None
    with pytest.raises(cs.UsageError, match=f"^spe_program c with {function}: only mkthread"):
        cs.machine("ps3").measure(function, spe_program="c", pattern=pattern)


def test_an_unknown_program_is_refused_in_one_line() -> None:
    line = usage_error("-f", "dmaget", "--spe-program", "pascal")
    assert line == 'cellstats: --spe-program "pascal": give one of builtin, c\n'


def test_the_header_numbers_functions_as_the_simulator_does() -> None:
    enum = re.search(r"enum function \{(.*?)\}", CONTROL_BLOCK.read_text(), re.DOTALL)
    assert enum is not None
    names = [name.lower() for name in re.findall(r"\w+", enum[1])]
    assert names == cs.function_names()[: len(names)]
    assert names[-1] == "fetchset"


def _control_block(function: str, iterations: int, warm_up: int, variable_ea: int) -> bytes:
    number = cs.function_names().index(function)
    head = struct.pack(">II6Q", number, 0, iterations, warm_up, 128 << 32, 1 << 32, variable_ea, 0)
    return head.ljust(256, b"\0")


@pytest.mark.parametrize(
    ("function", "expected"),
    [("fetchadd", 150), ("fetchsub", -150), ("fetchinc", 150), ("fetchdec", -150), ("fetchset", 1)],
)
def test_atomic_operations_in_c_lose_nothing(function: str, expected: int) -> None:
    control_ea, variable_ea, start = 0x10000, 0x100014, 7

    def ppe(ppe: cs.Ppe) -> Generator[Any, int, None]:
        yield from ppe.spe_create_thread(0, control_ea)
        yield from ppe.spe_create_thread(1, control_ea)
        for thread in (0, 1):
            while not (yield from ppe.spe_out_mbox_status(thread)):
                pass
            yield from ppe.spe_out_mbox_read(thread)
            yield from ppe.spe_in_mbox_write(thread, 1)
        for thread in (0, 1):
            yield from ppe.spe_wait(thread)

    program = cs.spu_program(PROGRAMS / "cellstats" / "cellstats.elf")
    done = cs.run(
        cs.machine("ps3"),
        {0: program, 1: program},
        ppe=ppe,
        memory={
            control_ea: _control_block(
                function, iterations=100, warm_up=50, variable_ea=variable_ea
            ),
            variable_ea: start.to_bytes(4, "big"),
        },
    )
    counted = 1 if function == "fetchset" else start + 2 * expected
    assert int.from_bytes(done.memory.read(variable_ea, 4), "big") == counted % (1 << 32)


def _sample(name: str, spes: int, machine: str = "ps3", **given: Any) -> cs.RunResult:
    elf = SAMPLES / f"{name}.elf"
    programs = {rank: cs.spu_program(elf, argp=rank, envp=spes) for rank in range(spes)}
    done = cs.run(cs.machine(machine), programs, **given)
    assert [thread["stop_code"] for thread in done.record["threads"]] == [0x2000] * spes
    return done


@pytest.mark.parametrize("spes", [1, 3, 6])
def test_copy_copies(spes: int) -> None:
    data = b"".join((word * 2654435761 % (1 << 32)).to_bytes(4, "big") for word in range(1 << 18))
    assert _sample("copy", spes, memory={0x100000: data}).memory.read(0x300000, 1 << 20) == data


def test_matrix_product_is_that_of_the_host() -> None:
    read = _sample("matrix", 5).memory.read(0x100000, 4 * 128 * 128)
    a = [[(3 * row + 5 * column) % 11 for column in range(128)] for row in range(128)]
    b = [[(7 * row + column) % 13 - 6 for column in range(128)] for row in range(128)]
    columns = list(zip(*b, strict=True))
    product = [sum(map(int.__mul__, row, column)) for row in a for column in columns]
    assert list(struct.unpack(">16384f", read)) == product


def test_ping_pong_counts_every_turn() -> None:
    done = _sample("pingpong", 2)
    assert int.from_bytes(done.memory.read(0x100000, 4), "big") == 2000


@pytest.mark.parametrize(("machine", "spes"), [("ps3", 2), ("ps3", 5), ("eval-board", 8)])
def test_nobody_passes_the_barrier_early(machine: str, spes: int) -> None:
    # The program's exit status is 1 if an SPE is late or more than one round ahead.
    placement = list(reversed(cs.machine(machine).spes[:spes]))
    _sample("barrier", spes, machine, placement=placement)


def test_samples_run_as_their_sources_say() -> None:
    done = cellstats("spu", str(SAMPLES / "hello.elf"), "-n", "2")
    assert done.out == "hello from SPE 0 of 2\nhello from SPE 1 of 2\n"
    assert done.status == 0
    done = cellstats("spu", str(SAMPLES / "pingpong.elf"))
    assert (done.status, done.out) == (2, "ping-pong takes 2 SPEs, not 1; give -n 2\n")


@needs("spu")
def test_executables_are_what_their_sources_give() -> None:
    version = subprocess.run(["spu-elf-gcc", "-dumpversion"], capture_output=True, text=True)
    if not version.stdout.startswith("9.3"):
        pytest.skip(f"spu-elf-gcc {version.stdout.strip()} makes other ones than 9.3")
    subprocess.run([sys.executable, PROGRAMS / "build.py", "--check"], check=True)


def test_the_build_script_says_which_compiler_is_missing() -> None:
    script = PROGRAMS / "build.py"
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, env={"PATH": ""}, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "build.py: no spu-elf-gcc on the PATH; install GCC 9 for spu-elf\n"
