"""Findings on recorded computers; every finding gives a reason and a remedy."""

import json

import pytest

import recorded
from cellstats.host.doctor import Finding, examine
from cellstats.host.environment import read_environment
from host_answers import CLOCK, Answers


def findings(name: str, *, invariant: bool = True) -> dict[str, Finding]:
    host = recorded.host(name, Answers())
    environment = read_environment(host.tree, host.topology)
    found = examine(host, environment, lambda: json.dumps({**CLOCK, "invariant": invariant}))
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


def test_load_spoils_only_where_there_is_much_of_it() -> None:
    def names(load: str) -> set[str]:
        host = recorded.host("two-sockets", Answers())
        host.tree = recorded.tree("two-sockets", {"proc/loadavg": load})
        environment = read_environment(host.tree, host.topology)
        return {each.name for each in examine(host, environment, lambda: json.dumps(CLOCK))}

    assert "load" not in names("7.1 1 1 1/1 1")
    assert "load" in names("7.3 1 1 1/1 1")
