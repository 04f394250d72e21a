"""The version of this package, which recipes name."""

from functools import cache


@cache
def version() -> str:
    """The version of this package."""
    # It costs more time than the whole package.
    from importlib import metadata

    return metadata.version("cellstats")
