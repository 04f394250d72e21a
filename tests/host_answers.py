"""Answers in the form of `_native.host_measure`, for recorded computers.

The latency of a pair of CPUs depends only on their shared resources, so that tests can compute the
results.
"""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

import cellstats as cs
import recorded
from cellstats.host.cores import ACCESSES
from cellstats.host.host_machine import HostMachine
from cellstats.host.topology import Topology

LATENCIES_NS = {
    "same core": 20.0,
    "same L2": 35.0,
    "same L3": 50.0,
    "same package": 90.0,
    "other node": 120.0,
    "other package": 250.0,
}
CLOCK = {
    "source": "tsc",
    "hz": 2e9,
    "cost_ns": 20.0,
    "resolution_ns": 1.0,
    "invariant": True,
}


class Answers:
    """Replacement for `_native.host_measure` that records the requests."""

    def __init__(self, change: Callable[[dict[str, Any]], None] = lambda _answer: None) -> None:
        self.asked: list[dict[str, Any]] = []
        self.topology: Topology | None = None
        self._change = change

    def on(self, host: HostMachine) -> HostMachine:
        """Set the computer whose topology determines the latencies."""
        self.topology = host.topology
        return host

    def __call__(self, request: str, _stop: threading.Event | None) -> str:
        asked = json.loads(request)
        self.asked.append(asked)
        cpus = asked["cpus"]
        latency = 1000.0
        if len(cpus) == 2 and self.topology:
            latency = LATENCIES_NS[self.topology.relation(*cpus)]
        moves = asked["function"] in ("dmaget", "dmaput", "copy", "load", "store")
        moves = moves and not asked["chase"]
        threads = [self._thread(i, cpu, latency, asked) for i, cpu in enumerate(cpus)]
        answer = {
            "clock": CLOCK,
            "what": {
                "operation": "what was asked for",
                "latency": "round trip",
                "line_home": "where it was put",
                "bytes_per_iteration": asked["size_bytes"] if moves else None,
                "iterations_per_sample": asked["iterations"] or 1000,
            },
            "least_ns": latency,
            "counters": "no events",
            "threads": threads,
            "wall_ns": 1_000_000,
        }
        self._change(answer)
        return json.dumps(answer)

    def _thread(self, i: int, cpu: int, latency: float, asked: dict[str, Any]) -> dict[str, Any]:
        # In a pair, the second thread only replies, and does not measure.
        measures = not (asked["function"] == "mailbox" and i % 2) and not (
            asked["background"] and i
        )
        count = asked["samples"] if measures else 0
        return {
            "thread": i,
            "cpu": cpu,
            "background_gb_s": 5.0 if asked["background"] in ACCESSES and i else None,
            "samples_ns": [latency + (sample % 3) * 0.1 for sample in range(count)],
            "cpu_after": cpu,
            "migrations": 0,
            "voluntary_switches": 0,
            "involuntary_switches": 0,
            "minor_faults": 0,
            "operations": count * (asked["iterations"] or 1000),
            "counts": None,
        }


def asked(name: str, function: str, **parameters: Any) -> dict[str, Any]:
    """The request that the compiled side receives for the first repetition."""
    answers = Answers()
    recorded.host(name, answers).measure(function, **parameters)
    return answers.asked[0]


def refusal(name: str, function: str, **parameters: Any) -> str:
    """The line that refuses a measurement on a recorded computer."""
    with pytest.raises(cs.UsageError) as caught:
        recorded.host(name, Answers()).run(function, parameters)
    line = str(caught.value)
    assert "\n" not in line
    return line
