"""Keeps the journal of a sweep: a file with the finished rows, until all rows are finished.

Each text line contains a row's recipe, its result, the build that measured the row, and a checksum
of these three. The recipe identifies the row. A row whose checksum does not match is damaged, and
is measured again. The file remains if the process is killed. `this_build` identifies the simulator,
so that results of different builds are never mixed.
"""

import hashlib
import json
import os
import socket
import stat
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple

from cellstats import _native
from cellstats._native import RunError, UsageError
from cellstats.core.refusal import refusal
from cellstats.core.shape import check
from cellstats.core.version import version
from cellstats.core.words import kind_and_reason, unwritable
from cellstats.measure.result import Measured
from cellstats.measure.sweeps import Row

SHOWN = 12
"""Number of digits of a build's digest in messages; enough for people to compare."""
_SHAPE = {"recipe": Mapping[str, Any], "build": str, "result": Mapping[str, Any]}
_LOCKED_BYTE = 2**31 - 2
"""Offset of the byte that Windows locks, which others cannot read. No journal is so long."""
_START = b'{"recipe": '
"""The first bytes of each line of a journal."""


@cache
def simulator_digest() -> str:
    """A digest of the simulator's library file. Equal digests guarantee byte-identical results."""
    return hashlib.sha256(Path(_native.__file__).read_bytes()).hexdigest()


class Build(NamedTuple):
    """The version of this package, and the digest of its simulator."""

    version: str
    simulator: str

    def __str__(self) -> str:
        return f"cellstats {self.version} (build {self.simulator[:SHOWN]})"


def this_build() -> Build:
    """The build of CellStats that this process runs."""
    return Build(version(), simulator_digest())


def check_same_build(asking: Build) -> None:
    """Raise a UsageError that names this computer, unless this process runs the build `asking`."""
    here = this_build()
    if here != asking:
        raise UsageError(
            f"a worker on {socket.gethostname()} runs {here}, and what asks it {asking}; "
            "install the same wheel in both places"
        )


def unlike(worker: str, error: Exception) -> UsageError:
    """Make the error for a worker on which `check_same_build` failed or could not be called."""
    if isinstance(error, UsageError):
        return error
    return UsageError(f"{worker} has no cellstats like {this_build()}: {kind_and_reason(error)}")


def locked(path: Path, in_use: str) -> IO[bytes]:
    """Open a file of text lines, and lock it for this process if the file system supports locks.

    Raises UsageError with the text `in_use` if another process has locked the file. Raises OSError
    if the file cannot be opened.
    """
    file = path.open("a+b", buffering=0)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise UsageError(f"{path} is a pipe or a device; remove it, or give another file")
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(_LOCKED_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # on Windows the latter
        file.close()
        raise UsageError(in_use) from None
    except OSError:
        pass  # a file system without locks
    return file


def whole_lines(file: IO[bytes]) -> list[bytes]:
    """Read the text lines of an earlier run; remove an unfinished last line from the file."""
    lines, torn = read_lines(file)
    cut_off(file, torn)
    return lines


def read_lines(file: IO[bytes]) -> tuple[list[bytes], bytes]:
    """Read the text lines of an earlier run, and the bytes of an unfinished last line."""
    file.seek(0)
    *lines, torn = file.read().split(b"\n")
    return lines, torn


def cut_off(file: IO[bytes], torn: bytes) -> None:
    """Remove the unfinished last line of a file."""
    file.truncate(file.seek(0, os.SEEK_END) - len(torn))


def add_line(file: IO[bytes], line: bytes) -> None:
    """Add a line. If the disk has no room for it, raise OSError and leave the file unchanged."""
    end = file.seek(0, os.SEEK_END)
    rest = line + b"\n"
    try:
        while rest:
            # On a full disk, a write may store part of the line; only the next write fails.
            rest = rest[file.write(rest) :]
    except OSError:
        file.truncate(end)
        raise


class Journal:
    """The open file of a journal, to be closed by `close` or `remove`.

    Raises RunError if the disk is full. Raises UsageError if the file cannot be written for another
    reason, if another sweep has the file open, or if it contains rows of another sweep or build.
    """

    def __init__(self, path: Path, rows: Mapping[int, Row]) -> None:
        self.path = path
        self._recipes = {number: row.recipe() for number, row in rows.items()}
        self._types = {row.machine.name: row.machine.result_type for row in rows.values()}
        self._keys = {number: _key(recipe) for number, recipe in self._recipes.items()}
        self.damaged: list[int] = []
        """Line numbers of the damaged rows."""
        try:
            self._file = locked(path, f"{path} is in use: the same sweep is running already")
        except OSError as error:
            raise _cannot(path, error) from None
        try:
            self.results = self._read()
        except BaseException:
            self._file.close()
            raise

    def add(self, number: int, result: Measured) -> None:
        """Write the result of a row to the file, where it remains if the process is killed."""
        build = simulator_digest()
        line = {"recipe": self._recipes[number], "build": build, "result": result.to_dict()}
        try:
            add_line(self._file, json.dumps(line | {"checksum": _checksum(line)}).encode())
        except OSError as error:
            raise _cannot(self.path, error) from None
        self.results[number] = result

    def close(self) -> None:
        """Close the file; delete the file if it contains no results."""
        self._file.close()
        if not self.results:
            self.path.unlink(missing_ok=True)

    def remove(self) -> None:
        """Close and delete the file; to be called after the rows have been saved elsewhere."""
        self._file.close()
        self.path.unlink(missing_ok=True)

    def _read(self) -> dict[int, Measured]:
        """Read the results of an earlier run."""
        found: dict[str, Measured] = {}
        ours, (lines, torn) = set(self._keys.values()), read_lines(self._file)
        for number, line in enumerate(lines, 1):
            row = _intact(line)
            if row is None:
                self.damaged.append(number)
                continue
            recipe = row["recipe"]
            if row["build"] != simulator_digest() or _key(recipe) not in ours:
                raise self._refusal(self._difference(recipe, row["build"]))
            result = _result(row, self._types[recipe["machine"]])
            if result is None:
                self.damaged.append(number)
            else:
                found[_key(recipe)] = result
        if not found and (lines or not torn.startswith(_START[: len(torn)])):
            # The file may be something other than a journal, and its owner may still need it.
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
    """The row in a text line, or None if the line is damaged or is not a row."""
    try:
        row = json.loads(line)
        checksum = row.pop("checksum")
        check(row, _SHAPE, "a row")
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None
    return row if checksum == _checksum(row) else None


def _result(row: Mapping[str, Any], kind: type[Measured]) -> Measured | None:
    """The result in a row, or None if something else than a journal wrote it, with its checksum."""
    try:
        result = kind.from_json(json.dumps(row["result"]))
    except UsageError:
        return None
    named = {"machine": result.machine, "function": result.function}
    recipes = (row["recipe"], result.recipe)
    fits = all(recipe.get(name) == value for recipe in recipes for name, value in named.items())
    return result if fits else None


def _checksum(row: Mapping[str, Any]) -> str:
    return hashlib.sha256(_key(row).encode()).hexdigest()


def _key(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True)
