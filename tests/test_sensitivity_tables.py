"""The document about sensitivity must list the existing claims and guesses."""

import sensitivity_tables

AGAIN = "run `cellstats reproduce --sensitivity` again, see docs/sensitivity.md"


def test_the_page_names_guesses_and_their_ends() -> None:
    known = sensitivity_tables.all_guesses()
    for row in sensitivity_tables.rows():
        ends = {end for _, *ends in known[row["key"]].values.values() for end in ends}
        assert float(row["value"]) in ends, (row, AGAIN)


def test_the_page_has_the_verdicts_of_the_claims() -> None:
    claims = sensitivity_tables.measured_claims()
    for row in sensitivity_tables.rows():
        claim = claims[row["claim"]]
        agrees = claim.status == "reproduced"
        assert claim.agrees(float(row["simulated"])) == agrees, (row, AGAIN)
        assert claim.agrees(float(row["simulated_there"])) != agrees, (row, AGAIN)


def test_every_measured_claim_is_counted_once() -> None:
    *_, total = sensitivity_tables.papers().splitlines()
    reproduced, none, few, more, off, _ = (int(cell) for cell in total.split("|")[2:-1])
    assert none + few + more == reproduced
    assert reproduced + off == len(sensitivity_tables.measured_claims())
