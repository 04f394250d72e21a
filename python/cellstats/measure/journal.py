"""A file with the finished rows of a sweep, kept until all rows are finished.

Each line has a row's recipe, its result, the build that measured it and a checksum of these. A row
is found again by its recipe only. One that its checksum does not fit is damaged: nothing in it is
believed, and it is measured again.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellstats._native import RunError, UsageError
from cellstats.measure.build import SHOWN, simulator_digest
from cellstats.measure.line_file import add_line, cut_off, locked, read_lines
from cellstats.measure.row import Row
from cellstats.refusal import refusal
from cellstats.result import AnyResult, Result
from cellstats.text.reasons import unwritable

if TYPE_CHECKING:
    from cellstats.host.host_result import HostResult

_START = b'{"recipe": '
"""How each line begins."""


class Journal:
    """The open file; `close` or `remove` ends its use.

    Raises RunError if the disk is full; UsageError if it cannot be written otherwise, if another
    sweep has it open, or if it holds rows that do not belong to `rows` or are of another build.
    """

    def __init__(self, path: Path, rows: Mapping[int, Row]) -> None:
        self.path = path
        self._recipes = {number: row.recipe() for number, row in rows.items()}
        self._keys = {number: _key(recipe) for number, recipe in self._recipes.items()}
        self.damaged: list[int] = []
        """Numbers of the lines that hold damaged rows."""
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
        build = simulator_digest()
        line = {"recipe": self._recipes[number], "build": build, "result": result.to_dict()}
        try:
            add_line(self._file, json.dumps(line | {"checksum": _checksum(line)}).encode())
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
        ours, (lines, torn) = set(self._keys.values()), read_lines(self._file)
        for number, line in enumerate(lines, 1):
            row = _intact(line)
            if row is None:
                self.damaged.append(number)
                continue
            recipe = row["recipe"]
            if row["build"] != simulator_digest() or _key(recipe) not in ours:
                raise self._refusal(self._difference(recipe, row["build"]))
            found[_key(recipe)] = _kind(recipe).from_json(json.dumps(row["result"]))
        if not found and (lines or not torn.startswith(_START[: len(torn)])):
            # Perhaps it never was a journal, and somebody needs it.
            raise self._refusal("line 1 is no row, or a damaged one, and no other is better")
        cut_off(self._file, torn)
        return {number: found[key] for number, key in self._keys.items() if key in found}

    def _difference(self, recipe: Mapping[str, Any], build: str) -> str:
        here = simulator_digest()
        for name in ("version", "machine", "machine_hash", "function"):
            known = sorted({str(ours[name]) for ours in self._recipes.values()})
            if str(recipe.get(name)) not in known:
                return (
                    f"its {name.replace('_', ' ')} is {recipe.get(name)}, not {' or '.join(known)}"
                )
        if build != here:
            return f"its build is {build[:SHOWN]}, not {here[:SHOWN]}"
        return "it holds rows with other parameters"

    def _refusal(self, what: str) -> UsageError:
        return refusal(
            f"{self.path} is of another sweep: {what}; finish that one, delete the file, "
            "or give another {out}"
        )


def _cannot(path: Path, error: OSError) -> UsageError | RunError:
    return unwritable(path, error, "another --out")


def _intact(line: bytes) -> dict[str, Any] | None:
    """The row in a line, None if it is none or not what was written."""
    try:
        row = json.loads(line)
        checksum = row.pop("checksum")
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None
    return row if isinstance(row, dict) and checksum == _checksum(row) else None


def _checksum(row: Mapping[str, Any]) -> str:
    return hashlib.sha256(_key(row).encode()).hexdigest()


def _kind(recipe: Mapping[str, Any]) -> "type[Result] | type[HostResult]":
    if recipe["machine"] != "host":
        return Result
    from cellstats.host.host_result import HostResult

    return HostResult


def _key(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True)
