"""Rates at which DMAs are offered, as people write them: `0.3`, `30%`, `8GB/s`."""

import re

from cellstats.core.quantities import parse_values
from cellstats.core.refusal import quoted, refusal

_RATE = re.compile(r"([0-9]*\.?[0-9]*)\s*(%|GB/s|)", re.IGNORECASE)
_RATE_PARTS = 1_000_000


def parse_rates(text: str, what: str) -> list[str]:
    """The distinct rates in a comma-separated list of rates and ranges, each as a text.

    `a..b` means a, 2a, 3a ... up to b; `a..b:step` and `a..b:*factor` are as in `parse_values`.

    >>> parse_rates("0.05..0.2,1", "--rate"), parse_rates("2..4:1GB/s", "--rate")
    (['0.05', '0.1', '0.15', '0.2', '1'], ['2GB/s', '3GB/s', '4GB/s'])
    """

    def read(number: str, what: str) -> int:
        match = _RATE.fullmatch(number)
        if match is None or match[1] in ("", "."):
            raise refusal(f"{what} {quoted(number)} is not a rate; write 0.3, 30% or 8GB/s")
        return round(float(match[1]) * _RATE_PARTS)

    rates: dict[str, None] = {}
    for item in text.split(","):
        each = item.strip()
        if ".." not in each:
            rates[each] = None
            continue
        unit = next((unit for unit in ("GB/s", "%") if each.lower().endswith(unit.lower())), "")
        span = each if ":" in each else f"{each}:{each.partition('..')[0]}"
        for value in parse_values(span, what, read, doubles=False):
            rates[f"{value / _RATE_PARTS:g}{unit}"] = None
    return list(rates)
