"""Answers to many asks: each run is made once, in one pool, unless an earlier one is kept."""

import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from functools import cache
from typing import TypeAlias

from cellstats.machine import Machine
from cellstats.machine import machine as find_machine
from cellstats.measure.pool import run_rows
from cellstats.measure.progress import Progress
from cellstats.measure.row import Row
from cellstats.reproduce.answers import Answer
from cellstats.reproduce.asks import Ask
from cellstats.reproduce.store import Store
from cellstats.result import Result

Machines: TypeAlias = Callable[[str], Machine]


@cache
def built_in(name: str) -> Machine:
    """The machine with this name, read once."""
    return find_machine(name)


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
