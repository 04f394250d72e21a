"""Results of measurements on this computer, their columns carrying their units.

Columns that mean the same as those of `cellstats.Result` have the same names; a core takes the
place of an SPE. docs/host-results.md has all of them in words, schema/host-result-1.json
for programs.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from cellstats._native import UsageError
from cellstats.measure.result import Measured

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Means:
    """What the latencies of a result measure."""

    operation: str
    """One iteration, described in a line."""
    latency: str
    """`round trip` or `per operation`; never one way, for which two clocks would have to agree."""
    line_home: str
    """Location of the cache lines or the memory that the threads use."""
    bytes_per_iteration: int | None
    """Bytes that one thread reads and writes; None where no data moves."""
    iterations_per_sample: int
    """Iterations that one sample is the average of."""


@dataclass(frozen=True, slots=True)
class HostThread:
    """What one thread measured."""

    thread: int
    """Its number, from 0 on."""
    cpu: int
    """CPU it was pinned to, as the operating system numbers them."""
    latency_ns: float | None
    """Median of its samples; None for threads that only answer or hold a buffer."""
    latency_ns_mean: float | None
    """Mean of its samples; None as above."""
    bandwidth_gb_s: float | None
    """Bytes of an iteration over the median, GB = 10^9 bytes; None where no data moves."""
    involuntary_switches: int
    """Context switches by which it was interrupted."""
    voluntary_switches: int
    """Context switches by which it slept."""
    migrations: int
    """Moves to another CPU."""
    minor_faults: int
    """Page faults without I/O."""
    samples_ns: tuple[tuple[float, ...], ...]
    """Samples of each repetition: the time of a sample's iterations, over their number."""


@dataclass(frozen=True, slots=True)
class HostResult(Measured):
    """One measurement on this computer; every attribute is a column."""

    _nested = frozenset({"means", "clock", "per_thread", "environment", "recipe"})
    _joined = {"placement": ",", "disturbed": "; "}  # noqa: RUF012

    schema: int
    """Version of these columns."""
    function: str
    """The FUNCTION that was measured, such as `dmaget`."""
    machine: str
    """`host`."""
    spes: int
    """Number of cores that took part."""
    private: bool
    """A buffer or variable for each core (True) or one for all (False)."""
    spe_to_spe: bool
    """Between cores: through memory only, or with a buffer in another core's cache."""
    size_bytes: int | None
    """Size of one copy, list element, element or longest message; None where none has a size."""
    op: str | None
    """Direction of a pattern's copies: `get`, `put` or `copy`; None for other functions."""
    target: str | None
    """What was hot in a hotspot: `memory`, or a thread's number; None for other functions."""
    level: str | None
    """`l1`, `l2`, `l3` or `memory`; None for functions other than load, store and copy."""
    working_set_bytes: int
    """Bytes that each thread walks over; 0 where it walks over none."""
    pattern: str | None
    """Name of an exchange's pattern; None for other functions."""
    list_elements: int | None
    """Elements of one list; None where no lists are used."""
    stride_bytes: int | None
    """Between the starts of private buffers or variables; None where they are shared."""
    batch: int | None
    """Copies between two waits, 0 = one wait at the end; None for what is not a copy."""
    path: str | None
    """`futex`, `eventfd`, `pipe` or `memory`; None for functions other than mailbox and signal."""
    signal_mode: str | None
    """`overwrite` or `or`; None for other functions than signal."""
    non_temporal: bool
    """Whether stores went past the caches."""
    iterations: int
    """Measured iterations of each thread, in all samples."""
    samples: int
    """Samples, in all repetitions."""
    repetitions: int
    """Repetitions, each with threads and buffers of its own."""
    memory: str | None
    """NUMA node that was asked for, or `interleave`; None if none was."""
    placement: tuple[int, ...]
    """CPU of each thread."""
    latency_ns: float
    """Median over the samples, of the mean of the threads."""
    latency_ns_min: float
    """Median of the fastest thread."""
    latency_ns_max: float
    """Median of the slowest thread."""
    latency_ns_mean: float
    """Mean over the samples; unlike the median, it includes time lost to interruptions."""
    latency_ns_ci_low: float
    """Lower end of the median's 95 % confidence interval."""
    latency_ns_ci_high: float
    """Upper end of the median's 95 % confidence interval."""
    latency_ns_sample_min: float
    """Shortest of all samples of all threads."""
    latency_ns_p99: float
    """One sample in a hundred took longer."""
    bandwidth_gb_s: float | None
    """Sum over the threads, by their medians, GB = 10^9 bytes; None where no data moves."""
    wall_ns: int
    """Duration of the whole measurement."""
    disturbed: tuple[str, ...]
    """Reasons to distrust the numbers; empty if nothing was noticed."""
    means: Means
    """What the latencies measure."""
    clock: Mapping[str, Any] = field(repr=False)
    """The clock that was read, its rate, and the cost of a reading."""
    per_thread: tuple[HostThread, ...] = field(repr=False)
    """A row for each thread."""
    environment: Mapping[str, Any] = field(repr=False)
    """What the operating system says of the computer."""
    recipe: Mapping[str, Any] = field(repr=False)
    """What was asked for: version, function, parameters."""

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
