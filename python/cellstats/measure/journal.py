"""A file with the finished rows of a sweep, kept until all rows are finished.

Each line has a row's recipe and its result; a row is found again by its recipe only.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellstats._native import RunError, UsageError
from cellstats.measure.line_file import add_line, locked, whole_lines
from cellstats.measure.row import Row
from cellstats.refusal import refusal
from cellstats.result import AnyResult, Result
from cellstats.text.reasons import unwritable

if TYPE_CHECKING:
    from cellstats.host.host_result import HostResult


class Journal:
    """The open file; `close` or `remove` ends its use.

    Raises RunError if the disk is full; UsageError if it cannot be written otherwise, if another
    sweep has it open, or if it holds rows that do not belong to `rows`.
    """

    def __init__(self, path: Path, rows: Mapping[int, Row]) -> None:
        self.path = path
        self._recipes = {number: row.recipe() for number, row in rows.items()}
        self._keys = {number: _key(recipe) for number, recipe in self._recipes.items()}
        try:
            self._file = locked(path, f"{path} is in use: the same sweep is running already")
        except OSError as error:
            raise _cannot(path, error) from None
        try:
            self.results = self._read()
        except BaseException:
            self._file.close()
            raise

    def add(self, number: int, result: AnyResult) -> None:
        """Keep the result of a row, so that it outlives this process."""
        line = {"recipe": self._recipes[number], "result": result.to_dict()}
        try:
            add_line(self._file, json.dumps(line).encode())
        except OSError as error:
            raise _cannot(self.path, error) from None
        self.results[number] = result

    def close(self) -> None:
        """Keep the file, unless it holds nothing."""
        self._file.close()
        if not self.results:
            self.path.unlink(missing_ok=True)

    def remove(self) -> None:
        """Delete the file, once the rows are saved elsewhere."""
        self._file.close()
        self.path.unlink(missing_ok=True)

    def _read(self) -> dict[int, AnyResult]:
        """The results of an earlier start."""
        found: dict[str, AnyResult] = {}
        ours = set(self._keys.values())
        for number, line in enumerate(whole_lines(self._file), 1):
            try:
                entry = json.loads(line)
                recipe, result = entry["recipe"], entry["result"]
            except (ValueError, TypeError, LookupError):
                raise self._refusal(f"line {number} is not a row of a sweep") from None
            if _key(recipe) not in ours:
                raise self._refusal(self._difference(recipe))
            found[_key(recipe)] = _kind(recipe).from_json(json.dumps(result))
        return {number: found[key] for number, key in self._keys.items() if key in found}

    def _difference(self, recipe: Mapping[str, Any]) -> str:
        for name in ("version", "machine", "machine_hash", "function"):
            known = sorted({str(ours[name]) for ours in self._recipes.values()})
            if str(recipe.get(name)) not in known:
                return (
                    f"its {name.replace('_', ' ')} is {recipe.get(name)}, not {' or '.join(known)}"
                )
        return "it holds rows with other parameters"

    def _refusal(self, what: str) -> UsageError:
        return refusal(
            f"{self.path} is of another sweep: {what}; finish that one, delete the file, "
            "or give another {out}"
        )


def _cannot(path: Path, error: OSError) -> UsageError | RunError:
    return unwritable(path, error, "another --out")


def _kind(recipe: Mapping[str, Any]) -> "type[Result] | type[HostResult]":
    if recipe["machine"] != "host":
        return Result
    from cellstats.host.host_result import HostResult

    return HostResult


def _key(recipe: Mapping[str, Any]) -> str:
    return json.dumps(recipe, sort_keys=True)
