"""Published figures and claims beside simulated ones.

A paper is a directory of `cellstats.papers`: `claims.toml`, and a script for each of its figures
and tables. A script has two functions: `rows` asks for measurements, `draw` draws their answers.
This module has all that such a script needs:

>>> asks = list(measured("ps3", "dmaget", size=[128, 256], iterations=10, panel="get"))
>>> asks[1].columns["size_bytes"], asks[1].columns["panel"]
(256, 'get')
"""

from cellstats.reproduce.charts import Axis, Chart
from cellstats.reproduce.experiments import (
    Answer,
    Answers,
    Ask,
    measured,
    over_placements,
    programmed,
    taken_apart,
)

__all__ = [
    "Answer",
    "Answers",
    "Ask",
    "Axis",
    "Chart",
    "measured",
    "over_placements",
    "programmed",
    "taken_apart",
]
