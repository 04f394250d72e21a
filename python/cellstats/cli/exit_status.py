"""What the exit statuses of `cellstats` mean."""

DONE = 0
FAILED = 1
"""The run failed, or its output cannot be written."""
USAGE = 2
DISTURBED = 3
"""With `--strict`, and of `doctor`."""
INTERRUPTED = 130
