"""Many machines: engines that run rows on workers which are there already.

An engine is named as on the command line: `dask://HOST:PORT` is the scheduler of Dask, `mpi` the
ranks of mpirun, `ray://HOST:PORT` a cluster of Ray. Other executors need no name: whatever takes
`executor=` takes any of `concurrent.futures`.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module

from cellstats._native import UsageError
from cellstats.refusal import quoted, refusal

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
    found: Callable[[str], AbstractContextManager[Executor]]
    found = import_module(f"cellstats.engines.{kind}_engine").opened
    return found


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
