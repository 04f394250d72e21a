"""Exit statuses of `cellstats`."""

DONE = 0
FAILED = 1
"""The run failed, or its output cannot be written."""
USAGE = 2
DISTURBED = 3
"""A measurement was disturbed (`--strict`), or `doctor` found a cause of disturbance."""
INTERRUPTED = 130
