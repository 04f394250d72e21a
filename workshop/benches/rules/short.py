"""Short runs: the experiments of figures with fewer iterations and fewer random placements.

The row of a short run replaces the figure's row, and claims are judged as usual. `python -m
benches.rules check` measures the accuracy that each claim loses in this way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from cellstats.architecture import LINE_BYTES
from cellstats.core.quantities import parse_bytes, parse_count
from cellstats.reproduce.experiments import Experiment

SINGLE = ("dmaget", "dmaput", "dmalistget", "dmalistput")
PATTERNS = ("hotspot", "couples", "cycle", "complement", "pairwise", "uniform", "exchange")
LEAST = 8
"""Minimum number of iterations, regardless of transfer size."""
MESSAGES = ("exchange",)
"""FUNCTIONs whose iterations are whole patterns of messages; figures use few iterations of
these."""


@dataclass(frozen=True)
class Shortening:
    """Limits on the length of a row's runs; no run is made longer than in the figure."""

    lines: int = 8192
    """Number of 128-byte lines that each SPE moves, in both directions together."""
    lines_placed: int = 2048
    """Number of 128-byte lines for a row that is the mean of many placements."""
    most: int = 500
    """Maximum number of iterations, regardless of transfer size."""
    most_few: int = 200
    """Maximum number of iterations for single DMAs, and for a row that is the mean of many
    placements."""
    exchanges: int = 4
    """Iterations of a whole pattern of messages."""
    placements: int = 20
    """Random placements."""

    def of(self, experiment: Experiment) -> Experiment:
        """The row with shorter runs; unchanged if it is a breakdown or measures no DMA."""
        if experiment.kind == "breakdown" or experiment.function not in (*SINGLE, *PATTERNS):
            return experiment
        given = dict(experiment.given)
        given["iterations"] = self._iterations(experiment, given)
        if given.get("which") != "all" and "which" in given:
            given["which"] = min(given["which"], self.placements)
        return replace(experiment, given=tuple(given.items()))

    def _iterations(self, experiment: Experiment, given: Mapping[str, Any]) -> int:
        if experiment.function in MESSAGES:
            most = self.exchanges
        else:
            single, placed = experiment.function in SINGLE, experiment.kind == "placements"
            lines = self.lines_placed if placed else self.lines
            most = self.most_few if single or placed else self.most
            size = max(parse_bytes(given.get("size") or (128 if single else "16k")), LINE_BYTES)
            bytes_each = size * parse_count(given.get("list_elements") or 1)
            most = min(max(lines * LINE_BYTES // bytes_each, LEAST), most)
        asked = given.get("iterations")
        return most if asked is None else min(parse_count(asked), most)
