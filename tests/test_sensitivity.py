"""Rows that cannot depend on a guess do not change with it. Also tests the sensitivity analysis."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats.measure.machine import Machine
from cellstats.measure.result import Result
from cellstats.reproduce.claims import Claim, PaperFile
from cellstats.reproduce.dependence import may_depend
from cellstats.reproduce.experiments import Experiment, measured, over_placements, programmed
from cellstats.reproduce.figures import Figure
from cellstats.reproduce.guesses import guesses
from cellstats.reproduce.metric import Metric
from cellstats.reproduce.runs import Store
from cellstats.reproduce.sensitivity import sensitivities
from cellstats.reproduce.short_runs import baselines, shortened
from cellstats.reproduce.verdicts import Paper, judge

MACHINES = ("ps3", "blade-2100")
MB = 1 << 20


def families(machine: str) -> Iterator[Experiment]:
    """A short experiment from each family, in the variants that papers measure."""

    def one(function: str, iterations: int = 100, **given: Any) -> Iterator[Experiment]:
        return measured(machine, function, iterations=iterations, **given)

    yield from one("mailbox", spes=1)
    yield from one("mailbox", spes=2, spe_to_spe=True)
    yield from one("mailbox", spes=2, ppe="mmio")
    yield from one("signal", spes=2)
    yield from one("mkthread", iterations=5)
    yield from one("fetchadd", spes=3)
    yield from one("dmaget", spes=6, size="2k")
    yield from one("dmaput", spes=4, private=True, size=128)
    yield from one("dmaget", spes=2, size="1k", spe_program="c", iterations=20)
    yield from one("fetchinc", spes=2, spe_program="c", iterations=20)
    yield from one("dmalistput", spes=4, size=128, list_elements=8)
    yield from one("hotspot", spes=4, size="1k", memory="interleave" if machine != "ps3" else None)
    yield from one("hotspot", spes=4, target="0", op="put")
    yield from one("couples", spes=4, cells="0")
    yield from one("cycle", spes=4, cells="0", size="1k", list_elements=4)
    yield from one("exchange", spes=4, pattern="ring", iterations=20)
    yield from one("load", level="l1", iterations=2000)
    yield from one("store", level="l2", threads=2, iterations=2000)
    yield from one("copy", level="memory", iterations=2000)
    yield from one("copy", level="ls", iterations=500)


def everything(experiment: Experiment, machine: Machine) -> str:
    [run] = experiment.runs(machine)
    whole = run.machine.run(run.function, run.parameters).to_dict()
    del whole["recipe"]  # the machine's hash
    return json.dumps(whole)


@pytest.mark.parametrize("name", MACHINES)
def test_what_cannot_depend_does_not_to_the_byte(name: str) -> None:
    machine = cs.machine(name)
    before = {each: everything(each, machine) for each in families(name)}
    # Guesses on which the same rows cannot depend are changed together. No such row may change.
    together: dict[tuple[tuple[Experiment, ...], int], dict[str, int]] = {}
    for guess in guesses([name]):
        free = tuple(e for e in before if not may_depend(guess.key, e, machine.chips))
        value, *ends = guess.values[name]
        for nth, end in enumerate(ends):
            if end != value:
                together.setdefault((free, nth), {})[guess.key] = end
    left_out = 0
    for (free, _), values in together.items():
        there = Machine.find(name, values) if free else machine
        for each in free:
            found = everything(each, there).replace(there.name, name)
            assert found == before[each], (values, each)
        left_out += len(free) * len(values)
    assert left_out > 1400


def test_the_test_would_see_it() -> None:
    [one] = measured("ps3", "dmaget", iterations=100)
    there = Machine.find("ps3", {"mic.read_latency_bus_cycles": 40})
    assert everything(one, there) != everything(one, cs.machine("ps3"))


def test_what_nobody_knows_may_depend() -> None:
    [program] = programmed("ps3", "bounce")
    [placed] = over_placements("qs20", "exchange", pattern="ring", spes=4)
    for key in ("mic.bank_busy_bus_cycles", "eib.hop_bus_cycles", "atomic.putllc_hit_bus_cycles"):
        assert may_depend(key, program, 1)
    assert may_depend("mic.bank_busy_bus_cycles", placed, 2)
    assert may_depend("bif.latency_bus_cycles", placed, 2)


# Short runs have an eighth of the iterations, for experiments that transfer 32 MB per SPE.


def test_short_runs_of_bulk_traffic_only() -> None:
    for long in (*measured("ps3", "couples", spes=2), *over_placements("ps3", "cycle", 3, spes=2)):
        [whole] = {result.iterations for result in results_of(long)}
        [eighth] = {result.iterations for result in results_of(shortened(long))}
        assert whole == 32 * MB / (2 * 16384) == 8 * eighth
    for other in (
        *measured("ps3", "couples", spes=2, iterations=1000),
        *measured("ps3", "dmaget", spes=2),
        *programmed("ps3", "bounce"),
    ):
        assert shortened(other) == other


def results_of(experiment: Experiment) -> list[Result]:
    machine = cs.machine(experiment.machine)
    return [machine.measure(run.function, **run.parameters) for run in experiment.runs(machine)]


def bandwidth(experiment: Experiment) -> float:
    row = experiment.row(cs.machine(experiment.machine), results_of(experiment))
    gb_s: float = row["bandwidth_gb_s"]
    return gb_s


def test_a_claim_with_another_verdict_by_short_runs_is_measured_in_full_length() -> None:
    [one] = measured("ps3", "couples", spes=2)
    long, short = bandwidth(one), bandwidth(shortened(one))
    assert long != short
    between = (long + short) / 2
    claims = [claim_of("bandwidth_gb_s", above=above) for above in (1, between)]
    whole_is_above = long > between
    paper = paper_of(
        [one],
        replace(claims[0], id="T001"),
        replace(claims[1], id="T002", status="reproduced" if whole_is_above else "off"),
    )
    by_short, in_full = baselines(judge([paper], progress=False))
    assert [claim.id for claim in by_short.paper.claims] == ["T001"]
    assert [claim.id for claim in in_full.paper.claims] == ["T002"]
    assert by_short.experiments_of(claims[0]) == {shortened(one)}
    assert in_full.experiments_of(claims[1]) == {one}
    assert by_short.outcomes["T001"].simulated == short
    assert in_full.outcomes["T002"].agrees is whole_is_above


# The complete sensitivity analysis, with a few guesses.

KEYS = ("mic.read_latency_bus_cycles", "mic.bank_busy_bus_cycles", "linux.futex_ns")


@pytest.fixture
def one_claim(monkeypatch: pytest.MonkeyPatch) -> Paper:
    experiments = list(measured("ps3", "dmaget", spes=1, size=[128, 256], iterations=1000))
    monkeypatch.setattr(
        "cellstats.reproduce.sensitivity.guesses",
        lambda machines: [each for each in guesses(machines) if each.key in KEYS],
    )
    return paper_of(experiments, claim_of("latency_ns", take="mean", published=170))


def claim_of(column: str, take: str | None = None, **said: Any) -> Claim:
    return Claim(
        id="T001",
        paper="t",
        statement="It is so.",
        place="1",
        figure="figure1",
        metric=Metric(of=column, take=take),
        status="reproduced",
        **said,
    )


def paper_of(experiments: list[Experiment], *claims: Claim) -> Paper:
    file = PaperFile(
        key="t", title="t", authors="t", published="t", machines=("ps3",), claims=claims
    )
    return Paper(file, (Figure("figure1", "t", lambda: experiments),))


def counted(monkeypatch: pytest.MonkeyPatch, fails_at: int | None = None) -> Callable[[], int]:
    from cellstats.measure import workers

    calls, measure = [0], workers.measure

    def count(*arguments: Any) -> Any:
        calls[0] += 1
        if calls[0] == fails_at:
            raise KeyboardInterrupt
        return measure(*arguments)

    monkeypatch.setattr(workers, "measure", count)
    return lambda: calls[0]


def test_only_what_may_move_is_run_and_after_an_interrupt_only_the_rest(
    one_claim: Paper,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    [judged] = judge([one_claim], progress=False)
    with Store(tmp_path / "s.sqlite") as store, monkeypatch.context() as patch:
        counted(patch, fails_at=5)
        with pytest.raises(KeyboardInterrupt):
            sensitivities([judged], store, jobs=1)
    with Store(tmp_path / "s.sqlite") as store:
        calls = counted(monkeypatch)
        found = sensitivities([judged], store, jobs=1)
    # Two rows are measured at both ends of each of two guesses. No row depends on the third guess.
    assert calls() == 8 - 4
    assert "8 of 8 runs" in capsys.readouterr().err
    values = {each.guess.key: {change.value for change in each.changes} for each in found}
    assert values[KEYS[0]] == {40, 160}
    assert values[KEYS[2]] == set()
