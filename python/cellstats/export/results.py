"""Results as text for people, JSON for programs, CSV for spreadsheets."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from cellstats._native import UsageError
from cellstats.export.csv_table import csv_table
from cellstats.result import AnyResult, Result, columns_of
from cellstats.text import simulation_text
from cellstats.text.printable import printable

Writer: TypeAlias = Callable[[Sequence[AnyResult]], str]


def writer(form: str, verbose: bool = False) -> Writer:
    """The function that turns results into text. Raises UsageError for an unknown form."""
    writers: dict[str, Writer] = {
        "text": lambda results: "".join(_lines(result, verbose) for result in results),
        "json": lambda results: "".join(result.to_json() + "\n" for result in results),
        "csv": _csv,
    }
    if form not in writers:
        raise UsageError(f"unknown format {form!r}; give one of {', '.join(writers)}")
    return writers[form]


def _lines(result: AnyResult, verbose: bool) -> str:
    if isinstance(result, Result):
        return simulation_text.text(result, verbose)
    from cellstats.host.result_text import text

    return printable(text(result, verbose))


def _csv(results: Sequence[AnyResult]) -> str:
    return csv_table(columns_of(results), (result.row() for result in results))
