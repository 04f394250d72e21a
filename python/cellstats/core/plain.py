"""Data classes as plain values, and rows as pandas Series."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def plain(value: Any) -> Any:
    """Convert data classes to dicts, and tuples to lists."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def to_series(row: Mapping[str, Any]) -> "pd.Series[Any]":
    """A table row as a pandas Series. Raises ImportError if pandas is missing."""
    series: pd.Series[Any] = pandas().Series(row)
    return series


def pandas() -> Any:
    """The module pandas. Raises ImportError with install instructions if pandas is missing."""
    try:
        import pandas as found
    except ImportError:
        raise ImportError(
            "tables need pandas; install it with: pip install 'cellstats[pandas]'"
        ) from None
    return found
