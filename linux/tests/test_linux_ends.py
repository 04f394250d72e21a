"""How Linux programs and their SPE contexts end: stops, deadlocks, limits, and what was counted."""

import json
import re
import subprocess
from pathlib import Path

import pytest

import cellstats as cs
from cellstats.linux import LinuxResult, SpeStop, UnfinishedRun
from cellstats.spu.embedding import embedded_object
from command_line import cellstats
from parts import needs
from ppe_programs import DATA, ENDLESS, LIBSPE2, call, kept, leave, program

SOURCES = Path(__file__).parent / "linux_programs"
PROGRAMS = Path(__file__).resolve().parents[2] / "programs"
FOREVER = program(*call(221, DATA, 0, 0, 0), *leave(0), data=bytes(4))
"""A program that waits for a futex (system call 221) that nobody wakes."""


@pytest.fixture(scope="module")
def contexts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program contexts.c with its SPE executables."""
    place = tmp_path_factory.mktemp("contexts")
    images = {name: PROGRAMS / "tests" / f"{name}.elf" for name in ("stack", "stack_checked")}
    for name in ("exits", "stops", "ring"):
        images[name] = place / f"{name}.elf"
        source = SOURCES / f"{name}_spu.c"
        subprocess.run(["spu-elf-gcc", "-O2", source, "-o", images[name]], check=True)
    objects = []
    for name, image in images.items():
        objects.append(place / f"{name}.o")
        objects[-1].write_bytes(embedded_object(f"{name}_spu", image.read_bytes()))
    sources = [SOURCES / "contexts.c", *objects, "-l:libspe2.a"]
    command = ["powerpc-linux-gnu-gcc", "-O2", "-static", *LIBSPE2, *map(str, sources), "-lpthread"]
    subprocess.run([*command, "-o", str(place / "contexts")], check=True)
    return place / "contexts"


def stops(done: LinuxResult) -> list[SpeStop]:
    """The last stops of all contexts."""
    found = [context.stop for context in done.contexts]
    assert None not in found
    return [stop for stop in found if stop is not None]


@needs("powerpc")
@needs("spu")
def test_the_contexts_of_every_executable_have_functions(contexts: Path) -> None:
    done = cs.linux.run(contexts, ["exits:2", "stops:2", "exits:1"], capture=True)
    found = stops(done)
    assert [stop.kind for stop in found] == ["exit", "exit", "stop", "stop", "exit"]
    assert [stop.code for stop in found] == [0, 1, 0x1234, 0x1234, 0]
    # `_exit` writes the status into its own code, so that the code differs from the executable.
    assert [stop.function for stop in found] == ["_exit"] * 2 + ["stop_here"] * 2 + ["_exit"]
    assert len({stop.address for stop in found if stop.kind == "exit"}) == 1
    programs = [context.program for context in done.contexts]
    assert programs == [programs[0]] * 2 + [programs[2]] * 2 + [programs[0]]
    assert programs[0] != programs[2]
    assert done.data["contexts"][2]["stop"] == {
        "kind": "stop",
        "code": 0x1234,
        "address": found[2].address,
        "function": "stop_here",
        "offset": found[2].offset,
        "reason": None,
    }


@needs("powerpc")
@needs("spu")
def test_a_stack_that_runs_over_its_end_is_the_reason_of_a_stop(contexts: Path) -> None:
    done = cs.linux.run(contexts, ["stack:1", "checked:1", "stops:1"], capture=True)
    over, checked, usual = stops(done)
    reason = "the stack has run over its end and over the program's code; use less of it"
    assert (over.kind, over.reason) == ("stop", reason)
    assert checked.kind == "halt"
    assert re.fullmatch(
        r"\d+ bytes are left of the stack, and -fstack-check needs more; use less of it",
        checked.reason or "",
    )
    assert usual.reason is None
    assert f": {reason}\n" in done.text()


@needs("powerpc")
@needs("spu")
def test_a_few_contexts_have_a_line_each_and_many_are_added_up(contexts: Path) -> None:
    few = cs.linux.run(contexts, ["exits:14", "stops:2"], capture=True).text().splitlines()
    assert sum(line.startswith("context ") for line in few) == 16
    assert sum("exit status 13 at 0x" in line for line in few) == 1
    done = cs.linux.run(contexts, ["exits:20", "stops:5"], capture=True)
    many = done.text().splitlines()[2:]
    assert [line.partition(":")[0] for line in many[::2]] == [
        "20 contexts (1-20)",
        "5 contexts (21-25)",
    ]
    # The statuses differ by rank, and are no reason for lines of their own.
    assert many[1].startswith("  exit status 0-19 at 0x")
    assert ", _exit+0x" in many[1]
    assert many[3].startswith("  stop 0x1234 at 0x")
    instructions = sum(context.instructions for context in done.contexts[:20])
    assert ", 20 runs, " in many[0]
    assert f" {instructions} instructions, 20 DMA commands (2560 B in, 0 B out)" in many[0]


@needs("powerpc")
@needs("spu")
def test_contexts_that_wait_for_one_without_an_spe_are_in_no_deadlock(contexts: Path) -> None:
    # Six contexts hold all SPEs and wait for signals. The eighth signals first, but has no SPE.
    done = cs.linux.run(contexts, ["together", "ring:8"], capture=True)
    assert (done.status, done.stdout) == (0, b"all 8 ended\n")
    assert [stop.kind for stop in stops(done)] == ["exit"] * 8
    assert sum(context.preemptions for context in done.contexts) > 0


@needs("powerpc")
@needs("spu")
def test_a_deadlock_names_all_contexts_those_without_an_spe_too(contexts: Path) -> None:
    with pytest.raises(UnfinishedRun) as raised:
        cs.linux.run(contexts, ["together", "never:8"], capture=True)
    why, _, waiting = str(raised.value).partition(": ")
    assert why.startswith("deadlock at bus cycle ")
    lines = waiting.split("; ")
    assert lines[0].startswith("thread 1000 waits in futex on the word at 0x")
    assert ", main+0x" in lines[0]
    threads = [line for line in lines if line.startswith("threads 1001-1008 ")]
    assert len(threads) == 1
    assert " wait in spu_run for contexts 1-8 at " in threads[0]
    assert ", run+0x" in threads[0]
    waits = " wait to read SPU_RdSigNotify1 at 0x"
    of_contexts = [line for line in lines if line.startswith("contexts ")]
    assert len(of_contexts) == len(lines) - 2 == 2
    assert all(waits in line and ", wait_for_a_signal" in line for line in of_contexts)
    assert [line.endswith(", and for an SPE") for line in of_contexts].count(True) == 1
    result = raised.value.result
    assert (result.status, result.failed) == (None, True)
    assert [stop.kind for stop in stops(result)] == ["running"] * 8
    assert {stop.function for stop in stops(result)} == {"wait_for_a_signal"}
    assert all(context.get_bytes == 128 for context in result.contexts)


@pytest.mark.parametrize(
    ("content", "options", "why"),
    [
        (ENDLESS, ("--limit", "200k"), "not finished after 100000 bus cycles: thread 1000 runs at"),
        (FOREVER, (), "deadlock at bus cycle "),
        (program(*call(401, 0)), (), "the system call msgrcv"),
    ],
)
def test_a_run_that_cannot_go_on_keeps_what_was_counted(
    content: bytes, options: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    path = tmp_path / "program"
    path.write_bytes(content)
    record = tmp_path / "record.json"
    done = cellstats("run", "-v", *options, "--record", str(record), str(path))
    first, second, third = done.err.splitlines()
    assert (done.status, done.out) == (1, "")
    assert first.startswith(f"cellstats: {why}")
    assert second.endswith(", not finished")
    assert third.startswith("PPE: ")
    known = json.loads(record.read_text())
    assert (known["status"], known["line"]) == (None, first.removeprefix("cellstats: "))
    assert known["ppe"]["instructions"] > 0
    assert 0 < known["bus_cycles"] == known["counters"]["bus_cycles"]
    as_json = cellstats("run", "--format", "json", *options, str(path))
    assert as_json.status == 1
    assert json.loads(as_json.err.splitlines()[1]) == known


def test_the_counts_of_spes_are_kept_at_the_limit() -> None:
    def read(done: LinuxResult) -> int:
        return sum(context.get_bytes for context in done.contexts)

    whole = cs.linux.run(kept("proxy"), capture=True)
    limit = whole.record["bus_cycles"] // 2
    with pytest.raises(UnfinishedRun, match=f"not finished after {limit} bus cycles: ") as raised:
        cs.linux.run(kept("proxy"), capture=True, limit_bus_cycles=limit)
    part = raised.value.result
    assert 0 < read(part) < read(whole)
    assert read(part) == sum(spe["get_bytes"] for spe in part.record["counters"]["spes"])
    assert repr(part).startswith("<LinuxResult: not finished, ")


def test_each_kind_of_fault_is_a_kind_of_stop() -> None:
    kinds = {stop.kind for stop in stops(cs.linux.run(kept("faults"), capture=True))}
    assert {"halt", "instruction", "dma"} <= kinds
