"""A trial of placements: the pattern runs on this computer with each placement in turn.

Each round runs all placements and begins with a different one (A B C, B C A, C A B ...), so that
slow changes, such as frequencies or other processes, disturb all placements equally. Each run has
its own threads and buffers, because times also depend on the location of memory pages, which varies
by chance. A run therefore contributes one value, the median of its samples. In each round, the time
with another placement is divided by the time with the found placement. The gain is the median of
these ratios, and `statistics.median_interval` computes its confidence interval.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, TypeAlias

from cellstats.core.pattern import Pattern
from cellstats.host.disturbances import TRUST, Noticed, Watch, is_bad
from cellstats.host.environment import read_environment
from cellstats.host.host_machine import HostMachine
from cellstats.host.host_result import HostResult
from cellstats.host.repetitions import Effort
from cellstats.host.request import Asked
from cellstats.host.statistics import estimate, median_interval, verdict

ROUNDS = 25
"""Number of runs of each placement if the budget is large enough."""
ROUNDS_LEAST = 9
"""Minimum number of runs of each placement. The bootstrap interval begins and ends at measured
times, so its confidence depends on the number of runs: 95 % or more with 9 or 25, 88 % with 7."""
_EFFORT = Effort(samples=30, warm_up_ns=5_000_000, budget_ns=200_000_000)


Trial: TypeAlias = tuple[Pattern, tuple[int, ...]]
"""A pattern, and the CPU of each of its threads."""


@dataclass(frozen=True, slots=True)
class Run:
    """The runs of one placement."""

    name: str
    placement: tuple[int, ...]
    time_ns: float
    """Time of the pattern's slowest thread, median over all rounds."""
    time_ns_ci_low: float
    """Lower end of the 95 % interval for the time in another trial."""
    time_ns_ci_high: float
    """Upper end of the interval."""
    grade: str
    """How far the time can be trusted, with the grades of `HostResult`."""
    why: str
    """What limits the grade, in a clause; empty if nothing was noticed."""
    rounds_ns: tuple[float, ...]
    """Time of the pattern's slowest thread in each round."""


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of the found placement over another placement."""

    over: str
    """Name of the other placement."""
    ratio: float
    """Time with the other placement divided by time with the found one; a gain if above 1."""
    ratio_ci_low: float
    """Lower end of the ratio's 95 % confidence interval."""
    ratio_ci_high: float
    """Upper end of the ratio's 95 % confidence interval."""

    @property
    def told(self) -> bool:
        """Whether the interval excludes 1, which shows that the placements differ."""
        return not self.ratio_ci_low <= 1.0 <= self.ratio_ci_high


@dataclass(frozen=True, slots=True)
class Verification:
    """A trial of the found placement and other placements."""

    runs: tuple[Run, ...]
    """The runs of each placement; the found placement comes first."""
    gains: tuple[Gain, ...]
    """The gain of the found placement over each other placement."""
    means: str
    """Description of the runs, in one line."""
    disturbed: tuple[str, ...]
    """Reasons to distrust the trial; empty if nothing was noticed."""

    def to_dict(self) -> dict[str, Any]:
        """The trial in plain dicts, lists and numbers, as in the JSON format."""
        return {
            "runs": [_plain(asdict(each)) for each in self.runs],
            "gains": [{**asdict(each), "told": each.told} for each in self.gains],
            "means": self.means,
            "disturbed": list(self.disturbed),
        }


def try_placements(
    host: HostMachine,
    trials: Mapping[str, Trial],
    *,
    budget_ns: int,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> Verification:
    """Run each pattern with its placement; one of them must have the name `found`.

    Equal trials run once. After `ROUNDS_LEAST` rounds, another round begins only if enough of
    the budget is left.

    progress: called with the number of finished rounds and the number of all rounds.

    Raises UsageError for CPUs that this process may not use, RunError when a run fails.
    """
    names = _different(trials)
    asked = {name: _asked(host, *trials[name]) for name in names}
    placements = {name: placement for name, (_, placement) in trials.items()}
    environment = read_environment(host.tree, host.topology)
    cpus = sorted({cpu for name in names for cpu in placements[name]})
    watch = Watch(host.tree, host.topology, cpus)
    results: dict[str, list[HostResult]] = {name: [] for name in names}
    start_ns = time.monotonic_ns()
    for nth in range(ROUNDS):
        spent_ns = time.monotonic_ns() - start_ns
        if nth >= ROUNDS_LEAST and spent_ns * (nth + 1) > budget_ns * nth:
            break
        # Each round begins with a different placement.
        first = nth % len(names)
        for name in (*names[first:], *names[:first]):
            run = host.begin(asked[name])
            run.repeat(_EFFORT)
            results[name].append(run.result(environment))
        progress(nth + 1, ROUNDS)
    times = {name: [time_ns(each) for each in results[name]] for name in names}
    return judge(
        {name: placements[name] for name in names},
        times,
        results[names[0]][0].means.operation,
        watch.noticed(),
    )


def judge(
    placements: Mapping[str, tuple[int, ...]],
    times_ns: Mapping[str, Sequence[float]],
    means: str,
    happened: Sequence[Noticed],
) -> Verification:
    """Compare the placement `found` with the others by their times.

    times_ns: times of each placement, round by round.
    """
    runs, gains = [], []
    for name, rounds in times_ns.items():
        found = estimate(rounds)
        judged = verdict(found, len(rounds), rounds, happened)
        low, high = found.low or 0.0, found.high or math.inf
        times = (found.value, low, high, judged.grade, judged.why, tuple(rounds))
        runs.append(Run(name, placements[name], *times))
        if name != "found":
            ratio = sorted(a / b for a, b in zip(rounds, times_ns["found"], strict=True))
            gains.append(Gain(name, median(ratio), *median_interval(ratio)))
    bad = [each for each in runs if is_bad(each.grade)]
    disturbed = tuple(f"trial of {each.name}: {TRUST[each.grade]}, {each.why}" for each in bad)
    return Verification(tuple(runs), tuple(gains), means, disturbed)


def time_ns(result: HostResult) -> float:
    """Median of the slowest thread's time over all samples, in ns."""
    series = [times for row in result.per_thread for times in row.samples_ns if times]
    slowest: list[float] = [max(times) for times in zip(*series, strict=False)]
    return median(slowest)


def _different(trials: Mapping[str, Trial]) -> list[str]:
    seen: dict[Trial, str] = {}
    for name in ("found", *trials):
        seen.setdefault(trials[name], name)
    return list(seen.values())


def _asked(host: HostMachine, pattern: Pattern, placement: tuple[int, ...]) -> Asked:
    return host.ask("exchange", {"pattern": pattern, "placement": placement})


def _plain(run: dict[str, Any]) -> dict[str, Any]:
    return {**run, "placement": list(run["placement"]), "rounds_ns": list(run["rounds_ns"])}
