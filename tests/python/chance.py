"""Seeds and case numbers of random tests, which are fixed except in `make soak`."""

import os

import hypothesis

SEED = os.environ.get("SOAK_SEED", "")
CASES = int(os.environ.get("SOAK_CASES", "0"))


def examples(count: int) -> hypothesis.settings:
    """Settings for `count` examples, or in `make soak` for the number given by the turn."""
    return hypothesis.settings(max_examples=CASES or count)
