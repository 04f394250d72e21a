"""A matrix of this computer's cores for people: classes first, then every pair."""

from collections.abc import Iterator
from statistics import median

from cellstats.host.environment import digest
from cellstats.host.matrices import HostMatrix
from cellstats.host.result_text import disturbed_lines
from cellstats.measure.quantities import format_latency
from cellstats.text.matrix_grid import extremes, grid
from cellstats.text.tables import aligned, number

TABLE_CPUS_MAX = 40
"""A table of more CPUs is too wide for screens."""
INTERVALS_CPUS_MAX = 10
"""With intervals, cells are twice as wide."""
_MARKS = {"measured": " ", "mirrored": "'", "class": "*", None: " "}


def matrix_text(matrix: HostMatrix, *, colour: bool = False, width: int | None = None) -> str:
    """A matrix as text: its classes, its cells unless they are too many, and remarks."""
    lines = [
        f"{matrix.function} on host, {matrix.quantity}: rows are initiators, columns are partners",
        *summary(matrix),
        "",
    ]
    if len(matrix.labels) <= TABLE_CPUS_MAX:
        cells = grid(matrix, _cells(matrix), colour=colour, width=width)
        lines += [*cells, *_legend(matrix)]
    else:
        lines.append(f"{len(matrix.labels)} CPUs are too many for a table; see --plot, --format")
    lines += [extremes(matrix), _coverage(matrix), *disturbed_lines(reasons(matrix))]
    return "\n".join(lines) + "\n"


def summary(matrix: HostMatrix) -> list[str]:
    """What was measured, where, and its classes: pairs that have the same in common."""
    one = next(iter(matrix.results.values()))
    return [
        f"{one.means.latency}: {one.means.operation}; {one.means.line_home}",
        digest(dict(matrix.environment)),
        "",
        *_classes(matrix),
    ]


def reasons(matrix: HostMatrix) -> list[str]:
    """Reasons to distrust a matrix: its own disturbances, and the number of disturbed pairs."""
    found = list(matrix.disturbed)
    hit = [(pair, each.disturbed) for pair, each in matrix.results.items() if each.disturbed]
    if hit:
        (a, b), why = hit[0]
        found.append(
            f"{len(hit)} of {len(matrix.results)} pairs, such as CPUs {a} and {b}: {why[0]}"
        )
    return found


def _classes(matrix: HostMatrix) -> list[str]:
    rows = [["", "pairs", f"median ({matrix.unit})", "least", "most"]]
    for relation, values in matrix.by_relation().items():
        shown = [number(each) for each in (median(values), min(values), max(values))]
        rows.append([relation, str(len(values)), *shown])
    return aligned(rows).splitlines()


def _cells(matrix: HostMatrix) -> list[list[str]]:
    """Each value with its mark, and in small matrices with the half of its interval."""
    wide = len(matrix.labels) <= INTERVALS_CPUS_MAX
    halves = _halves(matrix)
    most = max((len(half) for half in halves.values()), default=0)

    def cell(pair: tuple[int, int], value: float | None, source: str | None) -> str:
        half = halves.get(pair, "").ljust(most) if wide and value is not None else ""
        return number(value) + half + _MARKS[source]

    return [
        [
            cell((one, other), value, source)
            for other, value, source in zip(matrix.labels, values, sources, strict=True)
        ]
        for one, values, sources in zip(matrix.labels, matrix.values, matrix.sources, strict=True)
    ]


def _halves(matrix: HostMatrix) -> dict[tuple[int, int], str]:
    """Half of the 95 % interval of each measured cell's median, as `±0.4`."""
    found = {}
    for pair, result in matrix.results.items():
        relative = (result.latency_ns_ci_high - result.latency_ns_ci_low) / 2 / result.latency_ns
        value = getattr(result, matrix.quantity)
        found[pair] = f" ±{number(relative * value)}"
    return found


def _legend(matrix: HostMatrix) -> Iterator[str]:
    if len(matrix.labels) <= INTERVALS_CPUS_MAX:
        yield "±: half of the 95 % interval of the median"
    else:
        relative = [
            (each.latency_ns_ci_high - each.latency_ns_ci_low) / 2 / each.latency_ns
            for each in matrix.results.values()
        ]
        middle, most = (f"{100 * each:.1f} %" for each in (median(relative), max(relative)))
        yield f"half of each 95 % interval: {middle} of the value at the median, {most} at most"
    kinds = list(dict.fromkeys(what for _, what in matrix.boundaries))
    if kinds:
        where = ", ".join(
            f"{what} before CPU {matrix.labels[index]}" for index, what in matrix.boundaries
        )
        yield f"lines: another {where}"
    counts = matrix.counts()
    if counts["mirrored"]:
        yield "': measured in the other direction"
    if counts["class"]:
        yield "*: not measured; the median of pairs that have the same in common"


def _coverage(matrix: HostMatrix) -> str:
    counts = matrix.counts()
    total, took = sum(counts.values()), format_latency(matrix.wall_ns)
    if counts["measured"] == total:
        return f"all {total} pairs measured in {took}"
    return (
        f"{counts['measured']} of {total} pairs measured in {took}; a larger --budget measures more"
    )
