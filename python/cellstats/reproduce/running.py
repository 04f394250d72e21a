"""A store of results, so that a second run measures only what is new.

The key of a result is its recipe and the simulator's file: a rebuilt simulator measures all anew,
whatever its version. The key of a Python program's row has all files of this package besides.

Answers to many asks: each run is made once, in one pool, unless an earlier one is kept.
"""

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

from cellstats import _native
from cellstats._native import RunError, UsageError
from cellstats.core.refusal import refusal
from cellstats.measure.journal import simulator_digest
from cellstats.measure.machine import Machine, find_simulated
from cellstats.measure.progress import Progress
from cellstats.measure.result import Result
from cellstats.measure.sweeps import Row
from cellstats.measure.workers import run_rows
from cellstats.reproduce.experiments import Answer, Ask

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


Machines: TypeAlias = Callable[[str], Machine]


@cache
def built_in(name: str) -> Machine:
    """The machine with this name, read once."""
    return find_simulated(name)


def answered(
    asks: Iterable[Ask],
    store: Store | None = None,
    *,
    machines: Machines = built_in,
    executor: Executor | None = None,
    jobs: int | None = None,
    progress: bool = True,
) -> dict[Ask, Answer]:
    """The answer to each ask.

    machines: the machine of each name; others than the built-in ones where values are changed to
        see what follows.
    executor, jobs: where the runs are made, as for `cellstats.sweep`.
    """
    every = list(dict.fromkeys(asks))
    names, runs = runs_of(every, machines)
    with Progress(len(runs), always=progress) as bar:
        results = results_of(runs, store, bar, jobs=jobs, executor=executor)
    return answers_of(names, machines, results, store)


def runs_of(asks: Iterable[Ask], machines: Machines) -> tuple[dict[Ask, list[str]], dict[str, Row]]:
    """The recipes of each ask's runs, and all runs by their recipe."""
    runs: dict[str, Row] = {}
    names: dict[Ask, list[str]] = {}
    for ask in asks:
        named = [(recipe_text(row), row) for row in ask.rows(machines(ask.machine))]
        names[ask] = [name for name, _ in named]
        runs.update(named)
    return names, runs


def results_of(
    runs: Mapping[str, Row],
    store: Store | None,
    bar: Progress,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> dict[str, Result]:
    """The result of each run; what the store does not have is measured, and put there at once."""
    kept = {name: store.get(name) for name in runs} if store is not None else {}
    results = {name: result for name, result in kept.items() if result is not None}
    missing = {name: row for name, row in runs.items() if name not in results}
    bar.skip(len(results))

    def finished(name: str, result: Result) -> None:
        results[name] = result
        if store is not None:
            store.add(name, result)
        bar.advance()

    run_rows(missing, finished, jobs=jobs, executor=executor)
    return results


def answers_of(
    names: Mapping[Ask, Iterable[str]],
    machines: Machines,
    results: Mapping[str, Result],
    store: Store | None,
) -> dict[Ask, Answer]:
    """The answer to each ask, from the results of its runs."""
    return {
        ask: _answer(ask, machines(ask.machine), [results[name] for name in its], store)
        for ask, its in names.items()
    }


def _answer(ask: Ask, machine: Machine, results: list[Result], store: Store | None) -> Answer:
    """The row of these results; of a program, which has none, what is kept of an earlier run."""
    if store is None or ask.kind != "program":
        return ask.answer(machine, results)
    columns = store.columns(ask.columns, machine)
    if columns is None:
        columns = dict(ask.answer(machine, results).columns)
        store.add_columns(ask.columns, machine, columns)
    return Answer(columns)


def recipe_text(row: Row) -> str:
    """The recipe of a run as a text; equal texts are the same run."""
    return json.dumps(row.recipe(), sort_keys=True)
