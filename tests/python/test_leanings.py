"""Does the page of claims and guesses still speak of the claims and the guesses that there are?"""

import sys

from command_line import ROOT

sys.path.append(str(ROOT / "docs" / "_extensions"))

import leaning_tables

AGAIN = "run `cellstats reproduce --sensitivity` again, see docs/leanings.md"


def test_the_page_names_guesses_and_their_ends() -> None:
    known = leaning_tables.all_guesses()
    for move in leaning_tables.moves():
        ends = {end for _, *ends in known[move.key].values.values() for end in ends}
        assert move.value in ends, (move, AGAIN)


def test_the_page_has_the_verdicts_of_the_claims() -> None:
    claims = leaning_tables.measured_claims()
    for move in leaning_tables.moves():
        claim = claims[move.claim]
        agrees = claim.status == "reproduced"
        assert claim.agrees(move.simulated) == agrees, (move, AGAIN)
        assert claim.agrees(move.there) == (agrees != move.flips), (move, AGAIN)


def test_every_measured_claim_is_counted_once() -> None:
    *_, total = leaning_tables.papers().splitlines()
    reproduced, none, few, more, off, _ = (int(cell) for cell in total.split("|")[2:-1])
    assert none + few + more == reproduced
    assert reproduced + off == len(leaning_tables.measured_claims())
