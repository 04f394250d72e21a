"""Converts a placement on CPUs into formats that other programs read.

The function of each format takes a placement (the CPU of each thread) and the NUMA nodes of these
CPUs (None if unknown). In the output, `PROGRAM` stands for the program to run.

Three formats bind each thread to its own CPU. `GOMP_CPU_AFFINITY` makes GCC's and LLVM's OpenMP
bind the i-th thread to the i-th CPU. With `OMP_PROC_BIND=close` and no more threads than places,
OpenMP binds the i-th thread to the i-th place of `OMP_PLACES` (OpenMP 5.2, section 10.1.3). A
rankfile binds the ranks of Open MPI. The commands taskset and numactl only limit the CPUs; the
kernel distributes the threads.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from cellstats.host.topology import as_list

Form: TypeAlias = Callable[[Sequence[int], Sequence[int] | None], str]


def as_cpu_list(placement: Sequence[int], _nodes: Sequence[int] | None = None) -> str:
    """A comma-separated list of CPUs, for `--spes` and for your own programs.

    >>> as_cpu_list([0, 4, 1, 5])
    '0,4,1,5'
    """
    return ",".join(map(str, placement))


def as_gomp(placement: Sequence[int], _nodes: Sequence[int] | None = None) -> str:
    """A shell assignment for GCC's and LLVM's OpenMP.

    >>> as_gomp([0, 4, 1, 5])
    'GOMP_CPU_AFFINITY="0 4 1 5"'
    """
    return f'GOMP_CPU_AFFINITY="{" ".join(map(str, placement))}"'


def as_openmp(placement: Sequence[int], _nodes: Sequence[int] | None = None) -> str:
    """Shell assignments for OpenMP 4.0 and later, with an OpenMP place of one CPU per thread.

    >>> as_openmp([0, 4])
    'OMP_NUM_THREADS=2 OMP_PLACES="{0},{4}" OMP_PROC_BIND=close'
    """
    places = ",".join(f"{{{cpu}}}" for cpu in placement)
    return f'OMP_NUM_THREADS={len(placement)} OMP_PLACES="{places}" OMP_PROC_BIND=close'


def as_taskset(placement: Sequence[int], _nodes: Sequence[int] | None = None) -> str:
    """A command line that confines a process to these CPUs, without binding its threads.

    >>> as_taskset([0, 4, 1, 5])
    'taskset --cpu-list 0-1,4-5 PROGRAM'
    """
    return f"taskset --cpu-list {_cpus(placement)} PROGRAM"


def as_numactl(placement: Sequence[int], nodes: Sequence[int] | None = None) -> str:
    """A command line that confines a process to these CPUs and memory, without binding threads.

    >>> as_numactl([0, 4, 1, 5], [0, 1])
    'numactl --physcpubind=0-1,4-5 --membind=0-1 PROGRAM'
    """
    memory = "--localalloc" if nodes is None else f"--membind={as_list(tuple(nodes))}"
    return f"numactl --physcpubind={_cpus(placement)} {memory} PROGRAM"


def _cpus(placement: Sequence[int]) -> str:
    """Each CPU once, though several threads may share it."""
    return as_list(tuple(set(placement)))


def as_rankfile(placement: Sequence[int], _nodes: Sequence[int] | None = None) -> str:
    """A rankfile of Open MPI 4 for one computer; its comments contain the command lines.

    Open MPI 4 interprets the slots as the operating system's CPU numbers only with an option. Open
    MPI 5 has no such option, and interprets the slots as hwloc's logical numbers (its mpirun(1),
    "Rankfiles"). With Open MPI 5, each rank therefore binds itself to a CPU before it starts the
    program.

    >>> print(as_rankfile([4, 0])[-47:])
    rank 0=localhost slot=4
    rank 1=localhost slot=0
    """
    count, cpus = len(placement), " ".join(map(str, placement))
    shared = "--oversubscribe " * (len(set(placement)) < count)
    nth = '-d" " -f$((OMPI_COMM_WORLD_LOCAL_RANK + 1))'
    lines = [
        "# Open MPI 4 takes this file, FILE, and the operating system's numbers if told so:",
        f"# mpirun -n {count} {shared}--mca rmaps_rank_file_physical 1 --rankfile FILE PROGRAM",
        "# Open MPI 5 only takes hwloc's numbers; there each rank binds itself, without a file:",
        f"# mpirun -n {count} {shared}--bind-to none sh -c "
        f"'exec taskset -c $(echo {cpus} | cut {nth}) \"$@\"' sh PROGRAM",
    ]
    lines += [f"rank {rank}=localhost slot={cpu}" for rank, cpu in enumerate(placement)]
    return "\n".join(lines)


CPU_BINDINGS: Mapping[str, Form] = {
    "list": as_cpu_list,
    "environment": as_gomp,
    "openmp": as_openmp,
    "taskset": as_taskset,
    "numactl": as_numactl,
    "rankfile": as_rankfile,
}
"""All formatting functions, by the name of the format."""
