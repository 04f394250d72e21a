"""A matrix of a simulated machine's SPEs, or of this computer's CPUs."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from cellstats.at_once import any_machine
from cellstats.host.host_machine import HostMachine
from cellstats.host.matrices import HostMatrix, measure_matrix
from cellstats.machine import AnyMachineLike, MachineLike
from cellstats.measure.spe_matrix import KEYWORDS, Matrix, spe_matrix
from cellstats.parameters import HOST_NAMES
from cellstats.refusal import known_keywords, refusal

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from cellstats.keywords import HostUntimed

Y = Literal["latency", "bandwidth"] | str


@overload
def matrix(  # type: ignore[overload-overlap]
    function: str,
    *,
    machine: Literal["host"] | HostMachine,
    y: Y = "latency",
    budget: str | float | None = None,
    progress: Callable[[int, int], object] | None = None,
    **parameters: "Unpack[HostUntimed]",
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
    executor: "Executor | None" = None,
    jobs: int | None = None,
) -> Matrix: ...
@known_keywords(*HOST_NAMES, "executor", "jobs", "progress")
def matrix(
    function: str, *, machine: AnyMachineLike = "ps3", y: Y = "latency", **parameters: Any
) -> Matrix | HostMatrix:
    """Measure `function` between every ordered pair of SPEs, or of CPUs of this computer.

    function: mailbox, signal, dmaget or dmaput. The initiator of a DMA transfers to or from the
        local store of its partner; with mailboxes and signals the initiator sends first.
    y: what the matrix shows, `latency` (ns) or, for DMA, `bandwidth` (GB/s).

    Of simulated machines, where each pair is alone on the machine: `size`, `iterations`, `batch`,
    `cells` and `fast_forward` as for `Machine.measure`; `executor` and `jobs` as for
    `cellstats.sweep`.

    Of the host: `budget`, time for the whole matrix, 30s by default; `progress`, called with the
    number of measured pairs, and of all pairs; and the keywords of `HostMachine.measure`, where a
    `placement` says which CPUs.

    Raises UsageError before anything runs, RunError when a run fails.

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
