"""The version of this package, as recorded in recipes."""

from cellstats import _native


def version() -> str:
    """The version of this package."""
    # The installed package's metadata has it too, but importlib.metadata takes long to import.
    return _native.VERSION


def version_line() -> str:
    """What `cellstats --version` prints."""
    return f"cellstats {version()}"
