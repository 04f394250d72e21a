"""Lays out the directory of the SDK, as SDK 3 had it under /opt/cell/sdk."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from cellstats._native import RunError, UsageError
from cellstats.core.version import version
from cellstats.core.words import reason
from cellstats.linux.program import OWN_ROOT
from cellstats.linux.sdk.libraries import TARGETS, build_libraries

DATA = Path(__file__).parent / "data"
MARK = "cellstats-sdk.txt"
"""The file that shows that a directory was laid out by this module, which may then do so again."""

_GNU_TOOLS = (
    *("addr2line", "ar", "as", "c++", "cpp", "g++", "gcc", "gprof", "ld", "nm"),
    *("objcopy", "objdump", "ranlib", "readelf", "size", "strings", "strip"),
)
TOOLS = {
    "ppu": ["ppu-cc", *(f"{prefix}-{tool}" for prefix in ("ppu", "ppu32") for tool in _GNU_TOOLS)],
    "spu": [f"spu-{tool}" for tool in _GNU_TOOLS],
    "embedspu": ["embedspu", "ppu-embedspu", "ppu32-embedspu"],
}
"""The scripts in `bin`, and the names under which Makefiles call them."""
NATIVE = ("ar", "as", "c++", "cc", "cpp", "g++", "gcc", "ld", "objcopy", "objdump", "ranlib")
"""Tools that a Cell's own Linux has without a prefix, for programs that were built there."""


@dataclass(frozen=True)
class Layout:
    """What was laid out: the libraries that were compiled, and why the others were not."""

    directory: Path
    libraries: tuple[str, ...]
    """Compiled libraries, as paths relative to `directory`."""
    missing: tuple[str, ...]
    """One line for each compiler that is missing: what was left out, and what to install."""


def lay_out(directory: Path) -> Layout:
    """Lay out the SDK in a new or empty directory, or again in one that was laid out before.

    Raises UsageError for a directory with other files, and for a path that make cannot handle.
    Raises RunError if the disk is full or a library cannot be compiled.
    """
    if sys.platform == "win32":
        raise UsageError("the SDK consists of links and scripts of Unix; use Linux or macOS")
    directory = directory.absolute()
    _check(directory)
    try:
        _copy(directory)
    except OSError as error:
        raise RunError(f"{error.filename or directory}: {reason(error)}") from None
    libraries, missing = build_libraries(DATA, directory)
    return Layout(directory, tuple(libraries), tuple(missing))


def _check(directory: Path) -> None:
    if any(letter.isspace() or letter in "#$:%" for letter in str(directory)):
        raise UsageError(
            f"{str(directory)!r}: make cannot use a path with blanks, '#', '$', '%' or ':';"
            " give another directory"
        )
    try:
        if directory.exists() and not (directory / MARK).is_file() and any(directory.iterdir()):
            raise UsageError(
                f"{directory} has other files, which stay as they are; give a new directory"
            )
    except OSError as error:
        raise UsageError(f"{directory}: {reason(error)}; give a new directory") from None


def _copy(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    # First, so that what was interrupted can be laid out again.
    (directory / MARK).write_text(
        f"Laid out by cellstats {version()}, by cellstats sdk.\n", encoding="utf-8"
    )
    for path in ("buildutils", "native/bin", "prototype", "usr/bin"):
        (directory / path).mkdir(parents=True, exist_ok=True)
    shutil.copytree(DATA / "buildutils", directory / "buildutils", dirs_exist_ok=True)
    # Makefiles of SDK 1 and 2 include these files from the top of the SDK.
    for name in ("make.footer", "make.header", "make.env"):
        _link(directory / name, f"buildutils/{name}")
    # Sources for prototype libraries, and for those that the SDK had as examples, look there.
    _link(directory / "prototype" / "usr", "../usr")
    for side, include in {target.side: target.include for target in TARGETS}.items():
        for part in ("both", side):
            if (headers := DATA / part / "include").is_dir():
                shutil.copytree(headers, directory / include, dirs_exist_ok=True)
        write_inline_headers(directory / include)
    _copy_tools(directory)
    for target in TARGETS:
        (directory / target.library).mkdir(parents=True, exist_ok=True)
        if target.side == "ppu":
            _copy_libspe(directory, target.library)


def write_inline_headers(include: Path) -> None:
    """Write NAME.h for each inline function of a library, as sources of the time include it."""
    for line in (DATA / "both" / "inline.txt").read_text(encoding="utf-8").splitlines():
        header, *names = line.split()
        folder, _, of = header.rpartition("/")
        library = folder or of.removesuffix("_inline")
        for name in names:
            text = f"/* _{name} of <{library}.h>. */\n#include <{header}.h>\n"
            path = include / folder / f"{name}.h"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def _copy_tools(directory: Path) -> None:
    for script, names in TOOLS.items():
        text = (DATA / "bin" / script).read_text(encoding="utf-8")
        for name in names:
            tool = directory / "usr" / "bin" / name
            tool.write_text(text.replace("@PYTHON@", sys.executable), encoding="utf-8")
            tool.chmod(0o755)
    for name in NATIVE:
        _link(directory / "native" / "bin" / name, f"../../usr/bin/ppu-{name}")


def _copy_libspe(directory: Path, library: str) -> None:
    """libspe2 and libspe as `cellstats run` has them, with names that the linker looks for."""
    for path in sorted((OWN_ROOT / library).glob("libspe*.so.*")):
        shutil.copy(path, directory / library)
        _link(directory / library / path.with_suffix("").name, path.name)
    known = directory / library / "pkgconfig"
    known.mkdir(exist_ok=True)
    for name, what in (("libspe2", "SPE Runtime Management Library 2"), ("libspe", "Version 1")):
        (known / f"{name}.pc").write_text(
            "prefix=${pcfiledir}/../..\n"
            f"Name: {name}\nDescription: {what}\nVersion: {name[6:] or 1}.0\n"
            f"Cflags: -I${{prefix}}/include\nLibs: -L${{pcfiledir}}/.. -l{name[3:]}\n",
            encoding="utf-8",
        )


def _link(path: Path, target: str) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(target)
