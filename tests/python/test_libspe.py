"""CellStats' libspe2 and libspe export all functions that their headers declare."""

import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest

LINUX = Path(__file__).resolve().parents[2] / "programs" / "linux"
LIBRARIES = LINUX / "libspe2"

# Number of functions of the SPE Runtime Management Library 2.x.
PUBLISHED = 38


def rows(content: bytes, kind: Literal["sections", "segments"]) -> list[tuple[int, ...]]:
    """The headers of all sections or segments of an ELF file of 32 or 64 bits."""
    # The offset of the headers, the place of their size and number, and a header up to its link.
    word, at, sized_at, header = {
        (1, "sections"): (">I", 32, 46, ">7I"),
        (1, "segments"): (">I", 28, 42, ">I"),
        (2, "sections"): (">Q", 40, 58, ">IIQQQQI"),
        (2, "segments"): (">Q", 32, 54, ">I"),
    }[content[4], kind]
    (table,) = struct.unpack_from(word, content, at)
    size, count = struct.unpack_from(">HH", content, sized_at)
    return [struct.unpack_from(header, content, table + n * size) for n in range(count)]


def exported(library: Path) -> set[str]:
    """The functions that a shared library exports, read from its dynamic symbols."""
    content = library.read_bytes()
    sections = rows(content, "sections")
    _, _, _, _, place, size, link = next(row for row in sections if row[1] == 11)
    strings = content[sections[link][4] :]
    symbol = ">IBBHQQ" if content[4] == 2 else ">IIIBBH"
    found = set()
    for fields in struct.iter_unpack(symbol, content[place : place + size]):
        name = fields[0]
        info, _, section = fields[1:4] if content[4] == 2 else fields[3:]
        # This condition selects global symbols that are defined in the library.
        if section != 0 and info >> 4 == 1:
            found.add(strings[name : strings.index(b"\0", name)].decode())
    return found


def declared(header: str) -> set[str]:
    text = re.sub(r"/\*.*?\*/", "", (LIBRARIES / "include" / header).read_text(), flags=re.DOTALL)
    return set(re.findall(r"^\w[\w *]*\b(spe_\w+)\(", text, flags=re.MULTILINE))


@pytest.mark.parametrize("folder", ["", "lib64"])
@pytest.mark.parametrize(
    ("library", "header"), [("libspe2.so.2", "libspe2.h"), ("libspe.so.1", "libspe.h")]
)
def test_a_library_has_what_its_header_declares_and_nothing_else(
    folder: str, library: str, header: str
) -> None:
    assert exported(LIBRARIES / folder / library) == declared(header)


def test_the_package_has_the_same_libraries() -> None:
    installed = LINUX.parents[1] / "python" / "cellstats" / "linux" / "root" / "usr"
    # Debian's loader for 64-bit programs searches the third folder.
    folders = {"lib": "", "lib64": "lib64", "lib/powerpc64-linux-gnu": "lib64"}
    for folder, built in folders.items():
        shared = {path.name: path for path in (LIBRARIES / built).glob("*.so.*")}
        files = {path.name: path for path in (installed / folder).iterdir() if path.is_file()}
        assert files.keys() == shared.keys()
        for name, path in shared.items():
            assert files[name].read_bytes() == path.read_bytes()


def test_all_functions_of_the_interface_are_declared() -> None:
    assert len(declared("libspe2.h")) == PUBLISHED


def test_programs_say_what_they_do_and_how_they_are_run() -> None:
    for executable in sorted(LINUX.glob("*.elf")):
        # Static and dynamic versions of a program have the same source, but are linked differently.
        source = executable.with_name(executable.stem.removesuffix("_dynamic") + ".c")
        head = source.read_text().split("*/")[0]
        assert head.startswith("/* ")
        if not source.stem.endswith("_spu"):
            assert f"cellstats run programs/linux/{source.stem}.elf" in head
            assert "Exit status: " in head


def test_the_build_script_says_which_compiler_is_missing() -> None:
    script = LINUX / "build_linux.py"
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
        words = [sys.executable, "-c", script, str(LINUX), str(tarball), str(tmp_path)]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    assert refused(other).startswith(f"{other} is not musl 1.2.3 as released: SHA-256 ")
    assert refused(tmp_path / "none").endswith("/none: No such file or directory\n")
    assert list(tmp_path.iterdir()) == [other]


def interpreter(executable: Path) -> bool:
    """Whether an executable has a dynamic linker (PT_INTERP)."""
    return any(kind == 3 for kind, *_ in rows(executable.read_bytes(), "segments"))


def test_programs_need_no_library_of_the_computer_but_for_those_that_say_so() -> None:
    measuring = LINUX.parent / "cellstats" / "ppe" / "cellstats.elf"
    programs = [*LINUX.glob("*.elf"), measuring]
    dynamic = {path.stem for path in programs if interpreter(path)}
    assert dynamic == {"hello_dynamic", "threads1_dynamic"}
    assert b"musl as a whole is licensed" in (LINUX.parent / "LICENSE-musl").read_bytes()
