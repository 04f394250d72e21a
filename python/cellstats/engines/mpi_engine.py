"""The ranks that mpirun started: rank 0 runs the command, all others are workers."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from cellstats._native import UsageError
from cellstats.text.reasons import kind_and_reason

_COMMAND = "mpirun -n 3 python -m mpi4py.futures -m cellstats …"


@contextmanager
def opened(_address: str) -> Iterator[Executor]:
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
