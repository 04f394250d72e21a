"""The option `--on`: workers of a running engine."""

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from cellstats._native import UsageError
from cellstats.core.words import few_threads
from cellstats.measure.engines import check_name, engine


def check_engine(on: str | None, jobs: int | None, machine: str | None = None) -> None:
    """Raise UsageError for an unknown engine, or for options that cannot be used with an engine.

    jobs: value of `--jobs`. machine: value of `--machine`, if the command cannot measure hosts of
    workers.
    """
    if on is None:
        return
    check_name(on)
    if jobs is not None:
        raise UsageError("--jobs is for local processors, but --on has its own workers")
    if machine == "host":
        raise UsageError("--on measures on other computers, but --machine host is this computer")


@contextmanager
def engine_of(on: str | None) -> Iterator[Executor | None]:
    """The engine's executor, or None if no engine is given and threads of this process are used."""
    if on is None:
        yield None
        return
    # CellStats reports an error in one line; the engine's own messages would repeat the error.
    logging.disable()
    with few_threads(), engine(on) as executor:
        yield executor
