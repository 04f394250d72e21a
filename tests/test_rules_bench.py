"""The bench for rules, tested with few short runs: factors, shortening, and the journal."""

from pathlib import Path

import pytest

import cellstats as cs
from benches.rules.bench import Bench
from benches.rules.evidence import Evidence
from benches.rules.factors import factors, settings
from benches.rules.journal import Journal
from benches.rules.machines import Override, overridden
from benches.rules.measuring import Measured, measured
from benches.rules.residuals import objective
from benches.rules.screening import screen
from benches.rules.short import Shortening
from cellstats.reproduce.experiments import measured as asked
from cellstats.reproduce.experiments import over_placements

EVIDENCE = Evidence("rings", ("K058", "K013", "S009*"))
HOP = "eib.hop_bus_cycles"


def test_an_override_changes_a_value_and_the_name_says_so() -> None:
    machine = overridden("qs20", {HOP: 2, "blade-2100:bif.reflection_bus_cycles": 130})
    assert machine.name == "qs20 eib.hop_bus_cycles=2"
    assert [row["key"] for row in cs.machine("qs20").diff(machine)] == [HOP]
    unchanged = overridden("qs20", {HOP: 1, "mfc.outstanding_writes": 30})
    assert unchanged.hash == cs.machine("qs20").hash


def test_factors_are_guesses_or_what_is_said() -> None:
    machines = frozenset(cs.machine_names())
    found = factors(["eib.h*", "eib.halfway_clockwise_only=0,1", "qs20:bif.*"], machines)
    assert found[0].name == HOP
    assert (found[0].value, found[0].ends) == (1, (1, 2))
    assert [each.ends for each in found if "halfway" in each.name] == [(0, 1)]
    assert "qs20:bif.outstanding_lines" in [each.name for each in found]
    [page] = factors(["blade-2100:bif.interleave_page_bytes"], machines)
    assert list(page.grid) == [1 << each for each in range(7, 17)]
    for wrong in ("eib.nothing*", "eib.hob_bus_cycles=1,2", "eib.ring"):
        with pytest.raises(cs.UsageError):
            factors([wrong], machines)
    assert settings([f"{HOP}=2"], machines) == {HOP: 2}


def test_short_runs_are_never_longer_and_keep_all_other_columns() -> None:
    short = Shortening(lines=1024, most=50, placements=3)
    [one] = asked("eval-board", "pairwise", op="get", iterations=512, what="label")
    assert short.of(one).columns == one.columns | {"iterations": 8}
    [few] = asked("eval-board", "pairwise", op="get", iterations=4)
    assert short.of(few) == few
    [many] = over_placements("qs20", "couples", 100, spes=8, size="1k")
    assert dict(short.of(many).given)["which"] == 3
    assert dict(short.of(many).given)["iterations"] == 200


def test_evidence_is_found_in_the_papers_folders() -> None:
    rings, bus = Evidence("rings"), Evidence("bus")
    assert {claim.id for claim in EVIDENCE.claims} <= {claim.id for claim in rings.claims}
    assert {claim.id for claim in rings.claims} < {claim.id for claim in bus.claims}
    assert len({claim.paper for claim in bus.claims}) >= 5
    assert "K022" not in [claim.id for claim in bus.claims]
    with pytest.raises(cs.UsageError, match="K999"):
        _ = Evidence("bus", ("K999",)).claims


class Counting:
    """A replacement that measures and records each call."""

    def __init__(self) -> None:
        self.calls: list[tuple[frozenset[str], Override, bool]] = []

    def __call__(
        self, evidence: Evidence, machines: frozenset[str], override: Override
    ) -> Measured:
        self.calls.append((machines, override, evidence.shortening is None))
        return measured(evidence, machines, override)


def test_the_journal_keeps_what_was_measured(tmp_path: Path) -> None:
    path = tmp_path / "rules.jsonl"
    counting = Counting()
    refused = {"eib.data_request_bus_cycles": 5_000}
    with Journal(path, EVIDENCE) as journal:
        bench = Bench(EVIDENCE, journal, 1, counting)
        begun = len(counting.calls)
        assert begun == 2 * len(EVIDENCE.parts)
        as_is, slower, impossible = bench.numbers([{}, {HOP: 2}, refused])
        assert as_is is not None
        assert as_is == pytest.approx(journal.full)
    assert slower is not None
    assert slower["K058"] != as_is["K058"]
    assert impossible is None
    assert len(counting.calls) == begun + 2 * len(EVIDENCE.parts)
    with path.open("ab") as file:
        file.write(b'{"override": {"torn')

    with Journal(path, EVIDENCE) as again:
        resumed = Bench(EVIDENCE, again, 1, fail)
        assert resumed.numbers([{HOP: 2}, {}, refused]) == [slower, as_is, None]
        assert resumed.objectives([{HOP: 2}]) == [objective(EVIDENCE.claims, slower)]
        with pytest.raises(cs.UsageError, match="in use"):
            Journal(path, EVIDENCE)
    with pytest.raises(cs.UsageError, match="other claims"):
        Journal(path, Evidence("rings", ("K058",)))


def fail(_evidence: Evidence, _machines: frozenset[str], _override: Override) -> Measured:
    raise AssertionError("this is in the journal")


def test_a_value_of_one_machine_measures_only_that_one(tmp_path: Path) -> None:
    counting = Counting()
    with Journal(tmp_path / "rules.jsonl", EVIDENCE) as journal:
        bench = Bench(EVIDENCE, journal, 1, counting)
        counting.calls.clear()
        bench.numbers([{"qs20:mfc.outstanding_writes": 12}])
    assert [machines for machines, _, _ in counting.calls] == [frozenset({"qs20"})]


def test_screening_finds_what_a_value_does(tmp_path: Path) -> None:
    given = ["mfc.outstanding_writes=4,12", "eib.halfway_clockwise_only=0,1"]
    with Journal(tmp_path / "rules.jsonl", EVIDENCE) as journal:
        bench = Bench(EVIDENCE, journal, 1)
        some = factors(given, EVIDENCE.machines)
        found, refused = screen(bench, some, folded=False)
    assert refused == 0
    assert {each.factor.name for each in found} == {each.name for each in some}
    writes = next(each for each in found if "writes" in each.factor.name)
    assert writes.claims["K058"] > 1
