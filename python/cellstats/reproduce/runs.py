"""Execution of experiments. Each run is made once, in one pool, and its result is kept in a store.

The key of a result consists of the run's recipe and the contents of the simulator's file. After the
simulator is rebuilt, everything is therefore measured again, even if its version is the same. If a
row is measured by a Python program, its key also covers all files of this package.
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
from typing import Any, TypeAlias, TypeVar

from cellstats import _native
from cellstats._native import RunError, UsageError
from cellstats.core.refusal import refusal
from cellstats.measure.journal import simulator_digest
from cellstats.measure.machine import Machine, find_simulated
from cellstats.measure.progress import Progress
from cellstats.measure.result import Result
from cellstats.measure.sweeps import Row as Run
from cellstats.measure.time_left import work_of
from cellstats.measure.workers import run_rows
from cellstats.reproduce.experiments import Experiment, Row

Key = TypeVar("Key")
_COMMIT_EVERY = 50


class Store:
    """A file of results. A damaged file is replaced, because its results can be measured again.

    Every method raises UsageError if the file cannot be used, and RunError if the disk is full.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._unsaved = 0
        try:
            self._open()
        except sqlite3.OperationalError as error:
            # Another process is using the file, or permission is missing.
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
        """The stored result of the run with this recipe, or None."""
        text = self._get(_key(recipe))
        return None if text is None else Result.from_json(text)

    def add(self, recipe: str, result: Result) -> None:
        """Store the result of a run."""
        self._put(_key(recipe), result.to_json())

    def columns(self, known: Mapping[str, Any], machine: Machine) -> dict[str, Any] | None:
        """The stored columns of a program's row, or None.

        known: columns that are known before the program runs.
        """
        text = self._get(_key_of_program(known, machine))
        return None if text is None else dict(json.loads(text))

    def add_columns(
        self, known: Mapping[str, Any], machine: Machine, columns: Mapping[str, Any]
    ) -> None:
        """Store the columns of a program's row."""
        self._put(_key_of_program(known, machine), json.dumps(columns))

    def picture(self, key: bytes) -> Any:
        """The stored picture with this key, as JSON values, or None."""
        text = self._get(key)
        return None if text is None else json.loads(text)

    def add_picture(self, key: bytes, picture: Any) -> None:
        """Store a picture, which consists of JSON values."""
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


def _key_of_program(known: Mapping[str, Any], machine: Machine) -> bytes:
    recipe = json.dumps([known, machine.hash, simulator_digest(), _package()], sort_keys=True)
    return hashlib.sha256(recipe.encode()).digest()


@cache
def _package() -> str:
    package = Path(_native.__file__).parent
    sources = sorted([*package.rglob("*.py"), *(package / "papers" / "loops").glob("*.elf")])
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()


Machines: TypeAlias = Callable[[str], Machine]
"""Function that returns the machine with a given name."""


@cache
def built_in(name: str) -> Machine:
    """The built-in machine with this name, which is read only once."""
    return find_simulated(name)


def measured_rows(
    experiments: Iterable[Experiment],
    store: Store | None = None,
    *,
    machines: Machines = built_in,
    executor: Executor | None = None,
    jobs: int | None = None,
    progress: bool = True,
) -> dict[Experiment, Row]:
    """Measure the row of each experiment.

    machines: returns the machine for a name; by default, the built-in machine.
    executor, jobs: how the runs are distributed, as for `cellstats.sweep`.
    """
    found: dict[Experiment, Row] = {}
    groups = {None: list(experiments)}
    with Progress(always=progress) as bar:
        measure_groups(
            groups,
            lambda _, rows: found.update(rows),
            store,
            bar,
            machines=machines,
            executor=executor,
            jobs=jobs,
        )
    return found


def measure_groups(
    groups: Mapping[Key, Iterable[Experiment]],
    finished: Callable[[Key, dict[Experiment, Row]], object],
    store: Store | None,
    bar: Progress,
    *,
    machines: Machines = built_in,
    executor: Executor | None = None,
    jobs: int | None = None,
) -> None:
    """Measure groups of experiments in one pool, and call `finished(key, rows)` for each group as
    soon as it is measured.

    The group with the least work comes first. machines, executor, jobs: as for
    `measured_rows`.
    """
    wanted = {key: list(dict.fromkeys(group)) for key, group in groups.items()}
    recipes, every = runs_of((each for group in wanted.values() for each in group), machines)
    needed = {
        key: dict.fromkeys(recipe for each in group for recipe in recipes[each])
        for key, group in wanted.items()
    }
    work = {recipe: work_of(run).seconds for recipe, run in every.items()}
    order = sorted(needed, key=lambda key: sum(work[recipe] for recipe in needed[key]))
    # In a scattered order, the first runs of a group tell how long all others will take.
    runs = {
        recipe: every[recipe] for key in order for recipe in sorted(needed[key], key=_scattered)
    }
    missing = {key: set(needed[key]) for key in order}

    def measured(new: Iterable[str], results: Mapping[str, Result]) -> None:
        for key in order:
            if key in missing:
                missing[key].difference_update(new)
                if not missing[key]:
                    del missing[key]
                    its = {each: recipes[each] for each in wanted[key]}
                    finished(key, rows_of(its, machines, results, store))

    bar.reach(0, len(runs))
    results_of(runs, store, bar, jobs=jobs, executor=executor, measured=measured)


def _scattered(recipe: str) -> int:
    return zlib.crc32(recipe.encode())


def runs_of(
    experiments: Iterable[Experiment], machines: Machines
) -> tuple[dict[Experiment, list[str]], dict[str, Run]]:
    """Returns the recipes of each experiment's runs, and a mapping from recipes to runs."""
    runs: dict[str, Run] = {}
    recipes: dict[Experiment, list[str]] = {}
    for experiment in experiments:
        named = [(recipe_text(run), run) for run in experiment.runs(machines(experiment.machine))]
        recipes[experiment] = [recipe for recipe, _ in named]
        runs.update(named)
    return recipes, runs


def recipe_text(run: Run) -> str:
    """The recipe of a run as text. Equal runs have equal recipes."""
    return json.dumps(run.recipe(), sort_keys=True)


def results_of(
    runs: Mapping[str, Run],
    store: Store | None,
    bar: Progress,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
    measured: Callable[[Iterable[str], Mapping[str, Result]], object] = lambda _new, _all: None,
) -> dict[str, Result]:
    """The result of each run, by recipe. Runs whose results are not in the store are made, in the
    order of `runs`, and stored.

    measured: called with the recipes of new results and all results until then.
    """
    kept = {recipe: store.get(recipe) for recipe in runs} if store is not None else {}
    results = {recipe: result for recipe, result in kept.items() if result is not None}
    missing = {recipe: run for recipe, run in runs.items() if recipe not in results}
    bar.skip(len(results))
    measured(list(results), results)

    def finished(recipe: str, result: Result) -> None:
        results[recipe] = result
        if store is not None:
            store.add(recipe, result)
        measured([recipe], results)

    run_rows(missing, finished, jobs=jobs, executor=executor, bar=bar)
    return results


def rows_of(
    recipes: Mapping[Experiment, Iterable[str]],
    machines: Machines,
    results: Mapping[str, Result],
    store: Store | None,
) -> dict[Experiment, Row]:
    """Compute the row of each experiment from the results of its runs."""
    return {
        each: _row(each, machines(each.machine), [results[recipe] for recipe in its], store)
        for each, its in recipes.items()
    }


def _row(
    experiment: Experiment, machine: Machine, results: list[Result], store: Store | None
) -> Row:
    """Compute a row from results. A program's row is read from the store if it is there."""
    if store is None or experiment.kind != "program":
        return experiment.row(machine, results)
    columns = store.columns(experiment.columns, machine)
    if columns is None:
        columns = dict(experiment.row(machine, results).columns)
        store.add_columns(experiment.columns, machine, columns)
    return Row(columns)
