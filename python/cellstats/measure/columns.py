"""The columns that tell the rows of a table of results apart."""

from collections.abc import Sequence

from cellstats.result import AnyResult, columns_of

_MEASURED = ("latency_", "bandwidth_", "simulated_", "wall_", "schema")


# On the host these columns follow from the clock, or from what happened.
_MEASURED_ON_HOST = ("iterations", "samples", "repetitions", "working_set_bytes", "disturbed")


def parameter_columns(results: Sequence[AnyResult]) -> list[str]:
    """The columns with parameters of the measurements, without those with measured numbers."""
    names = [name for name in columns_of(results) if not name.startswith(_MEASURED)]
    if any(result.machine == "host" for result in results):
        names = [name for name in names if name not in _MEASURED_ON_HOST]
    return names


def varying_columns(results: Sequence[AnyResult]) -> list[str]:
    """The fewest parameter columns, the first ones first, that tell all results apart.

    A column that follows from others is left out: the placement changes with the number of SPEs,
    but says nothing new unless one number has several placements.

    >>> import cellstats as cs
    >>> varying_columns(cs.sweep("dmaget", spes="1..3", size="128..1k", iterations=10))
    ['spes', 'size_bytes']
    """
    rows = [result.row() for result in results]
    chosen: list[str] = []
    apart = 1
    for name in parameter_columns(results):
        now = len({tuple(row.get(each) for each in (*chosen, name)) for row in rows})
        if now > apart:
            chosen.append(name)
            apart = now
    return chosen
