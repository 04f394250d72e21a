"""GDB controls Linux programs, and `--gdb` refuses what cannot be."""

import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import cellstats as cs
from parts import needs
from ppe_programs import KEPT, LIBSPE2

PROGRAM = """
#include <signal.h>
#include <stdio.h>
double d = 1.5;
int counter;
static int add(int a, int b) { return a + b; }
int main(int argc, char **argv) {
    int r = add(argc, 41);
    d *= r;
    counter++;
    if (argc > 1)
        *(volatile int *)0 = 1;
    printf("%d %g %s\\n", r, d, argv[0]);
    return 3;
}
"""


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def debug(
    place: Path, program: str, *commands: str, words: tuple[str, ...] = ()
) -> tuple[int, str]:
    """Run a program under GDB, which executes the commands: the exit status, and GDB's text."""
    port = free_port()
    run = subprocess.Popen(
        [sys.executable, "-m", "cellstats", "run", "--gdb", str(port), program, *words],
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert run.stderr is not None
        assert "waiting for a debugger" in run.stderr.readline()
        flags = [f"--ex={command}" for command in (f"target remote :{port}", *commands)]
        done = subprocess.run(
            ["gdb-multiarch", "-nx", "-batch", *flags, program],
            cwd=place,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        run.communicate(timeout=60)
        return run.returncode, done.stdout + done.stderr
    finally:
        run.kill()


@pytest.mark.parametrize("port", ["0", "65536", "x", "-1"])
def test_a_port_that_is_none_gets_one_line(port: str) -> None:
    """The exit status is 2, and the line names the flag."""
    command = [sys.executable, "-m", "cellstats", "run", "--gdb", port, str(KEPT / "hello.elf")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "--gdb" in done.stderr


def test_a_port_in_use_gets_one_line() -> None:
    """The program does not start."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(cs.UsageError, match=f"port {port} is in use"):
            cs.linux.run(KEPT / "hello.elf", gdb=port)


def test_a_trace_and_a_debugger_exclude_each_other() -> None:
    """A trace ends the run at the end of its window."""
    with pytest.raises(cs.UsageError, match="gdb and window"):
        cs.linux.run(KEPT / "hello.elf", gdb=1234, window=(0, 400))


@needs("powerpc")
def test_gdb_steps_and_shows_the_machine(tmp_path: Path) -> None:
    """GDB understands registers, memory and the commands of `monitor`."""
    shutil.copy(KEPT / "hello.elf", tmp_path)
    status, text = debug(
        tmp_path,
        "./hello.elf",
        "stepi",
        "x/i $pc",
        "info threads",
        "monitor spe",
        "monitor time",
        "continue",
    )
    assert status == 0, text
    assert re.search(r"=> 0x1000\w+:\s+mr\s", text) or "=> 0x1000" in text, text
    assert "running on hardware thread" in text
    assert "SPE 5: no context" in text
    assert "bus cycle" in text
    assert "exited normally" in text


@needs("powerpc")
@pytest.mark.parametrize("compiler", ["powerpc-linux-gnu-gcc", "powerpc64-linux-gnu-gcc"])
def test_gdb_finds_functions_variables_and_watched_stores(tmp_path: Path, compiler: str) -> None:
    """Breakpoints, arguments, finish, watchpoints, calls and writes, in 32 and 64 bits."""
    (tmp_path / "add.c").write_text(PROGRAM)
    subprocess.run(
        [compiler, "-g", "-O0", "-static", "add.c", "-o", "add"], cwd=tmp_path, check=True
    )
    status, text = debug(
        tmp_path, "./add", "break add", "continue", "bt", "finish", "watch d", "continue",
        "delete", "print add(2, 3)", "set var counter = 41", "next", "print counter", "continue",
    )  # fmt: skip
    assert status == 3, text
    for line in (
        "add (a=1, b=41)",
        "Value returned is $1 = 42",
        "New value = 63",
        "= 5",
        "with code 03",
    ):
        assert line in text, text


@needs("powerpc")
def test_a_crash_stops_before_it_ends_the_program(tmp_path: Path) -> None:
    """GDB sees the instruction at fault, and then the death of the program."""
    (tmp_path / "add.c").write_text(PROGRAM)
    build = ["powerpc-linux-gnu-gcc", "-g", "-O0", "-static", "add.c", "-o", "add"]
    subprocess.run(build, cwd=tmp_path, check=True)
    status, text = debug(tmp_path, "./add", "continue", "bt", "continue", words=("crash",))
    assert status == 139, text
    assert "Program received signal SIGSEGV" in text
    assert "main (argc=2" in text
    assert "terminated with signal SIGSEGV" in text


@needs("powerpc")
def test_monitor_shows_contexts_on_their_spes(tmp_path: Path) -> None:
    """`monitor spe` says why each SPE stopped, where, and who called."""
    embed = [sys.executable, "-m", "cellstats", "embed", "hello_spu", str(KEPT / "hello_spu.elf")]
    subprocess.run([*embed, "hello_spu.o"], cwd=tmp_path, check=True)
    build = ["powerpc-linux-gnu-gcc", "-O1", "-static", *LIBSPE2, f"-I{KEPT}"]
    sources = [str(KEPT / "hello.c"), "hello_spu.o", "-l:libspe2.a", "-pthread"]
    subprocess.run([*build, *sources, "-o", "hello"], cwd=tmp_path, check=True)
    status, text = debug(
        tmp_path, "./hello", "break spe_context_destroy", "continue",
        "monitor spe", "monitor spe 0", "monitor trace", "detach",
    )  # fmt: skip
    assert status == 0, text
    assert re.search(r"SPE 0: context \S+, stopped by stop 0x2000, next instruction 0x", text), text
    assert re.search(r"=> 0x\w+ .*_exit\+", text), text
    assert re.search(r"#1 .* (exit|_start)\+", text), text
    assert re.search(r"\d+-\d+ +\d  SPE\d -> PPE, \d+ B", text), text
