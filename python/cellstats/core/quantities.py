"""Numbers as people write them (`16k`, `1m`) and as the paper prints them (`1.68 ms`, `160 ns`).

There are two kinds of multiplier, because the paper uses both: `-i 1m` is one million iterations,
while `-b 2k` is 2 KB and `-t 2k` is "2048 memory locations" (abellan2008ps3, section 3.2.4).

A text may contain several numbers: `1,2,6`, `1..8`, `128..16k`, `1..8:2`, `1..1000:*10`. A list of
SPEs is written as `0,8-15`. Each of `1..8` and `1-8` is also accepted for the other.
"""

import re
from collections.abc import Callable, Iterator
from operator import index
from typing import SupportsIndex

from cellstats.core.refusal import quoted, refusal, verbatim

_COUNT_FACTORS = {"": 1, "k": 1000, "m": 1_000_000}
_BYTES_FACTORS = {"": 1, "k": 1024, "m": 1024 * 1024}
_DIGITS_MAX = 18
_NUMBER = re.compile(r"([0-9]+)([km]?)", re.IGNORECASE)
_SPES = re.compile(r"[0-9]+-[0-9]+")
_TIMES = ("*", "x")  # some shells expand *
_SPE_DIGITS_MAX = 3  # more digits are a typing error; a range would be very long
VALUES_MAX = 100_000
"""Largest number of values of one parameter; more values are taken for a typing error."""

# Nanoseconds in each unit, largest unit first; all shorter times use the last unit.
_TIME_UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns"))


def parse_count(value: int | str, what: str = "count", least: int = 1) -> int:
    """Parse a count, in which k = 1000 and m = 1000000.

    what: the parameter's name in messages; `{size}` becomes the keyword or the flag, see `refusal`.
    least: the smallest number allowed.

    Raises UsageError for anything that is not a number of at least `least`.

    >>> parse_count("100k"), parse_count(6)
    (100000, 6)
    """
    return _parse(value, what, least, _COUNT_FACTORS, "k (1000) or m (1000000), such as 100k")


def parse_bytes(value: int | str, what: str = "size", least: int = 0) -> int:
    """Parse a size in bytes, in which k = 1024 and m = 1024 x 1024; otherwise like `parse_count`.

    >>> parse_bytes("16k"), parse_bytes("64"), parse_bytes(128)
    (16384, 64, 128)
    """
    return _parse(value, what, least, _BYTES_FACTORS, "k (1024) or m (1048576), such as 16k")


def _parse(value: int | str, what: str, least: int, factors: dict[str, int], hint: str) -> int:
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value.strip())
        if match is not None and len(match[1]) > _DIGITS_MAX:
            raise refusal(f"{what} {value} is too large; give {_DIGITS_MAX} digits at most")
        if match is None:
            raise refusal(
                f"{what} {quoted(value)} is not a whole number of {least} or more; "
                f"write digits, with or without {hint}"
            )
        value = int(match[1]) * factors[match[2].lower()]
    else:
        value = _whole(value, what)
    if value < least:
        raise refusal(f"{what} {value} is too small; give {least} or more")
    return value


def _whole(value: object, what: str) -> int:
    # Accepts NumPy's integers, but neither floats nor booleans.
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        return index(value)
    reason = "is not a whole number; give an int or a str such as '16k'"
    raise refusal(f"{what} {quoted(value)} {reason}")


def format_latency(latency_ns: float) -> str:
    """A time in ns in the paper's form: three significant digits, no trailing zeros.

    >>> format_latency(1_680_123.0), format_latency(6003.0), format_latency(159.96)
    ('1.68 ms', '6 µs', '160 ns')
    """
    for unit_ns, unit in _TIME_UNITS:
        # Choose the unit after rounding: 999.6 ns rounds to 1000, which is 1 µs.
        if _round3(latency_ns) >= unit_ns or unit == "ns":
            return f"{format_number(latency_ns / unit_ns)} {unit}"
    raise AssertionError("the last unit takes everything")


def format_bandwidth(bandwidth_gb_s: float) -> str:
    """A bandwidth in GB/s (GB = 10^9 bytes), three significant digits.

    >>> format_bandwidth(24.6123), format_bandwidth(25.0)
    ('24.6 GB/s', '25 GB/s')
    """
    return f"{format_number(bandwidth_gb_s)} GB/s"


def format_number(value: float) -> str:
    """A number with three significant digits, without an exponent or trailing zeros.

    >>> format_number(1234.5), format_number(0.01666), format_number(2.0)
    ('1230', '0.0167', '2')
    """
    rounded = _round3(value)
    if rounded >= 100:
        return f"{rounded:.0f}"
    return f"{rounded:.12f}".rstrip("0").rstrip(".")


def _round3(value: float) -> float:
    return float(f"{value:.3g}")


def parse_values(
    text: str, what: str, read: Callable[[str, str], int], *, doubles: bool
) -> list[int]:
    """The distinct numbers in a comma-separated list of numbers and ranges, in list order.

    what: the parameter's name in messages.
    read: parses one number; its second argument is `what`.
    doubles: whether `a..b` means a, 2a, 4a ... up to b instead of every number from a to b.

    `a..b:step` adds, and `a..b:*factor` or `a..b:xfactor` multiplies, regardless of `doubles`. No
    value of a range exceeds b. Raises UsageError for any other text.

    >>> from cellstats.core.quantities import parse_bytes, parse_count
    >>> parse_values("1..4,6-8", "-n", parse_count, doubles=False)
    [1, 2, 3, 4, 6, 7, 8]
    >>> parse_values("128..1k", "-b", parse_bytes, doubles=True)
    [128, 256, 512, 1024]
    >>> parse_values("1..8:3,1..100:*10", "-l", parse_count, doubles=True)
    [1, 4, 7, 10, 100]
    """
    values: dict[int, None] = {}
    for item in text.split(","):
        if not item.strip():
            raise refusal(f"{what} {quoted(text)} has an empty entry; write numbers as in 1,2,6")
        for value in _item(item.strip(), what, read, doubles):
            values[value] = None
            if len(values) > VALUES_MAX:
                raise refusal(
                    f"{what} {quoted(text)} is more than {VALUES_MAX} numbers; give a larger step"
                )
    return list(values)


def is_several(text: str) -> bool:
    """Whether a text may be a list or a range for `parse_values`.

    >>> is_several("1..8"), is_several("1,2"), is_several("1-8"), is_several("16k")
    (True, True, True, False)
    """
    return ".." in text or "," in text or _SPES.fullmatch(text) is not None


def parse_spes(text: str, what: str = "placement") -> list[int]:
    """The SPEs in a list such as `0,2,4` or `0,8-15`, in the order of the list.

    Raises UsageError for any other text.

    >>> parse_spes("0,8-11"), parse_spes("0..2")
    ([0, 8, 9, 10, 11], [0, 1, 2])
    """
    spes: list[int] = []
    for item in text.split(","):
        first, dash, last = (part.strip() for part in item.replace("..", "-").partition("-"))
        if not _is_spe(first) or (dash and not _is_spe(last)):
            raise refusal(
                f"{what} {quoted(text)} is not a list of SPEs; write 0,2,4 or 0,8-15, or random"
            )
        low, high = int(first), int(last or first)
        if low > high:
            raise refusal(f"{what} {item} runs backwards; write {high}-{low}")
        spes += range(low, high + 1)
    return spes


def _is_spe(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _SPE_DIGITS_MAX


def _item(item: str, what: str, read: Callable[[str, str], int], doubles: bool) -> Iterator[int]:
    span, colon, step = item.partition(":")
    first, dots, last = span.partition("-" if _SPES.fullmatch(span) else "..")
    if not dots and not colon:
        yield read(item, what)
        return
    counts = step[1:] if step.startswith(_TIMES) else step
    if not first or not last or not dots or bool(colon) != bool(counts.strip()):
        right = "write 1..8, 1..8:2 (steps of 2) or 1..8:*2 (doubling)"
        raise refusal(f"{what} {quoted(item)} is not a range; {right}")
    low, high = read(first, what), read(last, what)
    if low > high:
        raise refusal(f"{what} {item} runs backwards; write {last}..{first}")
    multiplies = step.startswith(_TIMES) if colon else doubles
    if multiplies:
        factor = _whole_number(step[1:], item, what) if colon else 2
        yield from _multiplied(low, high, factor, item, what)
    else:
        by = read(step, f"the step of {what} {verbatim(item)}:") if colon else 1
        if by < 1:
            raise refusal(f"{what} {item} never ends; give a step of 1 or more")
        yield from range(low, high + 1, by)


def _multiplied(low: int, high: int, factor: int, item: str, what: str) -> Iterator[int]:
    if low == 0:
        raise refusal(
            f"{what} {item} multiplies 0, which stays 0; start at 1, or give a step as in 0..8:2"
        )
    if factor < 2:
        raise refusal(f"{what} {item} never ends; give a factor of 2 or more")
    while low <= high:
        yield low
        low *= factor


def _whole_number(factor: str, item: str, what: str) -> int:
    if not (factor.isascii() and factor.isdecimal() and len(factor) < 19):
        wrong = f"{what} {verbatim(item)}: the factor {quoted(factor)}"
        raise refusal(f"{wrong} is not a whole number; write *2")
    return int(factor)
