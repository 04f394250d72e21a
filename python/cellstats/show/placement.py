"""A placement as text and HTML: its time, the times of other placements, and forms for programs."""

from collections.abc import Iterator, Sequence

from cellstats.core.quantities import format_bandwidth, format_latency
from cellstats.core.terminal import BOLD, coloured, width
from cellstats.core.words import printable
from cellstats.host.cpu_bindings import as_cpu_list as as_cpu_list
from cellstats.host.cpu_bindings import as_gomp as as_gomp
from cellstats.host.cpu_bindings import as_numactl as as_numactl
from cellstats.host.cpu_bindings import as_openmp as as_openmp
from cellstats.host.cpu_bindings import as_rankfile as as_rankfile
from cellstats.host.cpu_bindings import as_taskset as as_taskset
from cellstats.host.cpu_placement import HostPlaced
from cellstats.host.topology import as_list
from cellstats.host.verification import Gain, Verification
from cellstats.measure.best_placement import Placed
from cellstats.placement.folding import Grouping
from cellstats.show.html_parts import picture as small_picture
from cellstats.show.html_parts import preformatted
from cellstats.show.tables import aligned


def placed_text(placed: HostPlaced) -> str:
    """A placement on CPUs as text: costs, measured trial runs, remarks, and CPU bindings."""
    lines = [
        f"--spes {as_cpu_list(placed.placement)}",
        "",
        f"{placed.pattern}, {_threads(placed)} on CPUs {as_list(placed.cpus)}, by matrix",
        *(f"  {line}" for line in placed.matrices),
        *_grouped(placed.groups, placed.placement, "CPU"),
        "",
        *_costs(placed),
        "",
        _bound(placed),
        *placed.notes,
    ]
    if placed.verification is not None:
        lines += ["", *_tried(placed.verification)]
    lines += [f"caution: {reason}" for reason in placed.disturbed]
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
    if placed.in_blocks_ns is not None:
        rows.append(row("blocks", placed.in_blocks_ns))
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
        yield "The found placement is identity, so there is no gain over identity."


def _gain(gain: Gain) -> str:
    low, high = gain.ratio_ci_low, gain.ratio_ci_high
    interval = f"95 % sure between {low:.3f} and {high:.3f} times"
    if not gain.told:
        return f"Over {gain.over}: no significant difference ({interval})."
    word = "faster" if gain.ratio > 1 else "as fast, which is slower"
    return f"Over {gain.over}: {gain.ratio:.3f} times {word} ({interval})."


def _forms(placed: HostPlaced) -> Iterator[str]:
    placement = placed.cpu_of_threads
    yield "Each thread on its CPU:"
    yield f"  {as_gomp(placement)}"
    yield f"  {as_openmp(placement)}"
    yield from (f"  {line}" for line in as_rankfile(placement).splitlines())
    yield "These CPUs, threads in any order:"
    yield f"  {as_taskset(placement)}"
    yield f"  {as_numactl(placement, placed.nodes)}"


def placement_text(placed: Placed | HostPlaced, *, colour: bool = False) -> str:
    """A placement on SPEs or on this computer's CPUs as text.

    colour: show the found placement in bold letters.
    """
    text = _of_spes(placed) if isinstance(placed, Placed) else printable(placed_text(placed))
    return "".join(map(_bold_if_found, text.splitlines(keepends=True))) if colour else text


def _bold_if_found(line: str) -> str:
    # A terminal folds lines that are too long for it, but none that contains colours.
    fits = len(line.rstrip()) <= (width() or len(line))
    is_found = line.startswith(("--placement ", "--spes ", "found ")) and fits
    return coloured(line.rstrip("\n"), BOLD) + "\n" if is_found else line


def _of_spes(placed: Placed) -> str:
    where = f"{placed.machine}" + (f", Cell {placed.cells}" if placed.cells in ("0", "1") else "")
    which = "all " if placed.all_placements else ""
    lines = [
        f"--placement {','.join(map(str, placed.placement))}",
        "",
        f"{placed.pattern}, {_threads(placed)} on {where}, by {placed.by}: "
        f"{which}{placed.evaluations} placements",
        "",
        aligned(_times(placed)).rstrip("\n"),
        "",
        *_against_simulation(placed),
        f"No placement takes less than {format_latency(placed.bound_ns)}, "
        f"{100 * placed.gap:.0f} % less: SPEs, memory or the interface are busy for that time.",
        *_grouped(placed.groups, placed.placement, "SPE"),
    ]
    if placed.relieved:
        lines += ["", "Reduced loads in bytes, from identity to this placement:"]
        lines += [
            f"  {load.part}: {load.identity_bytes} -> {load.placed_bytes}"
            + (f" (phase {load.phase})" if placed.phases > 1 else "")
            for load in placed.relieved[:4]
        ]
    return printable("\n".join(lines) + "\n")


def _threads(placed: Placed | HostPlaced) -> str:
    if placed.groups is None:
        return f"{placed.threads} thread{'s' * (placed.threads != 1)}"
    return f"{sum(map(len, placed.groups.threads))} threads in {placed.threads} groups"


def _grouped(groups: Grouping | None, cores: Sequence[int], named: str) -> list[str]:
    """Text lines with the threads that share each core, and an empty line before them."""
    if groups is None:
        return []
    inside, blocks = (f"{100 * each:.0f} %" for each in (groups.inside, groups.inside_blocks))
    return [
        "",
        f"Threads of each {named}; {inside} of the bytes stay inside, {blocks} in blocks:",
        *(
            f"  {named} {core}: {as_list(threads)}"
            for core, threads in sorted(zip(cores, groups.threads, strict=True))
        ),
    ]


def _times(placed: Placed) -> list[list[str]]:
    """A table of times. If the placement was found by the model, a second time is simulated."""
    simulated = placed.affinities_simulated_ns
    best_ns = placed.answer_simulated_ns or placed.time_ns

    def row(name: str, ns: float, judged_ns: float | None) -> list[str]:
        both = [format_latency(ns)]
        if simulated:
            both.append("" if judged_ns is None else format_latency(judged_ns))
        if judged_ns is None:
            return [name, *both, "", ""]
        moved = format_bandwidth(placed.placed_pattern.total_bytes / judged_ns)
        worse = f"{100 * (judged_ns / best_ns - 1):+.0f} %" if name != "found" else ""
        return [name, *both, moved, worse]

    def judged(name: str, ns: float) -> float | None:
        return simulated.get(name) if simulated else ns

    named = {name: ns for name, ns in placed.affinities_ns.items() if name != "default"}
    named[f"random, mean of {placed.defaults}"] = placed.affinities_ns["default"]
    named["random, the worst"] = placed.default_worst_ns
    rows = [row(name, ns, judged(name, ns)) for name, ns in named.items()]
    if placed.in_blocks_ns is not None:
        longer = f"{100 * (placed.in_blocks_ns / best_ns - 1):+.0f} %"
        blanks = [""] if simulated else []
        rows.append(["blocks", *blanks, format_latency(placed.in_blocks_ns), "", longer])
    times = ["by the model", "simulated"] if simulated else ["time"]
    return [
        ["", *times, "bandwidth", "longer"],
        row("found", placed.time_ns, best_ns),
        *rows,
    ]


def _against_simulation(placed: Placed) -> list[str]:
    """Text lines about the simulation of the found placement."""
    if placed.simulated_ns is None or placed.unplaced_simulated_ns is None:
        too_many = "The placement is not simulated, because the pattern moves too many bytes."
        return [too_many, ""] if placed.by == "model" else []
    found, unplaced = map(format_latency, (placed.simulated_ns, placed.unplaced_simulated_ns))
    if placed.rejected is not None:
        spes = ",".join(map(str, placed.rejected))
        return [
            f"By simulation {spes}, which the search found, takes {found}, longer than the answer,",
            "which is the fastest of the named placements and the order of the machine's SPEs.",
            "",
        ]
    without = f"Without --placement, it takes {unplaced} by simulation."
    return [without, ""] if placed.by == "model" else []


def placement_html(of: Placed | HostPlaced) -> str:
    """A picture of the threads on the rings, if there are rings, and the command's text."""
    text = preformatted(str(of))
    if not isinstance(of, Placed):
        return text
    return small_picture(of.plot, f"threads of {of.pattern} on the rings") + text
