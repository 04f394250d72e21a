"""Rows of a sweep, measured by an executor."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any, TypeVar

from cellstats.machine import AnyMachine
from cellstats.measure.row import Row
from cellstats.measure.workers import run_calls
from cellstats.result import AnyResult

Key = TypeVar("Key")


def measure(
    machine: AnyMachine,
    function: str,
    parameters: Mapping[str, Any],
    stop: threading.Event | None = None,
) -> AnyResult:
    """`measure` of a machine as a function of a module, so that other processes can be sent it.

    stop: once this event is set, the run ends with KeyboardInterrupt.
    """
    return machine.run(function, parameters, stop)


def run_rows(
    rows: Mapping[Key, Row],
    finished: Callable[[Key, Any], object],
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
) -> None:
    """Measure rows, and call `finished(key, result)` in this thread for each as it comes.

    executor, jobs: who measures, as for `run_calls`. Rows of the host are measured one at a time on
        each computer, whatever runs them, and no other row beside them.

    If a row fails, or Ctrl-C is pressed, the rows under way are given up, `finished` is called for
    those that are finished, and the exception is raised again.
    """
    run_calls(
        measure,
        {key: (row.machine, row.function, dict(row.parameters)) for key, row in rows.items()},
        finished,
        executor=executor,
        jobs=jobs,
        alone=any(row.machine.name == "host" for row in rows.values()),
        named=lambda key: str(rows[key]),
    )
