"""Parsing of numbers with the suffixes k and m, and times in the paper's format."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellstats import UsageError
from cellstats.core.quantities import format_bandwidth, format_latency, parse_bytes, parse_count


@given(st.integers(0, 10**12))
def test_plain_numbers_come_back(number: int) -> None:
    assert parse_count(str(number), least=0) == parse_bytes(str(number)) == number


@given(st.integers(1, 10**9), st.sampled_from(["k", "K", "m", "M"]))
def test_multipliers_are_decimal_for_counts_and_binary_for_bytes(number: int, suffix: str) -> None:
    power = {"k": 1, "m": 2}[suffix.lower()]
    assert parse_count(f"{number}{suffix}") == number * 1000**power
    assert parse_bytes(f"{number}{suffix}") == number * 1024**power


@given(st.text(max_size=8))
def test_any_text_is_a_number_or_a_usage_error(text: str) -> None:
    message = ""
    try:
        number = parse_bytes(text)
    except UsageError as error:
        number, message = 0, str(error)
    assert number >= 0
    assert len(message.splitlines()) <= 1


@pytest.mark.parametrize("garbage", ["", "1x", "-1", "+1", "1.5m", "k", "1kk", "1 k", "0x10", "٣"])
def test_garbage_is_refused_and_named(garbage: str) -> None:
    with pytest.raises(UsageError, match=r"-b .* is not a whole number"):
        parse_bytes(garbage, "-b")


def test_too_small_is_refused() -> None:
    with pytest.raises(UsageError, match="iterations 0 is too small; give 1 or more"):
        parse_count("0", "iterations")


@pytest.mark.parametrize(
    ("latency_ns", "text"),
    [
        (0.0, "0 ns"),
        (0.5, "0.5 ns"),
        (12.53, "12.5 ns"),
        (99.96, "100 ns"),
        (159.7, "160 ns"),
        (999.4, "999 ns"),
        (999.6, "1 µs"),
        (6_000.0, "6 µs"),
        (6_020.0, "6.02 µs"),
        (28_000.0, "28 µs"),
        (1_684_000.0, "1.68 ms"),
        (999_600.0, "1 ms"),
        (3.8e9, "3.8 s"),
        (4.2e12, "4200 s"),
    ],
)
def test_latencies_in_the_form_of_the_paper(latency_ns: float, text: str) -> None:
    assert format_latency(latency_ns) == text


def test_bandwidths() -> None:
    assert format_bandwidth(24.6049) == "24.6 GB/s"
    assert format_bandwidth(204.8) == "205 GB/s"
    assert format_bandwidth(0.0512) == "0.0512 GB/s"
