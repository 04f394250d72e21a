"""Reasons to distrust a measurement, in words.

Threads that were interrupted or moved, repetitions that disagree, a wide interval of the median,
samples too short for the clock; `conditions` has what the kernel saw. The limits below are choices,
not laws: a result beyond one of them is marked, never changed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from cellstats.host.statistics import Summary, disagreement, median
from cellstats.measure.quantities import format_latency

INTERRUPTED_SHARE = 0.01
"""Most interruptions per sample."""
DISAGREEMENT = 0.05
"""Largest spread of the medians of repetitions, as a share of the smallest."""
INTERVAL = 0.10
"""Largest width of the median's interval, as a share of the median."""
CLOCK_TIMES = 100
"""Shortest sample, as a multiple of the clock's cost and of its resolution."""


def disturbances(
    answers: Sequence[Mapping[str, Any]], rounds: Sequence[Sequence[float]], whole: Summary
) -> list[str]:
    """Reasons to distrust a measurement; empty if there is none.

    answers: of `_native.host_measure`, one for each repetition.
    rounds: the rounds' times in ns, for each repetition.
    whole: the statistics of all rounds.
    """
    return [
        *_threads(answers, whole.count),
        *_repetitions(rounds),
        *_interval(whole),
        *_clock(answers[0], whole),
    ]


def _threads(answers: Sequence[Mapping[str, Any]], samples: int) -> list[str]:
    reasons = []
    for rows in zip(*(answer["threads"] for answer in answers), strict=True):
        cpu = rows[0]["cpu"]
        interrupted = sum(row["involuntary_switches"] for row in rows)
        if interrupted > max(1, INTERRUPTED_SHARE * samples):
            reasons.append(f"the thread on CPU {cpu} was interrupted {interrupted} times")
        if any(row["migrations"] or row["cpu_after"] != cpu for row in rows):
            reasons.append(f"the thread on CPU {cpu} was moved to another CPU")
    return reasons


def _repetitions(rounds: Sequence[Sequence[float]]) -> list[str]:
    medians = [median(sorted(each)) for each in rounds if each]
    if len(medians) > 1 and disagreement(medians) > DISAGREEMENT:
        low, high = format_latency(min(medians)), format_latency(max(medians))
        apart = disagreement(medians)
        return [f"repetitions are {100 * apart:.0f} % apart ({low} to {high})"]
    return []


def _interval(whole: Summary) -> list[str]:
    width = whole.ci_high - whole.ci_low
    if whole.median > 0 and width > INTERVAL * whole.median:
        return [
            f"the median is known to {100 * width / whole.median:.0f} % only; give more --samples"
        ]
    return []


def _clock(answer: Mapping[str, Any], whole: Summary) -> list[str]:
    clock, iterations = answer["clock"], answer["what"]["iterations_per_sample"]
    least_ns = CLOCK_TIMES * max(clock["cost_ns"], clock["resolution_ns"])
    if whole.median * iterations < least_ns:
        return [
            f"a sample of {iterations} iterations is short for the clock, "
            f"which costs {clock['cost_ns']:.3g} ns; give a larger -i, or none"
        ]
    return []
