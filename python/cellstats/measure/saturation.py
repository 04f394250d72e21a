"""The offered load at which a machine is saturated, found in a sweep over `rate`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cellstats.core.quantities import format_bandwidth, format_number
from cellstats.measure.result import Measured
from cellstats.measure.sweeps import lines_of, varying_columns


def is_offered(results: Sequence[Measured]) -> bool:
    """Whether all results are measurements with `rate`."""
    return bool(results) and all("rate" in result.optional() for result in results)


def saturations(results: Sequence[Measured]) -> Iterator[str]:
    """A line for each curve of a sweep over `rate`: where the machine is saturated."""
    if not is_offered(results):
        return
    varying = varying_columns(results)
    if "rate" not in varying:
        return
    others = [name for name in varying if name != "rate"]
    for curve, along in lines_of(results, others).items():
        rows = [result.row() for result in along]
        yield (f"{curve}: " if curve else "") + _saturation(rows)


def saturated_from(rows: Sequence[Mapping[str, Any]]) -> float | None:
    """The lowest rate at which one of these rows is saturated, or None."""
    return min((row["rate"] for row in rows if row["saturated"]), default=None)


def _saturation(rows: Sequence[Mapping[str, Any]]) -> str:
    at, rates = saturated_from(rows), [row["rate"] for row in rows]
    if at is None:
        return f"not saturated at {format_number(max(rates))} of the peak"
    most = max(row["bandwidth_gb_s"] for row in rows)
    below = [rate for rate in rates if rate < at]
    where = f"above {format_number(max(below))} and up to" if below else "at"
    return (
        f"saturated {where} {format_number(at)} of the peak; "
        f"accepts {format_bandwidth(most)} at most"
    )
