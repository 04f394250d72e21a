"""Placements tried: the pattern itself, run on this computer, one placement after the other.

Rounds are interleaved, and each begins with another placement (A B C, B C A, C A B ...), so that
what changes slowly, such as frequencies and other people's work, hits all alike. A run of a
placement has threads and buffers of its own, because where pages happen to lie is part of what
chance decides; so a run counts once, with the median of its samples. What a placement gains is the
median over the rounds of the ratio of two runs of the same round, and the interval is that of
`statistics.median_interval`.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cellstats.host import conditions
from cellstats.host.asking import Asked
from cellstats.host.environment import read_environment
from cellstats.host.host_machine import HostMachine
from cellstats.host.host_result import HostResult
from cellstats.host.measuring import Effort
from cellstats.host.statistics import median, summary
from cellstats.placement.messages import Pattern

ROUNDS = 25
"""Runs of each placement, unless the budget ends before. Of so many, and of `ROUNDS_LEAST`, the
bootstrap's interval is one of 95 % and not less: it ends at whole runs, and with 7 has 88 %."""
ROUNDS_LEAST = 9
_EFFORT = Effort(
    repetitions=1, samples=30, warm_up_ns=5_000_000, budget_ns=200_000_000, watch=False
)


@dataclass(frozen=True, slots=True)
class Run:
    """One placement, tried."""

    name: str
    placement: tuple[int, ...]
    time_ns: float
    """Of the pattern once, by its slowest thread: the median over all rounds."""
    time_ns_ci_low: float
    """The median lies between these with 95 % confidence, if nothing but chance was at work."""
    time_ns_ci_high: float
    rounds_ns: tuple[float, ...]
    """Of each round."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What the placement that was found is better by than another."""

    over: str
    ratio: float
    """The other's time over that of the one found: above 1 something was gained."""
    ratio_ci_low: float
    ratio_ci_high: float

    @property
    def told(self) -> bool:
        """Whether there is a difference that can be told from none."""
        return not self.ratio_ci_low <= 1.0 <= self.ratio_ci_high


@dataclass(frozen=True, slots=True)
class Verification:
    """The placement that was found, tried beside others."""

    runs: tuple[Run, ...]
    """The one found first."""
    gains: tuple[Gain, ...]
    """Over each other placement that is another one."""
    means: str
    """What was run, in a line."""
    disturbed: tuple[str, ...]
    """Why not to trust it; none if nothing was noticed."""

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON would have it."""
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

    A placement that is the same as one before it is not run again. After `ROUNDS_LEAST` rounds none
    begins that the budget has no time for. Raises UsageError for CPUs that this process may not
    use, RunError when a run fails.
    """
    names = _different(placements)
    asked = {name: _asked(host, pattern, placements[name]) for name in names}
    environment = read_environment(host.tree, host.topology)
    cpus = sorted({cpu for name in names for cpu in placements[name]})
    before = conditions.read_counts(host.tree, host.topology, cpus)
    results: dict[str, list[HostResult]] = {name: [] for name in names}
    start_ns = time.monotonic_ns()
    for nth in range(ROUNDS):
        spent_ns = time.monotonic_ns() - start_ns
        if nth >= ROUNDS_LEAST and spent_ns * (nth + 1) > budget_ns * nth:
            break
        # Nobody is always the first.
        first = nth % len(names)
        for name in (*names[first:], *names[:first]):
            run = host.run_asked(asked[name], effort=_EFFORT, environment=environment)
            results[name].append(run)
        progress(nth + 1, ROUNDS)
    wall_ns = time.monotonic_ns() - start_ns
    every = [each for name in names for each in results[name]]
    after = conditions.read_counts(host.tree, host.topology, cpus)
    happened = conditions.changes(before, after, cpus, wall_ns)
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
    """What these times say, round by round; the placement `found` is compared with the others."""
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
    """The median over its samples of the slowest thread's time."""
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
