"""`cellstats pattern`: shows the messages of a communication pattern."""

from typing import Any

import click

from cellstats._native import UsageError
from cellstats.cli.command import Group
from cellstats.cli.file_flags import PATTERN_FILE
from cellstats.cli.flags import format_flag, words
from cellstats.core import terminal
from cellstats.core.pattern_pairs import NAMES
from cellstats.patterns import is_file
from cellstats.patterns import pattern as find_pattern
from cellstats.show.views import find

_HELP = """Show the patterns of communication that cellstats -f exchange runs.

\b
  cellstats pattern show ring
  cellstats pattern show binomial-tree -n 16 -b 64k
  cellstats pattern show pipeline --format csv > mine.csv
  cellstats -f exchange --pattern mine.csv
"""

_SHOW_HELP = """Show a pattern: its phases, the messages of each, and their sums.

\b
PATTERN is a file, or one of
  ring                    thread I to thread I+1, the last to the first
  nearest-neighbour       thread I to threads I-1 and I+1
  pairwise, complement    threads 0 and 1, 2 and 3, ...; thread I and thread N-1-I
  recursive-doubling      in phase K, thread I and the one whose number differs in bit K-1;
                          recursive-doubling-1 to -4 are its first phases by themselves
  binomial-tree           a broadcast from thread 0: those that have it send it on
  all-to-all              in phase K, thread I to thread I+K
  pipeline                memory to thread 0, every thread to the next one, the last to memory
  hotspot                 all to thread 0

The messages of a phase are sent at the same time; the next phase begins when all have arrived. A
file is JSON, or CSV with the columns phase, source, destination, bytes and, optionally,
repetitions. Source and destination are the number of a thread, or memory. --format csv and --format
json print such a file. CSV and text may also hold a communication matrix: bytes from each row's
thread to each column's, or numbers of messages of -b bytes each.
"""

_THREADS = 8


class _Actions(Group):
    """Sub-commands; a pattern's name in place of a sub-command is refused with a message."""

    def refuse(self, name: str) -> None:
        if name in NAMES or is_file(name):
            raise UsageError(f"{name} is a pattern; write cellstats pattern show {name}")


@click.group(
    cls=_Actions,
    help=_HELP,
    short_help="Show patterns of communication.",
    invoke_without_command=True,
    subcommand_metavar="COMMAND",
)
@click.pass_context
def pattern(ctx: click.Context) -> None:
    """Run `cellstats pattern`, which needs a sub-command."""
    if ctx.invoked_subcommand is None:
        raise UsageError("nothing to do; give cellstats pattern show PATTERN")


@pattern.command(help=_SHOW_HELP, short_help=_SHOW_HELP.splitlines()[0])
@click.argument("name", metavar="PATTERN", required=False, type=PATTERN_FILE, **words(NAMES))
@click.option(
    "-n", "threads", metavar="THREADS", help=f"Threads; {_THREADS}, or those of the file."
)
@click.option(
    "-b",
    "size",
    metavar="SIZE",
    help="Bytes of each message, 16k by default; of each message that a matrix counts.",
)
@format_flag("pattern")
def show(name: str | None, **flags: Any) -> None:
    """Run `cellstats pattern show`."""
    if name is None:
        raise UsageError(f"no pattern given; give one of {', '.join(NAMES)}, or a file")
    _show(name, **flags)


def _show(name: str, threads: str | None, size: str | None, form: str) -> None:
    found = find_pattern(name, threads, size, most=_THREADS)
    terminal.show(find("pattern", form).write(found), form)
