"""One measurement of the paper's machine, to be made by any process.

The paper's programs ran on the first chip: those of the SPEs with their data in both memories,
those of the PPE in that of its own chip.
"""

from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import cellstats as cs

LIST_BYTES = 16_384
# What loads and stores of memory move, not the 128 MB of the paper.
MEMORY_BYTES = 1 << 20
# What each SPE moves, where it is not the 32 MB of the paper.
BYTES = {"hotspot": 1 << 19, "couples": 3 << 18, "cycle": 3 << 18}


@dataclass(frozen=True)
class Task:
    """What to measure; `placements` random ones, or the machine's own."""

    function: str
    spes: int | None
    size: int
    list_elements: int | None = None
    op: str = "copy"
    batch: int = 0
    placements: int | None = None
    level: str | None = None
    threads: int | None = None

    def row(self) -> dict[str, Any]:
        """Its columns."""
        return asdict(self)


def measured(task: Task) -> dict[str, float]:
    """The bandwidth in GB/s: least, median, mean and greatest over the placements."""
    if task.level is not None:
        return _accesses(task)
    parameters = {name: value for name, value in task.row().items() if value is not None}
    parameters.setdefault("placements", None)
    parameters["cells"] = "0"
    if task.function == "hotspot":
        parameters["memory"] = "interleave"
    function, which = parameters.pop("function"), parameters.pop("placements")
    both_ways = 2 if task.op == "copy" else 1
    if function in BYTES:
        moved = both_ways * task.size * (task.list_elements or 1)
        parameters["iterations"] = max(1, BYTES[function] // moved)
    if which is None:
        bandwidth = _blade().measure(function, **parameters).bandwidth_gb_s
        assert bandwidth is not None
        return dict.fromkeys(("min", "median", "mean", "max"), bandwidth)
    summary = cs.placements(function, machine=_blade(), which=which, **parameters).bandwidth_gb_s
    assert summary is not None
    return asdict(summary)


def _accesses(task: Task) -> dict[str, float]:
    """The same for loads, stores and copies, which know no placements."""
    given: dict[str, Any] = {
        "spes": task.spes,
        "size": task.size,
        "level": task.level,
        "threads": task.threads,
    }
    if task.level == "memory":
        moved = task.size * (2 if task.function == "copy" else 1) * (task.threads or 1)
        given["iterations"] = MEMORY_BYTES // moved
    bandwidth = _blade().measure(task.function, **given).bandwidth_gb_s
    assert bandwidth is not None
    return dict.fromkeys(("min", "median", "mean", "max"), bandwidth)


@cache
def _blade() -> cs.Machine:
    return cs.machine("blade-2100")
