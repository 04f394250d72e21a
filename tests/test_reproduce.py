"""The command `cellstats reproduce`, and reading, measuring and judging of claims."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats.reproduce.claims import Claim, PaperFile, read_claims
from cellstats.reproduce.experiments import Experiment, Row, measured
from cellstats.reproduce.facts import fact
from cellstats.reproduce.figures import Figure
from cellstats.reproduce.guesses import guesses
from cellstats.reproduce.metric import Metric
from cellstats.reproduce.runs import Store, built_in, measured_rows, recipe_text
from cellstats.reproduce.sensitivity import sensitivities
from cellstats.reproduce.verdicts import Outcome, Paper, judge
from cellstats.show.claims import Tally, score
from command_line import cellstats, interrupted

COLUMNS = {
    "id",
    "paper",
    "kind",
    "reads",
    "statement",
    "place",
    "figure",
    "published",
    "simulated",
    "deviation",
    "numbers",
    "without_disturbance",
    "unit",
    "tolerance",
    "status",
    "cause",
    "reason",
    "why",
    "disagreements",
    "excluded_by",
    "as_recorded",
    "basis",
}


def claim(**fields: Any) -> Claim:
    given = {"id": "T001", "paper": "t", "statement": "It is so.", "place": "1", **fields}
    return Claim(**given)


# Tests of the agreement between a simulated number and a claim.


@pytest.mark.parametrize(
    ("simulated", "agrees"), [(94.9, False), (95, True), (100, True), (105, True), (105.1, False)]
)
def test_a_plain_number_may_be_five_per_cent_off(simulated: float, agrees: bool) -> None:
    assert claim(published=100).agrees(simulated) is agrees


@pytest.mark.parametrize(
    ("simulated", "agrees"), [(1.89, False), (1.9, True), (2.5, True), (3.15, True), (3.2, False)]
)
def test_of_a_range_both_ends_may_be(simulated: float, agrees: bool) -> None:
    assert claim(published=(2, 3)).agrees(simulated) is agrees


@pytest.mark.parametrize(("simulated", "agrees"), [(1, False), (1.0001, True)])
def test_an_order_is_exact(simulated: float, agrees: bool) -> None:
    assert claim(above=1).agrees(simulated) is agrees


def test_both_limits_count() -> None:
    assert [claim(above=1, below=2).agrees(x) for x in (0.5, 1.5, 2.5)] == [False, True, False]


def test_of_several_the_farthest_counts() -> None:
    one = claim(published=100)
    assert max([100, 103, 90, 104], key=one.distance) == 90


@pytest.mark.parametrize(
    ("status", "before", "now", "word"),
    [
        ("reproduced", None, 120, "no longer reproduced"),
        ("off", 120, 101, "off no more"),
        ("off", 120, 130, "has moved"),
        ("out-of-reach", None, 101, "out-of-reach no more"),
        ("off", 120, 121, None),
        ("reproduced", None, 101, None),
    ],
)
def test_the_ratchet_is_strict(
    status: Any, before: float | None, now: float, word: str | None
) -> None:
    surprise = Outcome(claim(published=100, status=status, simulated=before), now).surprise
    assert surprise is None if word is None else word in (surprise or "")


# Tests of the computation of a number from rows.


def experiments(**columns: Any) -> list[Experiment]:
    return list(measured("ps3", "dmaget", iterations=10, **columns))


def values(metric: dict[str, Any], **columns: Any) -> list[float]:
    figure = measured_rows(experiments(**columns), progress=False)
    return Metric.of_table(metric, "T001").values(figure)


def ns(**parameters: Any) -> float:
    return cs.machine("ps3").measure("dmaget", iterations=10, **parameters).latency_ns


def test_a_column_of_some_rows() -> None:
    metric = {"of": "latency_ns", "where": {"size_bytes": [128, 512]}}
    assert values(metric, size=[128, 256, 512]) == [ns(size=128), ns(size=512)]


def test_over_is_the_row_that_differs_in_these_columns_only() -> None:
    metric = {"of": "latency_ns", "where": {"spes": 2}, "over": {"spes": 1}}
    sizes = [128, "1k"]
    expected = [ns(spes=2, size=size) / ns(spes=1, size=size) for size in sizes]
    assert values(metric, spes=[1, 2], size=sizes) == expected


def test_less_is_a_difference_and_may_be_of_two_columns() -> None:
    metric = {"of": "latency_ns", "where": {"spes": 2}, "less": "latency_ns"}
    assert values(metric, spes=[1, 2]) == [0]


def test_a_ratio_to_nothing_is_infinite() -> None:
    figure = {one: Row({"latency_ns": 1.0, "spread": 0.0}) for one in measured("ps3", "dmaget")}
    assert Metric.of_table({"of": "latency_ns", "over": "spread"}, "T001").values(figure) == [
        float("inf")
    ]


def test_along_is_each_row_over_the_one_before() -> None:
    expected = [ns(size=256) / ns(size=128), ns(size=512) / ns(size=256)]
    assert values({"of": "latency_ns", "along": "size_bytes"}, size=[512, 128, 256]) == expected


def test_per_and_take() -> None:
    of = {"of": "latency_ns", "per": "spes"}
    each = [ns(spes=1), ns(spes=2) / 2]
    assert values({**of, "take": "max"}, spes=[1, 2]) == [max(each)]
    assert values({**of, "take": "spread"}, spes=[1, 2]) == [max(each) / min(each)]
    assert values({**of, "take": "range"}, spes=[1, 2]) == [max(each) - min(each)]


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ({"of": "latency_ns", "where": {"spes": 9}}, "no row has spes = 9"),
        ({"of": "latency"}, "latency is no number; did you mean latency_ns"),
        ({"of": "latency_ns", "over": {"spes": 3}}, "0 rows have spes = 3"),
        ({"of": "latency_ns", "along": "machine"}, "machine has one value only"),
        ({"of": "latency_ns", "tkae": "max"}, "did you mean take"),
        ({"of": "latency_ns", "take": "most"}, "take"),
        ({"where": {}}, "a metric needs a column"),
    ],
)
def test_a_metric_that_cannot_be(metric: dict[str, Any], message: str) -> None:
    with pytest.raises(cs.UsageError, match=message):
        values(metric, spes=[1, 2])


def test_a_claim_needs_its_own_rows_only() -> None:
    metric = Metric.of_table(
        {"of": "latency_ns", "where": {"spes": 2}, "over": {"spes": 1}}, "T001"
    )
    needed = metric.experiments(experiments(spes=[1, 2, 3, 4]))
    assert [each.columns["spes"] for each in needed] == [2, 1]


# Facts.


def test_a_product_of_values() -> None:
    facts = {"machine": "ps3", "product": ["chip.processor_clock_hz", "spes", 8], "per": [1e9]}
    assert fact(facts, built_in) == pytest.approx(6 * 8 * 3.2)


def test_what_is_taken_and_what_is_refused() -> None:
    sizes = [{"function": "dmaget", "size": size} for size in (16, 24)]
    assert fact({"machine": "ps3", "accepts": sizes}, built_in) == 1
    assert fact({"machine": "ps3", "refuses": sizes}, built_in) == 1


def test_a_value_that_there_is_not() -> None:
    with pytest.raises(cs.UsageError, match=r"did you mean chip\.spes"):
        fact({"machine": "ps3", "product": ["chip.spe"]}, built_in)


# Files of claims.

HEAD = """[paper]
about = "a"
measured = "m"
title = "T"
authors = "A"
published = "P"
machines = ["ps3"]
"""
GOOD = """[[claim]]
id = "T001"
statement = "It is so."
place = "1"
figure = "figure1"
metric = { of = "latency_ns" }
published = 1
status = "reproduced"
"""


def read(tmp_path: Path, text: str) -> PaperFile:
    path = tmp_path / "claims.toml"
    path.write_text(text, encoding="utf-8")
    return read_claims(path, ["figure1"], {})


def test_a_file_of_claims(tmp_path: Path) -> None:
    [one] = read(tmp_path, HEAD + GOOD).claims
    assert (one.id, one.row, one.tolerance, one.is_exact) == ("T001", "T001", 0.05, False)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "T001"', 'id = "T1"', "an id is a letter and three digits"),
        ("status", "statsu", "did you mean status"),
        ("published = 1\nstatus", "status", "published, above or below"),
        ('"reproduced"', '"off"', "needs reason"),
        ('"reproduced"', '"off"\nreason = "r"', "needs cause = …: one of rings, "),
        ('"reproduced"', '"off"\nreason = "r"\ncause = "rigns"', "did you mean rings"),
        ('"reproduced"', '"off"\nreason = "r"\ncause = "rings"', "needs simulated"),
        ('"reproduced"', '"reproduced"\ncause = "rings"', "not reproduced; remove it"),
        (
            '"reproduced"',
            '"off"\nreason = "r"\ncause = "rings"\nexcluded_by = ["T002"]',
            'goes with cause = "contradiction"',
        ),
        ('"reproduced"', '"good"', "reproduced, off, out-of-reach"),
        ("published = 1\n", "published = 1\ntolerance = 0.5\n", "needs its reason"),
        ("published = 1\n", "published = [1, 2]\n", "more than 10 % needs its reason"),
        ("published = 1\n", "above = 1\nbelow = 2\n", "more than 10 % needs its reason"),
        ("published = 1\n", "published = 1\nabove = 1\n", "not both"),
        ('figure = "figure1"', 'figure = "figure2"', "did you mean figure1"),
        ('place = "1"', 'place = "1"\nkind = "machien"', "did you mean machine"),
        ('place = "1"', 'place = "1"\nkind = "method"', "needs how"),
        ('place = "1"', 'place = "1"\nkind = "machine"', "facts are missing"),
        ('place = "1"', 'place = "1"\nkind = "read-back"', "go together"),
        ('place = "1"', 'place = "1"\nreads = ["mic.channels"]', "go together"),
        ('place = "1"', 'place = "1"\ndisagreements = ["X1"]', "not in contradictions"),
        ('statement = "It is so."', "statement = ", "a claims file is TOML"),
        ('title = "T"\n', "", "lacks title"),
        ('title = "T"\n', 'title = "T"\nbasis = "recaled"\n', "did you mean recalled"),
    ],
)
def test_a_file_that_cannot_be(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = HEAD + GOOD
    assert old in text
    with pytest.raises(cs.UsageError, match=message):
        read(tmp_path, text.replace(old, new))


def test_no_id_is_there_twice(tmp_path: Path) -> None:
    with pytest.raises(cs.UsageError, match="T001 appears twice"):
        read(tmp_path, HEAD + GOOD + GOOD)


# Totals.


def test_what_is_read_back_is_no_measured_claim() -> None:
    kinds = [("measured", 1), ("measured", 2), ("read-back", 1), ("machine", 1), ("method", 1)]
    outcomes = [
        Outcome(claim(kind=kind, published=1), None if kind == "method" else number)
        for kind, number in kinds
    ]
    every = score([*outcomes, Outcome(claim(), None)])
    assert every.measured == Tally(reproduced=1, off=1, cannot_be_met=0, out_of_reach=1)
    assert (str(every.read_back), str(every.machine), every.methods) == ("1 of 1", "1 of 1", 1)


# Kept results.


def test_a_damaged_store_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    path.write_bytes(b"no database at all, but long enough to be taken for one" * 50)
    [one] = experiments(size=128)
    with Store(path) as store:
        measured_rows([one], store, progress=False)
        assert store.get(recipe_text(one.runs(built_in("ps3"))[0])) is not None


def test_a_store_that_somebody_else_writes_is_left_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.sqlite"
    with Store(path):
        pass
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path: connect(path, timeout=0))
    with pytest.raises(cs.UsageError, match="database is locked; give another out"):
        Store(path)
    other.close()
    assert path.exists()


# Guesses.


def test_guesses_are_what_is_fitted_or_assumed_and_has_a_range() -> None:
    found = {guess.key: guess.values["ps3"] for guess in guesses(["ps3"])}
    assert found["mfc.list_element_bus_cycles"] == (5, 5, 10)
    assert "eib.beat_bytes" not in found


def test_a_claim_is_sensitive_to_the_guess_that_changes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    file = PaperFile(
        key="t",
        title="T",
        authors="A",
        published="P",
        machines=("ps3",),
        claims=(
            claim(
                figure="figure1",
                metric=Metric(of="latency_ns"),
                published=ns(size=128),
                status="reproduced",
            ),
        ),
    )
    wanted = ("mic.read_latency_bus_cycles", "os.file_open_ns")
    monkeypatch.setattr(
        "cellstats.reproduce.sensitivity.guesses",
        lambda machines: [each for each in guesses(machines) if each.key in wanted],
    )
    figure = Figure("figure1", "T", lambda: experiments(size=128))
    [judged] = judge([Paper(file, (figure,))], progress=False)
    found = {each.guess.key: each for each in sensitivities([judged])}
    assert {change.value for change in found[wanted[0]].flips} == {40, 160}
    assert not found[wanted[1]].changes


def test_each_paper_is_judged_as_soon_as_its_runs_are_done() -> None:
    def paper(key: str, **columns: Any) -> Paper:
        file = PaperFile(
            key=key, title="T", authors="A", published="P", machines=("ps3",), claims=()
        )
        return Paper(file, (Figure("figure1", "T", lambda: experiments(**columns)),))

    # Both papers share a run.
    slow, quick = paper("slow", size=[128, 256, 512]), paper("quick", size=128)
    seen: list[str] = []
    judged = judge(
        [slow, quick], progress=False, jobs=1, finished=lambda one: seen.append(one.paper.key)
    )
    assert seen == ["quick", "slow"]
    assert [one.paper.key for one in judged] == ["slow", "quick"]
    assert [len(rows) for one in judged for rows in one.rows.values()] == [3, 1]


# The command.


def test_json_has_every_claim_with_its_columns(tmp_path: Path) -> None:
    done = cellstats(
        "reproduce", "kistler2006", "--figure", "table1", "--format", "json", "--out", str(tmp_path)
    )
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert done.status == 0
    assert all(row.keys() == COLUMNS for row in rows)
    assert {row["id"] for row in rows} >= {"K026", "K033", "K043"}
    assert {row["figure"] for row in rows} == {"table1"}
    for row in rows:
        if isinstance(row["published"], int | float):
            assert row["deviation"] == pytest.approx(abs(row["simulated"] / row["published"] - 1))


def test_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    command = ("reproduce", "sudheer2009", "kistler2006", "--out", str(tmp_path))
    # SQLite has this file from the first result until it is saved.
    done = interrupted(*command, once=tmp_path / "results.sqlite-journal")
    assert (done.status, done.out) == (130, "")
    last = done.err.splitlines()[-1]
    assert last.startswith(f"cellstats: interrupted, what was measured is kept in {tmp_path};")
    with sqlite3.connect(tmp_path / "results.sqlite") as kept:
        assert kept.execute("SELECT count(*) FROM kept").fetchone()[0] > 0
