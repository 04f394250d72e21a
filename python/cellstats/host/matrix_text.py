"""A matrix of this computer's cores for people: classes first, then every pair."""

from collections.abc import Iterator
from statistics import median

from cellstats.host.environment import digest
from cellstats.host.matrices import HostMatrix
from cellstats.host.result_text import disturbed_lines
from cellstats.measure.quantities import format_latency
from cellstats.text.tables import aligned, number

TABLE_CPUS_MAX = 40
"""A table of more CPUs is too wide for screens."""
_MARKS = {"measured": " ", "mirrored": "'", "class": "*", None: " "}


def matrix_text(matrix: HostMatrix) -> str:
    """A matrix as text: its classes, its cells unless they are too many, and remarks."""
    lines = [
        f"{matrix.function} on host, {matrix.quantity}: rows are initiators, columns are partners",
        *summary(matrix),
        "",
    ]
    if len(matrix.labels) <= TABLE_CPUS_MAX:
        lines += [*_table(matrix), *_legend(matrix)]
    else:
        lines.append(f"{len(matrix.labels)} CPUs are too many for a table; see --plot, --format")
    lines += [_coverage(matrix), *disturbed_lines(reasons(matrix))]
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


def _table(matrix: HostMatrix) -> Iterator[str]:
    """The cells, with a bar and a line at each boundary."""
    cells = [
        [number(value) + _MARKS[source] for value, source in zip(values, sources, strict=True)]
        for values, sources in zip(matrix.values, matrix.sources, strict=True)
    ]
    heads = [f"{label} " for label in matrix.labels]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    first = max(3, *map(len, heads))
    ends = {index for index, _ in matrix.boundaries}

    def line(head: str, row: list[str]) -> str:
        parts = [head.ljust(first)]
        for index, (cell, width) in enumerate(zip(row, widths, strict=True)):
            parts += [*(["|"] if index in ends else []), cell.rjust(width)]
        return " ".join(parts).rstrip()

    top = line("CPU", heads)
    yield top
    for index, (label, row) in enumerate(zip(matrix.labels, cells, strict=True)):
        if index in ends:
            yield "-" * len(top)
        yield line(str(label), row)


def _legend(matrix: HostMatrix) -> Iterator[str]:
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
