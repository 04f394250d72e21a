"""Reads the positions of a trace in the simplest way, for tests."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Period(NamedTuple):
    """A period of an SPE's program, from an SPU cycle to the next period."""

    start: int
    address: int
    text: str
    cause: str | None
    line: tuple[str, int, str | None] | None


def periods_of(data: Mapping[str, Any], spe: int) -> list[Period]:
    """All periods of an SPE, in order of time."""
    tables = data["positions"]
    rows, begin = [], 0
    for number, after, stretch in zip(*(tables["runs"][name] for name in RUNS), strict=True):
        if number == spe:
            begin += after
            rows += _stretch(tables, stretch, begin)
    return rows


RUNS = ("spe", "after", "stretch")


def _stretch(tables: Mapping[str, Any], stretch: int, begin: int) -> list[Period]:
    firsts, periods = tables["stretches"], tables["periods"]
    end = [*firsts, len(periods["after"])][stretch + 1]
    rows, instructions, lines = [], tables["instructions"], tables["lines"]
    for row in range(firsts[stretch], end):
        begin += periods["after"][row]
        instruction, cause = periods["instruction"][row], periods["cause"][row]
        line = instructions["line"][instruction]
        rows.append(
            Period(
                begin,
                instructions["address"][instruction],
                instructions["text"][instruction],
                tables["causes"][cause - 1] if cause else None,
                None if line is None else tuple(lines[name][line] for name in LINES),
            )
        )
    return rows


LINES = ("file", "number", "text")


def at(periods: list[Period], bus_cycle: int) -> Period:
    """The last period that begins in or before a bus cycle of two SPU cycles."""
    return [period for period in periods if period.start < 2 * (bus_cycle + 1)][-1]
