"""Numbers as people write them (`16k`, `1m`) and as the paper prints them (`1.68 ms`, `160 ns`).

Two kinds of multiplier, because the paper uses both: `-i 1m` is one million iterations, while
`-b 2k` is 2 KB and `-t 2k` is "2048 memory locations" (abellan2008ps3, section 3.2.4).
"""

import re
from operator import index
from typing import SupportsIndex

from cellstats.refusal import quoted, refusal

_COUNT_FACTORS = {"": 1, "k": 1000, "m": 1_000_000}
_BYTES_FACTORS = {"": 1, "k": 1024, "m": 1024 * 1024}
_DIGITS_MAX = 18
_NUMBER = re.compile(r"([0-9]+)([km]?)", re.IGNORECASE)

# ns per unit, largest first; the last one takes what is left.
_TIME_UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns"))


def parse_count(value: int | str, what: str = "count", least: int = 1) -> int:
    """A number of things; k = 1000 and m = 1000000.

    what: the parameter in messages; `{size}` is worded as keyword or flag, see `refusal`.
    least: the smallest number allowed.

    Raises UsageError for anything else.

    >>> parse_count("100k"), parse_count(6)
    (100000, 6)
    """
    return _parse(value, what, least, _COUNT_FACTORS, "k (1000) or m (1000000), such as 100k")


def parse_bytes(value: int | str, what: str = "size", least: int = 0) -> int:
    """A size in bytes; k = 1024 and m = 1024 x 1024; the rest as for `parse_count`.

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
    # NumPy's integers are welcome, floats and truth values are not.
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
        # 999.6 ns rounds to 1000: that is 1 µs, so the unit is chosen after rounding.
        if _round3(latency_ns) >= unit_ns or unit == "ns":
            return f"{_plain(latency_ns / unit_ns)} {unit}"
    raise AssertionError("the last unit takes everything")


def format_bandwidth(bandwidth_gb_s: float) -> str:
    """A bandwidth in GB/s (GB = 10^9 bytes), three significant digits.

    >>> format_bandwidth(24.6123), format_bandwidth(25.0)
    ('24.6 GB/s', '25 GB/s')
    """
    return f"{_plain(bandwidth_gb_s)} GB/s"


def _round3(value: float) -> float:
    return float(f"{value:.3g}")


def _plain(value: float) -> str:
    """Three significant digits without exponent and without trailing zeros."""
    rounded = _round3(value)
    if rounded >= 100:
        return f"{rounded:.0f}"
    return f"{rounded:.12f}".rstrip("0").rstrip(".")
