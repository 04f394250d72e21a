"""A placement on this computer's CPUs as a picture."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cellstats.draw.computer_figure import computer_figure
from cellstats.host.computer import computer
from cellstats.host.cpu_placement import HostPlaced, MatrixLike, is_of
from cellstats.host.host_machine import HostMachine
from cellstats.host.message_costs import traffic
from cellstats.placement.pattern_choice import PatternLike
from cellstats.placement.pattern_choice import pattern as find_pattern
from cellstats.refusal import refusal

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check_here(matrices: Sequence[MatrixLike]) -> None:
    """Raise UsageError where a matrix is of another computer, which cannot be drawn."""
    host = HostMachine()
    if not all(is_of(host, each) for each in matrices):
        raise refusal("{plot} draws this computer, and {matrices} is of another one; leave it out")


def placed_figure(
    placed: HostPlaced,
    pattern: PatternLike,
    size: int | str | None = None,
    host: HostMachine | None = None,
) -> "Figure":
    """The computer with the threads on their CPUs, and arrows for the messages between them.

    pattern, size: as for `cellstats.place`, which made the placement.
    """
    here = host or HostMachine()
    _, bytes_ = traffic(find_pattern(pattern, placed.threads, size))
    messages = [
        (placed.placement[source], placed.placement[destination], total)
        for source, row in enumerate(bytes_)
        for destination, total in enumerate(row)
        if total
    ]
    listed = ",".join(map(str, placed.placement))
    threads = {cpu: thread for thread, cpu in enumerate(placed.placement)}
    title = f"{placed.pattern} on host: CPUs {listed}"
    return computer_figure(computer(here.tree, here.topology), title, threads, messages)
