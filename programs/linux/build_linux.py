"""Build libspe2, and the Linux programs of this directory with their SPE sides.

    python programs/linux/build_linux.py           build everything, beside its sources
    python programs/linux/build_linux.py --check   build elsewhere and compare, byte for byte
    python programs/linux/build_linux.py --musl FILE    ... with musl's source from a file

Takes powerpc-linux-gnu-gcc with its C library (Debian: gcc-powerpc-linux-gnu), spu-elf-gcc as
../build.py does, and the source of musl, which apt-get downloads (musl.py). Nobody needs them to
run the programs, for the executables are kept with their sources. They depend on nothing but
sources and tools: no path, date or user's name is in them.
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
    "-ffunction-sections",
    "-I",
    "include",
)
# Without the alignment that read-only data after relocation would take, files are half as long.
STRIPPED = ("-Wl,--build-id=none", "-Wl,-z,norelro", "-s")
STATIC = ("-static", "-Wl,--gc-sections")


class Library(NamedTuple):
    """A library: where its sources are, what it is called, and which others it takes.

    `static` is for programs of users, with the compiler's own C library; `built_in` is the same
    with musl, which the static programs here are linked of.
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

    Those of `beside` are kept beside it instead, for it opens them as files. A program's source is
    NAME.c, unless more are said here or, for SPEs, in ../build.py. A program has its libraries in
    it, and runs wherever CellStats does; a `dynamic` one finds them when it starts, which takes the
    compiler's own C library.
    """

    name: str
    embedded: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    libraries: tuple[Library, ...] = SPE2
    directory: str = "linux"
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
    Program("gang", ("hello_spu",)),
    Program("errors", ("hello_spu",)),
    Program("image", beside=("hello_spu",)),
    Program("files", libraries=()),
    Program("waits", libraries=()),
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
        directory="cellstats/ppe",
        sources=(
            *("cellstats", "options", "quantities", "director", "spe", "time_base", "failure"),
            *("threads", "synchronisation", "transfers", "atomics"),
        ),
    ),
)


def main(check: bool, tarball: Path | None) -> int:
    """Build or compare; the exit status."""
    spu = _module("spu_build", HERE.parent / "build.py")
    for compiler in (COMPILER, spu.COMPILER):
        if shutil.which(compiler) is None:
            print(
                f"build_linux.py: no {compiler} on the PATH; the top of this file says which",
                file=sys.stderr,
            )
            return 2
    with TemporaryDirectory() as temporary:
        place = Path(temporary) / "programs"
        shutil.copytree(HERE.parent, place)
        library = Path(temporary) / "musl"
        library.mkdir()
        try:
            compiler = musl.build(tarball or musl.download(library), library, TOOLS)
        except musl.RefusedError as refused:
            print(f"build_linux.py: {refused}", file=sys.stderr)
            return 2
        built = _build_libraries(place / "linux" / "libspe2", str(compiler))
        built += _build_programs(place, spu, str(compiler))
        different = [_differs(path, kept, check) for path, kept in _kept(place, built)]
    return int(any(different))


def _differs(path: Path, kept: Path, check: bool) -> bool:
    """Keep what was built, or say if it is not what is kept."""
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


def _kept(place: Path, built: list[Path]) -> list[tuple[Path, Path]]:
    """What was built, and each place where it is kept: shared libraries are in the package too."""
    kept = [(path, HERE.parent / path.relative_to(place)) for path in built]
    shared = {library.shared for library in LIBRARIES}
    return kept + [(path, INSTALLED / path.name) for path in built if path.name in shared]


def _build_libraries(place: Path, static_compiler: str) -> list[Path]:
    """All libraries, shared and static; those that are kept.

    Everything happens in one directory by relative names, for these end up in what is made.
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


def _objects(place: Path, library: Library, compiler: str, *flags: str) -> list[str]:
    """A library's sources, compiled."""
    objects = []
    for source in sorted((place / library.sources).rglob("*.c")):
        name = "-".join(source.relative_to(place).with_suffix(".o").parts)
        _run(place, compiler, *flags, "-c", str(source.relative_to(place)), "-o", name)
        objects.append(name)
    return objects


def _archive(place: Path, library: Library, name: str, objects: list[str]) -> None:
    """A static library of one object; others see the names of what is published, and no more."""
    whole = f"{library.sources}-all.o"
    _run(place, f"{TOOLS}ld", "-r", *objects, "-o", whole)
    kept = ("--wildcard", "--keep-global-symbol=spe_*", "--strip-unneeded")
    _run(place, f"{TOOLS}objcopy", *kept, whole)
    (place / name).unlink(missing_ok=True)
    _run(place, f"{TOOLS}ar", "rcsD", name, whole)


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
            # The executable finds the libraries from where it lies itself.
            how: tuple[str, ...] = (f"-Wl,-rpath,$ORIGIN/{folder}",)
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
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with what is kept instead")
    parser.add_argument("--musl", type=Path, metavar="FILE", help=f"musl-{musl.VERSION}.tar.gz")
    given = parser.parse_args()
    sys.exit(main(given.check, given.musl))
