"""The patterns of communication that have a name."""

from cellstats._native import UsageError
from cellstats.measure.quantities import parse_bytes
from cellstats.placement.messages import THREADS_MAX, Pattern, Phase, Transfer
from cellstats.placement.pattern_pairs import BUILDERS, NAMES
from cellstats.refusal import refusal
from cellstats.text.nearest import did_you_mean


def named_pattern(name: str, threads: int, size: int | str, *, counted: str) -> Pattern:
    """The pattern of this name, all its messages of one size; `counted` is what a refusal calls
    the number of threads.

    Raises UsageError for an unknown name, and for a number of threads that the pattern cannot have.
    """
    if name not in BUILDERS:
        raise UsageError(f"unknown pattern {name!r}; {did_you_mean(name, NAMES)}, or a file")
    build, least, rule = BUILDERS[name]
    even = rule == "even" and threads % 2
    power = rule == "power" and threads & (threads - 1)
    if threads < least or threads > THREADS_MAX or even or power:
        kind = {"even": "an even number", "power": "a power of two", "any": "a number"}[rule]
        reason = f"pattern {name} takes {kind} from {least} to {THREADS_MAX}"
        raise refusal(reason, counted, threads)
    bytes_ = parse_bytes(size, "{size}", least=1)
    phases = (
        Phase(tuple(Transfer(source, destination, bytes_) for source, destination in pairs))
        for pairs in build(threads)
    )
    return Pattern(name, threads, tuple(phases))
