"""A placement as text: its time beside those of others, and the loads that it relieves."""

from typing import TYPE_CHECKING

from cellstats.measure.quantities import format_bandwidth, format_latency
from cellstats.placement.best_placement import Placed
from cellstats.text.printable import printable
from cellstats.text.tables import aligned
from cellstats.text.terminal import BOLD, coloured

if TYPE_CHECKING:
    from cellstats.host.cpu_placement import HostPlaced


def placement_text(placed: "Placed | HostPlaced", *, colour: bool = False) -> str:
    """A placement on SPEs or on this computer's CPUs as text.

    colour: show in bold letters what was found.
    """
    if isinstance(placed, Placed):
        text = _of_spes(placed)
    else:
        from cellstats.host.placed_text import placed_text

        text = printable(placed_text(placed))
    return "".join(map(_bold_if_found, text.splitlines(keepends=True))) if colour else text


def _bold_if_found(line: str) -> str:
    is_found = line.startswith(("--placement ", "--spes ", "found "))
    return coloured(line.rstrip("\n"), BOLD) + "\n" if is_found else line


def _of_spes(placed: Placed) -> str:
    def row(name: str, time_ns: float) -> list[str]:
        moved = placed.bandwidth_gb_s * placed.time_ns / time_ns
        worse = f"{100 * (time_ns / placed.time_ns - 1):+.0f} %" if name != "found" else ""
        return [name, format_latency(time_ns), format_bandwidth(moved), worse]

    where = f"{placed.machine}" + (f", Cell {placed.cells}" if placed.cells in ("0", "1") else "")
    which = "all " if placed.all_placements else ""
    rows = [row("found", placed.time_ns)]
    rows += [row(name, ns) for name, ns in placed.affinities_ns.items() if name != "default"]
    rows += [
        row(f"random, mean of {placed.defaults}", placed.affinities_ns["default"]),
        row("random, the worst", placed.default_worst_ns),
    ]
    lines = [
        f"--placement {','.join(map(str, placed.placement))}",
        "",
        f"{placed.pattern}, {placed.threads} threads on {where}, by {placed.by}: "
        f"{which}{placed.evaluations} placements",
        "",
        aligned([["", "time", "bandwidth", "longer"], *rows]).rstrip("\n"),
        "",
        *_against_simulation(placed),
        f"No placement takes less than {format_latency(placed.bound_ns)}, "
        f"{100 * placed.gap:.0f} % less: for so long SPEs, memory or the interface are busy.",
    ]
    if placed.relieved:
        lines += ["", "Less to carry than with identity, in bytes:"]
        lines += [
            f"  {load.part}: {load.identity_bytes} -> {load.placed_bytes}"
            + (f" (phase {load.phase})" if placed.phases > 1 else "")
            for load in placed.relieved[:4]
        ]
    return printable("\n".join(lines) + "\n")


def _against_simulation(placed: Placed) -> list[str]:
    """What a simulation says of what was found."""
    by_model = placed.by == "model"
    if placed.simulated_ns is None or placed.unplaced_simulated_ns is None:
        too_many = "It is not simulated, because the pattern moves too many bytes for that."
        return [too_many, ""] if by_model else []
    found, unplaced = map(format_latency, (placed.simulated_ns, placed.unplaced_simulated_ns))
    if placed.rejected is not None:
        spes = ",".join(map(str, placed.rejected))
        return [
            f"By simulation {spes}, which the search found, takes {found}, and the order of the",
            f"machine's SPEs {unplaced}: that is better, and the answer.",
            "",
        ]
    takes = f"By simulation it takes {found}, and {unplaced} without --placement."
    return [takes, ""] if by_model else []
