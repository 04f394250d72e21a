"""The parts of a result that are objects: latencies, settling, offered load, SPEs and threads."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cellstats.core.plain import plain


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of a histogram."""

    # written by workshop/tidy.py: columns of a bin
    from_ns: float
    """Lower end of the bar, inclusive."""
    to_ns: float
    """Upper end of the bar, exclusive."""
    count: int
    """Number of DMAs."""
    # end of columns of a bin


@dataclass(frozen=True, slots=True)
class Latencies:
    """Latencies of single DMAs, each from the command until the tag status shows completion."""

    # written by workshop/tidy.py: columns of latencies
    count: int
    """Number of DMAs."""
    min_ns: float
    """Shortest latency."""
    median_ns: float
    """Median: half of the DMAs took longer."""
    mean_ns: float
    """Average latency."""
    p99_ns: float
    """99th percentile: one DMA in a hundred took longer."""
    max_ns: float
    """Longest latency."""
    bins: tuple[Bin, ...]
    """The histogram: bins of equal width, the same for all SPEs, without empty bins."""
    # end of columns of latencies

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None) -> "Latencies | None":
        """Read latencies from their JSON object; returns None for None."""
        if data is None:
            return None
        return cls(**{**data, "bins": tuple(Bin(**row) for row in data["bins"])})


@dataclass(frozen=True, slots=True)
class Settling:
    """What a measurement with `settle` found out about its loops."""

    # written by workshop/tidy.py: columns of settling
    outcome: str
    """`settled`: the pace settled, and most of the loops is extrapolated; `unsettled`: the pace did
    not settle, and the loops were run in full; `exact`: the loops were run in full, or skipped in
    periods that repeat exactly."""
    settled_after_ns: float | None
    """Time from the first start of a measured loop until the pace had settled; None unless it
    settled."""
    start_up_ns: float | None
    """Time that start-up and end of the loops took beyond the time of all iterations at the settled
    pace; None unless the pace settled."""
    first_quarter_gb_s: float | None
    """Bandwidth in the first quarter of the loops; None unless the loops are unsettled and move
    data."""
    last_quarter_gb_s: float | None
    """Bandwidth in the last quarter of the loops; None unless the loops are unsettled and move
    data."""
    # end of columns of settling

    def columns(self) -> dict[str, str | float | None]:
        """The columns of a table; `settling` is the outcome."""
        return {
            "settling" if name == "outcome" else name: value for name, value in plain(self).items()
        }


@dataclass(frozen=True, slots=True)
class OfferedLoad:
    """The load of a measurement with `rate`."""

    # written by workshop/tidy.py: columns of offered load
    rate: float
    """Rate at which each SPE was offered DMAs, as a share of what its port carries in each
    direction of the DMAs."""
    injection: str
    """When the DMAs were offered: `periodic`, `bernoulli` or `bursts`."""
    offered_gb_s: float
    """Bandwidth that was offered to all SPEs in the measured window; `bandwidth_gb_s` is what was
    accepted."""
    saturated: bool
    """Whether the machine is saturated: it accepted less than 98 % of the load, so that the
    latencies grow with the length of the window."""
    # end of columns of offered load


@dataclass(frozen=True, slots=True)
class SpeResult:
    """The measurement of one SPE."""

    # written by workshop/tidy.py: columns of an spe
    thread: int
    """Number of the SPE's thread, from 0."""
    spe: int
    """Physical SPE that the thread ran on."""
    ticks: int
    """Length of the measured loop in ticks of the SPE's decrementer, or of the time base if the PPE
    measured."""
    latency_ns: float
    """Average time of an iteration."""
    bandwidth_gb_s: float | None
    """Bytes of an iteration divided by its time, GB = 10^9 bytes; None if no data moves. With a
    `rate`, the accepted part of the load."""
    dma_latency: Latencies | None
    """Latencies of the SPE's DMAs; None unless `histogram` was asked for, or a `rate`."""
    # end of columns of an spe


@dataclass(frozen=True, slots=True)
class ThreadResult:
    """The measurement of one thread of the PPE."""

    # written by workshop/tidy.py: columns of a thread
    thread: int
    """Number of the PPE thread, 0 or 1."""
    ticks: int
    """Length of the measured loop in ticks of the time base."""
    latency_ns: float
    """Average time of an access; in a copy, of a load and a store together."""
    bandwidth_gb_s: float | None
    """Bytes of an access divided by its time, GB = 10^9 bytes: in a copy, loaded and stored bytes;
    at `l1l2`, whole lines."""
    # end of columns of a thread
