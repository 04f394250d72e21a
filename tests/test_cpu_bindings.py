"""Output forms of a placement on CPUs: exact text, and the binding that programs read."""

import os
import subprocess
from pathlib import Path

import pytest

from cellstats.host.cpu_bindings import as_gomp, as_numactl, as_openmp, as_rankfile
from cellstats.show.views import find, formats_of
from parts import needs

CPUS = sorted(os.sched_getaffinity(0))[:2][::-1]
"""Two permitted CPUs, in descending order because no program uses this order by default."""
needs_two_cpus = pytest.mark.skipif(len(CPUS) < 2, reason="two CPUs have an order")
WHERE = """
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
int main(void)
{
    #pragma omp parallel
    {
        #pragma omp critical
        printf("%d %d\\n", omp_get_thread_num(), sched_getcpu());
    }
    return 0;
}
"""


def test_to_the_byte() -> None:
    assert {each.name: each.write([6, 0, 2, 1], [0, 3]) for each in formats_of("CPU binding")} == {
        "list": "6,0,2,1",
        "environment": 'GOMP_CPU_AFFINITY="6 0 2 1"',
        "openmp": 'OMP_NUM_THREADS=4 OMP_PLACES="{6},{0},{2},{1}" OMP_PROC_BIND=close',
        "taskset": "taskset --cpu-list 0-2,6 PROGRAM",
        "numactl": "numactl --physcpubind=0-2,6 --membind=0,3 PROGRAM",
        "rankfile": """\
# Open MPI 4 takes this file, FILE, and the operating system's numbers if told so:
# mpirun -n 4 --mca rmaps_rank_file_physical 1 --rankfile FILE PROGRAM
# Open MPI 5 only takes hwloc's numbers; there each rank binds itself, without a file:
# mpirun -n 4 --bind-to none sh -c 'exec taskset -c $(echo 6 0 2 1 | \
cut -d" " -f$((OMPI_COMM_WORLD_LOCAL_RANK + 1))) "$@"' sh PROGRAM
rank 0=localhost slot=6
rank 1=localhost slot=0
rank 2=localhost slot=2
rank 3=localhost slot=1""",
    }


def test_threads_may_share_a_cpu() -> None:
    shared = [3, 2, 3, 2]
    assert as_numactl(shared) == "numactl --physcpubind=2-3 --localalloc PROGRAM"
    assert find("CPU binding", "taskset").write(shared, None) == "taskset --cpu-list 2-3 PROGRAM"
    commands = [line for line in as_rankfile(shared).splitlines() if line.startswith("# mpirun")]
    assert all(" --oversubscribe " in command for command in commands)


def test_where_no_node_is_known_memory_is_local() -> None:
    assert as_numactl([3, 2]) == "numactl --physcpubind=2-3 --localalloc PROGRAM"


def shell(line: str) -> str:
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Path of a compiled program that prints the CPU of each of its threads."""
    directory = tmp_path_factory.mktemp("openmp")
    source, program = directory / "where.c", directory / "where"
    source.write_text(WHERE, encoding="utf-8")
    made = subprocess.run(
        ["cc", "-fopenmp", str(source), "-o", str(program)], capture_output=True, check=False
    )
    if made.returncode != 0:
        pytest.skip("the C compiler has no OpenMP")
    return program


@needs_two_cpus
@pytest.mark.parametrize("form", [as_openmp, as_gomp])
def test_openmp_puts_each_thread_on_its_cpu(where: Path, form: object) -> None:
    assert callable(form)
    line = f"OMP_NUM_THREADS=2 {form(CPUS)} {where}"
    assert sorted(shell(line).splitlines()) == [f"0 {CPUS[0]}", f"1 {CPUS[1]}"]


@needs_two_cpus
@needs("mpi")
def test_mpirun_puts_each_rank_on_its_cpu(tmp_path: Path) -> None:
    file = tmp_path / "ranks"
    file.write_text(as_rankfile(CPUS) + "\n", encoding="utf-8")
    version = shell("mpirun --version")
    if "Open MPI" not in version:
        pytest.skip("this mpirun is not that of Open MPI")
    tell = "sh -c 'echo $OMPI_COMM_WORLD_RANK $(taskset -cp $$ | sed s/.*:.//)'"
    lines = [line[2:] for line in as_rankfile(CPUS).splitlines() if line.startswith("# mpirun")]
    if "Open MPI) 4" not in version:
        del lines[0]
    for line in lines:
        # In containers, tests run as root, and mpirun may have fewer slots than CPUs.
        command = line.replace("mpirun", "mpirun --allow-run-as-root --oversubscribe", 1)
        command = command.replace("FILE", str(file)).replace("PROGRAM", tell)
        told = sorted(shell(command).splitlines())
        assert told == [f"0 {CPUS[0]}", f"1 {CPUS[1]}"], command


@needs_two_cpus
@pytest.mark.parametrize(
    ("name", "nodes"), [("taskset", None), pytest.param("numactl", None, marks=needs("numactl"))]
)
def test_others_say_which_cpus_there_are(name: str, nodes: list[int] | None) -> None:
    line = find("CPU binding", name).write(CPUS, nodes)
    line = line.replace("PROGRAM", "grep Cpus_allowed_list /proc/self/status")
    shown = shell(line).split()[1]
    assert shown in (f"{CPUS[1]}-{CPUS[0]}", f"{CPUS[1]},{CPUS[0]}")
