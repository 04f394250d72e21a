"""Many numbers in one text: `1,2,6`, `1..8`, `128..16k`, `1..8:2`, `1..1000:*10`; and `0,8-15`."""

from collections.abc import Callable, Iterator

from cellstats.refusal import quoted, refusal, verbatim

_TIMES = ("*", "x")  # some shells take a * for themselves
_SPE_DIGITS_MAX = 3  # more would be a typing error, and a very long list
VALUES_MAX = 100_000
"""More values of one parameter than this are taken for a typing error."""


def parse_values(
    text: str, what: str, read: Callable[[str, str], int], *, doubles: bool
) -> list[int]:
    """The numbers of a comma list of numbers and ranges, each once, in the order of the list.

    what: the parameter in messages.
    read: parses one number; its second argument is `what`.
    doubles: whether `a..b` is a, 2a, 4a ... up to b, and not every number from a to b.

    `a..b:step` adds, `a..b:*factor` or `a..b:xfactor` multiplies, whatever `doubles` says. A range
    ends at b or before. Raises UsageError for any other text.

    >>> from cellstats.measure.quantities import parse_bytes, parse_count
    >>> parse_values("1..4,6", "-n", parse_count, doubles=False)
    [1, 2, 3, 4, 6]
    >>> parse_values("128..1k", "-b", parse_bytes, doubles=True)
    [128, 256, 512, 1024]
    >>> parse_values("1..8:3,1..100:*10", "-l", parse_count, doubles=True)
    [1, 4, 7, 10, 100]
    """
    values: dict[int, None] = {}
    for item in text.split(","):
        if not item.strip():
            raise refusal(f"{what} {quoted(text)} has an empty place; write numbers as in 1,2,6")
        for value in _item(item.strip(), what, read, doubles):
            values[value] = None
            if len(values) > VALUES_MAX:
                raise refusal(
                    f"{what} {quoted(text)} is more than {VALUES_MAX} numbers; give a larger step"
                )
    return list(values)


def parse_spes(text: str, what: str = "placement") -> list[int]:
    """The SPEs of a list such as `0,2,4` or `0,8-15`, in the order of the list.

    Raises UsageError for any other text.

    >>> parse_spes("0,8-11")
    [0, 8, 9, 10, 11]
    """
    spes: list[int] = []
    for item in text.split(","):
        first, dash, last = (part.strip() for part in item.partition("-"))
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
    first, dots, last = span.partition("..")
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
        factor = _whole(step[1:], item, what) if colon else 2
        yield from _multiplied(low, high, factor, item, what)
    else:
        by = read(step, f"the step of {what} {verbatim(item)}:") if colon else 1
        if by < 1:
            raise refusal(f"{what} {item} never ends; give a step of 1 or more")
        yield from range(low, high + 1, by)


def _multiplied(low: int, high: int, factor: int, item: str, what: str) -> Iterator[int]:
    if low == 0:
        raise refusal(
            f"{what} {item} multiplies 0 and stays there; start at 1, or give a step as in 0..8:2"
        )
    if factor < 2:
        raise refusal(f"{what} {item} never ends; give a factor of 2 or more")
    while low <= high:
        yield low
        low *= factor


def _whole(factor: str, item: str, what: str) -> int:
    if not (factor.isascii() and factor.isdecimal() and len(factor) < 19):
        wrong = f"{what} {verbatim(item)}: the factor {quoted(factor)}"
        raise refusal(f"{wrong} is not a whole number; write *2")
    return int(factor)
