"""A first picture of this computer: latencies by level, bandwidths, messages between cores."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cellstats.core.display import Showing, picture
from cellstats.host.disturbances import is_bad
from cellstats.host.matrices import HostMatrix

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Point:
    """The latency of a load from one working set."""

    size_bytes: int
    latency_ns: float
    low_ns: float | None
    """Lower end of the 95 % interval, or None with a single repetition."""
    high_ns: float | None


@dataclass(frozen=True, slots=True)
class Level:
    """A level of memory, as the curve shows it."""

    name: str
    """`L1` to `L4`, `memory`, or an empty text for a step that no cache explains."""
    latency_ns: float
    up_to_bytes: int | None
    """The largest working set with this latency, or None for memory."""
    reported_bytes: int | None
    """Size of the cache according to the operating system, or None if it reports none."""
    translation_ns: float | None
    """What a load from the larger working sets of the level takes longer on small pages, or None if
    it was not measured."""
    grade: str
    why: str


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """The bandwidth of one operation in one level."""

    operation: str
    level: str
    cores: int
    bandwidth_gb_s: float
    grade: str
    why: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """The latency of memory while other cores load from it."""

    rate_gb_s: float | None
    """Bandwidth to which the other cores limited themselves, or None without a limit."""
    bandwidth_gb_s: float
    """Their bandwidth; 0 if they rested."""
    latency_ns: float
    grade: str
    why: str


@dataclass(frozen=True, slots=True)
class NodeMemory:
    """The latency or the bandwidth of the memory of a NUMA node, from the cores of a node."""

    from_node: int
    """The node of the cores: one for the latency, all for the bandwidth of loads."""
    node: int
    """The node of the memory."""
    latency_ns: float | None
    bandwidth_gb_s: float | None
    grade: str
    why: str


@dataclass(frozen=True, slots=True, repr=False)
class Overview(Showing):
    """A first picture of this computer."""

    _kind = "overview"

    cpu: int
    """The CPU whose loads were measured."""
    curves: Mapping[str, tuple[Point, ...]]
    """Latency over the size of the working set, by the name of the pages."""
    levels: tuple[Level, ...]
    nodes: tuple[NodeMemory, ...]
    """The memory of each NUMA node from each, first all latencies, then all bandwidths; empty if
    there is only one node."""
    bandwidths: tuple[Bandwidth, ...]
    loaded: tuple[Loaded, ...]
    """By bandwidth in the background; empty on a single core."""
    matrix: HostMatrix | None
    """Round trips of messages between CPUs, or None on a single CPU."""
    missing: tuple[str, ...]
    """What could not be measured, and why."""
    environment: Mapping[str, Any]
    disturbed: tuple[str, ...]
    wall_ns: int

    def __repr__(self) -> str:
        return f"<Overview of this computer: {len(self.levels)} levels of memory, CPU {self.cpu}>"

    def plot(self) -> "Figure":
        """The overview as a picture. Raises UsageError if matplotlib is missing."""
        return picture(self)

    def grades(self) -> set[str]:
        """The grades of all numbers, without those of the matrix."""
        parts: tuple[tuple[Level | NodeMemory | Bandwidth | Loaded, ...], ...]
        parts = (self.levels, self.nodes, self.bandwidths, self.loaded)
        return {each.grade for part in parts for each in part}

    def is_bad(self) -> bool:
        """Whether some number may be wrong by more than 20 %."""
        return any(map(is_bad, self.grades())) or bool(self.matrix and self.matrix.bad())

    def to_dict(self) -> dict[str, Any]:
        """The overview in plain dicts, lists and numbers, as in the JSON format."""
        return {
            "schema": 1,
            "machine": "host",
            "cpu": self.cpu,
            "curves": {name: list(map(asdict, curve)) for name, curve in self.curves.items()},
            "levels": list(map(asdict, self.levels)),
            "nodes": list(map(asdict, self.nodes)),
            "bandwidths": list(map(asdict, self.bandwidths)),
            "loaded": list(map(asdict, self.loaded)),
            "matrix": self.matrix.to_dict() if self.matrix else None,
            "missing": list(self.missing),
            "environment": dict(self.environment),
            "disturbed": list(self.disturbed),
            "wall_ns": self.wall_ns,
        }
