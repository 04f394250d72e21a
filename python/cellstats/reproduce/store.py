"""Results that are kept, so that a second run measures only what is new.

A result is found again by its recipe and by the simulator that made it: a rebuilt one measures all
anew, whatever its version says. What a program in Python left is also found by all of this package.
"""

import hashlib
import json
import pickle
import sqlite3
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from cellstats import _native
from cellstats._native import UsageError
from cellstats.machine import Machine
from cellstats.result import Result
from cellstats.sweeps import Row

_COMMIT_EVERY = 50


class Store:
    """A file of results; a damaged one is begun anew, as all in it can be measured again."""

    def __init__(self, path: Path) -> None:
        try:
            self._open(path)
        except sqlite3.DatabaseError:
            try:
                path.unlink(missing_ok=True)
                self._open(path)
            except (OSError, sqlite3.Error) as error:
                raise UsageError(f"{path}: {error}; give another --out") from None
        self._unsaved = 0

    def _open(self, path: Path) -> None:
        self._database = sqlite3.connect(path)
        self._database.execute("PRAGMA synchronous = off")
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, json BLOB)"
        )
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS outcomes (key BLOB PRIMARY KEY, json TEXT)"
        )
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS pictures (key BLOB PRIMARY KEY, picture BLOB)"
        )

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _where: TracebackType | None,
    ) -> None:
        self._database.commit()
        self._database.close()

    def get(self, row: Row) -> Result | None:
        """The result of a run, if it is kept."""
        found = self._database.execute("SELECT json FROM results WHERE key = ?", (_key(row),))
        one = found.fetchone()
        return None if one is None else Result.from_json(zlib.decompress(one[0]).decode())

    def add(self, row: Row, result: Result) -> None:
        """Keep a result."""
        text = zlib.compress(result.to_json().encode(), level=1)
        self._database.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (_key(row), text))
        self._unsaved += 1
        if self._unsaved >= _COMMIT_EVERY:
            self._database.commit()
            self._unsaved = 0

    def columns(self, asked: Mapping[str, Any], machine: Machine) -> dict[str, Any] | None:
        """The row of a program's run, if it is kept."""
        key = _key_of_program(asked, machine)
        found = self._database.execute("SELECT json FROM outcomes WHERE key = ?", (key,))
        one = found.fetchone()
        return None if one is None else dict(json.loads(one[0]))

    def add_columns(
        self, asked: Mapping[str, Any], machine: Machine, columns: Mapping[str, Any]
    ) -> None:
        """Keep the row of a program's run."""
        row = (_key_of_program(asked, machine), json.dumps(columns))
        self._database.execute("INSERT OR REPLACE INTO outcomes VALUES (?, ?)", row)

    def picture(self, key: bytes) -> Any:
        """What was drawn from what this is the key of, if it is kept."""
        found = self._database.execute("SELECT picture FROM pictures WHERE key = ?", (key,))
        one = found.fetchone()
        return None if one is None else pickle.loads(zlib.decompress(one[0]))

    def add_picture(self, key: bytes, picture: Any) -> None:
        """Keep a drawing."""
        data = zlib.compress(pickle.dumps(picture), level=1)
        self._database.execute("INSERT OR REPLACE INTO pictures VALUES (?, ?)", (key, data))


def _key(row: Row) -> bytes:
    recipe = json.dumps([row.recipe(), _simulator()], sort_keys=True)
    return hashlib.sha256(recipe.encode()).digest()


def _key_of_program(asked: Mapping[str, Any], machine: Machine) -> bytes:
    recipe = json.dumps([asked, machine.hash, _simulator(), _package()], sort_keys=True)
    return hashlib.sha256(recipe.encode()).digest()


@cache
def _simulator() -> str:
    return hashlib.sha256(Path(_native.__file__).read_bytes()).hexdigest()


@cache
def _package() -> str:
    sources = sorted(Path(_native.__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
