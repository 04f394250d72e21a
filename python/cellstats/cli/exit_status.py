"""Exit statuses of `cellstats`."""

DONE = 0
FAILED = 1
"""The run failed, or its output cannot be written."""
USAGE = 2
DISTURBED = 3
"""A number is good to a factor of 2 only, or less (`--strict`), or `doctor` found a disturbance."""
INTERRUPTED = 130
