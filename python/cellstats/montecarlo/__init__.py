"""A larger program: Monte Carlo transport of particles, similar to the application in sudheer2009.

Each SPE tracks random walkers. Walkers move between neighbours to balance the load, so most
communication is between local stores. `cellstats.montecarlo.walkers` moves walkers.
`cellstats.montecarlo.worker` is the program of one thread. This module runs all threads and
measures the time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cellstats._native import UsageError
from cellstats.core.quantities import parse_count, parse_spes
from cellstats.core.words import did_you_mean
from cellstats.measure.machine import Machine, find_simulated
from cellstats.montecarlo.walkers import WALKER_BYTES, Tallies, plain
from cellstats.montecarlo.worker import EXCHANGES, ROOM, Report, Task, thread_program
from cellstats.spu.ppe import Ppe
from cellstats.spu.simulation import run as run_programs

__all__ = ["Outcome", "Tallies", "plain", "run"]

# Default number of walkers for each thread.
# If each neighbour sends a third of its walkers, a local store is nearly full.
_WALKERS = 900
# A score has 32 bits and grows by about 2^9 in a step, so 1000 steps cannot overflow it.
_STEPS_MAX = 1000


@dataclass(frozen=True)
class Outcome:
    """Tallies and times of a run."""

    tallies: Tallies
    """Sum of all threads' tallies, equal to the result of `plain` with the same parameters."""
    communication_ns: float
    """Total time of all exchanges, each from a barrier until the slowest thread has sent and
    received.

    The time does not include the SPU time for compacting the received walkers.
    """
    total_ns: float
    """Time from the first barrier to the last barrier."""
    moved_walkers: int
    """Number of walkers sent between threads. A walker is counted each time it is sent."""
    moved_bytes: int
    """Bytes of these walkers."""
    received_walkers: int
    """Number of walkers received; equal to `moved_walkers`."""
    loads: tuple[tuple[int, ...], ...]
    """Number of walkers in each thread, before each exchange and at the end."""

    def columns(self) -> dict[str, Any]:
        """The columns of a table."""
        return {
            "communication_ns": self.communication_ns,
            "total_ns": self.total_ns,
            "moved_walkers": self.moved_walkers,
            "moved_bytes": self.moved_bytes,
            "walkers_at_end": sum(self.loads[-1]),
            "heaviest_load": max(max(step) for step in self.loads),
        }


def run(
    machine: Machine | str,
    placement: Sequence[int] | str | None = None,
    *,
    spes: int | None = None,
    walkers: int | str | None = None,
    steps: int | str = 8,
    seed: int = 0,
    exchange: str = "shares",
) -> Outcome:
    """Run the program on a machine.

    placement: the physical SPE of each thread, as a list or a text like "0,8-15"; by default, the
        machine's default order.
    spes: number of threads; by default, the length of the placement. Without a placement, the
        default is 8, or all SPEs of a smaller machine.
    walkers: number of walkers at the start, spread evenly over the slab. Each thread starts with
        the walkers of one part of the slab. The default of 900 walkers for each thread leaves room
        for received walkers.
    steps: flights of each walker, with an exchange after each flight.
    seed: chooses the histories of the walkers.
    exchange: `shares` or `differences`; see `cellstats.montecarlo.worker.EXCHANGES`.

    Raises UsageError for invalid parameters, and if a thread has no room for its walkers.

    >>> one = run("ps3", walkers=96, steps=3)
    >>> one.tallies == plain(96, 3), one.moved_walkers == one.received_walkers
    (True, True)
    """
    found = find_simulated(machine)
    if exchange not in EXCHANGES:
        hint = did_you_mean(str(exchange), list(EXCHANGES))
        raise UsageError(f"unknown exchange {exchange!r}; {hint}")
    listed = _placement(found, placement, spes)
    task = Task(
        placement=listed,
        walkers=_WALKERS * len(listed) if walkers is None else parse_count(walkers, "walkers"),
        steps=parse_count(steps, "steps"),
        seed=parse_count(seed, "seed", 0),
        exchange=exchange,
    )
    if task.steps > _STEPS_MAX:
        raise UsageError(f"steps {task.steps} are too many; give up to {_STEPS_MAX}")
    if -(-task.walkers // task.threads) > ROOM:
        raise UsageError(
            f"walkers {task.walkers} are too many for {task.threads} SPEs; "
            f"give up to {ROOM * task.threads}, and less if threads exchange many"
        )
    return _outcome(found, _run(found, task))


def _run(machine: Machine, task: Task) -> list[Report]:
    reports = [Report() for _ in task.placement]
    run_programs(
        machine,
        {nth: thread_program(task, nth, report) for nth, report in enumerate(reports)},
        ppe=start,
        placement=task.placement,
    )
    return reports


async def start(ppe: Ppe) -> int:
    """The PPE's program: set signal registers to OR mode, start all threads, and wait for them."""
    threads = range(len(ppe.spes))
    for thread in threads:
        await ppe.spe_signal_type(thread, 1, or_mode=True)
    for thread in threads:
        await ppe.spe_create_thread(thread)
    for thread in threads:
        await ppe.spe_wait(thread)
    return 0


def _outcome(machine: Machine, reports: Sequence[Report]) -> Outcome:
    tallies = Tallies()
    for report in reports:
        tallies.add(report.tallies)
    slowest = [max(ticks) for ticks in zip(*(each.exchange_ticks for each in reports), strict=True)]
    sent = sum(report.sent for report in reports)
    return Outcome(
        tallies=tallies,
        communication_ns=sum(slowest) * 1e9 / machine.timebase_hz,
        total_ns=max(report.ticks for report in reports) * 1e9 / machine.timebase_hz,
        moved_walkers=sent,
        moved_bytes=sent * WALKER_BYTES,
        received_walkers=sum(report.received for report in reports),
        loads=tuple(zip(*(report.loads for report in reports), strict=True)),
    )


def _placement(
    machine: Machine, placement: Sequence[int] | str | None, spes: int | None
) -> tuple[int, ...]:
    listed = machine.spes if placement is None else placement
    try:
        named = parse_spes(listed) if isinstance(listed, str) else list(listed)
    except (TypeError, UsageError):
        named = []
    if not named:
        raise UsageError(
            f"placement {placement!r} is not a list of SPEs; write 0,2,4 or 0,8-15"
        ) from None
    most = len(named) if placement is not None else min(8, len(named))
    threads = most if spes is None else parse_count(spes, "spes")
    if threads > len(named):
        what = "the placement names" if placement is not None else f"{machine.name} has"
        raise UsageError(f"spes {threads} are too many; {what} {len(named)}")
    return tuple(named[:threads])
