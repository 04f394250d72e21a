"""Finds communication patterns by name or in a file, and accepts `Pattern` objects.

The function `exchange` runs a pattern: `machine.measure("exchange", pattern="ring")`. `NAMES` lists
the patterns that have a name, and `cellstats.core.pattern_files` reads files. Your own pattern is a
`Pattern` of `Phase`s of `Transfer`s. The function `pattern` finds a pattern of any kind.
"""

import os
from pathlib import Path

from cellstats.core.pattern import Pattern, PatternLike, Phase, Transfer, named_pattern, own_sizes
from cellstats.core.pattern_pairs import ENDINGS, MEMORY, NAMES, End
from cellstats.core.quantities import parse_count
from cellstats.core.refusal import known_keywords

__all__ = [
    "MEMORY",
    "NAMES",
    "End",
    "Pattern",
    "PatternLike",
    "Phase",
    "Transfer",
    "counted_pattern",
    "pattern",
]


@known_keywords()
def pattern(
    name: PatternLike,
    threads: int | str | None = None,
    size: int | str | None = None,
    *,
    most: int = 8,
) -> Pattern:
    """The pattern with this name, or in this file. All messages of a named pattern have one size.

    threads: number of threads; `most` by default for a named pattern. A file sets its own number of
    threads; additional threads only wait.
    size: bytes of a message, 16k by default. For a communication matrix, it says that the entries
    are numbers of messages. Any other file sets its own sizes, so `size` is refused.

    Raises UsageError for an unknown pattern, a damaged file, or a number of threads that the
    pattern cannot have.

    >>> pattern("ring", threads=3).phases[0].transfers[2]
    Transfer(source=2, destination=0, bytes=16384, repetitions=1)
    >>> len(pattern("recursive-doubling", threads=8).phases)
    3
    """
    return counted_pattern(name, threads, size, most=most, counted="pattern_threads")


@known_keywords()
def counted_pattern(
    name: PatternLike,
    threads: int | str | None,
    size: int | str | None,
    *,
    most: int,
    counted: str,
) -> Pattern:
    """Same as `pattern`; `counted` is the caller's keyword for the number of threads."""
    count = None if threads is None else parse_count(threads, f"{{{counted}}}")
    if isinstance(name, str) and not is_file(name):
        return named_pattern(
            name,
            most if count is None else count,
            "16k" if size is None else size,
            counted=counted,
        )
    if isinstance(name, Pattern):
        if size is not None:
            raise own_sizes(name.name, size)
        found = name
    else:
        from cellstats.core import pattern_files

        found = pattern_files.read(Path(name), size)
    return found if count is None else Pattern(found.name, count, found.phases)


def is_file(name: str) -> bool:
    """Whether `name` names a pattern file rather than a built-in pattern."""
    return "/" in name or os.sep in name or name.lower().endswith(ENDINGS)
