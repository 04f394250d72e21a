"""The affinity that the communication model finds, for a pattern on one Cell of the blade."""

from functools import cache

import cellstats as cs


@cache
def by_model(pattern: str) -> tuple[int, ...]:
    """The physical SPEs of eight threads."""
    return cs.place(pattern, machine="qs20", by="model", threads=8, size="64k", cells="0").placement
