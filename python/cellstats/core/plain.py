"""Data classes as plain values, and rows as tables of pandas."""

from collections.abc import Iterable, Mapping, Sequence
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


def to_frame(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None
) -> "pd.DataFrame":
    """Rows as a pandas DataFrame. Raises ImportError if pandas is missing."""
    frame: pd.DataFrame = pandas().DataFrame(rows, columns=columns)
    return frame


def with_stops(rows: Iterable[Mapping[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    """Rows whose `from` and `to` are numbers of stops of the rings, with the stops' names.

    >>> with_stops([{"from": 1, "to": 0, "bytes": 128}], ["PPE", "SPE1"])
    [{'from': 'SPE1', 'to': 'PPE', 'bytes': 128}]
    """
    return [{**row, "from": names[row["from"]], "to": names[row["to"]]} for row in rows]


def pandas() -> Any:
    """The module pandas. Raises ImportError with install instructions if pandas is missing."""
    try:
        import pandas as found
    except ImportError:
        raise ImportError(
            "tables need pandas; install it with: pip install 'cellstats[pandas]'"
        ) from None
    return found
