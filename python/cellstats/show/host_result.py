"""A result measured on this computer, as text and HTML.

The text begins with the latency, followed by how far it can be trusted, its meaning and its
interval.
"""

from collections.abc import Iterable

from cellstats.core.quantities import format_bandwidth, format_latency, format_number
from cellstats.core.words import printable
from cellstats.host.disturbances import TRUST
from cellstats.host.environment import digest
from cellstats.host.hardware_counters import UNCOUNTED
from cellstats.host.host_result import HostResult, HostThread
from cellstats.show.html_parts import preformatted
from cellstats.show.result import head_html
from cellstats.show.tables import aligned

_LEAST = 0.001
"""Smallest number of events per operation that text distinguishes."""


def host_text(result: HostResult, *, verbose: bool = False) -> str:
    """The text of one result. `verbose` adds disturbances, threads, clock and environment."""
    lines = [format_latency(result.latency_ns)]
    if result.bandwidth_gb_s is not None:
        lines.append(format_bandwidth(result.bandwidth_gb_s))
    lines += [
        trust(result),
        spread(result),
        f"{result.means.operation}; {result.means.line_home}",
        counts(result),
    ]
    if verbose:
        lines += [f"disturbed: {reason}" for reason in result.disturbed]
        lines += ["", *_threads(result.per_thread), "", *_about(result)]
    return printable("\n".join(lines) + "\n")


def trust(result: HostResult) -> str:
    """A text line with the grade and its reason."""
    return TRUST[result.grade] + (f": {result.why}" if result.why else "")


def spread(result: HostResult) -> str:
    """A text line with the meaning of the latency, its interval and its extremes."""
    what = f"{result.means.latency}, median of {result.samples} samples"
    least, p99 = map(format_latency, (result.latency_ns_sample_min, result.latency_ns_p99))
    ends = f"least {least}, 99 % within {p99}"
    if result.latency_ns_ci_low is None or result.latency_ns_ci_high is None:
        return f"{what}: {ends}"
    low, high = map(format_latency, (result.latency_ns_ci_low, result.latency_ns_ci_high))
    return f"{what}: 95 % sure between {low} and {high} the next time, {ends}"


def counts(result: HostResult) -> str:
    """A text line with the events of an operation, or the reason why they were not counted."""
    cycles, instructions = result.cycles_per_operation, result.instructions_per_operation
    rate = instructions / cycles if instructions is not None and cycles else None
    named = (
        ("cycles", cycles),
        ("instructions", instructions),
        ("instructions per cycle", rate),
        ("LLC misses", result.llc_misses_per_operation),
        ("context switches", result.context_switches_per_operation),
    )
    numbers = [f"{name} {_short(number)}" for name, number in named if number is not None]
    parts = ["per operation: " + ", ".join(numbers)] if numbers else []
    if result.counters in UNCOUNTED:
        parts.append(f"no hardware counters: {'; '.join(UNCOUNTED[result.counters])}")
    elif result.counters == "user":
        parts.append("hardware events of user space only")
    return "; ".join(parts)


def _short(number: float) -> str:
    return f"< {_LEAST}" if 0 < number < _LEAST else format_number(number)


def _threads(threads: Iterable[HostThread]) -> list[str]:
    rows = [("thread", "CPU", "median", "bandwidth", "interrupted", "moved")]
    for each in threads:
        median, bandwidth = each.latency_ns, each.bandwidth_gb_s
        rows.append(
            (
                str(each.thread),
                str(each.cpu),
                "-" if median is None else format_latency(median),
                "-" if bandwidth is None else format_bandwidth(bandwidth),
                str(each.involuntary_switches),
                str(each.migrations),
            )
        )
    return aligned(rows).splitlines()


def _about(result: HostResult) -> list[str]:
    clock = result.clock
    lines = [
        digest(dict(result.environment)),
        f"clock {clock['source']}, {clock['hz'] / 1e6:.0f} MHz, "
        f"a reading costs {format_latency(clock['cost_ns'])}",
        f"{result.repetitions} repetitions, samples of "
        f"{result.means.iterations_per_sample} iterations, in all {format_latency(result.wall_ns)}",
    ]
    if result.working_set_bytes:
        lines.append(f"each thread walks over {result.working_set_bytes / 1024:.0f} KB")
    return lines


def host_html(of: HostResult) -> str:
    """Latency and bandwidth, the parameters, and the same text as printed by the command."""
    return "".join([*head_html(of, of.row()), preformatted(str(of))])
