"""How many cases tests have. They are the same in every run, except in `make soak`."""

import os

import hypothesis

SHORT = os.environ.get("CELLSTATS_TESTS") == "short"
"""Whether this is `make test`, which leaves out cases that `make test-full` has."""
SEED = os.environ.get("SOAK_SEED", "")
CASES = int(os.environ.get("SOAK_CASES", "0"))


def examples(count: int) -> hypothesis.settings:
    """Settings for `count` examples, or in `make soak` for the number given by the turn."""
    return hypothesis.settings(max_examples=CASES or count)


def is_in_a_third(nth: int, turn: int) -> bool:
    """Whether a case belongs to the third that `make test` runs of a test.

    nth: number of the case, from 0. turn: number of the test, because tests that follow each other
    often have the same cases. The chosen third is not simply each third case, because a test with
    two parameters may have three values of one, and every value should be in some case.

    >>> [[nth for nth in range(9) if is_in_a_third(nth, turn)] for turn in range(3)]
    [[0, 4, 8], [1, 5, 6], [2, 3, 7]]
    """
    return nth % 3 == (nth // 3 + turn) % 3
