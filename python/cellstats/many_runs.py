"""Sweeps, matrices and placements, on simulated machines and on this computer."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from typing import Any, Literal, Unpack, overload

from cellstats.core.keywords import HostSwept, HostUntimed, Swept
from cellstats.core.parameters import HOST_NAMES
from cellstats.core.refusal import known_keywords, refusal
from cellstats.host.cpu_placement import HostPlaced, MatrixLike, place_on_host
from cellstats.host.host_machine import HostMachine
from cellstats.host.host_result import HostResult
from cellstats.host.matrices import HostMatrix, measure_matrix
from cellstats.measure.best_placement import Judge, Placed, place_on_spes
from cellstats.measure.machine import MachineLike
from cellstats.measure.matrices import KEYWORDS, Matrix, spe_matrix
from cellstats.measure.result import Result
from cellstats.measure.sweeps import Sweep, rows_of
from cellstats.measure.workers import check_workers, run_rows
from cellstats.patterns import PatternLike
from cellstats.single_runs import AnyMachineLike, any_machine
from cellstats.single_runs import machine as find_machine

Y = Literal["latency", "bandwidth"] | str
_KEYWORDS = ("by", "threads", "size", "seed", "advance")
_CELL_ONLY = ("cells", "memory", "evaluations", "settle", "executor", "jobs")
_HOST_ONLY = ("cpus", "matrices", "budget", "verify")


@overload
def sweep(  # type: ignore[overload-overlap]
    function: str | Iterable[str],
    *,
    machine: Literal["host"] | HostMachine,
    executor: Executor | None = None,
    jobs: int | None = None,
    **parameters: Unpack[HostSwept],
) -> Sweep[HostResult]: ...
@overload
def sweep(
    function: str | Iterable[str],
    *,
    machine: "MachineLike | Iterable[MachineLike]" = "ps3",
    executor: Executor | None = None,
    jobs: int | None = None,
    **parameters: Unpack[Swept],
) -> Sweep[Result]: ...
@known_keywords(*HOST_NAMES)
def sweep(
    function: str | Iterable[str],
    *,
    machine: "AnyMachineLike | Iterable[AnyMachineLike]" = "ps3",
    executor: Executor | None = None,
    jobs: int | None = None,
    **parameters: Any,
) -> Any:
    """Measure every combination: each iterable is an axis, each single value applies to all rows.

    function, machine: one function or machine, or an iterable of several.
    parameters: keywords of `Machine.measure`. Numbers may also be strings in the command's
        notation: `"1..6"`, `"128..16k"` (doubling), `"1,2,4"`, `"0..8:2"`, `"1k..1m:*10"`. One
        placement is a list of SPEs; several placements are a list of lists of SPEs.
    executor: any `concurrent.futures.Executor` that measures the rows; by default, threads measure
        them. The host makes one measurement at a time. Worker processes must be able to import
        `cellstats`.
    jobs: number of threads if there is no executor; by default, one for each processor.

    Rows are in the order of nested loops. The machine varies slowest, then the function, then the
    parameters in the order given; the last parameter varies fastest. Raises UsageError for an
    invalid combination, before anything runs. Raises RunError when a run fails.

    >>> import cellstats as cs
    >>> results = cs.sweep("dmaget", spes=[1, 2], size="1k..4k", iterations=100)
    >>> [(result.spes, result.size_bytes) for result in results]
    [(1, 1024), (1, 2048), (1, 4096), (2, 1024), (2, 2048), (2, 4096)]
    """
    check_workers(executor, jobs)
    rows = rows_of(function, machine, parameters, find=find_machine)
    results: dict[int, Any] = {}
    run_rows(dict(enumerate(rows)), results.__setitem__, executor=executor, jobs=jobs)
    return Sweep(results[number] for number in range(len(rows)))


@overload
def matrix(  # type: ignore[overload-overlap]
    function: str,
    *,
    machine: Literal["host"] | HostMachine,
    y: Y = "latency",
    budget: str | float | None = None,
    progress: Callable[[int, int], object] | None = None,
    **parameters: Unpack[HostUntimed],
) -> HostMatrix: ...
@overload
def matrix(
    function: str,
    *,
    machine: MachineLike = "ps3",
    y: Y = "latency",
    size: int | str | None = None,
    iterations: int | str = 1_000_000,
    batch: int = 1,
    cells: str | int | None = None,
    fast_forward: bool = True,
    executor: Executor | None = None,
    jobs: int | None = None,
) -> Matrix: ...
@known_keywords(*HOST_NAMES, "executor", "jobs", "progress")
def matrix(
    function: str, *, machine: AnyMachineLike = "ps3", y: Y = "latency", **parameters: Any
) -> Matrix | HostMatrix:
    """Measure `function` between every ordered pair of SPEs, or of CPUs of this computer.

    function: mailbox, signal, dmaget or dmaput. The initiator of a DMA transfers data to or from
        its partner's local store. With mailboxes and signals, the initiator sends first.
    y: quantity in the matrix, `latency` (ns) or, for DMA, `bandwidth` (GB/s).

    A simulated machine runs each pair alone. Simulated machines take `size`, `iterations`, `batch`,
    `cells` and `fast_forward` of `Machine.measure`, and `executor` and `jobs` of `cellstats.sweep`.

    For the host, `budget` is the time for the whole matrix (by default 30s). The function
    `progress` is called with the number of measured pairs and the number of all pairs. Other
    keywords are those of `HostMachine.measure`, with a list of the matrix's CPUs as `placement`.

    Raises UsageError for invalid parameters before anything runs, RunError when a run fails.

    >>> import cellstats as cs
    >>> between = cs.matrix("mailbox", machine="ps3", iterations=10_000)
    >>> between.labels, between.unit, between.values[0][0]
    ((0, 1, 2, 3, 4, 5), 'ns', None)
    >>> round(between.values[0][1]), round(between.values[2][5])
    (158, 162)
    """
    found = any_machine(machine)
    if isinstance(found, HostMachine):
        for name in ("executor", "jobs"):
            if parameters.pop(name, None) is not None:
                raise refusal(
                    f"{{{name}}}: pairs of the host are measured one after the other; leave it out"
                )
        return measure_matrix(function, machine=found, y=y, **parameters)
    for name in parameters:
        if name not in KEYWORDS:
            raise refusal(f"{{{name}}} is not for a matrix of SPEs; leave it out")
    return spe_matrix(function, machine=found, y=y, **parameters)


@overload
def place(  # type: ignore[overload-overlap]
    pattern: PatternLike,
    *,
    machine: Literal["host"] | HostMachine,
    by: Literal["matrix"] | str | None = None,
    threads: int | str | None = None,
    size: int | str | None = None,
    cpus: Sequence[int] | str | None = None,
    matrices: Sequence[MatrixLike] = (),
    budget: str | float | None = None,
    verify: bool = False,
    seed: int = 0,
    advance: Callable[[int, int], object] = lambda _done, _all: None,
) -> HostPlaced: ...
@overload
def place(
    pattern: PatternLike,
    *,
    machine: MachineLike = "ps3",
    by: Judge | str | None = None,
    threads: int | str | None = None,
    size: int | str | None = None,
    cells: str | int | None = None,
    memory: str | int | None = None,
    seed: int = 0,
    evaluations: int | None = None,
    settle: bool = False,
    executor: Executor | None = None,
    jobs: int | None = None,
    advance: Callable[[int, int], object] = lambda _done, _all: None,
) -> Placed: ...
@known_keywords(*_KEYWORDS, *_CELL_ONLY, *_HOST_ONLY)
def place(
    pattern: PatternLike, *, machine: "MachineLike | HostMachine" = "ps3", **parameters: Any
) -> Placed | HostPlaced:
    """Find the SPEs that minimize the time of a pattern, or the host's CPUs that minimize the cost
    of its messages.

    pattern: a `Pattern`, its name, or its file. `threads` and `size` are as for
        `cellstats.patterns.pattern`; by default, there is one thread for each SPE, up to 8.
    by: method of judging placements, `model` or `simulation` (default), or `matrix` on the host. A
        placement found by the model is also simulated, and is rejected if it takes longer than the
        threads in the order of the machine's SPEs.
    seed: determines random placements and the course of a search.
    advance: function called from time to time with the number of finished simulations or
        measurements, and the total number.

    Only for simulated machines:

    cells, memory: as for `Machine.measure`.
    evaluations: maximum number of placements to judge. If there are more placements, a search
        judges only some of them; by default, if there are more than 50,000.
    settle: whether good placements are compared by runs of 320 iterations that end once they have
        settled; by default, by ten iterations.
    executor, jobs: where to run simulations, as for `cellstats.sweep`.

    Only for the host:

    cpus: CPUs to choose from; by default all CPUs that this process may use.
    matrices: message costs, as one `HostMatrix` of mailboxes or signals, one of copies (dmaget,
        dmaput), or both; each may be a file. By default, the host measures the matrices.
    budget: time for each measured matrix, and for the trial, such as 30s.
    verify: also time the pattern with the found, the identity and the worst placement.

    Raises UsageError for invalid parameters, RunError when a run fails. After Ctrl-C, the
    KeyboardInterrupt says which placement was the best until then.

    >>> import cellstats as cs
    >>> found = cs.place("pairwise", machine="eval-board", by="model")
    >>> found.all_placements, found.evaluations, found.time_ns <= found.affinities_ns["ring"]
    (True, 40320, True)
    """
    found = any_machine(machine)
    on_host = isinstance(found, HostMachine)
    for name in _CELL_ONLY if on_host else _HOST_ONLY:
        if parameters.pop(name, None) not in (None, (), False):
            where = "simulated machines" if on_host else "{machine} host"
            raise refusal(f"{{{name}}} is for {where}; leave it out")
    if isinstance(found, HostMachine):
        return place_on_host(pattern, machine=found, **parameters)
    return place_on_spes(pattern, found, **parameters)
