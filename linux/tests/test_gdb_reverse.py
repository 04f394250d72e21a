"""GDB goes back in Linux programs, and the world outside notices nothing."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest

import cellstats as cs
from parts import needs
from ppe_programs import KEPT, LIBSPE2
from test_gdb import free_port

# Each round reads a line, appends it to a file, prints it, and starts a thread. The thread of a
# 32-bit program uses an SPE.
PROGRAM = """
#include <pthread.h>
#include <stdio.h>
#ifdef SPE
#include <libspe2.h>
extern spe_program_handle_t hello_spu;
#endif
int counter, total;
static void *work(void *unused)
{
#ifdef SPE
    unsigned int entry = SPE_DEFAULT_ENTRY;
    spe_context_ptr_t spe = spe_context_create(0, NULL);
    spe_program_load(spe, &hello_spu);
    spe_context_run(spe, &entry, 0, NULL, NULL, NULL);
    spe_context_destroy(spe);
#endif
    for (int n = 0; n < 100; n++)
        __sync_fetch_and_add(&counter, 1);
    return unused;
}
static void add(int a)
{
    total += a;
}
int main(void)
{
    char line[32];
    pthread_t thread;
    for (int n = 1; n <= 3; n++) {
        FILE *file = fopen("lines", "a");
        fgets(line, sizeof line, stdin);
        fputs(line, file);
        fclose(file);
        printf("%s", line);
        fflush(stdout);
        pthread_create(&thread, NULL, work, NULL);
        add(n);
        pthread_join(thread, NULL);
    }
    printf("%d %d\\n", total, counter);
    return 3;
}
"""
Ran = TypeVar("Ran")

INPUT = b"one\ntwo\nthree\n"


def build(place: Path, wide: bool) -> str:
    """Build the program; a 32-bit one uses an SPE."""
    (place / "past.c").write_text(PROGRAM)
    command = ["powerpc64-linux-gnu-gcc" if wide else "powerpc-linux-gnu-gcc", "-g", "-static"]
    if not wide:
        embed = [sys.executable, "-m", "cellstats", "embed", "hello_spu"]
        subprocess.run([*embed, KEPT / "hello_spu.elf", "hello_spu.o"], cwd=place, check=True)
        command += ["-DSPE", *LIBSPE2]
    sources = ["past.c"] if wide else ["past.c", "hello_spu.o", "-l:libspe2.a"]
    subprocess.run([*command, *sources, "-pthread", "-o", "past"], cwd=place, check=True)
    return "./past"


def under_gdb(place: Path, run: Callable[[int], Ran], *commands: str) -> tuple[Ran, str]:
    """Let `run` run `./past` under GDB at a port: what it returns, and GDB's text."""
    port = free_port()
    # GDB tries to connect until the program waits.
    flags = [f"--ex={command}" for command in (f"target remote :{port}", *commands)]
    with (place / "gdb.txt").open("w") as out:
        client = subprocess.Popen(
            ["gdb-multiarch", "-nx", "-batch", *flags, "./past"],
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            ran = run(port)
            client.wait(timeout=60)
        finally:
            client.kill()
            client.wait()
    return ran, (place / "gdb.txt").read_text()


@needs("powerpc")
@pytest.mark.parametrize("wide", [False, True])
def test_gdb_goes_back_and_the_world_notices_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wide: bool
) -> None:
    """Threads, SPEs, input, output and files: the end is the end of a run without a debugger."""
    monkeypatch.chdir(tmp_path)
    build(tmp_path, wide)
    whole = cs.linux.run("./past", stdin=INPUT, capture=True)
    assert whole.status == 3
    assert (tmp_path / "lines").read_bytes() == INPUT
    (tmp_path / "lines").unlink()
    result, text = under_gdb(
        tmp_path,
        lambda port: cs.linux.run("./past", stdin=INPUT, capture=True, gdb=port),
        "break add", "continue", "continue", "continue",
        'printf "now %d %d\\n", a, total',
        "reverse-continue", 'printf "back %d %d\\n", a, total',
        "reverse-continue", 'printf "back %d %d\\n", a, total',
        "reverse-continue",
        "continue", 'printf "again %d %d\\n", a, total',
        "delete", "continue",
    )  # fmt: skip
    for line in (
        "now 3 3",
        "back 2 1",
        "back 1 0",
        "No more reverse-execution history",
        "again 1 0",
    ):
        assert line in text, text
    assert "exited with code 03" in text, text
    assert (result.stdout, result.stderr) == (whole.stdout, whole.stderr)
    assert (tmp_path / "lines").read_bytes() == INPUT
    # What GDB did left no trace.
    assert result.record_json == whole.record_json


@needs("powerpc")
@pytest.mark.parametrize("wide", [False, True])
def test_gdb_steps_back_by_instructions_functions_and_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wide: bool
) -> None:
    """Registers return, `reverse-finish` finds the call, and a watchpoint the last change."""
    monkeypatch.chdir(tmp_path)
    build(tmp_path, wide)
    result, text = under_gdb(
        tmp_path,
        lambda port: cs.linux.run("./past", stdin=INPUT, capture=True, gdb=port),
        "break add", "continue", "continue", "info registers",
        "stepi", "stepi", "reverse-stepi", "reverse-stepi",
        "info registers", "reverse-finish", "reverse-step", "reverse-next",
        "watch total", "reverse-continue", "delete", "set var total = 40", "continue",
    )  # fmt: skip
    registers = re.findall(r"^(?:r\d+|pc|cr|lr|ctr|xer) .*$", text, re.MULTILINE)
    assert len(registers) >= 2 * 36, text
    assert registers[: len(registers) // 2] == registers[len(registers) // 2 :], text
    call, thread = text.index("add(n);"), text.index("pthread_create(&thread")
    assert call < thread, text
    assert re.search(r"Old value = 1\s+New value = 0", text), text
    # Nothing is changed in the past.
    assert "Cannot access memory" in text, text
    assert result.stdout is not None
    assert result.stdout.endswith(b"\n6 300\n")


@needs("powerpc")
def test_input_is_read_from_a_pipe_once_and_a_changed_program_has_no_past(
    tmp_path: Path,
) -> None:
    """A line says why there is no way back, and the program goes on as it was changed."""
    build(tmp_path, wide=True)
    program, user = os.pipe()
    os.write(user, INPUT)
    os.close(user)
    command = [sys.executable, "-m", "cellstats", "run", "--gdb"]
    done, text = under_gdb(
        tmp_path,
        lambda port: subprocess.run(
            [*command, str(port), "./past"],
            cwd=tmp_path,
            stdin=program,
            capture_output=True,
            timeout=120,
            check=False,
        ),
        "break add", "continue", "continue", "reverse-continue", "continue",
        "set var total = 40", "reverse-stepi", "delete", "continue",
    )  # fmt: skip
    os.close(program)
    assert "no way back: the debugger has changed registers or memory" in text, text
    assert (done.returncode, done.stdout) == (3, INPUT + b"45 300\n"), done
    assert (tmp_path / "lines").read_bytes() == INPUT


HANGS = """
#include <libspe2.h>
extern spe_program_handle_t spin;
int stage;
void before(int n)
{
    stage = n;
}
int main(void)
{
    unsigned int entry = SPE_DEFAULT_ENTRY;
    spe_context_ptr_t spe = spe_context_create(0, NULL);
    spe_program_load(spe, &spin);
    before(1);
    before(2);
    return spe_context_run(spe, &entry, 0, NULL, NULL, NULL);
}
"""


class Client:
    """A client of the protocol. Answers that do not come in a minute raise an error."""

    def __init__(self, port: int) -> None:
        for _ in range(600):
            try:
                self.wire = socket.create_connection(("127.0.0.1", port), timeout=60)
                return
            except ConnectionRefusedError:
                time.sleep(0.1)
        raise AssertionError("nobody listens")

    def close(self) -> None:
        self.wire.close()

    def send(self, packet: str) -> None:
        self.wire.sendall(f"${packet}#{sum(packet.encode()) & 0xFF:02x}".encode())

    def receive(self) -> str:
        text = b""
        while b"#" not in text[:-2]:
            text += self.wire.recv(1)
        self.wire.sendall(b"+")
        return text.partition(b"$")[2][:-3].decode()

    def ask(self, packet: str) -> str:
        self.send(packet)
        return self.receive()


@needs("powerpc", "spu")
def test_a_program_that_waits_for_an_spe_for_ever_goes_back(tmp_path: Path) -> None:
    (tmp_path / "spin.c").write_text('int main(void) { for (;;) __asm__ volatile(""); }')
    (tmp_path / "hangs.c").write_text(HANGS)
    flags = ["-static", *LIBSPE2]
    for command in (
        ["spu-elf-gcc", "spin.c", "-o", "spin.elf"],
        [sys.executable, "-m", "cellstats", "embed", "spin", "spin.elf", "spin.o"],
        [
            "powerpc-linux-gnu-gcc",
            *flags,
            "hangs.c",
            "spin.o",
            "-l:libspe2.a",
            "-pthread",
            "-o",
            "hangs",
        ],
    ):
        subprocess.run(command, cwd=tmp_path, check=True)
    symbols = subprocess.run(
        ["powerpc-linux-gnu-nm", "hangs"], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout
    before = symbols.partition(" T before")[0][-8:]
    port = free_port()
    run = [sys.executable, "-m", "cellstats", "run", "--gdb", str(port), "./hangs"]
    running = subprocess.Popen(run, cwd=tmp_path, stderr=subprocess.DEVNULL)
    try:
        with closing(Client(port)) as client:
            assert client.ask(f"Z0,{before},4") == "OK"
            for stage in (1, 2):
                assert "swbreak" in client.ask("vCont;c")
                assert client.ask("p3")[-1] == str(stage)
            # Nothing of the PPE moves any more when the interrupt comes.
            client.send("vCont;c")
            time.sleep(1)
            client.wire.sendall(b"\x03")
            assert client.receive().startswith("T02")
            at = client.ask("p40")
            assert client.ask("bs").startswith("T05")
            assert client.ask("p40") != at
            client.send("vCont;c")
            time.sleep(1)
            client.wire.sendall(b"\x03")
            assert client.receive().startswith("T02")
            for stage in (2, 1):
                assert "swbreak" in client.ask("bc")
                assert client.ask("p3")[-1] == str(stage)
            client.send("k")
            assert running.wait(timeout=60) == 137
    finally:
        running.kill()
        running.wait()
