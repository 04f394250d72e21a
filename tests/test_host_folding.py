"""More threads than CPUs are placed in groups on recorded computers, beside groups in blocks."""

from typing import Any

import pytest

import recorded
from cellstats.host.cpu_placement import HostPlaced, place_on_host
from cellstats.host.message_costs import MessageCosts
from cellstats.patterns import Pattern, Phase, Transfer
from cellstats.show.computer import placed_figure
from cellstats.show.placement import placed_text
from host_answers import Answers

CPUS = (0, 1, 18, 19)
# Threads 0, 4, 8 and 12 exchange much, and so do 1, 5, 9 and 13, ...
STRIDED = Pattern(
    "strided",
    16,
    (
        Phase(
            (
                *(Transfer(a, (a + 4) % 16, 64, 9) for a in range(16)),
                *(Transfer(a, a - a % 4 + (a + 1) % 4, 64) for a in range(16)),
            )
        ),
    ),
)


def placed(wanted: Pattern = STRIDED, **more: Any) -> HostPlaced:
    answers = Answers()
    host = answers.on(recorded.host("two-sockets", answers))
    return place_on_host(wanted, machine=host, cpus=CPUS, budget="60s", **more)


def test_threads_that_exchange_most_share_a_cpu() -> None:
    found = placed()
    assert found.groups is not None
    assert found.groups.threads == tuple(tuple(range(first, 16, 4)) for first in range(4))
    assert found.groups.inside == pytest.approx(0.9)
    assert found.groups.inside_blocks == pytest.approx(0.1)
    assert found.in_blocks_ns is not None
    assert found.cost_ns < found.in_blocks_ns
    assert set(found.placement) == set(CPUS)


def test_forms_have_a_cpu_for_each_thread() -> None:
    found = placed()
    of_threads = [found.placement[thread % 4] for thread in range(16)]
    forms = found.to_dict()["forms"]
    assert forms["list"] == ",".join(map(str, of_threads))
    ranks = forms["rankfile"].splitlines()[4:]
    assert ranks == [f"rank {nth}=localhost slot={cpu}" for nth, cpu in enumerate(of_threads)]
    text = placed_text(found)
    assert "strided, 16 threads in 4 groups on CPUs 0-1,18-19" in text
    assert f"  CPU {found.placement[1]}: 1,5,9,13" in text


def test_a_trial_runs_the_blocks_too() -> None:
    tried = placed(verify=True).verification
    assert tried is not None
    names = [run.name for run in tried.runs]
    assert names[0] == "found"
    assert "blocks" in names
    assert {gain.over for gain in tried.gains} == set(names[1:])


def test_a_picture_shows_groups() -> None:
    answers = Answers()
    host = answers.on(recorded.host("two-sockets", answers))
    (axes,) = placed_figure(placed(), host).axes
    labels = {text.get_text() for text in axes.texts}
    assert {f"{cpu}\nT{nth}…" for nth, cpu in enumerate(placed().placement)} <= labels


def test_as_many_threads_as_cpus_are_no_groups() -> None:
    found = placed(Pattern("four", 4, (Phase((Transfer(0, 1, 64), Transfer(2, 3, 64))),)))
    assert (found.groups, found.in_blocks_ns) == (None, None)
    assert found.cpu_of_threads == found.placement
    assert found.to_dict()["groups"] is None


def test_repetitions_do_not_lengthen_the_shortest_run() -> None:
    costs = MessageCosts((0, 1), [[0.0, 100.0], [120.0, 0.0]], [[0.0, 0.1], [0.3, 0.0]])
    once, often = (
        Pattern("m", 2, (Phase((Transfer(0, 1, 1024, times), Transfer(1, 0, 64, times))),))
        for times in (1, 50)
    )
    (low_ns, high_ns), (often_low_ns, often_high_ns) = (
        costs.run_ns(each, (0, 1), 0.0) for each in (once, often)
    )
    assert low_ns == often_low_ns == pytest.approx((100 + 102.4 + 120 + 19.2) / 2)
    assert high_ns is not None
    assert often_high_ns is not None
    assert high_ns < often_high_ns
