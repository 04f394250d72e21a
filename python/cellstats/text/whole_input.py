"""Files of the user that are read as a whole: no more of them than could be meant."""

from pathlib import Path

from cellstats._native import UsageError
from cellstats.text.reasons import reason

TEXT_BYTES_MAX = 64 << 20
"""A matrix of a thousand CPUs, the largest text that is read, has half of that."""


def whole_input(path: Path, most: int) -> bytes:
    """All of a file, or of what a pipe gives until its end.

    Raises OSError where it cannot be read, ValueError with the reason where it is no name of a file
    or longer than `most` bytes, as a device without an end is.
    """
    with path.open("rb") as file:
        # Piece by piece: of a longer file no more memory is taken than what is read of it.
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"has more than {most >> 20} MiB")
    return content


def whole_text(path: Path, what: str, wanted: str) -> str:
    """All of a text in UTF-8.

    Raises UsageError, which begins with `what` and ends with what is `wanted`.
    """
    try:
        return whole_input(path, TEXT_BYTES_MAX).decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{what}: {reason(error)}; {wanted}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{what} is not UTF-8 text; {wanted}") from None
    except ValueError as error:
        # Too long; or a zero byte, or a letter that names of files cannot have.
        raise UsageError(f"{what}: {error}; {wanted}") from None
