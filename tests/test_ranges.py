"""Every form of a range is accepted, and any other text causes a one-line error."""

import pytest

from cellstats import UsageError
from cellstats.core.quantities import VALUES_MAX, parse_bytes, parse_count, parse_values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("6", [6]),
        ("1,2,6", [1, 2, 6]),
        ("6,2,6", [6, 2]),
        (" 1 , 2 ", [1, 2]),
        ("1..4", [1, 2, 3, 4]),
        ("3..3", [3]),
        ("0..2", [0, 1, 2]),
        ("1..8:2", [1, 3, 5, 7]),
        ("1..8:*2", [1, 2, 4, 8]),
        ("1..9:x3", [1, 3, 9]),
        ("1..100:*10", [1, 10, 100]),
        ("1k..3k:1k", [1000, 2000, 3000]),
        ("1..3,10..30:10,7", [1, 2, 3, 10, 20, 30, 7]),
        ("1..3,2..4", [1, 2, 3, 4]),
    ],
)
def test_counts(text: str, expected: list[int]) -> None:
    read = lambda number, what: parse_count(number, what, 0)  # noqa: E731
    assert parse_values(text, "-n", read, doubles=False) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("128..1k", [128, 256, 512, 1024]),
        ("48..200", [48, 96, 192]),
        ("16k..16k", [16384]),
        ("16..64:16", [16, 32, 48, 64]),
        ("1k..4k:1k", [1024, 2048, 3072, 4096]),
        ("16..16k:*8", [16, 128, 1024, 8192]),
        ("0,16..32", [0, 16, 32]),
    ],
)
def test_sizes_double(text: str, expected: list[int]) -> None:
    assert parse_values(text, "-b", parse_bytes, doubles=True) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "-b '' has an empty entry"),
        ("1,,2", "-b '1,,2' has an empty entry"),
        ("1,", "has an empty entry"),
        ("..8", "'..8' is not a range"),
        ("1..", "'1..' is not a range"),
        ("1..8:", "'1..8:' is not a range"),
        ("1:2", "'1:2' is not a range"),
        ("1...8", "-b '.8' is not a whole number"),
        ("1..8..9", "-b '8..9' is not a whole number"),
        ("1-8k", "-b '1-8k' is not a whole number"),
        ("a..b", "-b 'a' is not a whole number"),
        ("8..1", "-b 8..1 runs backwards; write 1..8"),
        ("2k..1k", "-b 2k..1k runs backwards; write 1k..2k"),
        ("1..8:0", "-b 1..8:0 never ends"),
        ("1..8:y", "the step of -b 1..8:y: 'y' is not a whole number"),
        ("1..8:x", "is not a range"),
        ("1..8:-1", "the step of -b 1..8:-1: '-1' is not a whole number"),
        ("1..8:*1", "-b 1..8:*1 never ends"),
        ("1..8:*0", "-b 1..8:*0 never ends"),
        ("1..8:*", "is not a range"),
        ("1..8:*1.5", "the factor '1.5' is not a whole number"),
        ("0..8", "-b 0..8 multiplies 0"),
        ("0..8:*2", "-b 0..8:*2 multiplies 0"),
        ("1..1000m:1", f"more than {VALUES_MAX} numbers"),
    ],
)
def test_what_is_no_range(text: str, words: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_values(text, "-b", parse_bytes, doubles=True)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_the_longest_range_is_allowed() -> None:
    text = f"1..{VALUES_MAX}"
    assert len(parse_values(text, "-i", parse_count, doubles=False)) == VALUES_MAX
    with pytest.raises(UsageError):
        parse_values(f"{text},{VALUES_MAX + 1}", "-i", parse_count, doubles=False)
