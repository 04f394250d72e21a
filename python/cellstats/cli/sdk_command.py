"""`cellstats sdk`: lays out the surroundings of the Cell SDK, to compile programs with."""

from itertools import groupby
from pathlib import Path

import click

from cellstats.cli.command import Command
from cellstats.core.words import printable
from cellstats.linux.sdk import lay_out

_HELP = """Lay out a Cell SDK, with which unmodified Makefiles build Linux programs.

DIR gets what SDK 3 had under /opt/cell/sdk: make.footer, headers, libspe2, libraries such as
libmisc, and the compilers under the names ppu-gcc, spu-gcc, embedspu and so on. These call
powerpc-linux-gnu-gcc, for 64 bits powerpc64-linux-gnu-gcc, and spu-elf-gcc, which you install
yourself. A directory that this command laid out before is renewed; your own files in it stay.

\b
  cellstats sdk ~/cell-sdk
  export CELL_TOP=~/cell-sdk PATH=~/cell-sdk/usr/bin:$PATH
  make
  cellstats run ./program
"""


@click.command(cls=Command, help=_HELP, short_help=_HELP.splitlines()[0])
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
def sdk(directory: Path) -> None:
    """Run `cellstats sdk`."""
    done = lay_out(directory)
    for line in done.missing:
        click.echo(f"cellstats: {printable(line)}", err=True)
    for library, paths in groupby(map(Path, done.libraries), key=lambda path: path.parent):
        click.echo(f"compiled {library}: {', '.join(path.name for path in paths)}")
    place = printable(str(done.directory))
    click.echo(f"export CELL_TOP={place} PATH={place}/usr/bin:$PATH")
