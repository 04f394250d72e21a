"""`cellstats embed`: makes an object file for PowerPC programs from an SPU executable."""

from pathlib import Path

import click

from cellstats._native import UsageError
from cellstats.cli.command import Command
from cellstats.cli.file_flags import READ, WRITTEN_PATH
from cellstats.core.files import write_whole
from cellstats.core.words import reason
from cellstats.spu.embedding import embedded_assembly, embedded_object
from cellstats.spu.executable import executable

_HELP = """Make an object file for PowerPC programs from an SPU executable.

The PowerPC program declares extern spe_program_handle_t NAME; and passes &NAME to spe_program_load
of libspe2. OUT.o or OUT.eo is an object file for PowerPC, made without a compiler; OUT.s or OUT.S
is the same as assembly. The program has 32 bits, or 64 bits with --64.

\b
  cellstats embed hello hello.elf hello.o
  powerpc-linux-gnu-gcc main.c hello.o -lspe2 -lpthread -o hello
"""

_OBJECT = (".o", ".eo")
_ASSEMBLY = (".s", ".S")


@click.command(cls=Command, help=_HELP, short_help=_HELP.splitlines()[0])
@click.argument("name", metavar="NAME")
@click.argument("file", metavar="FILE", type=READ)
@click.argument("out", metavar="OUT", type=WRITTEN_PATH)
@click.option("--64", "wide", is_flag=True, help="for a 64-bit program (gcc -m64)")
def embed(name: str, file: str, out: Path, wide: bool) -> None:
    """Run `cellstats embed`."""
    if out.suffix not in (*_OBJECT, *_ASSEMBLY):
        raise UsageError(f"{str(out)!r} is neither an object file nor assembly; end it in .o or .s")
    try:
        image = executable(Path(file))
    except (OSError, UsageError) as error:
        why = reason(error) if isinstance(error, OSError) else error
        raise UsageError(f"cannot read {file!r}: {why}; give another file") from None
    try:
        if out.suffix in _OBJECT:
            content: str | bytes = embedded_object(name, image, 64 if wide else 32)
        else:
            content = embedded_assembly(name, image, 64 if wide else 32)
    except ValueError as error:
        raise UsageError(str(error)) from None
    write_whole(out, content)
