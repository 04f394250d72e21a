"""Systems other than Linux: what they lack is refused in a line, and all else does without Linux.

That the package's types hold on them is a matter of `make check`, and what Windows prints of
`make test-wine`.
"""

import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cellstats as cs
import wheels
from cellstats.cli.exit_status import USAGE
from cellstats.reproduce.spe_programs import LOOPS_ELF
from command_line import ROOT, here_and_now

HELLO = str(ROOT / "linux" / "programs" / "hello.elf")
UNIX_ONLY = ("fcntl", "grp", "pwd", "resource", "syslog", "termios")
"""Modules of Python that Windows lacks."""


def test_every_module_can_be_imported_without_those_that_only_unix_has() -> None:
    found = pkgutil.walk_packages(cs.__path__, "cellstats.")
    names = sorted(module.name for module in found if not module.name.endswith("__main__"))
    assert len(names) > 100
    code = "; ".join(
        [
            "import sys, cellstats, click",
            *(f"sys.modules[{name!r}] = None" for name in UNIX_ONLY),
            *(f"import {name}" for name in names),
        ]
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.fixture
def without_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that this build is without its Linux, as each for Windows."""
    monkeypatch.setattr("cellstats._native.HAS_LINUX", False)
    monkeypatch.setattr("cellstats.reproduce.experiments.HAS_LINUX", False)


@pytest.mark.usefixtures("without_linux")
@pytest.mark.parametrize("words", [["run", HELLO], ["run", "--gdb", "1234", HELLO]])
def test_linux_programs_and_their_debugger_are_refused_in_a_line(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = here_and_now(words, monkeypatch)
    assert (done.status, done.out, done.err.count("\n")) == (USAGE, "", 1)
    assert "programs of Linux do not run here" in done.err


@pytest.mark.usefixtures("without_linux")
def test_papers_that_time_linux_programs_are_left_out_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = ["--out", str(tmp_path)]
    alone = here_and_now(["reproduce", "corepy2007", *out], monkeypatch)
    assert (alone.status, alone.out, alone.err.count("\n")) == (USAGE, "", 1)
    beside = here_and_now(["reproduce", "corepy2007", "chen2007", *out], monkeypatch)
    assert beside.err.startswith("cellstats: left out: corepy2007, in which programs of Linux")
    assert "chen2007" in beside.out


@pytest.mark.parametrize("words", [["host"], ["doctor"], ["-f", "mailbox", "--machine", "host"]])
def test_this_computer_is_refused_in_a_line(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    done = here_and_now(words, monkeypatch)
    assert (done.status, done.out, done.err.count("\n")) == (USAGE, "", 1)
    assert "only if it runs Linux" in done.err


def test_times_depend_on_a_program_s_name_and_not_on_its_place(tmp_path: Path) -> None:
    program = LOOPS_ELF.with_name("contended.elf")
    far = tmp_path / "a folder with a long name" / "program"
    far.parent.mkdir()
    shutil.copy(program, far)

    def record(place: Path, name: str) -> str:
        words = ["increment", "20"]
        return cs.linux.run(place, words, name=name, capture=True).record_json

    assert record(far, "loops") == record(program, "loops")
    assert record(far, "loops") != record(far, "loops in a far away folder")


@pytest.mark.parametrize("system", ["macos-x86_64", "macos-aarch64", "windows-x86_64"])
def test_the_format_of_a_module_is_known_by_its_first_bytes(system: str) -> None:
    mach_o, windows = bytes.fromhex("cffaedfe"), b"MZ".ljust(60, b"\0") + b"\x80\0\0\0"
    modules = {
        "macos-x86_64": mach_o + bytes.fromhex("07000001 03000000"),
        "macos-aarch64": mach_o + bytes.fromhex("0c000001 00000000"),
        "windows-x86_64": windows.ljust(128, b"\0") + b"PE\0\0" + bytes.fromhex("6486 0600"),
    }
    fits = [
        name
        for name, module in modules.items()
        if wheels.module_format(module).startswith(wheels.SYSTEMS[system].format)
    ]
    assert fits == [system]
