"""Results of measurements on this computer, their columns carrying their units.

Columns that mean the same as those of `cellstats.Result` have the same names; a core takes the
place of an SPE. docs/host-results.md has all of them in words, schema/host-result-1.json
for programs.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from cellstats._native import UsageError
from cellstats.export.plain import plain, to_series

if TYPE_CHECKING:
    import pandas as pd

SCHEMA_VERSION = 1
_NESTED = {"means", "clock", "per_thread", "environment", "recipe"}
_JOINED = {"placement": ",", "disturbed": "; "}


@dataclass(frozen=True, slots=True)
class Means:
    """What a latency of this result is the time of."""

    operation: str
    """What one iteration does, in a line."""
    latency: str
    """`round trip` or `per operation`: never one way, for which two clocks would have to agree."""
    line_home: str
    """Where the lines, or the memory, lie that the threads use."""
    bytes_per_iteration: int | None
    """Of one thread, those read and those written; None where no data moves."""
    iterations_per_sample: int


@dataclass(frozen=True, slots=True)
class HostThread:
    """One thread's part of a result."""

    thread: int
    cpu: int
    """The CPU it was pinned to, as the operating system numbers them."""
    latency_ns: float | None
    """Median over its samples; None of threads that only answer, or hold a buffer."""
    latency_ns_mean: float | None
    bandwidth_gb_s: float | None
    """Bytes of an iteration over the median; None where no data moves."""
    involuntary_switches: int
    """How often it was interrupted."""
    voluntary_switches: int
    """How often it slept."""
    migrations: int
    minor_faults: int
    samples_ns: tuple[tuple[float, ...], ...]
    """Every sample of every repetition: the time of its iterations, over their number."""


@dataclass(frozen=True, slots=True)
class HostResult:
    """One measurement on this computer; every attribute is a column."""

    schema: int
    """Version of these columns."""
    function: str
    machine: str
    """`host`."""
    spes: int
    """How many cores took part."""
    private: bool
    spe_to_spe: bool
    size_bytes: int | None
    op: str | None
    target: str | None
    level: str | None
    """`l1`, `l2`, `l3` or `memory`; None for what is no load, store or copy."""
    working_set_bytes: int
    """What each thread walks over; 0 for what walks over nothing."""
    pattern: str | None
    list_elements: int | None
    stride_bytes: int | None
    batch: int | None
    path: str | None
    """`futex`, `eventfd`, `pipe` or `memory`; None for what is no mailbox or signal."""
    signal_mode: str | None
    non_temporal: bool
    iterations: int
    """Measured iterations of each thread, in all samples."""
    samples: int
    repetitions: int
    memory: str | None
    """The NUMA node that was asked for, or `interleave`; None if nobody asked."""
    placement: tuple[int, ...]
    """The CPU of each thread."""
    latency_ns: float
    """Median over the samples, of the mean of the threads."""
    latency_ns_min: float
    """Median of the fastest thread."""
    latency_ns_max: float
    """Median of the slowest thread."""
    latency_ns_mean: float
    """Mean over the samples: what was lost to interruptions is in it."""
    latency_ns_ci_low: float
    """The median lies between these with 95 % confidence, if nothing but chance was at work."""
    latency_ns_ci_high: float
    latency_ns_sample_min: float
    """The least of all samples."""
    latency_ns_p99: float
    """One sample in a hundred took longer."""
    bandwidth_gb_s: float | None
    """All threads together, by their medians; None where no data moves."""
    wall_ns: int
    """How long all of it took."""
    disturbed: tuple[str, ...]
    """Why the numbers are not to be trusted; none if nothing was noticed."""
    means: Means
    clock: Mapping[str, Any] = field(repr=False)
    """What time was taken by, and what a reading costs."""
    per_thread: tuple[HostThread, ...] = field(repr=False)
    environment: Mapping[str, Any] = field(repr=False)
    recipe: Mapping[str, Any] = field(repr=False)

    @classmethod
    def from_json(cls, text: str) -> "HostResult":
        """A result from its JSON object. Raises UsageError when it is not one of this version."""
        data = json.loads(text)
        names = {column.name for column in fields(cls)}
        if not isinstance(data, dict) or data.keys() != names or data["schema"] != SCHEMA_VERSION:
            raise UsageError(f"not a result of the host, schema {SCHEMA_VERSION}; measure it again")
        data["placement"], data["disturbed"] = tuple(data["placement"]), tuple(data["disturbed"])
        data["means"] = Means(**data["means"])
        data["per_thread"] = tuple(
            HostThread(**{**row, "samples_ns": tuple(map(tuple, row["samples_ns"]))})
            for row in data["per_thread"]
        )
        return cls(**data)

    def to_dict(self) -> dict[str, Any]:
        """All columns as JSON would have them: plain dicts, lists and numbers."""
        whole: dict[str, Any] = plain(self)
        return whole

    def to_json(self) -> str:
        """One line of JSON; `from_json` reads it back."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def row(self) -> dict[str, int | float | str | bool | None]:
        """The columns of a table: all but the nested ones."""
        row = {name: getattr(self, name) for name in self.scalar_columns()}
        for name, between in _JOINED.items():
            row[name] = between.join(map(str, row[name]))
        return row

    @classmethod
    def scalar_columns(cls) -> list[str]:
        """The names of the columns of `row`, in order."""
        return [column.name for column in fields(cls) if column.name not in _NESTED]

    def to_series(self) -> "pd.Series[Any]":
        """The table row as a pandas Series. Raises ImportError where pandas is missing."""
        return to_series(self.row())
