"""Engines that measure rows on the running workers of many computers.

`dask://HOST:PORT` names a scheduler of Dask. `mpi` names the ranks that mpirun started: rank 0 runs
the command, all others are workers. Other executors need no name, because every function with the
keyword `executor` takes any executor of `concurrent.futures`.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from cellstats._native import UsageError
from cellstats.core.refusal import quoted, refusal
from cellstats.core.words import kind_and_reason
from cellstats.measure.journal import check_same_build, this_build, unlike

if TYPE_CHECKING:
    from distributed import Client

ENGINES = ("dask://HOST:PORT", "mpi")
"""The forms of an engine's name."""
_PORT_MAX = 65_535
_PACKAGES = {"dask": "distributed", "mpi": "mpi4py"}
"""The package to import for each engine. The CellStats extra that installs this package is named
after the engine."""
_ANSWER_S = 10
"""Time limit for the scheduler's answer."""
_WORKERS_S = 60
"""Time limit for the arrival of the first worker; a batch system may start workers late."""
_COMMAND = "mpirun -n 3 python -m mpi4py.futures -m cellstats …"


@contextmanager
def engine(name: str) -> Iterator[Executor]:
    """The executor of a running engine, for keywords named `executor`. The engine keeps running.

    Raises UsageError if the name is unknown, if the engine's package is not installed, if the
    engine does not answer, or if its workers run a different build than this process.

    >>> with engine("dusk://head:8786"):
    ...     pass
    Traceback (most recent call last):
    ...
    cellstats._native.UsageError: no engine is called 'dusk://head:8786'; give ...
    """
    kind, address = _parts(name)
    package = _PACKAGES[kind]
    try:
        import_module(package)
    except ImportError:
        raise UsageError(
            f"{name} needs the package {package}, here and on every worker; "
            f"pip install 'cellstats[{kind}]'"
        ) from None
    with _opened(kind)(address) as executor:
        yield executor


def _opened(kind: str) -> Callable[[str], AbstractContextManager[Executor]]:
    return {"dask": dask, "mpi": mpi}[kind]


def check_name(name: str) -> None:
    """Raise UsageError unless this is a valid name of an engine."""
    _parts(name)


def _parts(name: str) -> tuple[str, str]:
    """Kind and address."""
    if name == "mpi":
        return "mpi", ""
    kind, separator, address = name.partition("://")
    host, colon, port = address.rpartition(":")
    if separator and kind == "dask" and colon and host and port.isdecimal():
        if not 0 < int(port[:6]) <= _PORT_MAX:
            raise refusal(
                f"{quoted(name)}: ports go from 1 to {_PORT_MAX}; give that of the engine"
            )
        return kind, address
    raise refusal(f"no engine is called {quoted(name)}; give {' or '.join(ENGINES)}")


@contextmanager
def dask(address: str) -> Iterator[Executor]:
    """The executor of the Dask scheduler at HOST:PORT; checks that its workers run this build."""
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
    # A worker that joins later is checked by its first batch.
    said = client.run(check_same_build, this_build(), on_error="return")
    for worker, error in said.items():
        if isinstance(error, Exception):
            raise unlike(f"the worker {worker}", error)


@contextmanager
def mpi(_address: str) -> Iterator[Executor]:
    """The executor of all MPI ranks except 0; each batch checks that its rank runs this build."""
    try:
        from mpi4py import MPI
        from mpi4py.futures import MPIPoolExecutor, _core
    except (ImportError, RuntimeError) as error:
        what = kind_and_reason(error)
        raise UsageError(f"mpi4py finds no MPI ({what}); install one, as openmpi-bin") from None
    # Without the pool, every rank would run the whole command, or MPI would start new processes.
    if getattr(_core, "SharedPool", None) is None:
        raise UsageError(f"mpi: no ranks wait for work; start it as {_COMMAND}")
    if MPI.COMM_WORLD.Get_size() < 2:
        raise UsageError(f"mpi: rank 0 hands out the work, but there is no other rank; {_COMMAND}")
    with MPIPoolExecutor() as executor:
        try:
            yield executor
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
