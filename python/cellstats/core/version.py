"""The version of this package, as recorded in recipes."""

from functools import cache


@cache
def version() -> str:
    """The version of this package."""
    # Importing importlib.metadata takes longer than importing the whole package.
    from importlib import metadata

    return metadata.version("cellstats")
