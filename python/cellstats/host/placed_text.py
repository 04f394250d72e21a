"""A placement on this computer for people: the CPUs, what they gain, and how to use them."""

from collections.abc import Iterator

from cellstats.export.cpu_bindings import (
    as_cpu_list,
    as_gomp,
    as_numactl,
    as_openmp,
    as_rankfile,
    as_taskset,
)
from cellstats.host.cpu_placement import HostPlaced
from cellstats.host.result_text import disturbed_lines
from cellstats.host.tree import as_list
from cellstats.host.verification import Gain, Verification
from cellstats.measure.quantities import format_latency
from cellstats.text.tables import aligned


def placed_text(placed: HostPlaced) -> str:
    """A placement as text: CPUs, costs, the trial, remarks, and the CPU bindings."""
    lines = [
        f"--spes {as_cpu_list(placed.placement)}",
        "",
        f"{placed.pattern}, {placed.threads} thread{'s' * (placed.threads != 1)} "
        f"on CPUs {as_list(placed.cpus)}, by matrix",
        *(f"  {line}" for line in placed.matrices),
        "",
        *_costs(placed),
        "",
        _bound(placed),
        *placed.notes,
    ]
    if placed.verification is not None:
        lines += ["", *_tried(placed.verification)]
    lines += disturbed_lines(placed.disturbed)
    lines += ["", *_forms(placed)]
    return "\n".join(lines) + "\n"


def _costs(placed: HostPlaced) -> list[str]:
    def row(name: str, cost_ns: float) -> list[str]:
        return [name, format_latency(cost_ns), _more(cost_ns, placed.cost_ns)]

    rows = [
        ["", "all messages", "more"],
        ["found", format_latency(placed.cost_ns), ""],
        row("identity", placed.identity_ns),
        row("random, the mean", placed.random_ns),
        row("worst found", placed.worst_ns),
    ]
    return aligned(rows).splitlines()


def _more(cost_ns: float, than_ns: float) -> str:
    return f"{100 * (cost_ns / than_ns - 1):+.0f} %" if than_ns else ""


def _bound(placed: HostPlaced) -> str:
    if placed.gap < 0.001:
        return "By these costs no placement is better by 0.1 % or more."
    return f"By these costs no placement is more than {100 * placed.gap:.1f} % better."


def _tried(verification: Verification) -> Iterator[str]:
    rows = [["", "tried", "95 % sure between", "CPUs"]]
    for run in verification.runs:
        low, high = format_latency(run.time_ns_ci_low), format_latency(run.time_ns_ci_high)
        time, cpus = format_latency(run.time_ns), as_cpu_list(run.placement)
        rows.append([run.name, time, f"{low} and {high}", cpus])
    yield from aligned(rows).splitlines()
    yield from (_gain(each) for each in verification.gains)
    if not any(each.over == "identity" for each in verification.gains):
        yield "The placement found is identity: there was nothing to gain over it."


def _gain(gain: Gain) -> str:
    low, high = gain.ratio_ci_low, gain.ratio_ci_high
    interval = f"95 % sure between {low:.3f} and {high:.3f} times"
    if not gain.told:
        return f"Over {gain.over}: no difference that can be told ({interval})."
    word = "faster" if gain.ratio > 1 else "as fast, which is slower"
    return f"Over {gain.over}: {gain.ratio:.3f} times {word} ({interval})."


def _forms(placed: HostPlaced) -> Iterator[str]:
    placement = placed.placement
    yield "Each thread on its CPU:"
    yield f"  {as_gomp(placement)}"
    yield f"  {as_openmp(placement)}"
    yield from (f"  {line}" for line in as_rankfile(placement).splitlines())
    yield "These CPUs, threads in whatever order:"
    yield f"  {as_taskset(placement)}"
    yield f"  {as_numactl(placement, placed.nodes)}"
