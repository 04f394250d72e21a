"""Does every SPE that shares something get its turn?

Results are averages over SPEs, and one over SPEs that starve each other would mean nothing.
"""

from typing import Any

import pytest

import cellstats as cs

PS3 = cs.machine("ps3")


def spread(function: str, **parameters: Any) -> float:
    """The slowest SPE's latency over that of the fastest."""
    result = PS3.measure(function, **parameters)
    return result.latency_ns_max / result.latency_ns_min


@pytest.mark.parametrize("spes", range(2, 7))
def test_shared_fetchadd_starves_no_spe(spes: int) -> None:
    # The turns of three or four may lock into a pattern in which one comes more often than the
    # others; which pattern depends on when each has started.
    assert spread("fetchadd", spes=spes, iterations=5_000) < (1.4 if spes in (3, 4) else 1.1)


@pytest.mark.parametrize("function", ["dmaget", "dmaput"])
@pytest.mark.parametrize("size", [16, 128, 512, 1024, 2048])
def test_shared_dma_is_fair(function: str, size: int) -> None:
    assert spread(function, spes=6, size=size, iterations=5_000 if size <= 256 else 1_000) < 1.1
