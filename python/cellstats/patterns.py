"""Patterns of communication as data: phases of messages between threads, or with main memory.

The function `exchange` runs them: `machine.measure("exchange", pattern="ring")`. There are patterns
with a name (`NAMES`), patterns in files (`cellstats.core.pattern_files`), and your own, each a
`Pattern` of `Phase`s of `Transfer`s; `pattern` finds any of them.
"""

from cellstats.core.pattern import MEMORY, NAMES, End, Pattern, Phase, Transfer
from cellstats.core.pattern_files import PatternLike, pattern

__all__ = ["MEMORY", "NAMES", "End", "Pattern", "PatternLike", "Phase", "Transfer", "pattern"]
