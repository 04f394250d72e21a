"""Every claim must still have the verdict that its paper's file records."""

import re
from pathlib import Path
from statistics import median

import pytest

import cellstats as cs
from cellstats.lessons import LESSONS, read_lesson
from cellstats.reproduce.claims import Claim
from cellstats.reproduce.disturbance import Disturbance
from cellstats.reproduce.verdicts import Judged, Outcome, contradictions, paper, paper_keys
from cellstats.show.claims import counted_outcomes, score_rows, scorecard_text
from cellstats.show.deviations import out_of_sample, percent, quartiles
from command_line import ROOT
from examples import LEFT_OUT

# Statements that nothing can be claimed about.
EMPTY = {"J013"}
CLAIMS = [claim for key in paper_keys() for claim in paper(key).claims]


@pytest.fixture(scope="session")
def outcomes(all_papers: list[Judged]) -> dict[str, Outcome]:
    return {each.claim.id: each for judged in all_papers for each in judged.outcomes}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_claim_is_what_its_file_says(claim: Claim, outcomes: dict[str, Outcome]) -> None:
    # The test fails for lost claims, gained claims, and claims that are off by a different number.
    assert outcomes[claim.id].surprise is None


def test_every_statement_has_become_something() -> None:
    last = {claim.row[0]: claim.row[1:] for claim in sorted(CLAIMS, key=lambda claim: claim.row)}
    written = {f"{letter}{n:03}" for letter, end in last.items() for n in range(1, int(end) + 1)}
    assert {claim.row for claim in CLAIMS} == written - EMPTY


def test_the_kinds_of_all_statements() -> None:
    # Measured claims have a metric, claims about machines have facts, and methods have a `how`.
    for claim in CLAIMS:
        if claim.kind in ("measured", "held-out", "read-back") and claim.status != "out-of-reach":
            assert claim.metric is not None, claim.id
        if claim.kind == "machine" and claim.status != "out-of-reach":
            assert claim.facts is not None, claim.id
        assert (claim.how is not None) == (claim.kind == "method"), claim.id


def test_each_paper_has_a_letter_of_its_own() -> None:
    pairs = {(claim.id[0], claim.paper) for claim in CLAIMS}
    assert len(pairs) == len({letter for letter, _ in pairs}) == len(paper_keys())


def test_every_disagreement_between_papers_is_told_where_it_matters() -> None:
    told = {name for claim in CLAIMS for name in claim.disagreements}
    assert told == set(contradictions()) == {f"X{n}" for n in range(1, 19)}
    last = read_lesson(LESSONS / "7-what-we-do-not-know.toml").data["steps"][-1]
    assert last["text"].startswith("We know eighteen such contradictions;")


def test_what_reads_a_value_back_names_one_whose_source_is_its_paper() -> None:
    for key in paper_keys():
        each = paper(key)
        values = {row["key"]: row for row in cs.machine(each.file.machines[0]).values()}
        for claim in each.claims:
            for name in claim.reads:
                if name == "disturbance.factor":
                    assert each.file.disturbance is not None
                    assert claim.row in each.file.disturbance.source
                    continue
                assert key in values[name]["source"], f"{claim.id}: {name}"


def test_claims_are_excluded_by_claims_that_are_reproduced() -> None:
    # Otherwise a machine could agree with the excluded claim, and it would only be off.
    status = {claim.id: claim.status for claim in CLAIMS}
    pairs = [(claim.id, each) for claim in CLAIMS for each in claim.excluded_by]
    assert all((status[one], status[other]) == ("off", "reproduced") for one, other in pairs)
    assert len({one for one, _ in pairs}) == 11


def test_tolerances_are_those_of_the_words() -> None:
    for claim in CLAIMS:
        if claim.why is None and claim.published is not None:
            wide = claim.approximate or claim.kind == "held-out"
            assert claim.tolerance == (0.10 if wide else 0.05), claim.id


def test_claims_that_accept_more_than_a_tenth_are_known() -> None:
    lenient = [claim for claim in CLAIMS if claim.is_lenient]
    assert all(claim.why for claim in lenient)
    # Do not add a claim to this list unless its paper's own number is this imprecise.
    assert {claim.id for claim in lenient if claim.status == "reproduced"} == {
        "C029",
        "J071.elements",
        "J071.lists",
        "K028",
        "K051.quarter",
        "K051.two-kb",
        "M009.across",
        "S016",
        "S020",
    }


def test_averages_over_ten_placements_are_judged_over_all(outcomes: dict[str, Outcome]) -> None:
    for claim in paper("jimenez2007").claims:
        metric, figures = claim.metric, ("figure9", "figure13", "figure16")
        if claim.published is None or metric is None or claim.figure not in figures:
            continue
        steps = (metric.over, metric.less, metric.take)
        if metric.of == "bandwidth_gb_s" and steps == (None, None, None):
            # Exceptions: the paper has no separate number for small elements and lists in cycles.
            assert bool(claim.all_placements) != (claim.id in ("J064", "J076.lists")), claim.id
    both = outcomes["J078"].numbers
    assert list(both) == ["10 placements", "100 placements"]
    assert [outcomes["J078"].claim.agrees(each) for each in both.values()] == [True, False]
    assert outcomes["J078"].simulated == both["100 placements"]


def test_a_disturbance_is_what_loops_without_data_lose(outcomes: dict[str, Outcome]) -> None:
    found = paper("cellmark2026").file.disturbance
    assert found is not None
    loops = [each for name, each in outcomes.items() if name.startswith("M011.")]
    lost = [(each.without or 0) / float(each.nearest_published or 1) for each in loops]
    assert len(lost) == 6
    assert found.factor == pytest.approx(median(lost), abs=0.0005)
    # The range is that of the times for which the counters of an SPE see it wait for its DMAs.
    assert found.range == pytest.approx((1 / 0.935, 1 / 0.895), abs=0.0005)
    assert found.range[0] < min(lost) < max(lost) < found.range[1]
    # Times that the SPU measures itself, and quotients, are undisturbed.
    for name in ("M012.hinted", "M012.unhinted", "M002.flat"):
        assert outcomes[name].without is None


@pytest.mark.parametrize(
    ("unit", "found"), [("GB/s", 90.91), ("ns", 110), ("of the time", 90.91), ("times", 100)]
)
def test_a_harness_that_loses_time_finds_longer_times_and_lower_rates(
    unit: str, found: float
) -> None:
    disturbance = Disturbance(
        figures=("eib",), factor=1.1, range=(1.1, 1.1), basis="derived", source=""
    )
    assert disturbance.found(100, unit) == pytest.approx(found, abs=0.01)


def test_statements_are_sentences() -> None:
    for claim in CLAIMS:
        assert re.fullmatch(r"[A-Z0-9].*[.]", claim.statement), claim.id


def test_a_recalled_paper_is_counted_apart(all_papers: list[Judged]) -> None:
    rows = {name: row for name, *row in score_rows(all_papers)}
    assert list(rows)[-2:] == ["all", "chen2007, recalled"]
    read = [measured for name, (measured, *_) in rows.items() if "," not in name and name != "all"]
    pairs = [each.split(" of ") for each in read if each != "–"]
    sums = [sum(int(pair[part]) for pair in pairs) for part in (0, 1)]
    assert rows["all"][0] == "{} of {}".format(*sums)
    assert not any(each.claim.paper == "chen2007" for each in counted_outcomes(all_papers))


def test_documents_show_the_scores_and_deviations_that_are_measured(
    all_papers: list[Judged],
) -> None:
    printed = scorecard_text(all_papers).splitlines()
    text = Path(ROOT, "docs/guide/reproduce.md").read_text("utf-8")
    [block] = re.findall(r"\n\$ cellstats reproduce\n(.*?)\nout/report.html\n", text, re.DOTALL)
    for line in block.splitlines():
        assert line in (*printed, LEFT_OUT)


def test_the_readme_says_how_far_numbers_are(all_papers: list[Judged]) -> None:
    found = quartiles(counted_outcomes(all_papers))
    assert found is not None
    text = " ".join(Path(ROOT, "README.md").read_text("utf-8").split())
    median = percent(found.median)
    assert f"Half of {found.numbers} published numbers are met within {median}." in text
    held = out_of_sample(counted_outcomes(all_papers))
    assert held is not None
    median, worst = map(percent, (held.median, held.worst))
    assert f"Of {held.numbers} numbers of consoles" in text
    assert f"half are met within {median}, and the worst within {worst}." in text
