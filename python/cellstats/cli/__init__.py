"""Entry point of the command line: exit statuses and one-line errors.

A plain measurement and `--version` are read without Click (see `plain_flags`), because start-up
takes most of their time. Other modules are imported when they are needed.
"""

import errno
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, TextIO

from cellstats.cli.exit_status import DONE, FAILED, INTERRUPTED, USAGE
from cellstats.core.interrupts import raise_again

_NAME = "cellstats:"
"""Begins each error line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    if hasattr(signal, "SIGPIPE"):
        # `cellstats ... | head` ends without an error message, as with other tools.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if sys.stdout is None or sys.stderr is None:
        _open_outputs()
    try:
        raise_again()
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


def _open_outputs() -> None:
    """Open the outputs that the caller closed (`>&-`), so that writing to them raises OSError.

    Python sets a closed output to None. If the output's descriptor stayed free, the next file to be
    opened would receive its number, and printed text would go into that file.
    """
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDONLY if number == 1 else os.O_WRONLY)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", closefd=False))


def _run(arguments: Sequence[str] | None) -> int:
    # Imported inside the `try` of `main`, so that Ctrl-C during the imports prints no traceback.
    from cellstats._native import RunError, UsageError
    from cellstats.core.parameters import flag_in
    from cellstats.core.plain_flags import plain_flags
    from cellstats.core.refusal import reworded

    words = sys.argv[1:] if arguments is None else arguments
    try:
        if list(words) == ["--version"]:
            status = _show_version()
        else:
            flags = plain_flags(words)
            status = _measure(flags) if flags is not None else _command(arguments)
        sys.stdout.flush()
    except UsageError as error:
        return _complain(reworded(error, flag_in(words)), USAGE)
    except RunError as error:
        return _complain(str(error), FAILED)
    except OSError as error:
        from cellstats.core.words import reason

        # Only writing to stdout can raise OSError here, as on a full disk. Errors of other files
        # have their own messages.
        _give_up(sys.stdout)
        why = "it is closed" if error.errno == errno.EBADF else reason(error)
        return _complain(f"the output cannot be written: {why}", FAILED)
    return status


def _show_version() -> int:
    """Print the version without Click; returns the exit status."""
    from cellstats.core.version import version_line

    print(version_line())
    return DONE


def _measure(flags: dict[str, Any]) -> int:
    """Run a plain measurement; returns the exit status."""
    from cellstats.cli.plain_measurement import measure

    try:
        return measure(**flags)
    except KeyboardInterrupt:
        print(file=sys.stderr)  # end the text line on which the terminal printed ^C, as Click does
        raise


def _command(arguments: Sequence[str] | None) -> int:
    """Run the command that Click finds in the command line; returns the exit status."""
    import click

    from cellstats.cli.group import cellstats

    try:
        status = cellstats.main(arguments, prog_name="cellstats", standalone_mode=False)
    except click.Abort:
        return INTERRUPTED
    except click.UsageError as error:
        return _complain(_sentence(error), USAGE)
    return status if isinstance(status, int) else DONE


def _complain(message: str, status: int) -> int:
    from cellstats.core.terminal import RED, coloured, folded, wants_colour, width
    from cellstats.core.words import harmless

    text = f"{_NAME} {harmless(' '.join(message.split()))}"
    columns = width(sys.stderr)
    if columns is not None:
        text = folded(text, columns)
    if wants_colour(sys.stderr):
        text = coloured(_NAME, RED) + text.removeprefix(_NAME)
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:  # for example, a full disk: only the exit status reports the error
        _give_up(sys.stderr)
    return status


def _give_up(stream: TextIO) -> None:
    """Discard the stream's buffered text, which Python would otherwise fail to write at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _sentence(error: "Exception") -> str:
    """A Click error in CellStats' format: the mistake, a semicolon, the correction."""
    import click

    assert isinstance(error, click.UsageError)
    see = f"see {error.ctx.command_path if error.ctx else 'cellstats'} --help"
    if isinstance(error, click.NoSuchOption):
        near = f"did you mean {error.possibilities[0]}?" if error.possibilities else ""
        return f"no such option {error.option_name}; {near or see}"
    text = error.format_message().rstrip(".")
    return f"{text[:1].lower()}{text[1:]}; {see}"
