"""Experiments whose runs may end once they have settled, and what their rows say about it.

Patterns of traffic move 32 MB for each SPE, and mostly settle within a thirty-second of that. The
columns `settled` and `unsettled` of a row are numbers of runs. A run that has not settled is
simulated in full; the row has its bandwidth in the first and in the last quarter.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cellstats.measure.result import Result

IN_BULK = ("couples", "cycle", "hotspot")
"""The FUNCTIONs that move 32 MB for each SPE, as the papers do."""
_QUARTERS = ("first_quarter_gb_s", "last_quarter_gb_s")


def settling_columns(results: Sequence["Result"]) -> dict[str, Any]:
    """The columns of a row about the settling of its runs; none if they were to be exact.

    results: a result for each run.
    """
    found = [result.settling for result in results if result.settling is not None]
    if not found:
        return {}
    unsettled = [each for each in found if each.outcome == "unsettled"]
    return {
        "settled": sum(each.outcome == "settled" for each in found),
        "unsettled": len(unsettled),
        **{name: _mean(getattr(each, name) for each in unsettled) for name in _QUARTERS},
    }


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def unsettled(rows: Iterable[Mapping[str, Any]]) -> int:
    """The number of unsettled runs behind rows, which are given as columns."""
    return sum(row.get("unsettled") or 0 for row in rows)
