"""Comparison of published figures and claims with simulated results.

Each paper has a file in `cellstats.papers`, and a folder of the same name for its `claims.toml`.
The file declares the paper's figures: the experiments of each figure, and the charts that show the
measured rows. This module exports the names that a paper's file needs:

>>> experiments = list(measured("ps3", "dmaget", size=[128, 256], iterations=10, panel="get"))
>>> experiments[1].columns["size_bytes"], experiments[1].columns["panel"]
(256, 'get')
"""

from cellstats.reproduce.claims import ABOUT
from cellstats.reproduce.experiments import (
    Experiment,
    Row,
    Rows,
    measured,
    over_placements,
    programmed,
    taken_apart,
)
from cellstats.reproduce.figures import Axis, Chart, Figure

__all__ = [
    "ABOUT",
    "Axis",
    "Chart",
    "Experiment",
    "Figure",
    "Row",
    "Rows",
    "measured",
    "over_placements",
    "programmed",
    "taken_apart",
]
