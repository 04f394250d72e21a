"""A measurement: repetitions in `_native`, and the result that they have together.

Each repetition has its own threads and buffers, because times also depend on the location of memory
pages, which varies by chance. In a repetition, all threads start each sample together; one sample
of every thread is a *round*. The time of a round is the mean over its threads. The samples of
threads that disturb each other are not independent, and neither are the samples of one repetition.
The number of a repetition is therefore the median of its rounds, and the number of the measurement
is the median of its repetitions' numbers.

Each repetition tells the next one the time of an iteration, so that only the first one has to
calibrate from nothing. A repetition whose samples have far fewer iterations than those of the
others was calibrated while it was interrupted, and does not count.
"""

import json
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, TypeAlias

from cellstats.core.version import version
from cellstats.host.cores import (
    ACCESSES,
    DMA,
    HELD,
    LISTS,
    WorkingSets,
    check_room,
    working_set_bytes,
)
from cellstats.host.disturbances import (
    Noticed,
    disturbances,
    frequency_changes,
    read_frequencies,
    wherever_cpus_are,
)
from cellstats.host.hardware_counters import counter_columns, thread_counts
from cellstats.host.host_result import SCHEMA_VERSION, HostResult, HostThread, Means
from cellstats.host.request import Asked
from cellstats.host.statistics import Estimate, Similar, estimate, quantile, verdict
from cellstats.host.topology import Topology, Tree

Native: TypeAlias = Callable[[str, threading.Event | None], str]
"""`_native.host_measure`, or its replacement in a test."""

REPETITIONS = 18
"""Repetitions of a single measurement, three for each part of its interval."""
SPREAD_NS = 2_000_000_000
"""Time over which repetitions are spread at least, unless the budget is smaller. What changes from
one moment to the next then shows within a measurement."""
_WARM_UP_NS = 10_000_000  # clock frequencies rise within a few milliseconds of work
_FEWER = 4  # a repetition with so many times fewer iterations than the others does not count
_LOOK_S = 0.1


@dataclass(frozen=True, slots=True)
class Effort:
    """Samples and time limits of one repetition."""

    samples: int
    warm_up_ns: int
    budget_ns: int | None
    """Time limit, or None for no limit."""


class Measurement:
    """A measurement that grows by repetitions, on its own or in turn with others."""

    __slots__ = ("_answers", "_frequencies", "_native", "_sets", "_tree", "asked")

    def __init__(self, asked: Asked, topology: Topology, tree: Tree, native: Native) -> None:
        """Raises UsageError if the computer lacks the level of memory that is asked for."""
        self.asked = asked
        self._sets = working_sets(asked, topology, tree)
        self._native, self._tree = native, tree
        self._answers: list[dict[str, Any]] = []
        self._frequencies: list[dict[int, float]] = []

    def repeat(self, effort: Effort, stop: threading.Event | None = None) -> None:
        """Run one more repetition. Raises KeyboardInterrupt once `stop` is set."""
        request = self.asked.request(
            self._sets, effort.samples, effort.warm_up_ns, effort.budget_ns
        )
        least = [answer["least_ns"] for answer in self._answers]
        request["iteration_ns"] = median(least) if least else None
        answer = json.loads(self._native(json.dumps(request), stop))
        answer["rounds_ns"] = _rounds(answer)
        answer["median_ns"] = median(answer["rounds_ns"])
        self._answers.append(answer)
        self._frequencies.append(read_frequencies(self._tree, self.asked.cpus))

    @property
    def repetitions_ns(self) -> list[float]:
        """The number of each repetition that counts."""
        return [answer["median_ns"] for answer in self._counting()]

    def leave_out(self, keeps: Callable[[Sequence[float]], Sequence[bool]]) -> None:
        """Drop the repetitions for whose numbers `keeps` is false."""
        self._answers = self._counting()
        kept = keeps(self.repetitions_ns)
        self._answers = [each for each, keep in zip(self._answers, kept, strict=True) if keep]

    def estimate(self, noticed: Sequence[Noticed] = (), similar: Similar | None = None) -> Estimate:
        """The number of the measurement so far, with its interval; see `statistics.estimate`."""
        return estimate(self.repetitions_ns, noticed, similar)

    def result(
        self,
        environment: Mapping[str, Any],
        happened: Sequence[Noticed] = (),
        similar: Similar | None = None,
    ) -> HostResult:
        """The result of all repetitions so far.

        environment: a result of `read_environment`, which several measurements may share.
        happened: disturbances that the kernel counted meanwhile.
        similar: similar measurements, this one among them.
        """
        if self.asked.function in ACCESSES and self.asked.background not in HELD:
            happened = wherever_cpus_are(happened)
        answers = self._counting()
        means = Means(**answers[0]["what"])
        rounds = sorted(time for answer in answers for time in answer["rounds_ns"])
        noticed = [
            *frequency_changes(self._frequencies),
            *happened,
            *disturbances(answers, len(rounds), median(self.repetitions_ns)),
        ]
        found = self.estimate(noticed, similar)
        judged = verdict(found, len(answers), rounds, noticed)
        threads = tuple(
            _thread(rows, means.bytes_per_iteration)
            for rows in zip(*(answer["threads"] for answer in answers), strict=True)
        )
        latencies = [each.latency_ns for each in threads if each.latency_ns is not None]
        every = [time for each in threads for series in each.samples_ns for time in series]
        return HostResult(
            **_columns(self.asked),
            working_set_bytes=self._sets.own_bytes,
            iterations=sum(
                len(answer["rounds_ns"]) * answer["what"]["iterations_per_sample"]
                for answer in answers
            ),
            samples=len(rounds),
            repetitions=len(answers),
            latency_ns=found.value,
            latency_ns_min=min(latencies),
            latency_ns_max=max(latencies),
            latency_ns_mean=math.fsum(rounds) / len(rounds),
            latency_ns_ci_low=found.low,
            latency_ns_ci_high=found.high,
            latency_ns_sample_min=min(every),
            latency_ns_p99=quantile(rounds, 0.99),
            bandwidth_gb_s=_bandwidth_gb_s(self.asked, threads, found.value),
            **counter_columns(answers),
            wall_ns=sum(answer["wall_ns"] for answer in self._answers),
            grade=judged.grade,
            why=judged.why,
            disturbed=tuple(each.words for each in noticed),
            means=means,
            clock=answers[0]["clock"],
            per_thread=threads,
            environment=environment,
        )

    def _counting(self) -> list[dict[str, Any]]:
        iterations = [answer["what"]["iterations_per_sample"] for answer in self._answers]
        least = median(iterations or [0]) / _FEWER
        pairs = zip(self._answers, iterations, strict=True)
        return [answer for answer, count in pairs if count >= least]


def measure(measurement: Measurement, stop: threading.Event | None = None) -> None:
    """Run the repetitions of a single measurement, spread over its budget.

    Raises KeyboardInterrupt once `stop` is set.
    """
    asked = measurement.asked
    count, span_ns = min(REPETITIONS, asked.samples), asked.budget_ns or SPREAD_NS
    budget_ns = None if asked.budget_ns is None else max(1, asked.budget_ns // count)
    effort = Effort(-(-asked.samples // count), _WARM_UP_NS, budget_ns)
    start_ns = time.monotonic_ns()
    for nth in range(count):
        _wait_until(start_ns + nth * span_ns // count, stop)
        measurement.repeat(effort, stop)


def _wait_until(due_ns: int, stop: threading.Event | None) -> None:
    while (left_s := (due_ns - time.monotonic_ns()) / 1e9) > 0 and not (stop and stop.is_set()):
        time.sleep(min(left_s, _LOOK_S))


def _columns(asked: Asked) -> dict[str, Any]:
    """The columns of a result that only depend on the request."""
    return {
        "schema": SCHEMA_VERSION,
        "function": asked.function,
        "machine": "host",
        "spes": len(asked.cpus),
        "private": asked.private,
        "spe_to_spe": asked.core_to_core,
        "size_bytes": asked.size_bytes,
        "op": asked.op,
        "target": asked.target,
        "level": asked.level,
        "chase": asked.chase,
        "pages": asked.pages,
        "reads_per_write": asked.reads_per_write if asked.function == "copy" else None,
        "background": asked.background,
        "rate_gb_s": asked.rate_gb_s,
        "pattern": asked.pattern[0] if asked.pattern else None,
        "list_elements": asked.list_elements,
        "stride_bytes": asked.stride_bytes,
        "batch": asked.batch,
        "path": asked.path,
        "signal_mode": asked.signal_mode,
        "non_temporal": asked.non_temporal,
        "memory": asked.memory,
        "placement": asked.cpus,
        "recipe": recipe(asked),
    }


def _bandwidth_gb_s(
    asked: Asked, threads: Sequence[HostThread], iteration_ns: float
) -> float | None:
    """All threads' bandwidth together, or None if no data moves."""
    if asked.pattern is not None:
        # Threads move different numbers of bytes, so count all messages of an iteration together.
        messages = [message for phase in asked.pattern[2] for message in phase]
        moved: int = sum(size * times for _, _, size, times in messages)
        return moved / iteration_ns
    rates = [each.bandwidth_gb_s for each in threads if each.bandwidth_gb_s is not None]
    return sum(rates) if rates else None


def recipe(asked: Asked) -> dict[str, Any]:
    """The request in plain values: version, function and parameters."""
    parameters = asdict(asked) | {"pattern": _pattern(asked.pattern)}
    function, cpus = parameters.pop("function"), parameters.pop("cpus")
    return {
        "version": version(),
        "machine": "host",
        "function": function,
        "parameters": {**parameters, "placement": list(cpus)},
    }


def working_sets(asked: Asked, topology: Topology, tree: Tree) -> WorkingSets:
    """The working sets of threads; of 0 bytes if threads use only their buffers.

    Raises UsageError if the computer lacks the level of memory that is asked for.
    """
    if asked.function in ACCESSES:
        walking = 1 if asked.background else len(asked.cpus)
        walkers, others = asked.cpus[:walking], asked.cpus[walking:]
        own = asked.working_set_bytes
        if own is not None:
            check_room(tree, own * len(walkers))
        return WorkingSets(
            working_set_bytes(topology, tree, walkers, asked.level or "l1") if own is None else own,
            working_set_bytes(topology, tree, others, "memory")
            if others and asked.background not in HELD
            else 0,
        )
    ends = [message[:2] for phase in (asked.pattern or ("", 0, ()))[2] for message in phase]
    memory = (
        (asked.function in (*DMA, *LISTS) and not asked.core_to_core)
        or asked.target == "memory"
        or any(None in each for each in ends)
    )
    return WorkingSets(working_set_bytes(topology, tree, asked.cpus, "memory") if memory else 0)


def _rounds(answer: Mapping[str, Any]) -> list[float]:
    series = [row["samples_ns"] for row in answer["threads"] if row["samples_ns"]]
    return [sum(times) / len(times) for times in zip(*series, strict=False)]


def _thread(rows: Sequence[Mapping[str, Any]], size_bytes: int | None) -> HostThread:
    """The measurements of one thread in all repetitions."""
    samples = tuple(tuple(row["samples_ns"]) for row in rows)
    times = [time for series in samples for time in series]
    middle = median(map(median, samples)) if times else None

    background = rows[0]["background_gb_s"]
    if background is not None:
        background = median(row["background_gb_s"] for row in rows)

    def total(name: str) -> int:
        return sum(row[name] for row in rows)

    return HostThread(
        thread=rows[0]["thread"],
        cpu=rows[0]["cpu"],
        latency_ns=middle,
        latency_ns_mean=sum(times) / len(times) if times else None,
        # One byte per nanosecond is one GB per second.
        bandwidth_gb_s=size_bytes / middle if size_bytes and middle else background,
        involuntary_switches=total("involuntary_switches"),
        voluntary_switches=total("voluntary_switches"),
        migrations=total("migrations"),
        minor_faults=total("minor_faults"),
        **thread_counts(rows),
        samples_ns=samples,
    )


def _pattern(pattern: Any) -> dict[str, Any] | None:
    """Convert a pattern to plain values, and None to None."""
    if pattern is None:
        return None
    name, threads, phases = pattern
    keys = ("source", "destination", "bytes", "repetitions")
    rows = [[dict(zip(keys, row, strict=True)) for row in phase] for phase in phases]
    return {"name": name, "threads": threads, "phases": rows}
