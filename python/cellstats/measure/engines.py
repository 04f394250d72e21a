"""Many machines: engines that run rows on workers which are there already.

An engine is named as on the command line: `dask://HOST:PORT` is the scheduler of Dask, `mpi` the
ranks of mpirun, `ray://HOST:PORT` a cluster of Ray. Other executors need no name: whatever takes
`executor=` takes any of `concurrent.futures`.

A scheduler of Dask, and its workers.

The ranks that mpirun started: rank 0 runs the command, all others are workers.

A cluster of Ray, as an executor: Ray has none of its own.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cellstats._native import UsageError
from cellstats.core.refusal import quoted, refusal
from cellstats.core.words import kind_and_reason
from cellstats.measure.journal import check_same_build, this_build, unlike

if TYPE_CHECKING:
    from distributed import Client


ENGINES = ("dask://HOST:PORT", "mpi", "ray://HOST:PORT")
"""The forms of an engine's name."""
_PORT_MAX = 65_535
_PACKAGES = {"dask": "distributed", "mpi": "mpi4py", "ray": "ray"}
"""What each needs, which is also what is imported. The extra is called as the engine."""


@contextmanager
def engine(name: str) -> Iterator[Executor]:
    """The executor of a running engine, for `executor=`; it is left running.

    Raises UsageError if there is none with this name, if its package is not installed, if nobody
    answers, or if its workers run another build than this process.

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
    return {"dask": dask, "mpi": mpi, "ray": ray_client}[kind]


def check_name(name: str) -> None:
    """Raise UsageError unless an engine may be called so."""
    _parts(name)


def _parts(name: str) -> tuple[str, str]:
    """Kind and address."""
    if name == "mpi":
        return "mpi", ""
    kind, separator, address = name.partition("://")
    host, colon, port = address.rpartition(":")
    if separator and kind in ("dask", "ray") and colon and host and port.isdecimal():
        if not 0 < int(port[:6]) <= _PORT_MAX:
            raise refusal(
                f"{quoted(name)}: ports go from 1 to {_PORT_MAX}; give that of the engine"
            )
        return kind, address
    raise refusal(
        f"no engine is called {quoted(name)}; give {', '.join(ENGINES[:-1])} or {ENGINES[-1]}"
    )


_ANSWER_S = 10
"""Time for the scheduler to answer."""
_WORKERS_S = 60
"""Time for the first worker to come: a batch system starts them when it likes."""


@contextmanager
def dask(address: str) -> Iterator[Executor]:
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


_COMMAND = "mpirun -n 3 python -m mpi4py.futures -m cellstats …"


@contextmanager
def mpi(_address: str) -> Iterator[Executor]:
    """The executor of all ranks but the first; batches look whether ranks run this build."""
    try:
        from mpi4py import MPI
        from mpi4py.futures import MPIPoolExecutor, _core
    except (ImportError, RuntimeError) as error:
        what = kind_and_reason(error)
        raise UsageError(f"mpi4py finds no MPI ({what}); install one, as openmpi-bin") from None
    # Without its pool every rank would run the whole command, or new processes would be started.
    if getattr(_core, "SharedPool", None) is None:
        raise UsageError(f"mpi: no ranks wait for work; start it as {_COMMAND}")
    if MPI.COMM_WORLD.Get_size() < 2:
        raise UsageError(f"mpi: rank 0 hands out the work, and there is no other; {_COMMAND}")
    with MPIPoolExecutor() as executor:
        try:
            yield executor
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


class RayExecutor(Executor):
    """Calls as tasks of the cluster that this process is connected to; `ray` is the package."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._max_workers = int(ray.cluster_resources().get("CPU", 1))
        self._under_way: dict[Future[Any], Any] = {}

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A task; Ray itself tries it again, three times, when its worker dies."""
        reference = self._ray.remote(fn).remote(*args, **kwargs)
        future: Future[Any] = reference.future()
        self._under_way[future] = reference
        future.add_done_callback(self._under_way.pop)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for what is under way, or cancel it; the cluster stays."""
        if wait and not cancel_futures:
            under_way = list(self._under_way.values())
            if under_way:
                self._ray.wait(under_way, num_returns=len(under_way))
        if cancel_futures:
            for reference in list(self._under_way.values()):
                self._ray.cancel(reference)


@contextmanager
def ray_client(address: str) -> Iterator[Executor]:
    """The executor of the cluster whose client server is at HOST:PORT."""
    import ray

    try:
        ray.init(f"ray://{address}", log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        what = kind_and_reason(error)
        raise UsageError(f"ray://{address}: no cluster answers there ({what})") from None
    try:
        with RayExecutor(ray) as executor:
            # One worker; the others are looked at with their first batches.
            try:
                executor.submit(check_same_build, this_build()).result()
            except Exception as error:
                raise unlike("a worker", error) from None
            try:
                yield executor
            except BaseException:
                executor.shutdown(cancel_futures=True)
                raise
    finally:
        ray.shutdown()
