"""Columns of a figure's rows that results have no columns for: single DMAs, Cells, rings."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from cellstats.architecture import LINE_BYTES
from cellstats.machine import Machine
from cellstats.result import Latencies, Result


def derived(machine: Machine, result: Result) -> dict[str, float]:
    """Those that this result can give.

    `bandwidth_gb_s` in place of the result's: the sum of what each SPE has over its own time. So
    the papers count (kistler2006, "Collective communications": "the sum of the communication
    bandwidths reached by each SPE"), whose SPEs measure with their decrementers.
    `dma_mode_ns`, `dma_median_ns`, `dma_mean_ns` and `dma_max_ns` of single DMAs, with a histogram.
    `latency_ns_cell_0` and `_1`, the averages of each Cell's SPEs, where both take part.
    `ring_busy`: share of bus cycles in which a ring of a Cell is in use, the mean of its rings.
    `clockwise_share`: of the lines on these rings, those that went clockwise. `ring_evenness`:
    of the direction with more lines, the least busy ring's bus cycles over the busiest one's.
    `bandwidth_gb_s_stored` between L1 and L2, where a result counts a line for each access: of
    stores only the bytes stored, as the L1 hands on no more.
    """
    single, rings = _of_single_dmas(result.dma_latency), _of_rings(machine, result)
    own = result.bandwidth_gb_s_own
    moved = {} if own is None else {"bandwidth_gb_s": own}
    return moved | single | _by_cell(machine, result) | rings | _as_stored(result)


def _of_single_dmas(latencies: Latencies | None) -> dict[str, float]:
    if latencies is None:
        return {}
    fullest = max(latencies.bins, key=lambda bar: bar.count)
    return {
        "dma_mode_ns": (fullest.from_ns + fullest.to_ns) / 2,
        "dma_median_ns": latencies.median_ns,
        "dma_mean_ns": latencies.mean_ns,
        "dma_max_ns": latencies.max_ns,
    }


def _as_stored(result: Result) -> dict[str, float]:
    own = result.bandwidth_gb_s_own
    if result.level != "l1l2" or own is None:
        return {}
    stored = (result.size_bytes or 0) / LINE_BYTES
    share = {"load": 1.0, "store": stored, "copy": (1 + stored) / 2}[result.function]
    return {"bandwidth_gb_s_stored": own * share}


def _by_cell(machine: Machine, result: Result) -> dict[str, float]:
    """The average latency of each Cell's SPEs, where both take part."""
    cells: dict[int, list[float]] = {}
    for spe in result.per_spe:
        cells.setdefault(machine.chip_of(spe.spe), []).append(spe.latency_ns)
    if len(cells) < 2:
        return {}
    return {f"latency_ns_cell_{cell}": fmean(values) for cell, values in cells.items()}


def _of_rings(machine: Machine, result: Result) -> dict[str, float]:
    """Of the Cell whose rings carry most; the counters have each Cell's clockwise ones first."""
    values = {row["key"]: row["value"] for row in machine.values()}
    clockwise, counter = values["eib.clockwise_rings"], values["eib.counterclockwise_rings"]
    every, each = result.counters["rings"], clockwise + counter
    cells = [every[first : first + each] for first in range(0, len(every), each)]
    rings = max(cells, key=_lines)
    ways = rings[:clockwise], rings[clockwise:]
    if not _lines(rings):
        return {}
    busy = [ring["busy_bus_cycles"] for ring in max(ways, key=_lines)]
    cycles = result.counters["bus_cycles"]
    return {
        "ring_busy": fmean(ring["busy_bus_cycles"] for ring in rings) / cycles,
        "clockwise_share": _lines(ways[0]) / _lines(rings),
        "ring_evenness": min(busy) / max(busy),
    }


def _lines(rings: Sequence[Mapping[str, int]]) -> int:
    return sum(ring["grants"] for ring in rings)
