"""Placements on recorded computers: the optimum according to a matrix, and trials of placements."""

import itertools
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

import cellstats as cs
import recorded
from cellstats.host.cost_matrices import Measured, measured
from cellstats.host.cpu_placement import HostPlaced, place_on_host
from cellstats.host.host_machine import HostMachine
from cellstats.host.matrices import measure_matrix
from cellstats.host.message_costs import MessageCosts, cost_ns, random_mean_ns, search
from cellstats.host.verification import ROUNDS, ROUNDS_LEAST, judge, time_ns, try_placements
from cellstats.patterns import MEMORY, Pattern, Phase, Transfer, pattern
from cellstats.show.placement import placed_text
from host_answers import LATENCIES_NS, Answers

MIXED = Pattern(
    "mixed",
    4,
    (
        Phase((Transfer(0, 1, 65536), Transfer(1, 2, 16, 500), Transfer(2, 3, 1024, 7))),
        Phase((Transfer(3, 0, 128, 90), Transfer(MEMORY, 2, 16384), Transfer(0, 2, 8))),
    ),
)


def place(name: str, wanted: str | Pattern, **parameters: Any) -> HostPlaced:
    answers = Answers()
    host = answers.on(recorded.host(name, answers))
    return place_on_host(wanted, machine=host, **{"budget": "60s", **parameters})


def record(
    function: str, values: list[list[float | None]], cpus: list[int], **more: Any
) -> dict[str, Any]:
    """A matrix, in the format of a matrix file."""
    return {
        "machine": "host",
        "function": function,
        "labels": cpus,
        "values": values,
        "unit": "ns",
        "relations": [[None if a == b else "same L3" for b in cpus] for a in cpus],
        "environment": {"cpu_model": "made up"},
        "disturbed": [],
        "pairs": {},
        "sources": [[None if a == b else "measured" for b in cpus] for a in cpus],
        "means": {
            "latency": "round trip" if function == "mailbox" else "per operation",
            "bytes_per_iteration": 4096,
        },
        "recipe": {"parameters": {"size_bytes": 4096}},
        **more,
    }


def by_chance(function: str, count: int, chance: random.Random) -> Measured:
    """A random matrix, which is not symmetric."""
    values = [
        [None if a == b else chance.uniform(50, 2000) for b in range(count)] for a in range(count)
    ]
    return measured(record(function, values, list(range(count))), "made up")


@pytest.mark.parametrize(
    ("name", "cpus"),
    [
        ("two-sockets", "0-2,18-20,54"),
        ("chiplets", "0-2,8-10,24"),
        ("eight-nodes", "0,1,8,16,17,64,65"),
        ("big-little", "0-5"),
    ],
)
@pytest.mark.parametrize("wanted", ["complement", "recursive-doubling-2"])
def test_those_that_talk_are_put_together(name: str, cpus: str, wanted: str) -> None:
    topology = recorded.host(name).topology
    threads = 4
    found = place(name, wanted, threads=threads, size=64, cpus=cpus)
    pairs = [(t.source, t.destination) for _, t in pattern(wanted, threads).transfers()]

    def cost(placement: tuple[int, ...]) -> float:
        ends = ((placement[int(a)], placement[int(b)]) for a, b in pairs)
        return sum(LATENCIES_NS[topology.relation(a, b)] / 2 for a, b in ends)

    every = [cost(each) for each in itertools.permutations(found.cpus, threads)]
    assert cost(found.placement) == pytest.approx(min(every))
    assert cost(found.worst) == pytest.approx(max(every))
    # The samples from `Answers` are up to 0.2 ns above the nominal latency.
    assert found.cost_ns == pytest.approx(min(every), abs=0.2 * len(pairs))
    assert found.random_ns == pytest.approx(fmean(every), abs=0.2 * len(pairs))
    assert found.bound_ns <= found.cost_ns <= found.identity_ns <= found.worst_ns


@pytest.mark.parametrize("wanted", [pattern("ring", 4, "4k"), MIXED], ids=["one size", "mixed"])
def test_no_placement_costs_less_or_more(wanted: Pattern, chance: random.Random) -> None:
    for _ in range(5):
        matrices = [by_chance("mailbox", 6, chance), by_chance("dmaget", 6, chance)]
        costs = MessageCosts.of(matrices, range(6))
        terms = costs.terms(wanted)
        every = [cost_ns(terms, each) for each in itertools.permutations(range(6), 4)]
        ends = search(costs, wanted, (0, 1, 2, 3), seed=0)
        assert ends.best_ns == pytest.approx(min(every))
        assert ends.worst_ns == pytest.approx(max(every))
        assert ends.bound_ns <= min(every) * (1 + 1e-9)
        assert random_mean_ns(terms) == pytest.approx(fmean(every))


def test_of_few_placements_none_is_missed() -> None:
    # For these matrices, descents from parts' solutions and from random placements miss the worst.
    chance = random.Random(10)
    costs = MessageCosts.of(
        [by_chance(name, 6, chance) for name in ("mailbox", "dmaget")], range(6)
    )
    every = [cost_ns(costs.terms(MIXED), each) for each in itertools.permutations(range(6), 4)]
    ends = search(costs, MIXED, (0, 1, 2, 3), seed=0)
    assert ends.worst_ns == pytest.approx(max(every))
    assert ends.best_ns == pytest.approx(min(every))


def test_a_message_is_latency_and_bytes_and_comes_from_whom_it_is_got() -> None:
    # CPU 0 waits 40 ns for a reply from CPU 1, and reads 4096 bytes from it in 8192 ns.
    mail = record("mailbox", [[None, 40.0], [60.0, None]], [0, 1])
    gets = record("dmaget", [[None, 8192.0], [4096.0, None]], [0, 1])
    puts = record("dmaput", [[None, 4096.0], [8192.0, None]], [0, 1])
    one = Pattern("one", 2, (Phase((Transfer(1, 0, 1024, 3),)),))
    for copies in (gets, puts):
        costs = MessageCosts.of([measured(each, "made up") for each in (mail, copies)], [0, 1])
        # Half the mean round trip, plus 2 ns for each byte to CPU 0 or 1 ns for each byte from it.
        assert cost_ns(costs.terms(one), (0, 1)) == pytest.approx(3 * (25 + 2 * 1024))
        assert cost_ns(costs.terms(one), (1, 0)) == pytest.approx(3 * (25 + 1024))


def test_one_way_is_the_cost_of_a_message_in_that_direction() -> None:
    means = {"latency": "one way", "bytes_per_iteration": None}
    mail = record("mailbox", [[None, 40.0], [60.0, None]], [0, 1], means=means)
    assert measured(mail, "made up").latency_ns == [[0.0, 40.0], [60.0, 0.0]]


def test_bandwidth_says_the_same_as_latency() -> None:
    # A transfer of 4096 bytes in 8192 ns has 0.5 GB/s.
    slow, fast = [[None, 8192.0], [4096.0, None]], [[None, 0.5], [1.0, None]]
    by_time = measured(record("dmaget", slow, [0, 1]), "made up")
    by_rate = measured(record("dmaget", fast, [0, 1], unit="GB/s"), "made up")
    assert by_time.byte_ns == by_rate.byte_ns == [[0.0, 1.0], [2.0, 0.0]]


def test_long_messages_have_copies_measured_and_short_ones_not() -> None:
    for size, functions in ((64, {"mailbox"}), (4096, {"mailbox", "dmaget"})):
        answers = Answers()
        host = answers.on(recorded.host("smt-off", answers))
        found = place_on_host("ring", machine=host, threads=4, size=size, budget="60s")
        assert {each["function"] for each in answers.asked} == functions
        assert all(each["core_to_core"] for each in answers.asked)
        assert {each["size_bytes"] for each in answers.asked} - {0} <= {size}
        assert len(found.matrices) == len(functions)


def test_a_core_is_not_shared_unless_there_is_need_or_wish() -> None:
    topology = recorded.host("desktop").topology
    apart = place("desktop", "pairwise", threads=4, size=64)
    assert len({topology.cpu(cpu).siblings for cpu in apart.placement}) == 4
    assert "--spes 0-7 has them all" in apart.notes[0]
    wish = place("desktop", "pairwise", threads=4, size=64, cpus="0-7")
    need = place("desktop", "pairwise", threads=8, size=64)
    for found in (wish, need):
        a, b = found.placement[:2]
        assert topology.relation(a, b) == "same core"
        assert "share a core" in found.notes[0]


def test_identity_stays_where_nothing_is_better() -> None:
    found = place("smt-off", "ring", threads=8, size=64)
    assert found.placement == found.identity == tuple(range(8))
    assert found.cost_ns == found.worst_ns


def test_two_cpus_have_nothing_to_choose() -> None:
    found = place("container", "ring", size=64)
    assert found.cpus == found.placement == (4, 5)
    assert found.notes == ("with 2 CPUs all placements are alike: the same pair talks",)
    tried = place("container", "ring", size=64, verify=True).verification
    assert tried is not None
    assert [run.name for run in tried.runs] == ["found"]
    assert not tried.gains


def test_a_file_says_what_the_matrix_said(tmp_path: Path) -> None:
    answers = Answers()
    host = answers.on(recorded.host("two-sockets", answers))
    matrix = measure_matrix("mailbox", machine=host, budget="60s", placement=range(0, 36, 4))
    file = tmp_path / "matrix.json"
    file.write_text(json.dumps(matrix.to_dict()), encoding="utf-8")
    asked = len(answers.asked)
    found = [
        place_on_host("complement", machine=host, threads=8, matrices=[each])
        for each in (matrix, file)
    ]
    assert found[0] == found[1]
    assert len(answers.asked) == asked
    assert found[0].nodes == (0, 1)
    assert set(found[0].placement) <= set(range(0, 36, 4))


def test_the_matrix_of_another_computer_is_said_to_be_one(tmp_path: Path) -> None:
    file = tmp_path / "matrix.json"
    file.write_text(json.dumps(record("mailbox", [[None, 9], [9, None]], [70, 90])), "utf-8")
    found = cs.place("ring", machine="host", matrices=[file])
    assert found.placement == (70, 90)
    assert found.nodes is None
    assert "another computer (made up)" in placed_text(found)
    with pytest.raises(cs.UsageError, match="verify: the matrix is of another computer"):
        cs.place("ring", machine="host", matrices=[file], verify=True)


def test_a_matrix_of_all_cpus_is_that_of_the_computer_where_fewer_are_allowed() -> None:
    answers = Answers()
    whole = answers.on(recorded.host("two-sockets", answers))
    matrix = measure_matrix("mailbox", machine=whole, placement=[0, 1, 18, 19], budget="60s")
    fewer = {"proc/self/status": "Cpus_allowed_list: 0-17"}
    one_socket = HostMachine(recorded.tree("two-sockets", fewer), answers)
    found = place_on_host("ring", machine=one_socket, matrices=[matrix])
    assert (found.cpus, found.notes[1:]) == ((0, 1), ())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"machine": "ps3"}, "is no matrix of the host"),
        ({"function": "load"}, "'load' is no mailbox, signal, dmaget or dmaput"),
        ({"values": [[None, 1.0]]}, "lacks something or is damaged"),
        ({"values": [[None, -1.0], [1.0, None]]}, "lacks something or is damaged"),
        ({"values": [[None, None], [1.0, None]]}, "lacks something or is damaged"),
        ({"values": [[None, float("nan")], [1.0, None]]}, "lacks something or is damaged"),
        ({"labels": [3, 3]}, "lacks something or is damaged"),
        ({"means": None}, "lacks something or is damaged"),
        ({"relations": []}, "lacks something or is damaged"),
        ({"environment": 7}, "lacks something or is damaged"),
    ],
)
def test_a_damaged_matrix_is_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    file = tmp_path / "matrix.json"
    text = json.dumps({**record("mailbox", [[None, 9.0], [9.0, None]], [0, 1]), **change})
    file.write_text(text, encoding="utf-8")
    with pytest.raises(cs.UsageError, match=said) as caught:
        cs.place("ring", machine="host", matrices=[file])
    assert "\n" not in str(caught.value)


def slower_apart(name: str) -> Answers:
    """Answers in which an exchange takes the sum of the latencies between consecutive threads."""
    topology = recorded.host(name).topology

    def change(answer: dict[str, Any]) -> None:
        cpus = [row["cpu"] for row in answer["threads"]]
        if len(cpus) > 2:
            apart = sum(LATENCIES_NS[topology.relation(*ends)] for ends in itertools.pairwise(cpus))
            for row in answer["threads"]:
                row["samples_ns"] = [apart + row["thread"] + i % 2 for i in range(9)]

    return Answers(change)


def test_what_is_found_is_tried_beside_identity_and_the_worst_in_turn() -> None:
    answers = slower_apart("two-sockets")
    host = answers.on(recorded.host("two-sockets", answers))
    found = place_on_host(
        "complement", machine=host, threads=4, size=64, cpus="0-1,18-19", verify=True, budget="60s"
    )
    tried = found.verification
    assert tried is not None
    assert {run.name for run in tried.runs} == {"found", "identity", "worst"} - (
        {"worst"} if found.worst == found.identity else set()
    )
    ran = [tuple(each["cpus"]) for each in answers.asked if each["function"] == "exchange"]
    rounds = [ran[i : i + len(tried.runs)] for i in range(0, len(ran), len(tried.runs))]
    assert len(rounds) == ROUNDS
    for each in rounds:
        assert set(each) == {run.placement for run in tried.runs}
    # Each placement comes first in at least one round.
    assert len({each[0] for each in rounds}) == len(tried.runs)
    # A run's time is that of its slowest thread. The last thread ends 3 ns after the first.
    topology = host.topology
    apart = [LATENCIES_NS[topology.relation(*e)] for e in itertools.pairwise(found.placement)]
    assert tried.runs[0].time_ns == sum(apart) + 3


def test_a_trial_ends_with_its_budget_but_not_before_there_is_an_interval() -> None:
    def slow(_answer: dict[str, Any]) -> None:
        time.sleep(0.001)

    answers = Answers(slow)
    host = answers.on(recorded.host("container", answers))
    ring = pattern("ring", 2)
    trials = {"found": (ring, (4, 5)), "identity": (ring, (5, 4))}
    tried = try_placements(host, trials, budget_ns=1)
    assert [len(run.rounds_ns) for run in tried.runs] == [ROUNDS_LEAST] * 2
    assert len(answers.asked) == 2 * ROUNDS_LEAST


def test_drift_that_hits_all_alike_is_no_difference() -> None:
    placements = {"found": (0, 1), "identity": (1, 0)}
    told = 0
    for seed in range(200):
        chance = random.Random(seed)
        drift = [1000 * (1 + nth / 10) for nth in range(ROUNDS)]
        times = {
            name: [each * chance.lognormvariate(0, 0.05) for each in drift] for name in placements
        }
        told += judge(placements, times, "", ()).gains[0].told
    # The expected share is 0.05, but 200 trials are few, so some deviation is allowed.
    assert told / 200 < 0.08


def test_a_tenth_is_found_under_a_drift_of_twice() -> None:
    chance = random.Random(1)
    drift = [1000 * (1 + nth / ROUNDS) * chance.lognormvariate(0, 0.02) for nth in range(ROUNDS)]
    times = {
        "found": [each * chance.lognormvariate(0, 0.02) for each in drift],
        "identity": [1.1 * each * chance.lognormvariate(0, 0.02) for each in drift],
        "worst": [0.9 * each * chance.lognormvariate(0, 0.02) for each in drift],
    }
    placements = {name: (nth, 9) for nth, name in enumerate(times)}
    over, under = judge(placements, times, "", ()).gains
    assert over.told
    assert over.ratio_ci_low < 1.1 < over.ratio_ci_high
    assert under.told
    assert under.ratio < 1


def change_exchange(factor: Callable[[int], float]) -> Answers:
    """Answers in which the n-th exchange takes a factor of its usual time, which is 200 ns."""
    count = itertools.count()

    def change(answer: dict[str, Any]) -> None:
        if answer["threads"][1]["samples_ns"]:  # in an exchange, both threads measure
            for row in answer["threads"]:
                row["samples_ns"] = [factor(next(count) // 2) * 200.0] * 9

    return Answers(change)


def test_what_disturbed_the_trial_is_said() -> None:
    answers = change_exchange(lambda nth: 1.0 + nth / 80)
    host = answers.on(recorded.host("container", answers))
    found = place_on_host("ring", machine=host, verify=True, budget="200ms", size=64)
    (reason,) = found.disturbed
    assert reason.startswith("trial of found: good to within a factor of 2, it rose from ")


@pytest.mark.parametrize(
    ("factors", "again", "said"),
    [
        ((1.0, 1.0), False, None),
        ((0.01, 1.0), True, None),
        ((100.0, 1.0), True, None),
        ((0.01, 0.01), True, "by the matrices a run takes at least 24.8 ns, and it took 2 ns"),
        ((100.0, 100.0), True, "by the matrices a run takes 304 ns at most, and it took 20 µs"),
    ],
)
def test_a_trial_that_contradicts_the_matrix_has_it_measured_again(
    factors: tuple[float, float], again: bool, said: str | None
) -> None:
    answers = change_exchange(lambda nth: factors[nth >= ROUNDS])
    host = answers.on(recorded.host("container", answers))
    found = place_on_host("ring", machine=host, verify=True, budget="60s", size=64)
    notes = [note for note in found.notes if note.startswith("measured again: by the matrices a")]
    assert bool(notes) == again
    assert found.disturbed == (() if said is None else (said,))


def test_a_given_matrix_that_the_trial_contradicts_is_not_measured_again() -> None:
    answers = change_exchange(lambda _nth: 0.01)
    host = answers.on(recorded.host("container", answers))
    matrix = measure_matrix("mailbox", machine=host)
    asked = len(answers.asked)
    found = place_on_host("ring", machine=host, verify=True, size=64, matrices=[matrix])
    assert {each["function"] for each in answers.asked[asked:]} == {"exchange"}
    assert found.disturbed == ("by the matrices a run takes at least 24.8 ns, and it took 2 ns",)


def test_a_time_is_that_of_the_slowest_thread() -> None:
    def uneven(answer: dict[str, Any]) -> None:
        answer["threads"][0]["samples_ns"] = [1.0, 9.0, 1.0]
        answer["threads"][1]["samples_ns"] = [5.0, 2.0, 4.0]

    result = recorded.host("container", Answers(uneven)).measure(
        "exchange", pattern="ring", spes=2, samples=3, iterations=3
    )
    assert time_ns(result) == 5.0
