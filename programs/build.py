"""Build the SPU programs of this directory with a cross compiler for the SPU.

    python programs/build.py           build every program, beside its sources
    python programs/build.py --check   build into a temporary directory and compare, byte for byte

Needs spu-elf-gcc with newlib on the PATH; GCC 9 is the last version with a port to the SPU. To use
or test CellStats, nobody needs the compiler, because the executables are in the repository. They
depend only on sources and tools: they contain no path, date or user name.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
COMPILER = "spu-elf-gcc"
COMPILER_FLAGS = ("-std=gnu99", "-Wall", "-Wextra", "-Werror", "-S")
# Debug information would contain paths from the machine on which the library was built.
LINKER_FLAGS = ("-Wl,--strip-debug",)


class Program(NamedTuple):
    """An executable: the directory of its sources, its name, and its build options."""

    directory: str
    name: str
    sources: tuple[str, ...]
    optimisation: str = "-O2"
    compiler_flags: tuple[str, ...] = ()
    linker_flags: tuple[str, ...] = ()


PROGRAMS = (
    Program(
        "cellstats",
        "cellstats",
        ("main", "transfers", "synchronise", "modify"),
        # The stack ends below the data that the PPE's side puts into a local store
        # (crates/cellstats/src/addresses.rs).
        linker_flags=("-Wl,--defsym=__stack=0x3cf0",),
    ),
    # The SPE side of the Linux program, with the same addresses in the local store.
    Program(
        "cellstats",
        "ppe/spe/cellstats_spe",
        ("ppe/spe/main", "ppe/spe/lists", "transfers", "synchronise", "modify"),
        linker_flags=("-Wl,--defsym=__stack=0x3cf0",),
    ),
    # The test reads the results at this address.
    Program(
        "checks",
        "arithmetic",
        ("arithmetic",),
        linker_flags=("-Wl,--section-start=.results=0x30000", "-lm"),
    ),
    Program("samples", "hello", ("hello",)),
    Program("samples", "copy", ("copy",)),
    # The innermost loops must be unrolled, so that their sums stay in registers.
    Program("samples", "matrix", ("matrix",), optimisation="-O3"),
    Program("samples", "pingpong", ("pingpong",)),
    Program("samples", "barrier", ("barrier",)),
    Program("tests", "print", ("print",)),
    Program("tests", "files", ("files",)),
    Program("tests", "arguments", ("arguments",), linker_flags=("-mstdmain",)),
    Program("tests", "reach", ("reach",), linker_flags=("-mstdmain",)),
    Program("tests", "faults", ("faults",)),
    Program("tests", "interrupts", ("interrupts",)),
    Program("tests", "stops", ("stops",)),
    Program("tests", "stack", ("stack",)),
    Program("tests", "stack_checked", ("stack",), compiler_flags=("-fstack-check",)),
    Program("tests", "commands", ("commands",)),
    Program("tests", "steps", ("steps",)),
    # The installed package has these, beside the papers whose claims they test.
    Program("loops", "loops", ("loops",)),
    Program("loops", "kernels", ("kernels",)),
    Program("loops", "bounce", ("bounce",)),
)

# GCC pads with "nop 127", where 127 is a register. GNU as (2.40, for example) takes "nop 127" for
# its own directive, which emits 127 bytes of nops. With a dollar sign, it emits one instruction.
PADDING = re.compile(r"^\tnop\t127$", re.MULTILINE)


def main(check: bool) -> int:
    """Build or compare the executables. Return the exit status."""
    if shutil.which(COMPILER) is None:
        print(f"build.py: no {COMPILER} on the PATH; install GCC 9 for spu-elf", file=sys.stderr)
        return 2
    different = 0
    with TemporaryDirectory() as temporary:
        for program in PROGRAMS:
            built = build(Path(temporary), program).read_bytes()
            kept = HERE / program.directory / f"{program.name}.elf"
            if not check:
                kept.write_bytes(built)
            elif not kept.exists() or kept.read_bytes() != built:
                different = 1
                print(
                    f"build.py: {kept.relative_to(HERE)} is not what its sources and this compiler"
                    " give; build it anew",
                    file=sys.stderr,
                )
    return different


def build(temporary: Path, program: Program) -> Path:
    """Compile, assemble and link one program for the SPU. Return the path of the executable.

    All steps run in one directory with relative names, because the names end up in the executable.
    """
    place = temporary / program.name
    shutil.copytree(HERE / program.directory, place)
    for source in program.sources:
        compiled = (f"{source}.c", "-o", f"{source}.s")
        flags = (*COMPILER_FLAGS, program.optimisation, *program.compiler_flags)
        _run(place, *flags, *compiled)
        assembly = place / f"{source}.s"
        assembly.write_text(PADDING.sub("\tnop\t$127", assembly.read_text()))
        _run(place, "-c", f"{source}.s", "-o", f"{source}.o")
    objects = (f"{source}.o" for source in program.sources)
    executable = f"{program.name}.elf"
    _run(place, *objects, *LINKER_FLAGS, *program.linker_flags, "-o", executable)
    return place / executable


def _run(place: Path, *arguments: str) -> None:
    try:
        subprocess.run([COMPILER, *arguments], cwd=place, check=True)
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - {"--check"}:
        sys.exit(f"build.py: {unknown.pop()!r} is not an option; there is only --check")
    sys.exit(main(check="--check" in sys.argv[1:]))
