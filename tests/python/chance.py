"""Seeds and numbers of cases of random tests: fixed, except in `make soak`."""

import os

import hypothesis

SEED = os.environ.get("SOAK_SEED", "")
CASES = int(os.environ.get("SOAK_CASES", "0"))


def examples(count: int) -> hypothesis.settings:
    """Settings for `count` examples, or for as many as fit into a turn of `make soak`."""
    return hypothesis.settings(max_examples=CASES or count)
