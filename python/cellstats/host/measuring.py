"""A measurement: repetitions in `_native`, and the result that they have together.

Each repetition has its own threads and buffers, because times also depend on the location of memory
pages, which varies by chance. In a repetition, all threads start each sample together; one sample
of every thread is a *round*. The time of a round is the mean over its threads. Statistics are
computed over rounds, because the samples of threads that disturb each other are not independent.
"""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from cellstats.core.version import version
from cellstats.host import judging
from cellstats.host.asking import Asked
from cellstats.host.cores import ACCESSES, DMA, LISTS, working_set_bytes
from cellstats.host.host_result import SCHEMA_VERSION, HostResult, HostThread, Means
from cellstats.host.judging import disturbances, median, summary
from cellstats.host.topology import Topology, Tree

Native: TypeAlias = Callable[[str, threading.Event | None], str]
"""`_native.host_measure`, or its replacement in a test."""

REPETITIONS = 3
_WARM_UP_NS = 10_000_000  # clock frequencies rise within a few milliseconds of work


@dataclass(frozen=True, slots=True)
class Effort:
    """Samples and time limits of one repetition."""

    samples: int
    warm_up_ns: int
    budget_ns: int | None
    """Time limit, or None for no limit."""


def full_effort(asked: Asked, repetitions: int) -> Effort:
    """The effort for each repetition of a single measurement."""
    budget_ns = None if asked.budget_ns is None else max(1, asked.budget_ns // repetitions)
    return Effort(-(-asked.samples // repetitions), _WARM_UP_NS, budget_ns)


class Measurement:
    """A measurement that grows by repetitions, on its own or in turn with others."""

    __slots__ = ("_answers", "_frequencies", "_level_bytes", "_native", "_tree", "asked")

    def __init__(self, asked: Asked, topology: Topology, tree: Tree, native: Native) -> None:
        """Raises UsageError if the computer lacks the level of memory that is asked for."""
        self.asked = asked
        self._level_bytes = level_bytes_of(asked, topology, tree)
        self._native, self._tree = native, tree
        self._answers: list[dict[str, Any]] = []
        self._frequencies: list[dict[int, float]] = []

    def repeat(self, effort: Effort, stop: threading.Event | None = None) -> None:
        """Run one more repetition. Raises KeyboardInterrupt once `stop` is set."""
        request = self.asked.request(
            self._level_bytes, effort.samples, effort.warm_up_ns, effort.budget_ns
        )
        self._answers.append(json.loads(self._native(json.dumps(request), stop)))
        self._frequencies.append(judging.read_frequencies(self._tree, self.asked.cpus))

    def result(self, environment: Mapping[str, Any], happened: Sequence[str] = ()) -> HostResult:
        """The result of all repetitions so far.

        environment: a result of `read_environment`, which several measurements may share.
        happened: disturbances that the kernel counted meanwhile.
        """
        noticed = [*judging.frequency_changes(self._frequencies), *happened]
        return assemble(self.asked, self._level_bytes, self._answers, noticed, environment)

    @property
    def wall_ns(self) -> int:
        """Duration of all repetitions."""
        return sum(answer["wall_ns"] for answer in self._answers)


def assemble(
    asked: Asked,
    level_bytes: int,
    answers: Sequence[Mapping[str, Any]],
    happened: Sequence[str],
    environment: Mapping[str, Any],
) -> HostResult:
    """The result of several repetitions.

    answers: return value of `_native.host_measure` for each repetition.
    happened: descriptions of the disturbances that were noticed.
    """
    means = Means(**answers[0]["what"])
    rounds = [_rounds(answer) for answer in answers]
    whole = summary([time for each in rounds for time in each])
    threads = tuple(
        _thread(rows, means.bytes_per_iteration)
        for rows in zip(*(answer["threads"] for answer in answers), strict=True)
    )
    latencies = [each.latency_ns for each in threads if each.latency_ns is not None]
    bandwidths = [each.bandwidth_gb_s for each in threads if each.bandwidth_gb_s is not None]
    if asked.pattern is not None:
        # Threads move different numbers of bytes, so count all messages of an iteration together.
        messages = [message for phase in asked.pattern[2] for message in phase]
        bandwidths = [sum(size * times for _, _, size, times in messages) / whole.median]
    every = [time for each in threads for series in each.samples_ns for time in series]
    return HostResult(
        schema=SCHEMA_VERSION,
        function=asked.function,
        machine="host",
        spes=len(asked.cpus),
        private=asked.private,
        spe_to_spe=asked.core_to_core,
        size_bytes=asked.size_bytes,
        op=asked.op,
        target=asked.target,
        level=asked.level,
        working_set_bytes=level_bytes,
        pattern=asked.pattern[0] if asked.pattern else None,
        list_elements=asked.list_elements,
        stride_bytes=asked.stride_bytes,
        batch=asked.batch,
        path=asked.path,
        signal_mode=asked.signal_mode,
        non_temporal=asked.non_temporal,
        iterations=sum(
            len(each) * answer["what"]["iterations_per_sample"]
            for each, answer in zip(rounds, answers, strict=True)
        ),
        samples=whole.count,
        repetitions=len(answers),
        memory=asked.memory,
        placement=asked.cpus,
        latency_ns=whole.median,
        latency_ns_min=min(latencies),
        latency_ns_max=max(latencies),
        latency_ns_mean=whole.mean,
        latency_ns_ci_low=whole.ci_low,
        latency_ns_ci_high=whole.ci_high,
        latency_ns_sample_min=min(every),
        latency_ns_p99=whole.p99,
        bandwidth_gb_s=sum(bandwidths) if bandwidths else None,
        wall_ns=sum(answer["wall_ns"] for answer in answers),
        disturbed=(*happened, *disturbances(answers, rounds, whole)),
        means=means,
        clock=answers[0]["clock"],
        per_thread=threads,
        environment=environment,
        recipe=recipe(asked),
    )


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


def level_bytes_of(asked: Asked, topology: Topology, tree: Tree) -> int:
    """Size of each thread's working set in bytes; 0 if threads use only their buffers."""
    if asked.function in ACCESSES:
        return working_set_bytes(topology, tree, asked.cpus, asked.level or "l1")
    ends = [message[:2] for phase in (asked.pattern or ("", 0, ()))[2] for message in phase]
    memory = (
        (asked.function in (*DMA, *LISTS) and not asked.core_to_core)
        or asked.target == "memory"
        or any(None in each for each in ends)
    )
    return working_set_bytes(topology, tree, asked.cpus, "memory") if memory else 0


def _rounds(answer: Mapping[str, Any]) -> list[float]:
    series = [row["samples_ns"] for row in answer["threads"] if row["samples_ns"]]
    return [sum(times) / len(times) for times in zip(*series, strict=False)]


def _thread(rows: Sequence[Mapping[str, Any]], size_bytes: int | None) -> HostThread:
    """The measurements of one thread in all repetitions."""
    samples = tuple(tuple(row["samples_ns"]) for row in rows)
    times = sorted(time for series in samples for time in series)
    middle = median(times) if times else None

    def total(name: str) -> int:
        return sum(row[name] for row in rows)

    return HostThread(
        thread=rows[0]["thread"],
        cpu=rows[0]["cpu"],
        latency_ns=middle,
        latency_ns_mean=sum(times) / len(times) if times else None,
        # One byte per nanosecond is one GB per second.
        bandwidth_gb_s=size_bytes / middle if size_bytes and middle else None,
        involuntary_switches=total("involuntary_switches"),
        voluntary_switches=total("voluntary_switches"),
        migrations=total("migrations"),
        minor_faults=total("minor_faults"),
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
