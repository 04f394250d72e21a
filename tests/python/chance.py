"""Where random tests have their numbers from: the same in every run, but for `make soak`."""

import os

import hypothesis

SEED = os.environ.get("SOAK_SEED", "")
CASES = int(os.environ.get("SOAK_CASES", "0"))


def examples(count: int) -> hypothesis.settings:
    """So many examples, or as many as fit into a turn of `make soak`."""
    return hypothesis.settings(max_examples=CASES or count)
