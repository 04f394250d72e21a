"""Build libspe2, and the Linux programs of this directory with their SPE sides.

    python programs/linux/build_linux.py           build everything, beside its sources
    python programs/linux/build_linux.py --check   build elsewhere and compare, byte for byte

Takes powerpc-linux-gnu-gcc with its C library (Debian: gcc-powerpc-linux-gnu), and spu-elf-gcc as
../build.py does. Nobody needs them to run the programs, for the executables are kept with their
sources. They depend on nothing but sources and tools: no path, date or user's name is in them.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Where programs that `cellstats run` runs find them.
INSTALLED = ROOT / "python" / "cellstats" / "linux" / "root" / "usr" / "lib"
TOOLS = "powerpc-linux-gnu-"
COMPILER = f"{TOOLS}gcc"
COMPILER_FLAGS = ("-std=gnu99", "-O2", "-Wall", "-Wextra", "-Werror")
LIBRARY_FLAGS = (
    "-D_GNU_SOURCE",
    "-D_FILE_OFFSET_BITS=64",
    "-fPIC",
    "-ffunction-sections",
    "-I",
    "include",
)
# Without the alignment that read-only data after relocation would take, files are half as long.
STRIPPED = ("-Wl,--build-id=none", "-Wl,-z,norelro", "-s")


class Library(NamedTuple):
    """A library: where its sources are, what it is called, and which others it takes."""

    sources: str
    shared: str
    static: str
    needs: tuple[str, ...] = ()


LIBRARIES = (
    Library("src", "libspe2.so.2", "libspe2.a"),
    Library("libspe1", "libspe.so.1", "libspe.a", needs=("libspe2.so.2",)),
)


class Program(NamedTuple):
    """An executable of the PPE and the programs for its SPEs, which are embedded in it.

    Those of `beside` are kept beside it instead, for it opens them as files. A program's source is
    NAME.c, unless more are said here or, for SPEs, in ../build.py.
    """

    name: str
    embedded: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ("libspe2.so.2",)
    directory: str = "linux"
    sources: tuple[str, ...] = ()


PROGRAMS: tuple[Program, ...] = (
    Program("hello", ("hello_spu",)),
    Program("abs", ("abs_spu",)),
    Program("copy", ("copy_spu",)),
    Program("counter", ("counter_spu",)),
    Program("mailboxes", ("mailboxes_spu",)),
    Program("signals", ("signals_spu",)),
    Program("proxy", ("proxy_spu",)),
    Program("mapping", ("mapping_spu",)),
    Program("stops", ("stops_spu",)),
    Program("leaves", ("leaves_spu",)),
    Program("many", ("many_spu",)),
    Program("faults", ("faults_spu",)),
    Program("stdio", ("stdio_spu",)),
    Program("posix", ("posix_spu",)),
    Program("race", ("race_spu",)),
    Program("gang", ("hello_spu",)),
    Program("errors", ("hello_spu",)),
    Program("image", beside=("hello_spu",)),
    Program("files", libraries=()),
    Program("waits", libraries=()),
    Program("threads1", ("threads1_spu",), libraries=("libspe.so.1", "libspe2.so.2")),
    Program(
        "cellstats",
        ("cellstats_spe",),
        directory="cellstats/ppe",
        sources=(
            *("cellstats", "options", "quantities", "director", "spe", "time_base", "failure"),
            *("threads", "synchronisation", "transfers", "atomics"),
        ),
    ),
)


def main(check: bool) -> int:
    """Build or compare; the exit status."""
    spu = _module("spu_build", HERE.parent / "build.py")
    for compiler in (COMPILER, spu.COMPILER):
        if shutil.which(compiler) is None:
            print(
                f"build_linux.py: no {compiler} on the PATH; the top of this file says which",
                file=sys.stderr,
            )
            return 2
    different = 0
    with TemporaryDirectory() as temporary:
        place = Path(temporary) / "programs"
        shutil.copytree(HERE.parent, place)
        built = []
        for library in LIBRARIES:
            built += _build_library(place / "linux" / "libspe2", library)
        built += _build_programs(place, spu)
        for path, kept in _kept(place, built):
            content = path.read_bytes()
            if not check:
                kept.write_bytes(content)
                kept.chmod(path.stat().st_mode & 0o777)
            elif not kept.exists() or kept.read_bytes() != content:
                different = 1
                print(
                    f"build_linux.py: {kept.relative_to(ROOT)} is not what its sources and these"
                    " compilers give; build it anew",
                    file=sys.stderr,
                )
    return different


def _kept(place: Path, built: list[Path]) -> list[tuple[Path, Path]]:
    """What was built, and each place where it is kept: shared libraries are in the package too."""
    kept = [(path, HERE.parent / path.relative_to(place)) for path in built]
    shared = {library.shared for library in LIBRARIES}
    return kept + [(path, INSTALLED / path.name) for path in built if path.name in shared]


def _build_library(place: Path, library: Library) -> list[Path]:
    """A library, shared and static.

    Everything happens in one directory by relative names, for these end up in what is made.
    """
    objects = []
    for source in sorted((place / library.sources).rglob("*.c")):
        name = "-".join(source.relative_to(place).with_suffix(".o").parts)
        flags = (*COMPILER_FLAGS, *LIBRARY_FLAGS)
        _run(place, COMPILER, *flags, "-c", str(source.relative_to(place)), "-o", name)
        objects.append(name)
    linked = ("-Wl,--version-script=exported.map", f"-Wl,-soname,{library.shared}", *STRIPPED)
    needed = (*library.needs, "-lpthread", "-Wl,-rpath,$ORIGIN")
    _run(place, COMPILER, "-shared", *linked, *objects, *needed, "-o", library.shared)
    # One object, in which only what is published has a name that others see.
    whole = f"{library.sources}-all.o"
    _run(place, f"{TOOLS}ld", "-r", *objects, "-o", whole)
    kept = ("--wildcard", "--keep-global-symbol=spe_*", "--strip-unneeded")
    _run(place, f"{TOOLS}objcopy", *kept, whole)
    (place / library.static).unlink(missing_ok=True)
    _run(place, f"{TOOLS}ar", "rcsD", library.static, whole)
    return [place / library.shared, place / library.static]


def _build_programs(root: Path, spu: ModuleType) -> list[Path]:
    built = []
    for program in PROGRAMS:
        place = root / program.directory
        objects = [
            _embedded(place, name, _spe_image(root, spu, program, name))
            for name in program.embedded
        ]
        built += [
            Path(shutil.copy(_spe_image(root, spu, program, name), place))
            for name in program.beside
        ]
        folder = os.path.relpath(root / "linux" / "libspe2", place)
        sources = [f"{source}.c" for source in program.sources or (program.name,)]
        flags = (*COMPILER_FLAGS, "-I", f"{folder}/include")
        # The executable finds the libraries from where it lies itself.
        paths = [f"{folder}/{library}" for library in program.libraries]
        libraries = (*paths, "-lpthread", f"-Wl,-rpath,$ORIGIN/{folder}")
        executable = f"{program.name}.elf"
        _run(place, COMPILER, *flags, *sources, *objects, *libraries, *STRIPPED, "-o", executable)
        built.append(place / executable)
    return built


def _spe_image(root: Path, spu: ModuleType, program: Program, name: str) -> Path:
    """The executable of a program for SPEs, built if it is not there yet."""
    rows = {Path(row.name).name: row for row in spu.PROGRAMS}
    row = rows.get(name) or spu.Program(program.directory, name, (name,))
    image: Path = root / row.name / f"{row.name}.elf"
    if not image.exists():
        spu.build(root, row)
    return image


def _embedded(place: Path, name: str, image: Path) -> str:
    """The object file of a program for SPEs; its name."""
    embed = _module("embed", ROOT / "python" / "cellstats" / "spu" / "embed.py")
    (place / f"{name}.o").write_bytes(embed.embedded_object(name, image.read_bytes()))
    return f"{name}.o"


def _module(name: str, path: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


def _run(place: Path, *command: str) -> None:
    try:
        subprocess.run(command, cwd=place, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "0"})
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - {"--check"}:
        sys.exit(f"build_linux.py: {unknown.pop()!r} is not an option; there is only --check")
    sys.exit(main(check="--check" in sys.argv[1:]))
