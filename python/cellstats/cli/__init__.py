"""The command line's entry point: exit statuses and one-line errors, nothing else."""

import os
import signal
import sys
from pathlib import Path

from cellstats.cli.exit_status import DONE, FAILED, INTERRUPTED, USAGE


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and answer the exit status."""
    if hasattr(signal, "SIGPIPE"):
        # `cellstats ... | head` ends quietly, as other tools do.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    # An output is None if it was closed at the start (`>&-`).
    nowhere = Path(os.devnull)
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: list[str] | None) -> int:
    # Imported here so that an interrupt during the imports is quiet too.
    import click

    from cellstats._native import RunError, UsageError
    from cellstats.cli.group import cellstats
    from cellstats.parameters import flag_of
    from cellstats.refusal import reworded
    from cellstats.text.reasons import reason

    try:
        status = cellstats.main(arguments, prog_name="cellstats", standalone_mode=False)
        sys.stdout.flush()
    except click.Abort:
        return INTERRUPTED
    except click.UsageError as error:
        return _complain(_sentence(error), USAGE)
    except UsageError as error:
        return _complain(reworded(error, flag_of), USAGE)
    except RunError as error:
        return _complain(str(error), FAILED)
    except OSError as error:
        # Only writing to stdout ends here, as on a full disk; other files have their own messages.
        # Python would write the rest again at exit, so it goes to /dev/null.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain(f"the output cannot be written: {reason(error)}", FAILED)
    return status if isinstance(status, int) else DONE


def _complain(message: str, status: int) -> int:
    one_line = " ".join(message.split())
    print(f"cellstats: {one_line}", file=sys.stderr)
    return status


def _sentence(error: "Exception") -> str:
    """One of Click's errors in our form: what is wrong; what would be right."""
    import click

    assert isinstance(error, click.UsageError)
    see = f"see {error.ctx.command_path if error.ctx else 'cellstats'} --help"
    if isinstance(error, click.NoSuchOption):
        near = f"did you mean {error.possibilities[0]}?" if error.possibilities else ""
        return f"no such option {error.option_name}; {near or see}"
    text = error.format_message().rstrip(".")
    return f"{text[:1].lower()}{text[1:]}; {see}"
