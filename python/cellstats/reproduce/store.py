"""A store of results, so that a second run measures only what is new.

The key of a result is its recipe and the simulator's file: a rebuilt simulator measures all anew,
whatever its version. The key of a Python program's row has all files of this package besides.
"""

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from cellstats import _native
from cellstats._native import RunError, UsageError
from cellstats.machine import Machine
from cellstats.measure.build import simulator_digest
from cellstats.refusal import refusal
from cellstats.result import Result

_COMMIT_EVERY = 50


class Store:
    """A file of results; a damaged one is begun anew, because all in it can be measured again.

    Every method raises UsageError if the file cannot be used, RunError if the disk is full.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._unsaved = 0
        try:
            self._open()
        except sqlite3.OperationalError as error:
            # Another process uses it, or there is no permission.
            raise self._useless(error) from None
        except sqlite3.DatabaseError:
            try:
                path.unlink()
                self._open()
            except (OSError, sqlite3.Error) as error:
                raise self._useless(error) from None

    def _open(self) -> None:
        self._database = sqlite3.connect(self._path)
        self._database.execute("PRAGMA synchronous = off")
        self._database.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB)")

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _where: TracebackType | None,
    ) -> None:
        try:
            self._database.commit()
        except sqlite3.Error as error:
            raise self._useless(error) from None
        finally:
            self._database.close()

    def get(self, recipe: str) -> Result | None:
        """The result of the run with this recipe, if it is kept."""
        text = self._get(_key(recipe))
        return None if text is None else Result.from_json(text)

    def add(self, recipe: str, result: Result) -> None:
        """Keep a result."""
        self._put(_key(recipe), result.to_json())

    def columns(self, asked: Mapping[str, Any], machine: Machine) -> dict[str, Any] | None:
        """The row of a program's run, if it is kept."""
        text = self._get(_key_of_program(asked, machine))
        return None if text is None else dict(json.loads(text))

    def add_columns(
        self, asked: Mapping[str, Any], machine: Machine, columns: Mapping[str, Any]
    ) -> None:
        """Keep the row of a program's run."""
        self._put(_key_of_program(asked, machine), json.dumps(columns))

    def picture(self, key: bytes) -> Any:
        """The drawing with this key, in plain values, if it is kept."""
        text = self._get(key)
        return None if text is None else json.loads(text)

    def add_picture(self, key: bytes, picture: Any) -> None:
        """Keep a drawing."""
        self._put(key, json.dumps(picture))

    def _get(self, key: bytes) -> str | None:
        try:
            found = self._database.execute("SELECT value FROM kept WHERE key = ?", (key,))
            one = found.fetchone()
            return None if one is None else zlib.decompress(one[0]).decode()
        except (sqlite3.Error, zlib.error) as error:
            raise self._useless(error) from None

    def _put(self, key: bytes, text: str) -> None:
        value = zlib.compress(text.encode(), level=1)
        try:
            self._database.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (key, value))
            self._unsaved += 1
            if self._unsaved >= _COMMIT_EVERY:
                self._database.commit()
                self._unsaved = 0
        except sqlite3.Error as error:
            raise self._useless(error) from None

    def _useless(self, error: Exception) -> UsageError | RunError:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (
            sqlite3.SQLITE_FULL,
            sqlite3.SQLITE_IOERR,
        ):
            return RunError(f"cannot write {str(self._path)!r}: {error}")
        return refusal(f"{self._path}: {error}; give another {{out}}")


def _key(recipe: str) -> bytes:
    return hashlib.sha256(f"{recipe} {simulator_digest()}".encode()).digest()


def _key_of_program(asked: Mapping[str, Any], machine: Machine) -> bytes:
    recipe = json.dumps([asked, machine.hash, simulator_digest(), _package()], sort_keys=True)
    return hashlib.sha256(recipe.encode()).digest()


@cache
def _package() -> str:
    sources = sorted(Path(_native.__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
