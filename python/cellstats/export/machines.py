"""Values of machines, and the differences between two machines, as JSON and CSV."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cellstats.export.csv_table import csv_table
from cellstats.export.documents import json_line
from cellstats.machine import Machine

SCHEMA_VERSION = 1
_BOTH = ("value", "basis", "range", "source")


def machines_json(machines: Sequence[Machine]) -> str:
    """An object for each machine, one a line: name, description, hash."""
    return "".join(json_line(_head(each)) for each in machines)


def machines_csv(machines: Sequence[Machine]) -> str:
    """A row for each machine: name, description, hash."""
    rows = [_head(each) for each in machines]
    return _csv(list(rows[0]), rows)


def machine_json(found: Machine, bases: Sequence[str]) -> str:
    """One object with all values that have one of these bases."""
    about = {"schema": SCHEMA_VERSION, **_head(found), "chips": found.chips}
    return json_line(about | {"spes": found.spes, "values": _values(found, bases)})


def machine_csv(found: Machine, bases: Sequence[str]) -> str:
    """A row for each value that has one of these bases."""
    return _csv(list(found.values()[0]), _values(found, bases))


def difference_json(one: Machine, other: Machine) -> str:
    """One object with all values in which they differ."""
    sides = (("a", one), ("b", other))
    heads = {f"{key}_{side}": text for side, each in sides for key, text in _head(each).items()}
    return json_line({"schema": SCHEMA_VERSION, **heads, "values": one.diff(other)})


def difference_csv(one: Machine, other: Machine) -> str:
    """A row for each value in which they differ."""
    columns = [f"{part}_{side}" for part in _BOTH for side in "ab"]
    return _csv(["key", "unit", *columns], one.diff(other))


def _head(found: Machine) -> dict[str, str]:
    columns = ("machine", "description", "machine_hash")
    return dict(zip(columns, (found.name, found.description, found.hash), strict=True))


def _values(found: Machine, bases: Sequence[str]) -> list[dict[str, Any]]:
    return [row for row in found.values() if row["basis"] in bases]


def _csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as CSV; several numbers or names in one cell have commas between them."""

    def cell(value: Any) -> Any:
        return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value

    return csv_table(columns, [{name: cell(row[name]) for name in row} for row in rows])
