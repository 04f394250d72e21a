"""`cellstats.linux.run`: results of programs, and the files that programs may access."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cellstats as cs
from cellstats import _native
from cellstats.linux import LinuxResult
from chance import examples
from parts import needs
from ppe_programs import (
    BUFFER,
    CAT,
    DATA,
    ENDLESS,
    HELLO,
    call,
    compiled,
    kept,
    leave,
    load,
    program,
    text,
)


def run(content: bytes, place: Path, *arguments: str, **keywords: object) -> LinuxResult:
    """Run a program whose file has this content, and capture its output."""
    path = place / "program"
    path.write_bytes(content)
    return cs.linux.run(path, arguments, capture=True, **keywords)  # type: ignore[arg-type]


def test_a_program_prints_and_ends_with_its_status(tmp_path: Path) -> None:
    done = run(HELLO, tmp_path)
    assert (done.status, done.line, done.stdout, done.stderr) == (3, None, b"hello\n", b"")
    assert dict(done.system_calls) == {"exit_group": 1, "write": 1}
    assert done.ppe_instructions == 14
    assert done.ppe_cycles >= done.ppe_instructions
    assert done.contexts == []
    assert done.record["bus_cycles"] > 0
    values = {row["key"]: row["value"] for row in cs.machine("ps3").values()}
    bus_hz = int(values["chip.processor_clock_hz"]) // 2
    assert done.time_ns == done.record["bus_cycles"] * 10**9 // bus_hz


def test_input_reaches_it_and_the_end_of_input_too(tmp_path: Path) -> None:
    data = os.urandom(1000)
    done = run(CAT, tmp_path, stdin=data)
    assert (done.status, done.stdout) == (0, data)
    assert done.system_calls["read"] == done.system_calls["write"] + 1 == 17
    assert run(CAT, tmp_path).stdout == b""


def test_arguments_and_environment_are_what_was_given(tmp_path: Path) -> None:
    # The program's exit status is argc.
    counts = program(0x8001_0000 | 3 << 21, *load(0, 234), 0x4400_0002)
    assert run(counts, tmp_path).status == 1
    assert run(counts, tmp_path, "a", "b", "").status == 4
    with pytest.raises(cs.UsageError, match="environment 'A=B': names are not empty"):
        run(counts, tmp_path, environment={"A=B": "1"})
    with pytest.raises(cs.UsageError, match="arguments 'a b' is one text"):
        cs.linux.run(tmp_path / "program", "a b")


@pytest.mark.parametrize(
    ("content", "status", "line"),
    [
        (program(*load(3, 0x40), 0x9063_0000), 128 + 11, "SIGSEGV: a store to 0x40"),
        (program(0x0000_0000), 128 + 4, "SIGILL: 0x00000000 is no instruction"),
        (program(0x7FE0_0008), 128 + 5, "SIGTRAP"),
    ],
)
def test_a_signal_ends_it_as_a_shell_tells(
    content: bytes, status: int, line: str, tmp_path: Path
) -> None:
    done = run(content, tmp_path)
    assert done.status == status
    assert done.line is not None
    assert line in done.line


def test_a_system_call_that_is_missing_is_named(tmp_path: Path) -> None:
    # 401 is msgrcv.
    with pytest.raises(cs.RunError, match="msgrcv"):
        run(program(*call(401, 0)), tmp_path)


def test_a_limit_and_a_deadlock_end_the_run(tmp_path: Path) -> None:
    with pytest.raises(cs.RunError, match="100000 bus cycles"):
        run(ENDLESS, tmp_path, limit_bus_cycles=100_000)
    # System call 221 is futex. No thread will ever wake the caller.
    forever = program(*call(221, DATA, 0, 0, 0), *leave(0), data=bytes(4))
    with pytest.raises(cs.RunError, match=r"deadlock .* thread 1000 waits in futex"):
        run(forever, tmp_path)


def opens(path: bytes, flags: int) -> bytes:
    """A program that opens a file. Its exit status is 0, or the error number."""
    return program(
        *call(5, text(0), flags, 0o600),
        0x4083_0008,  # bns +8: no error
        0x4800_0008,
        *load(3, 0)[:1],
        *load(0, 234),
        0x4400_0002,
        data=path + b"\0",
    )


EACCES, ENOENT, EROFS = 13, 2, 30
READ, WRITE_NEW = 0, 0o1 | 0o100


def test_files_of_the_current_directory_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, outside = tmp_path / "here", tmp_path / "outside.txt"
    here.mkdir()
    outside.write_text("secret")
    (here / "inside.txt").write_text("mine")
    (here / "link").symlink_to(outside)
    monkeypatch.chdir(here)

    def status(path: str | Path, flags: int = READ, files: str = "cwd") -> int | None:
        return run(opens(os.fsencode(path), flags), tmp_path, files=files).status

    assert status("inside.txt") == 0
    assert status(here / "inside.txt") == 0
    assert status("missing.txt") == ENOENT
    assert status("new.txt", WRITE_NEW) == 0
    assert (here / "new.txt").exists()
    # These files may be in `/tmp`, where the program sees the files of the simulated machine.
    for path in (outside, "../outside.txt", "link"):
        assert status(path) in (EACCES, ENOENT)
    assert status(outside, files="all") == 0
    assert status("link", files="all") == 0
    assert status("inside.txt", files="none") != 0
    assert status(tmp_path / "other.txt", WRITE_NEW) != 0
    assert not (tmp_path / "other.txt").exists()
    with pytest.raises(cs.UsageError, match="files 'some'"):
        status("inside.txt", files="some")


def test_a_sysroot_is_read_and_never_written(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "etc").mkdir(parents=True)
    (root / "etc" / "motd").write_text("welcome")
    assert run(opens(b"/etc/motd", READ), tmp_path, sysroot=root).status == 0
    assert run(opens(b"/etc/motd", 0o1), tmp_path, sysroot=root).status == EROFS
    assert run(opens(b"/etc/new", WRITE_NEW), tmp_path, sysroot=root).status in (EACCES, EROFS)
    assert [path.name for path in root.rglob("*")] == ["etc", "motd"]


def test_libspe2_is_there_without_being_asked_for_unless_the_sysroot_has_its_own(
    tmp_path: Path,
) -> None:
    def size(root: Path) -> bytes | None:
        # The program opens the library, and writes the library's first bytes to standard output.
        words = (
            *call(5, text(0), 0, 0),
            *load(0, 3),
            *load(4, BUFFER),
            *load(5, 4),
            0x4400_0002,
            *call(4, 1, BUFFER, 4),
            *leave(0),
        )
        return run(program(*words, data=b"/usr/lib/libspe2.so.2\0"), tmp_path, sysroot=root).stdout

    root = tmp_path / "root"
    (root / "usr" / "lib").mkdir(parents=True)
    assert size(root) == b"\x7fELF"
    (root / "usr" / "lib" / "libspe2.so.2").write_bytes(b"mine")
    assert size(root) == b"mine"


@examples(300)
@given(
    st.lists(st.tuples(st.integers(0, len(CAT) - 1), st.integers(0, 255)), max_size=4),
    st.integers(0, len(CAT)),
)
def test_any_bytes_run_or_are_refused(changes: list[tuple[int, int]], cut: int) -> None:
    content = bytearray(CAT)
    for place, value in changes:
        content[place] = value
    with TemporaryDirectory() as directory:
        (Path(directory) / "program").write_bytes(content[: cut or None])
        try:
            done = cs.linux.run(
                Path(directory) / "program",
                stdin=b"abc",
                capture=True,
                files="none",
                limit_bus_cycles=50_000,
            )
        except (cs.UsageError, cs.RunError) as error:
            lines = str(error).splitlines()
        else:
            lines = (done.line or "ended").splitlines()
            assert done.status in range(256)
        assert len(lines) == 1


def refused(path: Path | str, **keywords: object) -> str:
    with pytest.raises(cs.UsageError) as caught:
        cs.linux.run(path, capture=True, **keywords)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["not an ELF file"]),
        (b"#!/bin/sh\n", ["a script; give the program that it starts"]),
        (b"hello", ["not an ELF file", "powerpc-linux-gnu-gcc"]),
        (HELLO[:40], ["damaged"]),
        (HELLO[:60], ["damaged"]),
        (program(*leave(0), machine=23), ["an SPU program", "cellstats spu"]),
        (program(*leave(0), machine=8), ["for MIPS", "powerpc-linux-gnu-gcc"]),
        (Path(sys.executable).read_bytes()[:4096], ["for ", "not for PowerPC"]),
        (b"\x7fELF\2\2\1" + bytes(9) + b"\0\2\0\x15" + bytes(44), ["damaged", "program headers"]),
    ],
)
def test_what_is_no_program_for_the_ppe_is_refused(
    content: bytes, words: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "program"
    path.write_bytes(content)
    said = refused(path)
    assert str(path) in said
    assert all(word in said for word in words), said


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "missing").endswith(
        "missing` cannot be read: No such file or directory"
    )
    assert "is a directory" in refused(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "a pipe or a device" in refused(tmp_path / "pipe")
    assert "a pipe or a device" in refused("/dev/zero")


def test_a_missing_linker_and_a_missing_sysroot_say_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_bytes(program(*leave(0), interpreter="/lib/ld.so.1"))
    said = refused(path, sysroot=tmp_path)
    assert "dynamically linked and needs /lib/ld.so.1" in said
    assert f"is not in {tmp_path}; install libc6-powerpc-cross" in said
    said = refused(path, sysroot=tmp_path / "nowhere")
    assert str(tmp_path / "nowhere") in said
    assert "no such directory" in said
    assert "not a directory" in refused(path, sysroot=path)


def test_without_a_c_library_only_dynamic_programs_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = cs.linux.run(kept("hello"), capture=True)
    monkeypatch.setattr(_native, "linux_sysroot", lambda _: None)
    said = refused(kept("hello_dynamic"))
    # The folder of CellStats' own libraries contains no C library, so the message does not name it.
    assert "needs /lib/ld.so.1 of a PowerPC C library, which is not installed; install " in said
    assert "-static" in said
    bare = cs.linux.run(kept("hello"), capture=True)
    assert (bare.status, bare.stdout, bare.record_json) == (0, usual.stdout, usual.record_json)


def test_a_64_bit_program_has_descriptors_and_addresses_above_4_gb() -> None:
    done = cs.linux.run(kept("wide"), capture=True)
    assert (done.status, done.stdout, done.line) == (0, b"hello from 64 bits\n", None)
    assert cs.linux.run(kept("wide"), capture=True).record_json == done.record_json


def test_a_placement_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(cs.UsageError, match="SPE 9 is not usable"):
        run(HELLO, tmp_path, placement=[0, 9])
    with pytest.raises(cs.UsageError, match="out of range"):
        run(HELLO, tmp_path, limit_bus_cycles=0)
    with pytest.raises(cs.UsageError, match="out of range"):
        run(HELLO, tmp_path, window=(0, 0))


def test_an_exception_of_a_stream_comes_out_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def flush(self) -> None:
            raise LookupError("nowhere")

    (tmp_path / "program").write_bytes(HELLO)
    monkeypatch.setattr(sys, "stdout", Broken())
    with pytest.raises(AttributeError, match="write"):
        cs.linux.run(tmp_path / "program")


@needs("powerpc")
def test_a_missing_library_is_told_by_the_dynamic_linker(tmp_path: Path) -> None:
    (tmp_path / "libgone.c").write_text("int gone(void) { return 0; }\n")
    shared = ["powerpc-linux-gnu-gcc", "-shared", "-fPIC", "-o", "libgone.so", "libgone.c"]
    subprocess.run(shared, cwd=tmp_path, check=True)
    source = "int gone(void); int main(void) { return gone(); }\n"
    path = compiled(source, tmp_path, "-L.", "-lgone")
    done = cs.linux.run(path, capture=True)
    assert done.status == 127
    assert b"libgone.so: cannot open shared object file" in (done.stderr or b"")


def test_a_result_shows_what_matters(tmp_path: Path) -> None:
    done = run(HELLO, tmp_path)
    assert repr(done).startswith("<LinuxResult: exit status 3, ")
    first, second = done.text().splitlines()
    assert first.endswith(", exit status 3")
    assert second.startswith("PPE: 14 instructions, ")
    assert second.endswith(" cycles, 2 system calls")


def test_low_addresses_are_below_2_gb() -> None:
    """wide.elf reports by bit 0 of its status that its mapping is not above 4 GB."""
    high = cs.linux.run(kept("wide"), capture=True)
    low = cs.linux.run(kept("wide"), capture=True, low_addresses=True)
    assert high.status == 0
    assert low.status is not None
    assert low.status & 1


def test_a_program_linked_above_2_gb_is_refused_with_low_addresses(tmp_path: Path) -> None:
    linked = program(*leave(3))
    for low, high in ((b"\x10\0\0\0", b"\x90\0\0\0"), (b"\x10\x01\0\0", b"\x90\x01\0\0")):
        linked = linked.replace(low, high)
    path = tmp_path / "high"
    path.write_bytes(linked)
    assert cs.linux.run(path, capture=True).status == 3
    with pytest.raises(cs.UsageError, match="run it without low addresses"):
        cs.linux.run(path, low_addresses=True)
