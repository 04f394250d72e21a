"""Compiles the SDK's libraries from their sources, with the compilers of this computer."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cellstats._native import RunError


class Target(NamedTuple):
    """What libraries are compiled for."""

    side: str
    """The sources and the tools: `ppu` or `spu`."""
    include: str
    """The directory of headers, relative to the SDK's directory."""
    library: str
    """The directory of libraries."""
    compiler: str
    install: str
    """How one gets the compiler."""
    flags: tuple[str, ...] = ()


TARGETS = (
    Target(
        *("ppu", "usr/include", "usr/lib"),
        *("powerpc-linux-gnu-gcc", "apt install gcc-powerpc-linux-gnu", ("-fPIC",)),
    ),
    Target(
        *("ppu", "usr/include", "usr/lib64"),
        *("powerpc64-linux-gnu-gcc", "apt install gcc-powerpc64-linux-gnu", ("-fPIC", "-m64")),
    ),
    Target(
        *("spu", "usr/spu/include", "usr/spu/lib", "spu-elf-gcc"),
        "build GCC 9 with newlib for spu-elf, as the guide on Linux programs says",
    ),
)
_FLAGS = ("-O2", "-Wall", "-ffunction-sections")


def build_libraries(data: Path, directory: Path) -> tuple[list[str], list[str]]:
    """Compile all libraries of all targets into the SDK's directory.

    Returns the compiled libraries, and a line for each compiler that is missing.
    """
    built, missing = [], []
    for target in TARGETS:
        names = sorted({path.name for path in _folders(data, target.side)})
        if which(target.compiler) is None:
            left_out = ", ".join(f"lib{name}.a" for name in names)
            missing.append(
                f"{target.compiler} is not on the PATH, so {target.library} lacks {left_out};"
                f" {target.install}, and lay out the SDK again"
            )
            continue
        for name in names:
            folders = [path for path in _folders(data, target.side) if path.name == name]
            built += _build(directory, target, name, folders)
    return built, missing


def _folders(data: Path, side: str) -> Iterator[Path]:
    for part in ("both", side):
        yield from (path for path in (data / part / "src").glob("*") if path.is_dir())


def _build(directory: Path, target: Target, name: str, folders: list[Path]) -> list[str]:
    """Build lib`name`.a from all sources in these folders, and for the PPE lib`name`.so.1."""
    tools, library = directory / "usr" / "bin", target.library
    compiler, archiver = str(tools / f"{target.side}-gcc"), str(tools / f"{target.side}-ar")
    archive = directory / library / f"lib{name}.a"
    shared = directory / library / f"lib{name}.so.1"
    with TemporaryDirectory() as temporary:
        objects: list[str] = []
        for source in sorted(path for folder in folders for path in folder.glob("*.[cS]")):
            # A library may have a file of the same name for both sides and for one.
            made = Path(temporary) / f"{source.stem}-{len(objects)}.o"
            flags = (*_FLAGS, *target.flags, f"-I{source.parent}")
            _run(compiler, *flags, "-c", str(source), f"-o{made}")
            objects.append(str(made))
        archive.unlink(missing_ok=True)
        _run(archiver, "rcsD", str(archive), *objects)
        if target.side != "ppu":
            return [f"{library}/{archive.name}"]
        # Without a link named lib`name`.so, new programs contain the library, and need no file of
        # this computer when they run. Old executables find the shared library by its own name.
        flags = (*target.flags, "-shared", f"-Wl,-soname,{shared.name}")
        _run(compiler, *flags, *objects, f"-o{shared}")
    return [f"{library}/{archive.name}", f"{library}/{shared.name}"]


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr]
        raise RunError(f"{Path(command[0]).name} failed: {lines[0].strip()}")
