"""CellStats' libspe2 and libspe export all functions that their headers declare."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from elf_files import exported, segment_kinds
from ppe_programs import KEPT, LINUX

INSTALLED = LINUX / "root" / "usr"

# Number of functions of the SPE Runtime Management Library 2.x.
PUBLISHED = 38


def declared(header: str) -> set[str]:
    text = (LINUX / "sdk" / "ppu" / "include" / header).read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return set(re.findall(r"^\w[\w *]*\b(spe_\w+)\(", text, flags=re.MULTILINE))


@pytest.mark.parametrize("folder", ["lib", "lib64"])
@pytest.mark.parametrize(
    ("library", "header"), [("libspe2.so.2", "libspe2.h"), ("libspe.so.1", "libspe.h")]
)
def test_a_library_has_what_its_header_declares_and_nothing_else(
    folder: str, library: str, header: str
) -> None:
    assert exported((INSTALLED / folder / library).read_bytes()) == declared(header)


def test_loaders_of_64_bit_programs_find_the_libraries_where_debian_has_them() -> None:
    for name in ("libmisc.so.1", "libspe.so.1", "libspe2.so.2"):
        debian = INSTALLED / "lib" / "powerpc64-linux-gnu" / name
        assert debian.resolve() == (INSTALLED / "lib64" / name).resolve()


def test_all_functions_of_the_interface_are_declared() -> None:
    assert len(declared("libspe2.h")) == PUBLISHED


def test_programs_say_what_they_do_and_how_they_are_run() -> None:
    for executable in sorted(KEPT.glob("*.elf")):
        # Static and dynamic versions of a program have the same source, but are linked differently.
        source = executable.with_name(executable.stem.removesuffix("_dynamic") + ".c")
        head = source.read_text().split("*/")[0]
        assert head.startswith("/* ")
        if not source.stem.endswith("_spu"):
            assert f"cellstats run linux/programs/{source.stem}.elf" in head
            assert "Exit status: " in head


def test_the_build_script_says_which_compiler_is_missing() -> None:
    script = KEPT / "build_linux.py"
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, env={"PATH": ""}, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("build_linux.py: no powerpc-linux-gnu-gcc on the PATH; ")
    assert done.stderr.count("\n") == 1


def test_the_build_script_takes_the_released_source_of_musl_and_no_other(tmp_path: Path) -> None:
    other = tmp_path / "musl-1.2.3.tar.gz"
    other.write_bytes(b"another one")
    script = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]); import musl\n"
        "try: musl.build(Path(sys.argv[2]), Path(sys.argv[3]), 'none-')\n"
        "except musl.RefusedError as refused: print(refused)\n"
    )

    def refused(tarball: Path) -> str:
        words = [sys.executable, "-c", script, str(KEPT), str(tarball), str(tmp_path)]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    assert refused(other).startswith(f"{other} is not musl 1.2.3 as released: SHA-256 ")
    assert refused(tmp_path / "none").endswith("/none: No such file or directory\n")
    assert list(tmp_path.iterdir()) == [other]


def test_programs_need_no_library_of_the_computer_but_for_those_that_say_so() -> None:
    measuring = LINUX.parent / "programs" / "cellstats" / "ppe" / "cellstats.elf"
    programs = [*KEPT.glob("*.elf"), measuring]
    # PT_INTERP names a dynamic linker.
    dynamic = {path.stem for path in programs if 3 in segment_kinds(path.read_bytes())}
    assert dynamic == {"hello_dynamic", "threads1_dynamic"}
    assert b"musl as a whole is licensed" in (KEPT / "LICENSE-musl").read_bytes()
