"""Results of measurements on this computer; the names of columns contain their units.

Columns with the same meaning as in `cellstats.Result` have the same names, with cores in place of
SPEs. docs/host-results.md explains all columns; schema/host-result-2.json describes them for
programs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from cellstats._native import UsageError
from cellstats.core.shape import check, parsed
from cellstats.host.hardware_counters import EVENTS, per_operation
from cellstats.measure.result import Measured

SCHEMA_VERSION = 2
# Version 1 had intervals for the samples of one measurement, which say nothing of the next.
_FROM_SCHEMA_1 = {
    "grade": "do not use",
    "why": "measured by an older version",
    "counters": "older version",
    **dict.fromkeys(map(per_operation, (*EVENTS, "context_switches"))),
}
_THREAD_FROM_SCHEMA_1 = {"counted_operations": 0, **dict.fromkeys(EVENTS)}


@dataclass(frozen=True, slots=True)
class Means:
    """The meaning of a result's latencies."""

    operation: str
    """Description of one iteration, in one line."""
    latency: str
    """`round trip`, `per operation`, or, if asked for, `one way` by the clocks of two CPUs."""
    line_home: str
    """Location of the cache lines or the memory that the threads use."""
    bytes_per_iteration: int | None
    """Number of bytes that a thread reads and writes in an iteration, or None if no data moves."""
    iterations_per_sample: int
    """Number of iterations in one sample; a sample is the average time of these iterations."""


@dataclass(frozen=True, slots=True)
class HostThread:
    """The measurements of one thread."""

    thread: int
    """Number of the thread, counted from 0."""
    cpu: int
    """Number of the thread's CPU in the operating system."""
    latency_ns: float | None
    """Median of the medians of the repetitions, or None for threads that only reply or hold a
    buffer."""
    latency_ns_mean: float | None
    """Mean of the thread's samples, or None if the median is None."""
    bandwidth_gb_s: float | None
    """Bytes of an iteration per median time, or of a thread in the background, moved bytes per time
    (GB = 10^9 bytes); None if no data moves."""
    involuntary_switches: int
    """Context switches that interrupted the thread."""
    voluntary_switches: int
    """Context switches that occurred because the thread slept."""
    migrations: int
    """Migrations to another CPU."""
    minor_faults: int
    """Page faults without I/O."""
    counted_operations: int
    """Number of operations whose hardware events were counted, in samples that were not timed."""
    cycles: int | None
    """Cycles of the core in these operations, or None if they were not counted."""
    instructions: int | None
    """Completed instructions in these operations, or None if they were not counted."""
    llc_misses: int | None
    """Misses of the last-level cache in these operations, or None if they were not counted."""
    samples_ns: tuple[tuple[float, ...], ...]
    """Samples of each repetition; a sample is the average time of its iterations."""


@dataclass(frozen=True, slots=True)
class HostResult(Measured):
    """One measurement on this computer; every attribute is a column."""

    _kind = "host result"
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
    """Whether each core has its own buffer or variable (True) or all cores share one (False)."""
    spe_to_spe: bool
    """True if a mailbox or signal goes through memory only, or if a DMA uses another core's
    cache."""
    size_bytes: int | None
    """Size of a copy, a list or array element, or the longest message; otherwise None."""
    op: str | None
    """Direction of a pattern's copies (`get`, `put` or `copy`), or None for other functions."""
    target: str | None
    """Target of a hotspot (`memory` or a thread's number), or None for other functions."""
    level: str | None
    """Level that load, store and copy access (`l1`, `l2`, `l3`, `memory`), or None."""
    working_set_bytes: int
    """Size of each thread's working set; 0 without a working set."""
    chase: str | None
    """Order of a chase (`lines` or `pages`), or None for independent accesses."""
    pages: str | None
    """Requested pages of working sets (`small` or `huge`), or None without a request."""
    reads_per_write: int | None
    """Elements that a copy reads for each one that it writes, or None for functions other than
    copy."""
    background: str | None
    """What all threads but thread 0 do during a chase (`load`, `store` or `copy`), or how thread 1
    held the working set before (`clean` or `dirty`), or None."""
    rate_gb_s: float | None
    """Requested bandwidth of the threads in the background together, or None without a request."""
    pattern: str | None
    """Name of an exchange's pattern, or None for other functions."""
    list_elements: int | None
    """Number of elements in one DMA list, or None without DMA lists."""
    stride_bytes: int | None
    """Distance between the starts of private buffers or variables, or None if they are shared."""
    batch: int | None
    """Copies between waits (0 = one wait at the end), or None for functions without copies."""
    path: str | None
    """Path of mailbox and signal (`futex`, `eventfd`, `pipe`, `memory`, `lines`, `oneway`), or None
    without a path."""
    signal_mode: str | None
    """Effect of a signal (`overwrite` or `or`), or None for functions other than signal."""
    non_temporal: bool
    """Whether stores bypassed the caches."""
    iterations: int
    """Number of measured iterations of each thread, in all samples together."""
    samples: int
    """Number of samples in all repetitions together."""
    repetitions: int
    """Number of repetitions, each with its own threads and buffers."""
    memory: str | None
    """Requested NUMA node (or `interleave`), or None without a request."""
    placement: tuple[int, ...]
    """CPU of each thread."""
    latency_ns: float
    """Median of the repetitions' medians; each sample is the mean over the threads."""
    latency_ns_min: float
    """Median of the fastest thread."""
    latency_ns_max: float
    """Median of the slowest thread."""
    latency_ns_mean: float
    """Mean of all samples; unlike the median, this value includes time lost to interruptions."""
    latency_ns_ci_low: float | None
    """Lower end of the 95 % interval for `latency_ns` of another measurement, or None if there are
    fewer than six repetitions and no similar measurements."""
    latency_ns_ci_high: float | None
    """Upper end of the 95 % interval, or None without an interval."""
    latency_ns_sample_min: float
    """Shortest of all samples of all threads."""
    latency_ns_p99: float
    """99th percentile of the samples."""
    bandwidth_gb_s: float | None
    """Sum of the threads' bandwidths (GB = 10^9 bytes), or None if no data moves. In a chase, only
    threads in the background have a bandwidth."""
    counters: str
    """Where hardware events were counted (`user and kernel` or `user`), or why they were not."""
    cycles_per_operation: float | None
    """Cycles of the core, mean over the threads that measure, or None if they were not counted."""
    instructions_per_operation: float | None
    """Completed instructions, or None if they were not counted."""
    llc_misses_per_operation: float | None
    """Misses of the last-level cache, or None if they were not counted."""
    context_switches_per_operation: float | None
    """Sleeps and interruptions of these threads, or None if an older version measured."""
    wall_ns: int
    """Duration of the whole measurement."""
    grade: str
    """How far `latency_ns` can be trusted: a key of `disturbances.GRADES`, from `1 %` to `do not
    use`."""
    why: str
    """What limits the grade, in a clause; empty if nothing was noticed."""
    disturbed: tuple[str, ...]
    """Disturbances that were noticed, whether or not they limit the grade."""
    means: Means
    """The meaning of the latencies."""
    clock: Mapping[str, Any] = field(repr=False)
    """Source and rate of the clock, and the cost of reading it."""
    per_thread: tuple[HostThread, ...] = field(repr=False)
    """One row for each thread."""
    environment: Mapping[str, Any] = field(repr=False)
    """The environment, from `read_environment`."""
    recipe: Mapping[str, Any] = field(repr=False)
    """The request: version, function and parameters."""

    @property
    def half_interval(self) -> float | None:
        """Half of the interval's width as a share of `latency_ns`, or None without an interval."""
        if self.latency_ns_ci_low is None or self.latency_ns_ci_high is None or not self.latency_ns:
            return None
        return (self.latency_ns_ci_high - self.latency_ns_ci_low) / 2 / self.latency_ns

    @classmethod
    def from_json(cls, text: str) -> "HostResult":
        """Read a result from its JSON object. Raises UsageError for other data or schemas."""
        data = parsed(text, "a result of the host")
        names = {column.name for column in fields(cls)}
        older: dict[str, Any] = {}
        if isinstance(data, dict) and data.get("schema") == 1:
            older = _THREAD_FROM_SCHEMA_1
            data = {**_FROM_SCHEMA_1, **data, "schema": SCHEMA_VERSION}
        if not isinstance(data, dict) or data.keys() != names or data["schema"] != SCHEMA_VERSION:
            raise UsageError(f"not a result of the host, schema {SCHEMA_VERSION}; measure it again")
        if older and isinstance(data["per_thread"], list):
            rows = data["per_thread"]
            data["per_thread"] = [older | row if isinstance(row, dict) else row for row in rows]
        check(data, cls, "a result of the host")
        data["placement"], data["disturbed"] = tuple(data["placement"]), tuple(data["disturbed"])
        data["means"] = Means(**data["means"])
        data["per_thread"] = tuple(
            HostThread(**{**row, "samples_ns": tuple(map(tuple, row["samples_ns"]))})
            for row in data["per_thread"]
        )
        return cls(**data)
