"""A result measured on this computer, as text and HTML.

The text begins with the latency, followed by the meaning of the latency and its confidence
interval.
"""

from collections.abc import Iterable

from cellstats.core.quantities import format_bandwidth, format_latency
from cellstats.core.words import printable
from cellstats.host.environment import digest
from cellstats.host.host_result import HostResult, HostThread
from cellstats.show.by_type import html, text
from cellstats.show.html_parts import preformatted
from cellstats.show.result import head_html
from cellstats.show.tables import aligned


@text.register
def host_text(result: HostResult, *, verbose: bool = False) -> str:
    """The text of one result. `verbose` adds the threads, the clock and the environment."""
    lines = [format_latency(result.latency_ns)]
    if result.bandwidth_gb_s is not None:
        lines.append(format_bandwidth(result.bandwidth_gb_s))
    lines += [spread(result), f"{result.means.operation}; {result.means.line_home}"]
    lines += disturbed_lines(result.disturbed)
    if verbose:
        lines += ["", *_threads(result.per_thread), "", *_about(result)]
    return printable("\n".join(lines) + "\n")


def spread(result: HostResult) -> str:
    """A text line with the meaning of the latency and its confidence interval."""
    low, high, least, p99 = (
        format_latency(value)
        for value in (
            result.latency_ns_ci_low,
            result.latency_ns_ci_high,
            result.latency_ns_sample_min,
            result.latency_ns_p99,
        )
    )
    return (
        f"{result.means.latency}, median of {result.samples} samples: 95 % sure between {low} "
        f"and {high}, least {least}, 99 % within {p99}"
    )


def disturbed_lines(reasons: Iterable[str]) -> list[str]:
    """A text line for each reason why the measurement counts as disturbed."""
    return [f"disturbed: {reason}" for reason in reasons]


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


@html.register
def _html(of: HostResult) -> str:
    """Latency and bandwidth, the parameters, and the same text as printed by the command."""
    return "".join([*head_html(of), preformatted(str(of))])
