"""Findings on recorded computers; every finding gives a reason and a remedy."""

import json

import pytest

import recorded
from cellstats.host.doctor import Finding, examine
from cellstats.host.environment import read_environment
from host_answers import CLOCK, Answers

COUNTED = "user and kernel"


def findings(name: str, *, invariant: bool = True, counters: str = COUNTED) -> dict[str, Finding]:
    host = recorded.host(name, Answers())
    environment = read_environment(host.tree, host.topology)
    clock = {**CLOCK, "invariant": invariant}
    found = examine(host, environment, lambda: json.dumps(clock), lambda: json.dumps(counters))
    return {each.name: each for each in found}


@pytest.mark.parametrize(
    ("name", "spoils", "hints"),
    [
        ("smt-off", set(), set()),
        ("desktop", {"governor"}, {"turbo", "smt", "isolation"}),
        ("two-sockets", set(), {"smt", "huge-pages"}),
        ("chiplets", {"governor"}, {"turbo", "smt", "isolation"}),
        ("hybrid", {"governor", "battery"}, {"turbo", "smt", "heat", "isolation"}),
        ("container", {"quota", "siblings"}, {"turbo", "container", "isolation"}),
        ("virtual-machine", {"virtual-machine"}, {"topology", "isolation"}),
        ("aarch64", set(), {"isolation"}),
    ],
)
def test_what_is_found(name: str, spoils: set[str], hints: set[str]) -> None:
    found = findings(name)
    assert {each.name for each in found.values() if each.spoils} == spoils
    assert {each.name for each in found.values() if not each.spoils} == hints
    order = [each.spoils for each in found.values()]
    assert order == sorted(order, reverse=True)


@pytest.mark.parametrize("name", recorded.NAMES)
def test_every_finding_says_what_why_and_how_to_mend_it(name: str) -> None:
    for each in findings(name, invariant=False).values():
        for text in (each.what, each.why, each.mend):
            assert len(text) > 5
            assert "\n" not in text


def test_a_clock_that_is_not_even() -> None:
    assert "clock" not in findings("desktop")
    assert "clock" in findings("desktop", invariant=False)


@pytest.mark.parametrize(
    ("counters", "what", "mend"),
    [
        ("no events", "no hardware counters: this computer shows none", "pass a PMU to the guest"),
        ("not allowed", "for privileged processes only", "sysctl kernel.perf_event_paranoid=1"),
        ("filtered", "a filter of system calls", "--cap-add PERFMON"),
        ("no system call", "lacks perf_event_open", "CONFIG_PERF_EVENTS"),
        ("user", "count in user space only", "sysctl kernel.perf_event_paranoid=1"),
    ],
)
def test_counters_that_there_are_not_are_a_hint(counters: str, what: str, mend: str) -> None:
    assert "counters" not in findings("smt-off")
    found = findings("smt-off", counters=counters)["counters"]
    assert what in found.what
    assert mend in found.mend
    assert not found.spoils


def test_load_spoils_only_where_there_is_much_of_it() -> None:
    def names(load: str) -> set[str]:
        host = recorded.host("two-sockets", Answers())
        host.tree = recorded.tree("two-sockets", {"proc/loadavg": load})
        environment = read_environment(host.tree, host.topology)
        clock, counters = json.dumps(CLOCK), json.dumps(COUNTED)
        return {each.name for each in examine(host, environment, lambda: clock, lambda: counters)}

    assert "load" not in names("7.1 1 1 1/1 1")
    assert "load" in names("7.3 1 1 1/1 1")
