"""The first lines of a result: the numbers that everybody wants."""

from cellstats.measure.quantities import format_bandwidth, format_latency


def headline(latency_ns: float, bandwidth_gb_s: float | None) -> list[str]:
    """The latency, and below it the bandwidth where data move.

    >>> headline(160.0, 1.6)
    ['160 ns', '1.6 GB/s']
    """
    bandwidth = [] if bandwidth_gb_s is None else [format_bandwidth(bandwidth_gb_s)]
    return [format_latency(latency_ns), *bandwidth]
