"""Results and the like as files, in the format of the name's ending; whole or not at all."""

from pathlib import Path
from typing import Any

from cellstats.export.formats import Kind, of_file
from cellstats.export.whole_file import write_whole


def write_file(kind: Kind, thing: Any, path: Path, flag: str) -> None:
    """Write a thing of this kind; a file of this name is replaced.

    Of results, CSV and Parquet hold the columns that are not nested, JSON all of them, an object on
    each line. Raises UsageError where no such file can be, RunError where the disk is full.
    """
    write_whole(path, of_file(kind, path, flag).write(thing))
