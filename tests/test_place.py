"""`cs.place` and `cellstats place` return a valid and optimal placement."""

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats.affinities import affinity
from cellstats.core.pattern_pairs import NAMES
from cellstats.measure.best_placement import DEFAULTS
from cellstats.measure.exchanges import times
from cellstats.patterns import MEMORY, Pattern, Phase, Transfer, pattern
from cellstats.placement.principles import equally_good
from cellstats.placement.rings import PartKind, part_loads
from cellstats.placement.search import SIMULATED_BYTES_MAX
from command_line import cellstats, interrupted

BOARD, PS3, BLADE = (cs.machine(name) for name in ("eval-board", "ps3", "qs20"))
JUDGES = pytest.mark.parametrize("by", ["model", "simulation"])


def cycles(machine: cs.Machine, wanted: Pattern, placement: tuple[int, ...]) -> int:
    return times(machine, wanted, [placement], iterations=10)[0]


@JUDGES
def test_every_thread_has_an_spe_of_its_own(by: str) -> None:
    found = cs.place("nearest-neighbour", machine=PS3, by=by, threads=5)
    assert len(set(found.placement)) == 5
    assert set(found.placement) <= set(PS3.spes)
    assert found.evaluations == 720
    assert found.all_placements


def test_by_simulation_nothing_is_faster() -> None:
    # Measure all 120 placements of three threads on six SPEs, with the finalists' iterations.
    uneven = Pattern("uneven", 3, (Phase((Transfer(0, 1, 65536), Transfer(1, 2, 16384))),))
    found = cs.place(uneven, machine=PS3)
    every = times(PS3, uneven, list(itertools.permutations(PS3.spes, 3)), iterations=10)
    assert found.time_ns == pytest.approx(min(every) / 10 / PS3.bus_hz * 1e9)


def test_by_the_model_nothing_is_less_loaded() -> None:
    found = cs.place("ring", machine=PS3, by="model", size="64k")
    native = pattern("ring", 6, "64k").to_native()
    every = list(itertools.permutations(PS3.spes))
    costs = cs._native.model_costs(PS3.native, native, every, "0")
    assert costs[every.index(found.placement)] == min(costs)


@JUDGES
@pytest.mark.parametrize("name", ["ring", "recursive-doubling", "pipeline", "hotspot"])
def test_it_is_no_worse_than_affinities_with_a_name(by: str, name: str) -> None:
    found = cs.place(name, machine=BOARD, by=by, threads=4)
    assert all(found.time_ns <= other * 1.0001 for other in found.affinities_ns.values())
    assert found.affinities_ns["default"] <= found.default_worst_ns
    assert found.bound_ns <= found.time_ns


def test_a_better_affinity_is_found_than_any_of_a_hundred_random_ones() -> None:
    found = cs.place("ring", machine=PS3, size="64k")
    random = [affinity(PS3, "default", 6, seed=seed) for seed in range(DEFAULTS)]
    fastest = min(times(PS3, pattern("ring", 6, "64k"), random, iterations=10))
    assert cycles(PS3, pattern("ring", 6, "64k"), found.placement) <= fastest


def test_memory_traffic_counts() -> None:
    # Two gets of 64 KB take longer from the other Cell's memory than from their own Cell's.
    gets = Pattern("gets", 2, (Phase((Transfer(MEMORY, 0, 65536), Transfer(MEMORY, 1, 65536))),))
    for memory in (0, 1):
        for by in ("model", "simulation"):
            found = cs.place(gets, machine=BLADE, by=by, memory=memory)
            assert [BLADE.chip_of(spe) for spe in found.placement] == [memory] * 2


def test_phases_are_added_up() -> None:
    ring, doubling = pattern("ring", 4), pattern("recursive-doubling", 4)
    both = Pattern("both", 4, ring.phases + doubling.phases)
    apart = [cs.place(each, machine=PS3, by="model").time_ns for each in (ring, doubling)]
    assert cs.place(both, machine=PS3, by="model").time_ns >= 0.9999 * sum(apart)


def test_partners_share_a_cell() -> None:
    # With sixteen threads on two Cells, partners are placed on the same Cell.
    found = cs.place("pairwise", machine=BLADE, by="model", threads=16)
    chips = [BLADE.chip_of(spe) for spe in found.placement]
    assert chips[0::2] == chips[1::2]
    assert chips.count(0) == chips.count(1) == 8


def test_who_sends_more_is_on_cell_0() -> None:
    # The interface carries 30 GB/s from Cell 0 to Cell 1, and 20 GB/s back.
    transfers = [Transfer(source, 5 + source, 65536) for source in range(5)]
    back = [Transfer(5 + source, source, 32768) for source in range(5)]
    # Because of the traffic within each half of the threads, a half stays on one Cell.
    within = [Transfer(i, (i + 1) % 5, 65536, 8) for i in range(5)]
    within += [Transfer(5 + i, 5 + (i + 1) % 5, 65536, 8) for i in range(5)]
    for turned in (False, True):
        moved = [
            Transfer(_turn(t.source, turned), _turn(t.destination, turned), t.bytes, t.repetitions)
            for t in (*transfers, *back, *within)
        ]
        uneven = Pattern("uneven", 10, tuple(Phase((each,)) for each in moved))
        found = cs.place(uneven, machine=BLADE, by="model")
        senders = [BLADE.chip_of(found.placement[_turn(i, turned)]) for i in range(5)]
        assert senders == [0] * 5


def _turn(thread: object, turned: bool) -> int:
    assert isinstance(thread, int)
    return 9 - thread if turned else thread


@pytest.mark.parametrize("name", ["ring", "pipeline", "all-to-all"])
def test_threads_of_one_cell_leave_the_other_one_idle(name: str) -> None:
    """With eight threads, traffic between the Cells is minimal if all threads are on one Cell."""
    found = cs.place(name, machine=BLADE, threads=8, by="model")
    assert len({spe // 8 for spe in found.placement}) == 1
    assert len(set(found.placement)) == 8


def test_a_thread_that_only_waits_has_an_spe_too() -> None:
    one = Pattern("one", 9, (Phase((Transfer(0, 1, 128),)),))
    assert len(set(cs.place(one, machine=BLADE, by="model").placement)) == 9


def test_of_sixteen_a_search_finds_more_than_it_starts_with() -> None:
    found = cs.place("ring", machine=BLADE, threads=16, evaluations=300)
    assert not found.all_placements
    assert found.evaluations <= 300
    assert found.time_ns < min(found.affinities_ns.values())
    assert 0 < found.gap < 1


def test_of_sixteen_the_model_finds_no_more_than_orders_with_a_name_cost() -> None:
    for name in ("ring", "recursive-doubling", "pairwise"):
        found = cs.place(name, machine=BLADE, by="model", threads=16)
        assert found.time_ns <= min(found.affinities_ns.values())


def test_a_sender_of_the_other_home_ring_costs_the_model_less() -> None:
    # The ring is PPE SPE1 SPE3 SPE5 SPE7 IOIF1 IOIF0 SPE6 SPE4 SPE2 SPE0 MIC.
    # Messages 1 -> 6 and 5 -> 2 wait for each other, but 1 -> 6 and 3 -> 4 do not.
    # A simulation agrees with the model.
    two = Pattern("two", 4, (Phase((Transfer(0, 1, 65536), Transfer(2, 3, 65536))),))
    same, other = (1, 6, 5, 2), (1, 6, 3, 4)
    packed = cs._native.model_costs(BOARD.native, two.to_native(), [same, other], "0")
    costs = [cs._native.cost_bus_cycles(cost) for cost in packed]
    assert costs[0] - costs[1] == 65536 // 16
    simulated = [cycles(BOARD, two, each) / 10 for each in (same, other)]
    assert simulated == pytest.approx(costs, rel=0.05)


def threads_of(name: str, most: int) -> Iterator[int]:
    """The lowest, a middle and the highest possible number of threads, from 2 to `most`."""
    known = []
    for threads in range(2, most + 1):
        try:
            pattern(name, threads)
        except cs.UsageError:
            continue
        known.append(threads)
    if known:
        yield from sorted({known[0], known[len(known) // 2], known[-1]})


@pytest.mark.thirds
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("machine", ["ps3", "eval-board", "qs20", "blade-2100"])
def test_every_pattern_is_placed_on_every_machine(machine: str, name: str) -> None:
    usable = cs.machine(machine).spes
    # Larger numbers of threads would take seconds. The next test covers some of them.
    for threads in threads_of(name, min(8, len(usable))):
        found = cs.place(name, machine=machine, by="model", threads=threads, size="1k")
        assert len(set(found.placement)) == threads
        assert set(found.placement) <= set(usable)
        assert found.time_ns <= found.affinities_ns["identity"] or found.rejected


@pytest.mark.parametrize("threads", [9, 12, 13])
def test_more_threads_than_a_cell_has_spes(threads: int) -> None:
    for name in ("ring", "hotspot", "binomial-tree"):
        found = cs.place(name, machine=BLADE, by="model", threads=threads, size="1k")
        assert len(set(found.placement)) == threads


@pytest.mark.parametrize("threads", [5, 8])
def test_a_cell_without_messages_is_placed_by_simulation_too(threads: int) -> None:
    found = cs.place("ring", machine=BLADE, threads=threads, evaluations=20)
    assert {BLADE.chip_of(spe) for spe in found.placement} == {0}


@JUDGES
def test_threads_without_messages_sit_anywhere(by: str) -> None:
    # The ten threads occupy both Cells, but only two of them send messages.
    two = Pattern("two", 10, (Phase((Transfer(0, 1, 16384), Transfer(1, 0, 16384))),))
    found = cs.place(two, machine=BLADE, by=by, evaluations=20)
    assert len(set(found.placement)) == 10
    assert len({BLADE.chip_of(spe) for spe in found.placement[:2]}) == 1


@pytest.mark.parametrize("senders", [1, 2, 4, 8])
def test_the_model_knows_what_the_interface_between_cells_carries(senders: int) -> None:
    # One SPE has at most 16 cache lines in flight.
    # The interface has buffer entries for 25 lines per Cell, which limit it to 12 of its 30 GB/s.
    pairs = [(2 * pair, 2 * pair + 1) for pair in range(senders)]
    across = Pattern("across", 2 * senders, (Phase(tuple(Transfer(*p, 65536) for p in pairs)),))
    spes = tuple(spe for pair in range(senders) for spe in (pair, 8 + pair))
    (phase,) = part_loads(BLADE.native, across, spes, "0")
    busiest = max(phase, key=lambda load: load.bus_cycles).part.kind
    assert busiest is (PartKind.OUTSTANDING_WRITES if senders == 1 else PartKind.PLACES)
    (cost,) = cs._native.model_costs(BLADE.native, across.to_native(), [spes], "0")
    assert cs._native.cost_bus_cycles(cost) == pytest.approx(
        cycles(BLADE, across, spes) / 10, rel=0.05
    )


def test_what_the_model_finds_is_the_answer_if_a_simulation_says_so() -> None:
    found = cs.place("ring", machine=PS3, by="model")
    assert found.rejected is None
    simulated = [cycles(PS3, found.placed_pattern, each) for each in (found.placement, PS3.spes)]
    ns = [each / 10 / PS3.bus_hz * 1e9 for each in simulated]
    assert [found.simulated_ns, found.unplaced_simulated_ns] == pytest.approx(ns)
    assert ns[0] < ns[1]


def test_what_is_no_better_by_simulation_is_rejected() -> None:
    # The lowest SPE leads the barriers. The model ignores that a sending leader shortens barriers.
    found = cs.place("binomial-tree", machine=PS3, by="model", threads=3)
    assert found.rejected is not None
    assert found.simulated_ns is not None
    assert found.unplaced_simulated_ns is not None
    assert found.unplaced_simulated_ns < found.simulated_ns
    # The answer is the fastest of those that are shown, so it is no slower than any of them.
    answer = cycles(PS3, found.placed_pattern, found.placement) / 10 / PS3.bus_hz * 1e9
    assert found.answer_simulated_ns == pytest.approx(answer)
    assert answer <= min(found.affinities_simulated_ns.values())
    assert found.to_dict()["rejected"] == list(found.rejected)


def test_a_pattern_that_moves_too_much_is_not_simulated() -> None:
    often = SIMULATED_BYTES_MAX // 16384 + 1
    much = Pattern("much", 2, (Phase((Transfer(0, 1, 16384, often),)),))
    found = cs.place(much, machine=PS3, by="model")
    assert (found.simulated_ns, found.unplaced_simulated_ns, found.rejected) == (None, None, None)
    assert "The placement is not simulated" in str(found)


def test_the_same_again() -> None:
    first, second = (cs.place("ring", machine=BLADE, threads=12, evaluations=60) for _ in "ab")
    assert first == second


@JUDGES
def test_a_limit_counts_even_if_all_placements_are_few(by: str) -> None:
    # Three threads have 120 placements on six SPEs.
    for limit in (1, 30, 119, 120, 500):
        found = cs.place("ring", machine=PS3, by=by, threads=3, evaluations=limit)
        assert found.evaluations <= limit
        assert found.all_placements == (limit >= 120) == (found.evaluations == 120)


def test_what_a_limited_search_finds_is_compared_in_longer_runs() -> None:
    # With all placements tried by the search, the result is the same as without a search.
    uneven = Pattern("uneven", 4, (Phase((Transfer(0, 1, 65536), Transfer(2, 3, 16384))),))
    every = cs.place(uneven, machine=PS3)
    limited = cs.place(uneven, machine=PS3, evaluations=359)
    assert 200 < limited.evaluations <= 359
    assert every.time_ns <= limited.time_ns <= every.time_ns * 1.01


def test_a_limit_counts_for_the_model_on_two_cells() -> None:
    # Without a limit, the model tries all orders on each Cell.
    limited = cs.place("ring", machine=BLADE, by="model", threads=12, evaluations=50)
    assert limited.evaluations <= 50
    assert limited.time_ns <= min(
        ns for name, ns in limited.affinities_ns.items() if name != "default"
    )


@pytest.mark.parametrize("evaluations", [0, -1, "many", 2.5])
def test_a_limit_is_a_number(evaluations: Any) -> None:
    with pytest.raises(cs.UsageError, match="evaluations"):
        cs.place("ring", machine=PS3, evaluations=evaluations)


@pytest.mark.parametrize("evaluations", [None, 50])
def test_progress_counts_every_simulation_once(evaluations: int | None) -> None:
    told: list[tuple[int, int]] = []
    cs.place(
        "ring",
        machine=PS3,
        threads=3,
        evaluations=evaluations,
        advance=lambda done, total: told.append((done, total)),
    )
    assert told[0][0] == 0
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert all(done <= total for done, total in told)
    assert told[-1][0] == told[-1][1]


def test_an_interrupt_says_what_is_best_so_far() -> None:
    def stop(done: int, _total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        cs.place("ring", machine=PS3, threads=3, advance=stop, jobs=1)
    said = re.fullmatch(
        r"(\d+) of 120 placements were tried; the best takes \S+ .s: --placement ([\d,]+)",
        str(stopped.value),
    )
    assert said is not None
    tried = [*itertools.permutations(PS3.spes, 3)][: int(said[1])]
    every = times(PS3, pattern("ring", 3), tried)
    listed = [",".join(map(str, spes)) for spes in tried]
    assert every[listed.index(said[2])] == min(every)


def test_other_chips() -> None:
    file = Path(__file__).parents[1] / "machines" / "examples" / "sixteen-spes.toml"
    found = cs.place("ring", machine=file, by="model", threads=16, evaluations=2000)
    assert sorted(found.placement) == list(range(16))
    assert found.time_ns <= found.affinities_ns["identity"]


# The command.


def test_the_answer_comes_first() -> None:
    done = cellstats("place", "pairwise", "-n", "2")
    assert done.status == 0
    first, *_ = done.out.splitlines()
    placement = first.removeprefix("--placement ")
    again = cellstats("-f", "exchange", "--pattern", "pairwise", "--placement", placement)
    assert again.status == 0


def test_by_the_model_a_simulation_has_the_last_word() -> None:
    done = cellstats("place", "ring", "--by", "model", "--machine", "qs20")
    assert done.status == 0
    assert re.search(r"\nfound +1\.33 µs +1\.08 µs ", done.out), done.out
    assert "By simulation 0,1,7,5,3,2,6,4, which the search found, takes 1.2 µs" in done.out
    other = cellstats("place", "binomial-tree", "-n", "3", "--by", "model")
    assert other.out.startswith("--placement 0,2,4\n")
    assert "By simulation 2,0,4, which the search found, takes 1.77 µs" in other.out


def test_the_papers_principles_prefer_rings_with_equal_loads_and_paths_apart() -> None:
    found = equally_good(BLADE.native, pattern("ring", 8, "64k"), range(8))
    assert len(found) == 284
    assert (0, 1, 2, 3, 4, 5, 6, 7) in found
    # In the order along the ring, all messages go in one direction, so two rings are empty.
    assert (0, 2, 4, 6, 7, 5, 3, 1) not in found
    assert {each[0] for each in found} == {0}


def test_json_has_all_of_it() -> None:
    done = cellstats("place", "ring", "-n", "3", "--by", "model", "--format", "json")
    found = json.loads(done.out)
    assert found["placement"] == list(
        cs.place("ring", machine="ps3", threads=3, by="model").placement
    )
    assert {"time_ns", "gap", "affinities_ns", "relieved", "bound_ns"} <= found.keys()


def test_ctrl_c_ends_in_one_line_with_the_best_placement() -> None:
    done = interrupted(
        "place", "pipeline", "-n", "8", "-b", "16k", "--machine", "qs20", "--cells", "0"
    )
    assert (done.status, done.out) == (130, "")
    line = r"cellstats: interrupted, \d+ of 40320 placements were tried; the best takes .*\n"
    assert re.fullmatch(line, done.err)
