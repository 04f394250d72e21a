"""A breakdown: the latency of one DMA, split into components."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cellstats._native import UsageError
from cellstats.core.display import Showing, picture, text
from cellstats.core.refusal import refusal
from cellstats.core.shape import check, of_schema
from cellstats.core.words import described

if TYPE_CHECKING:
    from matplotlib.figure import Figure


SCHEMA_VERSION = 1
COLUMNS = ("component", "bus_cycles", "spu_cycles", "ns")
_COLUMNS = {
    "function": str,
    "machine": str,
    "machine_hash": str,
    "spe_to_spe": bool,
    "size_bytes": int,
    "list_elements": int | None,
    "memory": str | None,
    "placement": [int],
}
_IN_JSON = {
    "components": [{"component": str, "spu_cycles": int}],
    "spu_cycles_per_bus_cycle": int,
    "spu_hz": int,
}
"""What the simulator's JSON has for `components` and `total`."""


@dataclass(frozen=True, slots=True)
class Component:
    """One component of a latency, or the total."""

    component: str
    """`dma_issue`, `dma_to_eib`, `list_element_fetch`, `coherence_protocol`, `data_transfer`,
    `chip_to_chip_interface`, `onward_transfer`, `further_lines`, `completion` or `total`."""
    bus_cycles: float
    """Duration in bus cycles; may be fractional, because it is counted in SPU cycles."""
    spu_cycles: int
    """Duration in SPU cycles."""
    ns: float
    """Duration in ns."""


@dataclass(frozen=True, repr=False)
class Breakdown(Showing):
    """The latency of one DMA, split into components by `Machine.breakdown`.

    >>> import cellstats as cs
    >>> parts = cs.machine("eval-board").breakdown("dmaget", size="1k")
    >>> [part.component for part in parts if part.spu_cycles > 100]
    ['data_transfer', 'further_lines']
    """

    _kind = "breakdown"

    function: str
    """The FUNCTION, such as `dmaget`."""
    machine: str
    """Name of the machine."""
    machine_hash: str
    """`Machine.hash`: the digest of all values of the machine."""
    spe_to_spe: bool
    """Whether the DMA is between two local stores (True) or a local store and memory (False)."""
    size_bytes: int
    """Size of the DMA, or of one list element."""
    list_elements: int | None
    """Number of elements of the DMA list, or None without a list."""
    memory: str | None
    """The Cell whose memory holds the buffer (`0`, `1` or `interleave` for both), or None if the
    buffer is not in main memory."""
    placement: tuple[int, ...]
    """The physical SPE of each thread; the last thread issues the DMA."""
    components: tuple[Component, ...]
    """The components in order of time; each component ends when the next one begins."""
    total: Component
    """The sum of all components."""

    @classmethod
    def from_json(cls, text: str) -> "Breakdown":
        """A breakdown from the simulator's JSON. Raises UsageError for other schema versions.

        >>> Breakdown.from_json('{"schema": 0}')
        Traceback (most recent call last):
        ...
        cellstats._native.UsageError: a breakdown of schema 0 cannot be read; this version reads 1
        """
        data = of_schema(text, SCHEMA_VERSION, "a breakdown")
        check(data, _COLUMNS | _IN_JSON, "a breakdown")
        per_bus_cycle, spu_hz = data["spu_cycles_per_bus_cycle"], data["spu_hz"]
        if per_bus_cycle < 1 or spu_hz < 1:
            raise UsageError("a breakdown: its clock does not run")

        def component(name: str, spu_cycles: int) -> Component:
            return Component(
                name, spu_cycles / per_bus_cycle, spu_cycles, spu_cycles / spu_hz * 1e9
            )

        rows, known = data["components"], {name: data[name] for name in _COLUMNS}
        return cls(
            **known | {"placement": tuple(data["placement"])},
            components=tuple(component(row["component"], row["spu_cycles"]) for row in rows),
            total=component("total", sum(row["spu_cycles"] for row in rows)),
        )

    def __repr__(self) -> str:
        return f"<Breakdown {self.title()}: {self.total.ns:.1f} ns>"

    def __iter__(self) -> Iterator[Component]:
        return iter(self.components)

    def __getitem__(self, name: str) -> Component:
        """The component with this name. Raises KeyError if this DMA has no such component."""
        return {part.component: part for part in (*self.components, self.total)}[name]

    def title(self) -> str:
        """The DMA, in words."""
        size = f"{self.size_bytes} bytes"
        if self.list_elements is not None:
            size = f"{self.list_elements} x {size}"
        ends = [f"SPE {spe}" for spe in reversed(self.placement)]
        memory = "memory" if self.memory in (None, "0") else described("memory", self.memory)
        where = " and ".join(ends if self.spe_to_spe else [*ends, memory])
        return f"{self.function} of {size}, {where} of {self.machine}"

    def to_dict(self) -> dict[str, object]:
        """The breakdown in plain dicts, lists and numbers, as in JSON."""
        return {
            "schema": SCHEMA_VERSION,
            "function": self.function,
            "machine": self.machine,
            "machine_hash": self.machine_hash,
            "spe_to_spe": self.spe_to_spe,
            "size_bytes": self.size_bytes,
            "list_elements": self.list_elements,
            "memory": self.memory,
            "placement": list(self.placement),
            "components": [_plain(part) for part in self.components],
            "total": _plain(self.total),
        }

    def rows(self) -> list[dict[str, object]]:
        """The rows of a table; the last row is the total."""
        return [_plain(part) for part in (*self.components, self.total)]

    def text(self) -> str:
        """A table for people."""
        return text(self)

    def plot(self) -> "Figure":
        """A chart of the components in order. Raises UsageError if matplotlib is missing."""
        return picture(self)


def check_ends(placement: Sequence[int] | str | None, spe_to_spe: bool) -> None:
    """Raise UsageError for a transfer between local stores with only one SPE."""
    if spe_to_spe and isinstance(placement, Sequence) and len(placement) == 1:
        raise refusal(
            "one SPE, and a transfer between two local stores needs two; name both, as 0,1, "
            "or measure one with main memory, such as dmaget",
            "placement",
        )


def _plain(part: Component) -> dict[str, object]:
    return {name: getattr(part, name) for name in COLUMNS}
