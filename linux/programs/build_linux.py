"""Build libspe2, libmisc, and the Linux programs of this directory with their SPE sides.

    python linux/programs/build_linux.py           build everything, beside its sources
    python linux/programs/build_linux.py --check   build elsewhere and compare, byte for byte
    python linux/programs/build_linux.py --musl FILE    ... with musl's source from a file

Needs powerpc-linux-gnu-gcc and powerpc64-linux-gnu-gcc with their C libraries (Debian:
gcc-powerpc-linux-gnu, gcc-powerpc64-linux-gnu), spu-elf-gcc as for programs/build.py, the source of
musl, which apt-get downloads (musl.py), and CellStats itself. To run the programs, nobody needs
these tools, because the executables are in the repository. They depend only on sources and tools:
they contain no path, date or user name.
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import NamedTuple

import musl
from cellstats.spu.embedding import embedded_object

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# The directory in which programs under `cellstats run` find the shared libraries.
INSTALLED = ROOT / "linux" / "root" / "usr"
# The SDK's libmisc, from which executables of the time load libmisc.so.1.
SDK = ROOT / "linux" / "sdk" / "both"
HEADERS = ROOT / "linux" / "sdk" / "ppu" / "include"
MISC = "libmisc.so.1"
TOOLS = "powerpc-linux-gnu-"
COMPILER = f"{TOOLS}gcc"
# Tools for 64-bit programs, and the directory of libraries for them.
WIDE_TOOLS = "powerpc64-linux-gnu-"
WIDE = "lib64"
COMPILER_FLAGS = ("-std=gnu99", "-O2", "-Wall", "-Wextra", "-Werror")
LIBRARY_FLAGS = (
    "-D_GNU_SOURCE",
    "-D_FILE_OFFSET_BITS=64",
    "-ffunction-sections",
    "-I",
    "include",
)
# Without alignment for data that are read-only after relocation, files are half as long.
STRIPPED = ("-Wl,--build-id=none", "-Wl,-z,norelro", "-s")
STATIC = ("-static", "-Wl,--gc-sections")


class Library(NamedTuple):
    """A library: the directory of its sources, its file names, and the libraries that it needs.

    `static` is for users' programs, with the compiler's own C library. `built_in` is the same
    library with musl, for the static programs here.
    """

    sources: str
    shared: str
    static: str
    built_in: str
    needs: tuple[str, ...] = ()


LIBRARIES = (
    Library("src", "libspe2.so.2", "libspe2.a", "libspe2-musl.a"),
    Library("libspe1", "libspe.so.1", "libspe.a", "libspe-musl.a", needs=("libspe2.so.2",)),
)
SPE2 = LIBRARIES[:1]
SPE1 = LIBRARIES[::-1]


class Program(NamedTuple):
    """An executable of the PPE and the programs for its SPEs, which are embedded in it.

    SPE programs in `beside` are stored beside the executable, which opens them as files. The source
    is NAME.c, unless other sources are named here or, for SPEs, in programs/build.py. A static
    program contains its libraries, and runs wherever CellStats does. A `dynamic` program loads its
    libraries at start, and needs the compiler's own C library.
    """

    name: str
    embedded: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    libraries: tuple[Library, ...] = SPE2
    directory: str = "linux/programs"
    sources: tuple[str, ...] = ()
    dynamic: bool = False


PROGRAMS: tuple[Program, ...] = (
    Program("hello", ("hello_spu",)),
    Program("hello_dynamic", ("hello_spu",), sources=("hello",), dynamic=True),
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
    Program("contended", ("contended_spu",), directory="programs/loops"),
    Program("gang", ("hello_spu",)),
    Program("errors", ("hello_spu",)),
    Program("image", beside=("hello_spu",)),
    Program("files", libraries=()),
    Program("waits", libraries=()),
    Program("steps"),
    Program("loads", libraries=()),
    Program("spe_kernels", ("spe_kernels_spu",), directory="programs/loops"),
    Program("unix_laps", libraries=(), directory="programs/loops"),
    Program("threads1", ("threads1_spu",), libraries=SPE1),
    Program(
        "threads1_dynamic",
        ("threads1_spu",),
        libraries=SPE1,
        sources=("threads1",),
        dynamic=True,
    ),
    Program(
        "cellstats",
        ("cellstats_spe",),
        directory="programs/cellstats/ppe",
        sources=(
            *("cellstats", "options", "quantities", "director", "spe", "time_base", "failure"),
            *("threads", "synchronisation", "transfers", "atomics"),
        ),
    ),
    Program("ppe_loops", libraries=(), directory="programs/loops"),
)


def main(check: bool, tarball: Path | None) -> int:
    """Build or compare the executables. Return the exit status."""
    spu = _module("spu_build", ROOT / "programs" / "build.py")
    for compiler in (COMPILER, f"{WIDE_TOOLS}gcc", spu.COMPILER):
        if shutil.which(compiler) is None:
            print(
                f"build_linux.py: no {compiler} on the PATH; the top of this file says which",
                file=sys.stderr,
            )
            return 2
    with TemporaryDirectory() as temporary:
        place = Path(temporary)
        for folder in ("programs", "linux/programs", "linux/libspe2"):
            shutil.copytree(ROOT / folder, place / folder)
        shutil.copytree(HEADERS, place / "linux" / "libspe2" / "include")
        library = place / "musl"
        library.mkdir()
        try:
            compiler = musl.build(tarball or musl.download(library), library, TOOLS)
        except musl.RefusedError as refused:
            print(f"build_linux.py: {refused}", file=sys.stderr)
            return 2
        built = _build_libraries(place / "linux" / "libspe2", str(compiler))
        built += _build_programs(place, spu, str(compiler))
        built += _build_wide(place / "linux")
        kept = [(path, _kept(path.relative_to(place))) for path in built]
        kept += _build_misc(place / "misc")
        different = [_differs(path, stored, check) for path, stored in kept]
    return int(any(different))


def _differs(path: Path, kept: Path, check: bool) -> bool:
    """Store a built file in the repository or, to check, report whether the stored file differs."""
    content = path.read_bytes()
    if not check:
        kept.write_bytes(content)
        kept.chmod(path.stat().st_mode & 0o777)
        return False
    if kept.exists() and kept.read_bytes() == content:
        return False
    print(
        f"build_linux.py: {kept.relative_to(ROOT)} is not what its sources and these"
        " compilers give; build it anew",
        file=sys.stderr,
    )
    return True


def _kept(built: Path) -> Path:
    """Where a built file is stored: shared libraries where programs find them, others in place."""
    if built.name in {library.shared for library in LIBRARIES}:
        return INSTALLED / (WIDE if built.parent.name == WIDE else "lib") / built.name
    return ROOT / built


def _build_libraries(place: Path, static_compiler: str) -> list[Path]:
    """Build all libraries, shared and static. Return the libraries that are stored.

    All steps run in one directory with relative names, because the names end up in the libraries.
    """
    built = []
    for library in LIBRARIES:
        objects = _objects(place, library, COMPILER, *COMPILER_FLAGS, *LIBRARY_FLAGS, "-fPIC")
        linked = ("-Wl,--version-script=exported.map", f"-Wl,-soname,{library.shared}", *STRIPPED)
        needed = (*library.needs, "-lpthread", "-Wl,-rpath,$ORIGIN")
        _run(place, COMPILER, "-shared", *linked, *objects, *needed, "-o", library.shared)
        _archive(place, library, library.static, objects)
        flags = (*COMPILER_FLAGS, *LIBRARY_FLAGS, *musl.FLAGS, "-Os")
        objects = _objects(place, library, static_compiler, *flags)
        _archive(place, library, library.built_in, objects)
        built += [place / library.shared, place / library.static]
    return built


def _build_wide(place: Path) -> list[Path]:
    """Build the libraries for 64-bit programs, and a 64-bit program without a C library."""
    compiler, built = f"{WIDE_TOOLS}gcc", []
    library_place, place = place / "libspe2", place / "programs"
    (library_place / WIDE).mkdir(exist_ok=True)
    for library in LIBRARIES:
        objects = _objects(
            library_place, library, compiler, *COMPILER_FLAGS, *LIBRARY_FLAGS, "-fPIC"
        )
        linked = ("-Wl,--version-script=exported.map", f"-Wl,-soname,{library.shared}", *STRIPPED)
        shared, static = f"{WIDE}/{library.shared}", f"{WIDE}/{library.static}"
        needed = (*(f"{WIDE}/{name}" for name in library.needs), "-lpthread", "-Wl,-rpath,$ORIGIN")
        _run(library_place, compiler, "-shared", *linked, *objects, *needed, "-o", shared)
        _archive(library_place, library, static, objects, WIDE_TOOLS)
        built += [library_place / shared, library_place / static]
    flags = (*COMPILER_FLAGS, "-ffreestanding", "-fno-stack-protector", "-nostdlib", *STATIC)
    _run(place, compiler, *flags, "wide.c", *STRIPPED, "-o", "wide.elf")
    return [*built, place / "wide.elf"]


def _build_misc(place: Path) -> list[tuple[Path, Path]]:
    """Build the SDK's libmisc for both widths. Return each library with its stored copy."""
    shutil.copytree(SDK, place)
    sources = sorted(str(path.relative_to(place)) for path in place.glob("src/misc/*.c"))
    flags = ("-mcpu=cell", "-maltivec", "-mabi=altivec", "-I", "include", "-fPIC", "-shared")
    built = []
    for tools, folder in ((TOOLS, "lib"), (WIDE_TOOLS, WIDE)):
        (place / folder).mkdir()
        out = ("-o", f"{folder}/{MISC}", f"-Wl,-soname,{MISC}", *STRIPPED)
        _run(place, f"{tools}gcc", *COMPILER_FLAGS, *flags, *sources, *out)
        built.append((place / folder / MISC, INSTALLED / folder / MISC))
    return built


def _objects(place: Path, library: Library, compiler: str, *flags: str) -> list[str]:
    """Compile a library's sources. Return the names of the object files."""
    objects = []
    for source in sorted((place / library.sources).rglob("*.c")):
        name = "-".join(source.relative_to(place).with_suffix(".o").parts)
        _run(place, compiler, *flags, "-c", str(source.relative_to(place)), "-o", name)
        objects.append(name)
    return objects


def _archive(
    place: Path, library: Library, name: str, objects: list[str], tools: str = TOOLS
) -> None:
    """Build a static library of one object, in which only the names of the interface are global."""
    whole = f"{library.sources}-all.o"
    _run(place, f"{tools}ld", "-r", *objects, "-o", whole)
    kept = ("--wildcard", "--keep-global-symbol=spe_*", "--strip-unneeded")
    _run(place, f"{tools}objcopy", *kept, whole)
    (place / name).unlink(missing_ok=True)
    _run(place, f"{tools}ar", "rcsD", name, whole)


def _build_programs(root: Path, spu: ModuleType, static_compiler: str) -> list[Path]:
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
        if program.dynamic:
            compiler, names = COMPILER, [library.shared for library in program.libraries]
            how: tuple[str, ...] = ()
        else:
            compiler, names = static_compiler, [library.built_in for library in program.libraries]
            how = (*musl.FLAGS, *STATIC)
        sources = [f"{source}.c" for source in program.sources or (program.name,)]
        flags = (*COMPILER_FLAGS, "-I", f"{folder}/include", *how)
        libraries = (*(f"{folder}/{name}" for name in names), "-lpthread")
        executable = f"{program.name}.elf"
        _run(place, compiler, *flags, *sources, *objects, *libraries, *STRIPPED, "-o", executable)
        built.append(place / executable)
    return built


def _spe_image(root: Path, spu: ModuleType, program: Program, name: str) -> Path:
    """Return the executable of a program for SPEs, after building it if necessary."""
    rows = {Path(row.name).name: row for row in spu.PROGRAMS}
    shared = ("-I", str(ROOT / "linux" / "programs"))  # no name of a header is kept
    row = rows.get(name) or spu.Program(
        f"../{program.directory}", name, (name,), compiler_flags=shared
    )
    image: Path = root / row.name / f"{row.name}.elf"
    if not image.exists():
        spu.build(root, row)
    return image


def _embedded(place: Path, name: str, image: Path) -> str:
    """Create the object file of a program for SPEs. Return its name."""
    (place / f"{name}.o").write_bytes(embedded_object(name, image.read_bytes()))
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
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with what is kept instead")
    parser.add_argument("--musl", type=Path, metavar="FILE", help=f"musl-{musl.VERSION}.tar.gz")
    given = parser.parse_args()
    sys.exit(main(given.check, given.musl))
