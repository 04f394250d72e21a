"""Things as files, in the format that a name's ending asks for: there whole, or not at all."""

from pathlib import Path
from typing import Any

from cellstats.export.formats import Kind, of_file
from cellstats.export.whole_file import replace


def write_file(kind: Kind, thing: Any, path: Path, flag: str) -> None:
    """Write a thing. Replaces a file that is there.

    Of results, CSV and Parquet hold the columns that are not nested, JSON all of them, an object on
    each line. Raises UsageError, which begins with `flag`, if that cannot be.
    """
    data: str | bytes = of_file(kind, path, flag).write(thing)
    encoded = data.encode() if isinstance(data, str) else data
    replace(path, lambda part: part.write_bytes(encoded))
