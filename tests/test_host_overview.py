"""The overview of recorded computers whose memory has known latencies and bandwidths."""

import json
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest

import cellstats as cs
import recorded
from cellstats.host.cores import working_set_bytes
from cellstats.host.host_machine import HostMachine
from cellstats.host.overview import Overview
from cellstats.host.repetitions import REPETITIONS
from cellstats.host.survey import BY_PAGES, HUGE, SMALL, Key, _turns, overview
from cellstats.show.figures import svg
from cellstats.show.views import find
from host_answers import Answers

CACHES_NS = {1: 1.0, 2: 4.0, 3: 20.0}
MEMORY_NS, TRANSLATION_NS = 100.0, 30.0
TRANSLATED_BYTES = 1 << 21


class Memory(Answers):
    """A computer whose loads take as long as the cache that holds the working set says."""

    def __init__(self, *, huge: bool = True) -> None:
        super().__init__()
        self._huge = huge

    def __call__(self, request: str, stop: threading.Event | None) -> str:
        asked = json.loads(request)
        if asked["pages"] == "huge" and not self._huge:
            raise cs.RunError("the kernel gave 0 of 2 MB on huge pages")
        if asked["size_bytes"] > 32:
            raise cs.UsageError("this processor has no accesses of 64 bytes; give 32")
        answer = json.loads(super().__call__(request, stop))
        if asked["function"] == "load" and asked["chase"]:
            self._chased(asked, answer)
        return json.dumps(answer)

    def _chased(self, asked: dict[str, Any], answer: dict[str, Any]) -> None:
        neighbours = min(asked["rate_gb_s"] or 8.0, 8.0) if asked["background"] else 0.0
        size, cpu = asked["level_bytes"], asked["cpus"][0]
        assert self.topology is not None
        held = (
            ns
            for level, ns in CACHES_NS.items()
            if (cache := self.topology.cache(cpu, level)) and size <= cache.size_bytes
        )
        time_ns = next(held, MEMORY_NS + 5 * neighbours)
        if (asked["chase"], asked["pages"]) == ("lines", "small") and size > TRANSLATED_BYTES:
            time_ns += TRANSLATION_NS
        time_ns += 10.0 * (asked["memory_node"] or 0)
        for row in answer["threads"]:
            row["samples_ns"] = [time_ns for _ in row["samples_ns"]]
            if row["background_gb_s"] is not None:
                row["background_gb_s"] = neighbours / (len(asked["cpus"]) - 1)


def measured(name: str, memory: Memory | None = None, **given: Any) -> tuple[HostMachine, Overview]:
    memory = memory or Memory()
    host = memory.on(recorded.host(name, memory))
    return host, overview(host, **{"budget": "300ms", **given})


@pytest.mark.thirds
@pytest.mark.parametrize("name", recorded.NAMES)
def test_levels_are_those_of_the_computer(name: str) -> None:
    host, found = measured(name)
    caches = {
        f"L{level}": cache.size_bytes
        for level in CACHES_NS
        if (cache := host.topology.cache(found.cpu, level))
    }
    assert [each.name for each in found.levels] == [*caches, "memory"]
    for each in found.levels[:-1]:
        assert each.reported_bytes == caches[each.name]
        assert each.up_to_bytes is not None
        assert caches[each.name] // 3 * 2 <= each.up_to_bytes <= caches[each.name]
        assert each.latency_ns == CACHES_NS[int(each.name[1])]
    memory = found.levels[-1]
    assert (memory.latency_ns, memory.translation_ns) == (MEMORY_NS, TRANSLATION_NS)
    sizes = [point.size_bytes for point in found.curves[HUGE]]
    assert sizes[0] == 4096
    assert sizes[-1] == working_set_bytes(host.topology, host.tree, [found.cpu], "memory")
    assert {point.size_bytes for point in found.curves[SMALL]} <= set(sizes)


@pytest.mark.thirds
@pytest.mark.parametrize("name", recorded.NAMES)
def test_every_format_shows_it(name: str) -> None:
    _, found = measured(name)
    text = find("overview", "text").write(found)
    assert all(f"\n{each.name} " in text for each in found.levels)
    assert "copy, non-temporal" in text
    again = json.loads(find("overview", "json").write(found))
    assert len(again["curves"][HUGE]) == len(found.curves[HUGE])
    assert again["bandwidths"][0]["operation"] == "load"
    assert svg(found.plot()).startswith(b"<?xml")


def test_neighbours_raise_the_latency_of_memory() -> None:
    _, found = measured("desktop")
    assert [each.rate_gb_s for each in found.loaded] == [0.0, 1.2, 2.4, 4.0, 5.6, 6.8, None]
    assert [each.bandwidth_gb_s for each in found.loaded] == pytest.approx(
        [0.0, 1.2, 2.4, 4.0, 5.6, 6.8, 8.0]
    )
    assert [each.latency_ns for each in found.loaded] == pytest.approx(
        [100.0, 106.0, 112.0, 120.0, 128.0, 134.0, 140.0]
    )


def test_bandwidth_is_measured_by_the_widest_elements() -> None:
    memory = Memory()
    _, found = measured("desktop", memory)
    places = [(each.level, each.cores) for each in found.bandwidths if each.operation == "load"]
    assert places == [("l1", 1), ("l2", 1), ("l3", 1), ("memory", 1), ("memory", 4)]
    sizes = {
        (each["reads_per_write"], each["size_bytes"])
        for each in memory.asked
        if each["function"] == "copy"
    }
    assert sizes == {(1, 32), (2, 16), (3, 16)}


def test_a_quick_answer_has_the_levels_and_the_simple_bandwidths() -> None:
    _, found = measured("desktop", quick=True)
    _, whole = measured("desktop")
    assert [each.name for each in found.levels] == [each.name for each in whole.levels]
    assert {each.operation for each in found.bandwidths} == {"load", "store", "copy"}
    assert (found.loaded, found.curves[SMALL], found.missing) == ((), (), ())
    assert found.matrix is not None
    assert svg(found.plot()).startswith(b"<?xml")


def test_each_node_has_its_latency() -> None:
    _, found = measured("two-sockets", budget="3s")
    latencies = {
        (each.from_node, each.node): each.latency_ns
        for each in found.nodes
        if each.latency_ns is not None
    }
    assert latencies == {(one, node): 100.0 + 10 * node for one in (0, 1) for node in (0, 1)}
    bandwidths = [each for each in found.nodes if each.latency_ns is None]
    assert [(each.from_node, each.node) for each in bandwidths] == list(latencies)
    assert all(each.bandwidth_gb_s for each in bandwidths)
    text = str(found)
    assert re.search(r"^from +node 0 +node 1\nnode 0 +100 ns +110 ns\nnode 1 +100 ns", text, re.M)
    assert "bandwidth of the memory of NUMA nodes\nfrom " in text
    # A first answer has the nodes' latencies from the CPU that was asked for.
    quick = measured("two-sockets", quick=True)[1].nodes
    assert {each.from_node for each in quick} == {0}


def test_cores_of_a_node_load_from_each_node() -> None:
    memory = Memory()
    host, _ = measured("two-sockets", memory)
    loads = [each for each in memory.asked if each["memory_node"] is not None]
    for each in loads:
        nodes = {host.topology.cpu(cpu).node for cpu in each["cpus"]}
        assert len(nodes) == 1
        cores = {host.topology.cpu(cpu).siblings for cpu in each["cpus"]}
        assert len(cores) == len(each["cpus"]) == (1 if each["chase"] else len(cores))
    assert {each["memory_node"] for each in loads} == {0, 1}


def test_one_node_is_said_to_be_one() -> None:
    _, found = measured("desktop")
    assert found.nodes == ()
    assert "one NUMA node: its latency and its bandwidth are those of memory" in str(found)


def test_without_huge_pages_the_order_keeps_translations_at_hand() -> None:
    _, found = measured("desktop", Memory(huge=False))
    assert list(found.curves) == [SMALL, BY_PAGES]
    assert found.levels[-1].translation_ns == TRANSLATION_NS
    assert found.missing == ("latency on huge pages: the kernel gave 0 of 2 MB on huge pages",)
    assert "not measured: latency on huge pages" in str(found)


class Failing(Memory):
    """A computer that cannot run some measurements, or whose other cores never get time."""

    def __init__(self, fails: Callable[[dict[str, Any]], object]) -> None:
        super().__init__()
        self._fails = fails

    def __call__(self, request: str, stop: threading.Event | None) -> str:
        asked = json.loads(request)
        if self._fails(asked):
            raise cs.RunError("no luck")
        return super().__call__(request, stop)


def test_a_part_that_fails_costs_that_part() -> None:
    _, whole = measured("desktop")
    _, found = measured("desktop", Failing(lambda asked: asked["function"] == "copy"))
    copies = {each.operation for each in whole.bandwidths} - {
        "load",
        "store",
        "store, non-temporal",
    }
    assert {each.operation for each in found.bandwidths} == {"load", "store", "store, non-temporal"}
    assert len(found.levels) == len(whole.levels)
    assert all(any(f"bandwidth of {name} " in line for line in found.missing) for name in copies)
    assert all(line.endswith(": no luck") for line in found.missing)
    _, found = measured("desktop", Failing(lambda asked: asked["function"] == "mailbox"))
    assert (found.matrix, found.missing) == (None, ("messages between CPUs: no luck",))
    assert len(found.loaded) == len(whole.loaded)
    _, found = measured("desktop", Failing(lambda asked: asked["chase"]))
    assert (found.levels, found.loaded) == ((), ())
    assert len(found.bandwidths) == len(whole.bandwidths)
    for form in ("text", "json"):
        assert "no luck" in find("overview", form).write(found)
    assert svg(found.plot()).startswith(b"<?xml")


def test_other_cores_without_time_for_loads_are_missing() -> None:
    class Still(Memory):
        def _chased(self, asked: dict[str, Any], answer: dict[str, Any]) -> None:
            super()._chased(asked, answer)
            for row in answer["threads"]:
                row["background_gb_s"] = row["background_gb_s"] and 0.0

    _, found = measured("desktop", Still())
    assert found.missing == ("latency under load: the other cores had no time for loads",)
    assert [each.rate_gb_s for each in found.loaded] == [0.0, None]


def test_the_cpu_that_was_asked_for_is_measured() -> None:
    memory = Memory()
    _, found = measured("desktop", memory, cpu=2)
    assert found.cpu == 2
    chased = [each["cpus"] for each in memory.asked if each["chase"] and not each["background"]]
    assert {tuple(cpus) for cpus in chased} == {(2,)}
    assert {each["cpus"][0] for each in memory.asked if each["background"]} == {2}
    with pytest.raises(cs.UsageError, match="CPUs 0-7"):
        measured("desktop", cpu=8)
    with pytest.raises(cs.UsageError, match="such as 500ms"):
        measured("desktop", budget="soon")


def test_grades_come_from_repetitions(monkeypatch: pytest.MonkeyPatch) -> None:
    _, many = measured("desktop", budget="30s")
    assert {each.grade for each in many.levels} <= {"1 %", "10 %"}
    # Two repetitions of each say how much similar measurements vary, one says nothing.
    _, few = measured("desktop", budget="1ms")
    assert {each.grade for each in few.bandwidths} == {"1 %"}
    monkeypatch.setattr("cellstats.host.survey._LITTLE_NS", 0)
    _, single = measured("desktop", budget="1ms")
    assert {each.grade for each in single.bandwidths} == {"do not use"}
    assert single.is_bad()
    assert "!: not to be used" in str(single)


def test_measurements_share_the_time() -> None:
    keys: dict[Key, int] = {("cheap",): 1_000_000, ("dear",): 50_000_000, ("more",): 200_000_000}
    turns = list(_turns(keys, 600_000_000))
    counts = {key: turns.count(key) for key in keys}
    # The dear ones share what the cheap one leaves, and none has more than an interval takes.
    assert counts == {("cheap",): REPETITIONS - 2, ("dear",): 5, ("more",): 1}
    assert abs(turns.index(("more",)) - len(turns) / 2) <= 2
    assert turns[0] == turns[-1] == ("cheap",)
    assert list(_turns(keys, -1)) == []
