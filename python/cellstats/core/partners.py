"""The partners of a permutation: the thread with which each thread transfers."""

from pathlib import Path

from cellstats._native import UsageError
from cellstats.core.files import whole_text
from cellstats.core.refusal import refusal, verbatim

_WANTED = "give the partner of each thread, as in 1,2,0, or a file of these numbers"


def partners(given: str) -> str:
    """Partners as the simulator reads them. Raises UsageError for a file that cannot be read.

    given: a text of numbers, or the path of a file. In a file, numbers are separated by commas,
        spaces or ends of lines.

    >>> partners("1,2,0")
    '1,2,0'
    """
    if given[:1].isdigit():
        return given
    try:
        text = whole_text(Path(given), f"{{target}} {verbatim(given)}", _WANTED)
    except UsageError as error:
        raise refusal(str(error)) from None
    return ",".join(text.replace(",", " ").split())
