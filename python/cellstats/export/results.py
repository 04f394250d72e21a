"""Results as text for people, JSON for programs, CSV for spreadsheets."""

from collections.abc import Sequence

from cellstats.export.csv_table import csv_table
from cellstats.result import AnyResult, Result, columns_of
from cellstats.text import simulation_text
from cellstats.text.printable import printable


def text(results: Sequence[AnyResult], verbose: bool = False) -> str:
    """The results one after the other; `verbose` adds the times of each SPE or thread, and more."""
    return "".join(one(result, verbose) for result in results)


def json_lines(results: Sequence[AnyResult]) -> str:
    """The results as JSON, an object on each line."""
    return "".join(result.to_json() + "\n" for result in results)


def csv(results: Sequence[AnyResult]) -> str:
    """The columns that are not nested, as CSV."""
    return csv_table(columns_of(results), (result.row() for result in results))


def one(result: AnyResult, verbose: bool = False) -> str:
    """One result; `verbose` as for `text`."""
    if isinstance(result, Result):
        return simulation_text.text(result, verbose)
    from cellstats.host.result_text import text as host_text

    return printable(host_text(result, verbose))
