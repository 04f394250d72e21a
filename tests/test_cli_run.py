"""Output streams and exit status of `cellstats run`."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import Done, cellstats, interrupted, usage_error
from parts import needs
from ppe_programs import CAT, ENDLESS, HELLO, call, kept, leave, load, program


@pytest.fixture
def hello(tmp_path: Path) -> str:
    return made(tmp_path, HELLO)


def made(place: Path, content: bytes) -> str:
    """Write a program file with this content, and return its path."""
    path = place / "program"
    path.write_bytes(content)
    return str(path)


def shell(line: str, **settings: object) -> subprocess.CompletedProcess[bytes]:
    """Run a shell command line, with `cellstats` replaced by the full command."""
    line = line.replace("cellstats", f"'{sys.executable}' -m cellstats")
    return subprocess.run(["sh", "-c", line], capture_output=True, check=False, **settings)  # type: ignore[call-overload,no-any-return]


def test_output_and_exit_status_are_the_programs_and_nothing_is_added(hello: str) -> None:
    assert cellstats("run", hello) == Done(3, "hello\n", "")


def test_what_stands_behind_the_program_is_its_own(tmp_path: Path) -> None:
    # The program's exit status is argc.
    counts = made(tmp_path, program(0x8061_0000, *load(0, 234), 0x4400_0002))
    assert cellstats("run", counts, "-v", "--limit", "--", "x").status == 5
    assert cellstats("run", "-v", counts).status == 1


def test_streams_are_passed_through_as_they_are(tmp_path: Path) -> None:
    cat = made(tmp_path, CAT)
    data = os.urandom(5000)
    done = shell(f"cellstats run {cat}", input=data)
    assert (done.returncode, done.stdout, done.stderr) == (0, data, b"")
    assert shell(f"cellstats run {cat} | head -c 3", input=b"x" * 100_000).stdout == b"xxx"
    assert shell(f"cellstats run {cat} <&-").returncode == 0


def test_both_outputs_come_in_the_order_in_which_they_were_written(tmp_path: Path) -> None:
    words = [word for n in range(6) for word in call(4, 1 + n % 2, 0x1001_0000 + n, 1)]
    path = made(tmp_path, program(*words, *leave(0), data=b"abcdef"))
    assert shell(f"cellstats run {path} 2>&1").stdout == b"abcdef"


@pytest.mark.parametrize(
    ("words", "status", "line"),
    [
        ((*load(3, 0x40), 0x9063_0000), 139, "cellstats: SIGSEGV: a store to 0x40"),
        ((0x0000_0000,), 132, "cellstats: SIGILL: "),
    ],
)
def test_a_signal_that_ends_it_is_told_in_one_line(
    words: tuple[int, ...], status: int, line: str, tmp_path: Path
) -> None:
    done = cellstats("run", made(tmp_path, program(*words)))
    assert (done.status, done.out, done.err.count("\n")) == (status, "", 1)
    assert done.err.startswith(line)


def test_a_run_that_cannot_go_on_is_status_1_and_one_line(tmp_path: Path) -> None:
    done = cellstats("run", "--limit", "200k", made(tmp_path, ENDLESS))
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert "100000 bus cycles" in done.err
    done = cellstats("run", made(tmp_path, program(*call(401, 0))))
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert "msgrcv" in done.err


def test_ctrl_c_ends_a_program_that_computes(tmp_path: Path) -> None:
    done = interrupted("run", made(tmp_path, ENDLESS))
    assert (done.status, done.out, done.err.strip()) == (130, "", "")


def test_ctrl_c_ends_a_program_that_waits_for_input(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cellstats", "run", made(tmp_path, CAT)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"x")
        process.stdin.flush()
        # The echo arrives before the end of the input, and the program waits for more input.
        assert process.stdout.read(1) == b"x"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, b"", b"")


def test_verbose_shows_times_and_counts_on_the_error_output(hello: str) -> None:
    done = cellstats("run", "-v", hello)
    assert (done.status, done.out) == (3, "hello\n")
    first, second = done.err.splitlines()
    assert first.endswith(", exit status 3")
    assert second.startswith("PPE: 14 instructions, ")


def test_json_is_one_line_on_the_error_output_and_the_same_in_a_file(
    hello: str, tmp_path: Path
) -> None:
    record = tmp_path / "record.json"
    done = cellstats("run", "--format", "json", "--record", str(record), hello)
    assert (done.status, done.out, done.err.count("\n")) == (3, "hello\n", 1)
    known = json.loads(done.err)
    assert known == json.loads(record.read_text())
    assert known["status"] == 3
    assert known["ppe"]["system_calls"] == {"exit_group": 1, "write": 1}
    assert known["time_ns"] > 0
    assert known["machine"] == "ps3"
    assert known["counters"]["bus_cycles"] == known["bus_cycles"]


def test_machines_differ(hello: str) -> None:
    times = {
        name: json.loads(cellstats("run", "--machine", name, "--format", "json", hello).err)
        for name in ("ps3", "qs20")
    }
    assert times["ps3"]["machine_hash"] != times["qs20"]["machine_hash"]


def test_variables_are_given_by_name(tmp_path: Path) -> None:
    # The program writes 64 bytes, starting at its first environment variable.
    words = (
        0x8081_000C,  # lwz r4,12(r1): argc, argv[0], 0, envp[0]
        *load(0, 4),
        *load(3, 1),
        *load(5, 64),
        0x4400_0002,
        *leave(0),
    )
    path = made(tmp_path, program(*words))
    done = cellstats("run", "--env", "ANSWER=4=2", "--env", "HOME=/me", path)
    assert done.out.split("\0")[:5] == [
        "HOME=/me",
        "LANG=C",
        "PATH=/usr/bin:/bin",
        "USER=user",
        "ANSWER=4=2",
    ]
    for wrong in ("ANSWER", "=1"):
        assert "--env" in usage_error("run", "--env", wrong, path)


def test_a_trace_without_a_dma_command_says_so(hello: str) -> None:
    done = cellstats("run", "--trace", "100", hello)
    assert (done.status, done.out) == (3, "hello\n")
    assert done.err == "cellstats: no trace: the program gave no DMA command\n"


def test_a_trace_is_drawn_or_written(tmp_path: Path) -> None:
    done = cellstats("run", "--trace", "10+200", kept("abs"))
    assert (done.status, done.out) == (0, "")
    assert "SPE" in done.err
    assert max(map(len, done.err.splitlines())) <= 100
    out = tmp_path / "trace.json"
    done = cellstats("run", "--trace", "200", "--trace-out", str(out), kept("abs"))
    assert (done.status, done.err) == (0, "")
    assert json.loads(out.read_text())["traceEvents"]
    done = cellstats("run", "--trace", "100000m+1", kept("abs"))
    assert "before the window began, 100000000000 bus cycles after" in done.err


def test_a_profile_lists_functions_of_the_ppe_and_each_context() -> None:
    done = cellstats("run", "--profile", kept("abs"))
    assert done.status == 0
    assert done.err.startswith("PPE, sampled every 1009 cycles\n")
    assert "%  ?, abs.elf" in done.err
    assert "\n\ncontext 1\n" in done.err
    assert " stqd " in done.err
    assert "nothing issued" in done.err


@needs("powerpc")
def test_a_profile_names_the_dynamic_linker() -> None:
    done = cellstats("run", "--profile", kept("hello_dynamic"))
    assert done.status == 0
    assert "%  ?, ld.so.1" in done.err


@pytest.mark.parametrize("name", ["hello", pytest.param("hello_dynamic", marks=needs("powerpc"))])
def test_a_program_with_libraries_needs_nothing_to_be_said(name: str) -> None:
    done = cellstats("run", "-v", "--placement", "5,4,3", kept(name))
    assert done.status == 0
    assert done.out.splitlines()[-1] == "hello from the PPE, and from 6 SPEs"
    assert "context 1: SPE 5, " in done.err
    assert "context 6: SPE " in done.err
