"""Hardware counters beside the times of a measurement, and the reasons why there may be none.

The threads count in one more sample of each repetition, which is not timed. Counting therefore does
not change the times.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Uncounted(NamedTuple):
    """A reason why hardware events are not counted."""

    says: str
    """How a result names it."""
    mend: str
    """What a user can do about it."""


UNCOUNTED: Mapping[str, Uncounted] = {
    "no events": Uncounted(
        "this computer shows none",
        "in a virtual machine, have the hypervisor pass a PMU to the guest",
    ),
    "not allowed": Uncounted(
        "the kernel allows them for privileged processes only",
        "sudo sysctl kernel.perf_event_paranoid=1 (or 2, for user space only)",
    ),
    "filtered": Uncounted(
        "a filter of system calls forbids them",
        "allow perf_event_open in the container (docker run --cap-add PERFMON)",
    ),
    "no system call": Uncounted(
        "the kernel lacks perf_event_open", "use a kernel with CONFIG_PERF_EVENTS"
    ),
    "in use": Uncounted(
        "they are in use",
        "end other profilers (perf, VTune), and: sudo sysctl kernel.nmi_watchdog=0",
    ),
    "failed": Uncounted(
        "the kernel opened none",
        "raise the limit of open files (ulimit -n), and end other profilers",
    ),
    "older version": Uncounted("measured by an older version", "measure it again"),
}
"""The values of the column `counters` that are reasons; all others say what is counted."""
EVENTS = ("cycles", "instructions", "llc_misses")
"""The counted events, by the names of their columns."""


def thread_counts(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The columns of a thread: its events in the counted samples of all repetitions.

    rows: the thread's part of each answer of `_native.host_measure`.
    """
    counted = [row["counts"] for row in rows if row["counts"] is not None]
    totals = {event: _total(counted, event) for event in EVENTS}
    return {"counted_operations": _total(counted, "operations") or 0, **totals}


def _total(counted: Sequence[Mapping[str, Any]], name: str) -> int | None:
    counts = [each[name] for each in counted]
    return None if not counts or None in counts else sum(counts)


def counter_columns(answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The columns of a result: events per operation, mean over the threads that measure."""
    rows = [row for answer in answers for row in answer["threads"] if row["samples_ns"]]
    counts, counters = thread_counts(rows), answers[0]["counters"]
    if counters not in UNCOUNTED and not counts["counted_operations"]:
        counters = "in use"
    switches = sum(row["involuntary_switches"] + row["voluntary_switches"] for row in rows)
    return {
        "counters": counters,
        **{per_operation(event): _share(counts, event) for event in EVENTS},
        "context_switches_per_operation": switches / sum(row["operations"] for row in rows),
    }


def per_operation(event: str) -> str:
    """The column that has a result's number of these events per operation."""
    return f"{event}_per_operation"


def _share(counts: Mapping[str, Any], event: str) -> float | None:
    number: int | None = counts[event]
    return None if number is None else number / counts["counted_operations"]
