"""C programs for tests of the SDK's libraries, compiled with these libraries for either side."""

import subprocess
from pathlib import Path

from cellstats.linux.sdk.layout import write_inline_headers
from cellstats.spu.embedding import embedded_object
from ppe_programs import LIBSPE2, LINUX

SOURCES = Path(__file__).parent / "sdk"
_SDK = LINUX / "sdk"
_WARNINGS = ("-O2", "-Wall", "-Wextra", "-Werror")
_COMPILERS = {
    "spu": ("spu-elf-gcc",),
    "ppu": ("powerpc-linux-gnu-gcc", "-static", "-mcpu=cell", "-maltivec"),
}


def compiled(
    side: str, source: str, out: Path, *libraries: str, more: tuple[str, ...] = ()
) -> Path:
    """Compile a program of `sdk/` with libraries of the SDK, which are compiled from sources.

    `more` are further arguments for the compiler.
    """
    folders = [_SDK / part / "src" / name for part in ("both", side) for name in libraries]
    files = [SOURCES / source, *sorted(path for each in folders for path in each.glob("*.c"))]
    write_inline_headers(out.parent / "inline")
    headers = (
        out.parent,
        out.parent / "inline",
        _SDK / side / "include",
        _SDK / "both" / "include",
    )
    include = [f"-I{path}" for path in headers]
    command = [
        *_COMPILERS[side],
        *_WARNINGS,
        *include,
        *map(str, files),
        *more,
        "-lm",
        "-o",
        str(out),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


def compiled_for_linux(name: str, out: Path, *libraries: str) -> Path:
    """Compile NAME.c for the PPE, with NAME_spu.c for the SPEs in it, both with the libraries."""
    image = compiled("spu", f"{name}_spu.c", out.with_name(f"{name}_spu.elf"), *libraries)
    embedded = out.with_name(f"{name}_spu.o")
    embedded.write_bytes(embedded_object(f"{name}_spu", image.read_bytes()))
    spe = (*LIBSPE2, str(embedded), "-l:libspe2.a", "-lpthread")
    return compiled("ppu", f"{name}.c", out, *libraries, more=spe)
