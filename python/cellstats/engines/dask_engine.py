"""A scheduler of Dask, and its workers."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cellstats._native import UsageError
from cellstats.measure.build import check_same_build, this_build, unlike

if TYPE_CHECKING:
    from distributed import Client

_ANSWER_S = 10
"""Time for the scheduler to answer."""
_WORKERS_S = 60
"""Time for the first worker to come: a batch system starts them when it likes."""


@contextmanager
def opened(address: str) -> Iterator[Executor]:
    """The executor of the scheduler at HOST:PORT, whose workers all run this build."""
    from distributed import Client

    try:
        client = Client(f"tcp://{address}", timeout=_ANSWER_S, set_as_default=False)
    except (OSError, ValueError):
        raise UsageError(
            f"dask://{address}: no scheduler answers there; start dask scheduler, "
            "and give the address that it prints"
        ) from None
    try:
        _check_workers(client, address)
        yield client.get_executor(pure=False)
    finally:
        client.close(timeout=_ANSWER_S)


def _check_workers(client: "Client", address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=_WORKERS_S)
    except TimeoutError:
        raise UsageError(
            f"dask://{address}: there is no worker; start dask worker {address}"
        ) from None
    # One that comes later is looked at with its first batch.
    said = client.run(check_same_build, this_build(), on_error="return")
    for worker, error in said.items():
        if isinstance(error, Exception):
            raise unlike(f"the worker {worker}", error)
