"""Measures the cost of one function between every two SPEs; defines the base class of matrices."""

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from cellstats._native import UsageError
from cellstats.core.display import Showing, picture
from cellstats.core.words import did_you_mean
from cellstats.measure.machine import Machine, MachineLike, find_simulated
from cellstats.measure.result import Result
from cellstats.measure.sweeps import Row, rows_of
from cellstats.measure.workers import run_rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MATRIX_FUNCTIONS = ("mailbox", "signal", "dmaget", "dmaput")
"""The functions that communicate between two SPEs or CPUs."""
KEYWORDS = ("size", "iterations", "batch", "cells", "fast_forward", "executor", "jobs")
"""Keywords that only a matrix of SPEs takes."""
QUANTITIES = {"latency": ("latency_ns", "ns"), "bandwidth": ("bandwidth_gb_s", "GB/s")}
"""Quantities of a matrix, each with the result column that has the values, and its unit."""


@dataclass(frozen=True, slots=True, repr=False)
class PairMatrix(Showing):
    """The cost of one function between every two elements (SPEs or CPUs)."""

    _kind = "matrix"

    element: ClassVar[str]
    """Kind of the elements, `SPE` or `CPU`."""

    function: str
    """The FUNCTION, such as `mailbox`."""
    machine: str
    """Name of the machine; `host` for this computer."""
    quantity: str
    """The result column in `values`, either `latency_ns` or `bandwidth_gb_s`."""
    unit: str
    """`ns` or `GB/s`."""
    labels: tuple[int, ...]
    """Numbers of the elements, in the order of the rows (initiators) and columns (partners)."""
    values: list[list[float | None]]
    """The values: a row for each initiator, a column for each partner, None on the diagonal."""

    def __repr__(self) -> str:
        # The text omits the values, which would fill the terminal.
        what = f"{type(self).__name__} {self.function} on {self.machine}"
        return f"<{what}: {self.quantity} between {len(self.labels)} {self.element}s>"

    def plot(self) -> "Figure":
        """A heat map. Raises UsageError if matplotlib is missing."""
        return picture(self)


@dataclass(frozen=True, slots=True, repr=False)
class Matrix(PairMatrix):
    """The cost of one function between every two SPEs; the labels are physical SPEs."""

    element = "SPE"

    results: Mapping[tuple[int, int], Result]
    """The result of each pair, keyed by initiator and partner."""

    @property
    def boundaries(self) -> tuple[tuple[int, str], ...]:
        """An empty tuple; only a `HostMatrix` has boundaries of packages and nodes."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """The matrix in plain dicts and lists, with one recipe for all `results`."""
        recipe = dict(next(iter(self.results.values())).recipe)
        # The recipes of the results differ only in the placement.
        recipe["parameters"] = {**recipe["parameters"], "placement": None}
        return {
            "function": self.function,
            "machine": self.machine,
            "quantity": self.quantity,
            "unit": self.unit,
            "labels": list(self.labels),
            "values": self.values,
            "recipe": recipe,
        }


def spe_matrix(
    function: str,
    *,
    machine: Machine,
    y: str = "latency",
    executor: Executor | None = None,
    jobs: int | None = None,
    **parameters: Any,
) -> Matrix:
    """`cellstats.matrix` for a simulated machine, with the parameters `size` to `fast_forward`."""
    check_quantity(y, function)
    rows = pairs(function, machine, {"iterations": 1_000_000, "batch": 1} | parameters)
    results: dict[tuple[int, int], Result] = {}
    run_rows(rows, results.__setitem__, executor=executor, jobs=jobs)
    return assemble({pair: results[pair] for pair in rows}, y)


def pairs(
    function: str, machine: MachineLike, parameters: Mapping[str, object]
) -> dict[tuple[int, int], Row]:
    """The measurement for each pair (initiator, partner), checked but not run.

    parameters: keywords of `Machine.measure`. Raises UsageError for invalid keywords.

    >>> list(pairs("mailbox", "qs20", {"cells": "10"}))[:2]
    [(8, 9), (8, 10)]
    """
    if function not in MATRIX_FUNCTIONS:
        near = did_you_mean(function, MATRIX_FUNCTIONS)
        raise UsageError(f"no matrix of {function!r}; {near}")
    given = {name: value for name, value in parameters.items() if value is not None}
    found = find_simulated(machine)
    (first,) = rows_of(function, found, {**given, "spes": 2, "spe_to_spe": True})
    # The placement of each pair replaces `cells`.
    own = {name: value for name, value in first.parameters.items() if name != "cells"}
    spes = _ordered(found, str(given.get("cells", "01")))
    # With -s, thread 0 of a DMA holds the buffer, and thread 1 issues the DMA.
    dma = function.startswith("dma")
    return {
        (a, b): Row(
            first.machine,
            function,
            {**own, "placement": [b, a] if dma else [a, b]},
        )
        for a in spes
        for b in spes
        if a != b
    }


def _ordered(machine: Machine, cells: str) -> list[int]:
    """The SPEs of these Cells, in the order of the Cells, then by number."""
    chips = {spe: str(machine.chip_of(spe)) for spe in machine.spes}
    chosen = [spe for spe, chip in chips.items() if chip in cells]
    return sorted(chosen, key=lambda spe: (cells.index(chips[spe]), spe))


def check_quantity(y: str, function: str) -> None:
    """Raise UsageError unless results of `function` have the quantity `y`."""
    if y not in QUANTITIES:
        raise UsageError(f"no quantity {y!r}; {did_you_mean(y, tuple(QUANTITIES))}")
    if y == "bandwidth" and not function.startswith("dma"):
        raise UsageError(f"{function} moves no data and has no bandwidth; leave it at latency")


def assemble(results: Mapping[tuple[int, int], Result], y: str) -> Matrix:
    """Make the matrix of these results, in the order of their initiators."""
    quantity, unit = QUANTITIES[y]
    labels = tuple(dict.fromkeys(initiator for initiator, _ in results))
    one = next(iter(results.values()))
    return Matrix(
        function=one.function,
        machine=one.machine,
        quantity=quantity,
        unit=unit,
        labels=labels,
        values=[[getattr(results.get((a, b)), quantity, None) for b in labels] for a in labels],
        results=dict(results),
    )
