"""Short runs: the rows of figures with fewer iterations and fewer random placements.

The result of a short row replaces that of the figure's row, so claims are judged as usual.
`python -m benches.rules check` measures the error of this, claim by claim.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from cellstats.architecture import LINE_BYTES
from cellstats.core.quantities import parse_bytes, parse_count
from cellstats.reproduce.experiments import Ask

SINGLE = ("dmaget", "dmaput", "dmalistget", "dmalistput")
PATTERNS = ("hotspot", "couples", "cycle", "complement", "pairwise", "uniform", "exchange")
LEAST = 8
"""Least number of iterations, for any length."""
MESSAGES = ("exchange",)
"""FUNCTIONs whose iterations are whole patterns of messages; their figures have few."""


@dataclass(frozen=True)
class Shortening:
    """Limits on the length of a row's runs; no run is made longer than in the figure."""

    lines: int = 8192
    """Lines of 128 bytes that each SPE moves, in both directions together."""
    lines_placed: int = 2048
    """The same limit for a row that is the mean of many placements."""
    most: int = 500
    """Most iterations, for any length."""
    most_few: int = 200
    """The same limit for single DMAs, and for a row that is the mean of many placements."""
    exchanges: int = 4
    """Iterations of a whole pattern of messages."""
    placements: int = 20
    """Random placements."""

    def of(self, ask: Ask) -> Ask:
        """The row with shorter runs; rows without DMAs and breakdowns stay unchanged."""
        if ask.kind == "breakdown" or ask.function not in (*SINGLE, *PATTERNS):
            return ask
        given = dict(ask.given)
        given["iterations"] = self._iterations(ask, given)
        if given.get("which") != "all" and "which" in given:
            given["which"] = min(given["which"], self.placements)
        return replace(ask, given=tuple(given.items()))

    def _iterations(self, ask: Ask, given: Mapping[str, Any]) -> int:
        if ask.function in MESSAGES:
            most = self.exchanges
        else:
            single, placed = ask.function in SINGLE, ask.kind == "placements"
            lines = self.lines_placed if placed else self.lines
            most = self.most_few if single or placed else self.most
            size = max(parse_bytes(given.get("size") or (128 if single else "16k")), LINE_BYTES)
            bytes_each = size * parse_count(given.get("list_elements") or 1)
            most = min(max(lines * LINE_BYTES // bytes_each, LEAST), most)
        asked = given.get("iterations")
        return most if asked is None else min(parse_count(asked), most)
