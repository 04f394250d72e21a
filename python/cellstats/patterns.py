"""Patterns of communication as data: phases of messages between threads, or with main memory.

The function `exchange` runs them: `machine.measure("exchange", pattern="ring")`. There are patterns
with a name (`NAMES`), patterns in files (`cellstats.placement.pattern_files`), and your own, each a
`Pattern` of `Phase`s of `Transfer`s; `pattern` finds any of them.
"""

from cellstats.placement.messages import Pattern, Phase, Transfer
from cellstats.placement.pattern_choice import PatternLike, pattern
from cellstats.placement.pattern_pairs import MEMORY, NAMES, End

__all__ = ["MEMORY", "NAMES", "End", "Pattern", "PatternLike", "Phase", "Transfer", "pattern"]
