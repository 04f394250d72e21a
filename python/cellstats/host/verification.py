"""Placements tried: the pattern itself, run on this computer with one placement after the other.

Each round runs all placements, and begins with another one (A B C, B C A, C A B ...), so that what
changes slowly, such as frequencies and other people's work, disturbs all equally. Each run has
threads and buffers of its own, because chance also decides where pages lie; so a run counts once,
with the median of its samples. The gain of a placement is the median over the rounds of the ratio
of two runs of a round, and its interval that of `statistics.median_interval`.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cellstats.core.pattern import Pattern
from cellstats.host import judging
from cellstats.host.asking import Asked
from cellstats.host.environment import read_environment
from cellstats.host.host_machine import HostMachine
from cellstats.host.host_result import HostResult
from cellstats.host.judging import median, summary
from cellstats.host.measuring import Effort

ROUNDS = 25
"""Runs of each placement, unless the budget ends before."""
ROUNDS_LEAST = 9
"""Runs of each placement at least. With 9 and with 25 the bootstrap's interval, which ends at whole
runs, has 95 % or more; with 7 it has 88 %."""
_EFFORT = Effort(
    repetitions=1, samples=30, warm_up_ns=5_000_000, budget_ns=200_000_000, watch=False
)


@dataclass(frozen=True, slots=True)
class Run:
    """One placement that was tried."""

    name: str
    placement: tuple[int, ...]
    time_ns: float
    """Time of the pattern, by its slowest thread: the median over all rounds."""
    time_ns_ci_low: float
    """Lower end of the median's 95 % confidence interval."""
    time_ns_ci_high: float
    """Upper end of the median's 95 % confidence interval."""
    rounds_ns: tuple[float, ...]
    """Time of the pattern in each round."""


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of the placement that was found over another one."""

    over: str
    """Name of the other placement."""
    ratio: float
    """Time of the other placement over that of the one found; above 1 is a gain."""
    ratio_ci_low: float
    """Lower end of the ratio's 95 % confidence interval."""
    ratio_ci_high: float
    """Upper end of the ratio's 95 % confidence interval."""

    @property
    def told(self) -> bool:
        """Whether the interval shows a difference, because 1 is outside of it."""
        return not self.ratio_ci_low <= 1.0 <= self.ratio_ci_high


@dataclass(frozen=True, slots=True)
class Verification:
    """The trial of the placement that was found, beside others."""

    runs: tuple[Run, ...]
    """The placements, the one that was found first."""
    gains: tuple[Gain, ...]
    """The gain over each other placement."""
    means: str
    """What was run, in a line."""
    disturbed: tuple[str, ...]
    """Reasons to distrust it; empty if nothing was noticed."""

    def to_dict(self) -> dict[str, Any]:
        """All of it in plain dicts, lists and numbers, as JSON has it."""
        return {
            "runs": [_plain(asdict(each)) for each in self.runs],
            "gains": [{**asdict(each), "told": each.told} for each in self.gains],
            "means": self.means,
            "disturbed": list(self.disturbed),
        }


def try_placements(
    host: HostMachine,
    pattern: Pattern,
    placements: Mapping[str, tuple[int, ...]],
    *,
    budget_ns: int,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> Verification:
    """Run the pattern with each of these placements, `found` among them.

    Equal placements are run once. After `ROUNDS_LEAST` rounds another one begins only if the budget
    has time for it.

    progress: called with the number of finished rounds, and of all rounds.

    Raises UsageError for CPUs that this process may not use, RunError when a run fails.
    """
    names = _different(placements)
    asked = {name: _asked(host, pattern, placements[name]) for name in names}
    environment = read_environment(host.tree, host.topology)
    cpus = sorted({cpu for name in names for cpu in placements[name]})
    before = judging.read_counts(host.tree, host.topology, cpus)
    results: dict[str, list[HostResult]] = {name: [] for name in names}
    start_ns = time.monotonic_ns()
    for nth in range(ROUNDS):
        spent_ns = time.monotonic_ns() - start_ns
        if nth >= ROUNDS_LEAST and spent_ns * (nth + 1) > budget_ns * nth:
            break
        # Each round begins with another placement.
        first = nth % len(names)
        for name in (*names[first:], *names[:first]):
            run = host.run_asked(asked[name], effort=_EFFORT, environment=environment)
            results[name].append(run)
        progress(nth + 1, ROUNDS)
    wall_ns = time.monotonic_ns() - start_ns
    every = [each for name in names for each in results[name]]
    after = judging.read_counts(host.tree, host.topology, cpus)
    happened = judging.changes(before, after, cpus, wall_ns)
    times = {name: [time_ns(each) for each in results[name]] for name in names}
    return judge(
        {name: placements[name] for name in names},
        times,
        every[0].means.operation,
        [*happened, *_disturbed(every)],
    )


def judge(
    placements: Mapping[str, tuple[int, ...]],
    times_ns: Mapping[str, Sequence[float]],
    means: str,
    disturbed: Sequence[str],
) -> Verification:
    """The trial's verdict from its times; the placement `found` is compared with the others.

    times_ns: of each placement, round by round.
    """
    runs, gains = [], []
    for name, rounds in times_ns.items():
        whole = summary(rounds)
        low, high = whole.ci_low, whole.ci_high
        runs.append(Run(name, placements[name], whole.median, low, high, tuple(rounds)))
        if name != "found":
            ratio = summary([a / b for a, b in zip(rounds, times_ns["found"], strict=True)])
            gains.append(Gain(name, ratio.median, ratio.ci_low, ratio.ci_high))
    return Verification(tuple(runs), tuple(gains), means, tuple(disturbed))


def time_ns(result: HostResult) -> float:
    """Median over the samples of the slowest thread's time, in ns."""
    series = [times for row in result.per_thread for times in row.samples_ns if times]
    return median(sorted(max(times) for times in zip(*series, strict=False)))


def _different(placements: Mapping[str, tuple[int, ...]]) -> list[str]:
    seen: dict[tuple[int, ...], str] = {}
    for name in ("found", *placements):
        seen.setdefault(placements[name], name)
    return list(seen.values())


def _asked(host: HostMachine, pattern: Pattern, placement: tuple[int, ...]) -> Asked:
    return host.ask("exchange", {"pattern": pattern, "placement": placement})


def _disturbed(results: Sequence[HostResult]) -> list[str]:
    hit = [each.disturbed[0] for each in results if each.disturbed]
    return [f"{len(hit)} of {len(results)} runs, the first of them: {hit[0]}"] if hit else []


def _plain(run: dict[str, Any]) -> dict[str, Any]:
    return {**run, "placement": list(run["placement"]), "rounds_ns": list(run["rounds_ns"])}
