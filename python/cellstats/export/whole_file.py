"""Files that appear when they are complete, or not at all."""

import os
from pathlib import Path

from cellstats._native import UsageError
from cellstats.text.reasons import reason


def write_whole(path: Path, text: str) -> None:
    """Write a text file under another name first. Raises UsageError when that is not possible."""
    try:
        if path.exists() and not path.is_file():
            # /dev/stdout, a pipe: nothing to put in its place.
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        unfinished = path.parent / f".{path.name}.{os.getpid()}"
        try:
            unfinished.write_text(text, encoding="utf-8", newline="\n")
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(
            f"cannot write {str(path)!r}: {reason(error)}; give another file"
        ) from None
