"""Threads onto cores: the placement that costs least, for any traffic, any distances, or any cost.

`assign` solves quadratic assignments; `search_all` and `search_local` find a placement where the
cost is known only by trying. `cellstats.placement.solvers` defines them, with examples.
"""

from cellstats.placement.solvers import (
    Assignment,
    Costs,
    Found,
    Matrix,
    Placement,
    assign,
    search_all,
    search_local,
)

__all__ = [
    "Assignment",
    "Costs",
    "Found",
    "Matrix",
    "Placement",
    "assign",
    "search_all",
    "search_local",
]
