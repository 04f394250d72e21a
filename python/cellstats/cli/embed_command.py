"""`cellstats embed`: an SPU executable as an object file for PowerPC programs."""

from pathlib import Path

import click

from cellstats._native import UsageError
from cellstats.export.whole_file import replace
from cellstats.spu.embed import embedded_assembly, embedded_object
from cellstats.text.reasons import reason

_HELP = """Make an object file of an SPU executable, to be linked into a PowerPC program.

The program declares extern spe_program_handle_t NAME; and gives &NAME to spe_program_load of
libspe2. OUT.o is an object file for 32-bit PowerPC, made without a compiler; OUT.s or OUT.S is the
same as assembly.

\b
  cellstats embed hello hello.elf hello.o
  powerpc-linux-gnu-gcc main.c hello.o -lspe2 -lpthread -o hello
"""

_SUFFIXES = (".o", ".s", ".S")


@click.command(help=_HELP, short_help=_HELP.splitlines()[0])
@click.argument("name", metavar="NAME")
@click.argument("file", metavar="FILE")
@click.argument("out", metavar="OUT")
def embed(name: str, file: str, out: str) -> None:
    """The command; its help is above."""
    place = Path(out)
    if place.suffix not in _SUFFIXES:
        raise UsageError(f"{out!r} is neither an object file nor assembly; end it in .o or .s")
    try:
        image = Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {file!r}: {reason(error)}; give another file") from None
    try:
        if place.suffix == ".o":
            content = embedded_object(name, image)
        else:
            content = embedded_assembly(name, image).encode("ascii")
    except ValueError as error:
        raise UsageError(str(error)) from None
    replace(place, lambda part: part.write_bytes(content))
