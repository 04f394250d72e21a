"""Rows of a figure, measured."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellstats.result import Result


@dataclass(frozen=True)
class Answer:
    """One row: its columns, and the whole result where it is one measurement."""

    columns: Mapping[str, Any]
    result: Result | None = None

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]


class Answers(Sequence[Answer]):
    """The rows of a figure, in the order in which they were asked for.

    >>> rows = Answers([Answer({"spes": 1, "ns": 5.0}), Answer({"spes": 2, "ns": 7.0})])
    >>> rows.where(spes=2).column("ns")
    [7.0]
    """

    def __init__(self, rows: Iterable[Answer]) -> None:
        self._rows = list(rows)

    def __getitem__(self, nth: Any) -> Any:
        return self._rows[nth]

    def __len__(self) -> int:
        return len(self._rows)

    def where(self, **columns: Any) -> "Answers":
        """The rows with these values; `None` is also the value of a column that a row lacks."""
        return Answers(
            row
            for row in self._rows
            if all(row.columns.get(name) == value for name, value in columns.items())
        )

    def column(self, name: str) -> list[Any]:
        """One column of all rows."""
        return [row.columns[name] for row in self._rows]

    def groups(self, *names: str) -> Iterator[tuple[Any, "Answers"]]:
        """The rows by the values of one column, or of several, in the order of their first rows."""

        def key(row: Answer) -> tuple[Any, ...]:
            return tuple(row.columns.get(name) for name in names)

        groups: dict[Any, list[Answer]] = {}
        for row in self._rows:
            groups.setdefault(key(row), []).append(row)
        for values, rows in groups.items():
            yield (values[0] if len(names) == 1 else values), Answers(rows)
