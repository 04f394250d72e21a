"""A matrix of SPEs or of this computer's CPUs as text, CSV and HTML.

The text of a CPU matrix begins with its classes. A class consists of all pairs with the same
relation. The class `Scale` maps values to colours, in terminals and pictures, from the lowest value
to the highest. A scale from 0 would hide the differences between pairs, and a matrix serves to show
them. If all differences are within the noise, all values have the same colour.
"""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from statistics import fmean, median
from typing import NamedTuple

from cellstats.core.files import csv_table
from cellstats.core.quantities import format_latency
from cellstats.core.words import harmless
from cellstats.host.disturbances import DO_NOT_USE, GRADES, TRUST
from cellstats.host.environment import digest
from cellstats.host.matrices import HostMatrix
from cellstats.host.statistics import BESIDE
from cellstats.measure.matrices import Matrix
from cellstats.show.host_result import trust
from cellstats.show.html_parts import ends, paragraph, picture, preformatted, table
from cellstats.show.tables import aligned, number, shaded

TABLE_CPUS_MAX = 40
"""Maximum number of CPUs in a table. A larger table would be too wide for screens."""
INTERVALS_CPUS_MAX = 10
"""Maximum number of CPUs in a table with intervals, which double the width of the cells."""
_BY_SOURCE = {"mirrored": "'", "class": "*", "unusable": "!"}
MARK_OF_GRADE = {"factor 2": "~", "factor 10": "?", "do not use": "!"}
MARKS = {
    "'": "measured in the other direction",
    "*": "not measured; the median of pairs that have the same in common",
    "~": "good to within a factor of 2 only",
    "?": "good to within a factor of 10 only",
    "!": "not to be used; the value is that of similar pairs, if there are any",
}
"""The marks of cells, and what they mean."""
_BAD_SHOWN = 3
LABELS_MAX = 16
"""Maximum number of labels in HTML. A larger matrix shows its first and its last `LABELS_MAX / 2`
labels."""
_ALIKE = 0.01
"""Minimum noise, as a fraction of the highest value. This minimum also applies to simulated values,
which have no noise."""


class Scale(NamedTuple):
    """A colour scale from the lowest to the highest value."""

    low: float
    high: float
    noise: float
    """The maximum difference that counts as noise."""

    @property
    def alike(self) -> bool:
        """Whether the differences between all values are within the noise."""
        return self.high - self.low <= self.noise

    def part(self, value: float) -> float:
        """Position of a value on the scale, from 0 to 1; always 0.5 if the scale is `alike`."""
        return 0.5 if self.alike else (value - self.low) / (self.high - self.low)

    def words(self) -> str:
        """The difference between the lowest and the highest value, in words.

        >>> Scale(140.0, 175.0, 1.75).words(), Scale(140.0, 141.0, 1.41).words()
        ('the highest is 25 % above the lowest', 'all are the same to within 1 %')
        """
        if self.alike:
            return f"all are the same to within {_percent(self.noise / self.high)}"
        if self.low <= 0:
            return "from the lowest to the highest"
        return f"the highest is {_percent(self.high / self.low - 1)} above the lowest"


def scale(measured: Matrix | HostMatrix) -> Scale:
    """The colour scale of a matrix. For the host, the noise is the median of the 95 % intervals.

    >>> import cellstats as cs
    >>> scale(cs.matrix("mailbox", iterations=100)).words()
    'the highest is 4 % above the lowest'
    """
    values = [value for row in measured.values for value in row if value is not None]
    low, high = min(values), max(values)
    relative = [_ALIKE]
    if not isinstance(measured, Matrix) and measured.results:
        halves = [each.half_interval for each in measured.results.values()]
        relative.append(median([0.0 if half is None else 2 * half for half in halves]))
    return Scale(low, high, max(relative) * high)


def _percent(part: float) -> str:
    """A fraction as text in per cent.

    >>> _percent(0.012), _percent(0.25), _percent(3.004)
    ('1 %', '25 %', '300 %')
    """
    return f"{100 * part:.0f} %"


def grid(
    measured: Matrix | HostMatrix,
    cells: Sequence[Sequence[str]],
    *,
    colour: bool,
    width: int | None = None,
) -> Iterator[str]:
    """The cells as text lines, with a bar and a line at each boundary and an explanation of the
    colours.

    width: width of a text line in letters. Columns that do not fit are printed below the others.
    """
    heads = list(map(str, measured.labels))
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    first = max(3, *map(len, heads))
    ends = {index for index, _ in measured.boundaries}
    shades = scale(measured)

    gap = " " if ends else "  "

    def line(head: str, row: Sequence[str], values: Sequence[float | None], group: range) -> str:
        parts = [head.ljust(first)]
        for index in group:
            value, padded = values[index], row[index].rjust(widths[index])
            shown = shaded(padded, shades.part(value)) if colour and value is not None else padded
            parts += [*(["|"] if index in ends else []), shown]
        return gap.join(parts).rstrip()

    for group in _groups(widths, first, len(gap), ends, width):
        if group.start:
            yield ""
        top = line(measured.element, heads, [None] * len(heads), group)
        yield top
        for index, (label, row) in enumerate(zip(heads, cells, strict=True)):
            if index in ends:
                yield "-" * len(top)
            yield line(label, row, measured.values[index], group)
    if colour:
        low, high = (f"{number(each)} {measured.unit}" for each in (shades.low, shades.high))
        between = "" if shades.alike else f" (dark: {low}, bright: {high})"
        yield f"colours: {shades.words()}{between}"


def _groups(
    widths: Sequence[int], first: int, gap: int, ends: Set[int], width: int | None
) -> Iterator[range]:
    """Groups of columns that fit into the width. Each group has at least one column."""
    start, taken = 0, first
    for index, cell in enumerate(widths):
        more = cell + gap + (gap + 1 if index in ends else 0)
        if width is not None and taken + more > width and index > start:
            yield range(start, index)
            start, taken = index, first
        taken += more
    yield range(start, len(widths))


def extremes(measured: Matrix | HostMatrix) -> str:
    """The lowest and the highest value, each with its pair, and the mean.

    >>> import cellstats as cs
    >>> extremes(cs.matrix("mailbox", iterations=100))
    'lowest 155.6 ns (SPE 4 to SPE 2), highest 161.9 ns (SPE 2 to SPE 5), mean 158.6 ns'
    """
    found = [
        (value, f"{measured.element} {one} to {measured.element} {other}")
        for one, row in zip(measured.labels, measured.values, strict=True)
        for other, value in zip(measured.labels, row, strict=True)
        if value is not None
    ]
    low, high = min(found), max(found, key=lambda each: each[0])
    mean = number(fmean(value for value, _ in found))
    return (
        f"lowest {number(low[0])} {measured.unit} ({low[1]}), "
        f"highest {number(high[0])} {measured.unit} ({high[1]}), mean {mean} {measured.unit}"
    )


def matrix_text(matrix: HostMatrix, *, colour: bool = False, width: int | None = None) -> str:
    """A CPU matrix as text: classes, cells (unless there are too many) and remarks."""
    lines = [
        f"{matrix.function} on host, {matrix.quantity}: rows are initiators, columns are partners",
        *summary(matrix),
        "",
    ]
    if len(matrix.labels) <= TABLE_CPUS_MAX:
        cells = grid(matrix, _host_cells(matrix), colour=colour, width=width)
        lines += [*cells, *_legend(matrix)]
    else:
        lines.append(f"{len(matrix.labels)} CPUs are too many for a table; see --plot, --format")
    lines += [extremes(matrix), _coverage(matrix), grades(matrix), *worst(matrix)]
    return "\n".join(lines) + "\n"


def summary(matrix: HostMatrix) -> list[str]:
    """The operation, the environment, and the classes of pairs that have the same relation."""
    one = next(iter(matrix.results.values()))
    return [
        f"{one.means.latency}: {one.means.operation}; {one.means.line_home}",
        digest(dict(matrix.environment)),
        "",
        *classes(matrix),
    ]


def grades(matrix: HostMatrix) -> str:
    """How many of the measured pairs have each grade."""
    grades = Counter(each.grade for each in matrix.results.values())
    return "; ".join(f"{TRUST[grade]}: {grades[grade]}" for grade in GRADES if grades[grade])


def worst(matrix: HostMatrix) -> Iterator[str]:
    """A text line for the modes of all pairs, and one for each reason of the worst pairs."""
    if matrix.modes:
        yield matrix.modes
    bad: dict[str, list[tuple[int, int]]] = {}
    for pair, result in matrix.bad().items():
        # What pairs have in common is said once, without how good each is otherwise.
        bad.setdefault(trust(result).partition(BESIDE)[0], []).append(pair)
    for reason, pairs in list(bad.items())[:_BAD_SHOWN]:
        a, b = pairs[0]
        measured = f"{number(getattr(matrix.results[a, b], matrix.quantity))} {matrix.unit}"
        more = f", and {len(pairs) - 1} more" if len(pairs) > 1 else ""
        yield f"{matrix.element} {a} to {matrix.element} {b}, {measured}{more}: {reason}"
    rest = sum(map(len, list(bad.values())[_BAD_SHOWN:]))
    if rest:
        yield f"and {rest} more such pairs"


def marks(matrix: Matrix | HostMatrix) -> list[list[str]]:
    """The mark of each cell, by its grade if that is bad, otherwise by its source."""
    if isinstance(matrix, Matrix):
        return [[""] * len(row) for row in matrix.values]

    def cell(pair: tuple[int, int], source: str | None) -> str:
        grade = matrix.results[pair].grade if pair in matrix.results else ""
        return MARK_OF_GRADE.get(grade) or _BY_SOURCE.get(source or "", "")

    return [
        [cell((one, other), source) for other, source in zip(matrix.labels, sources, strict=True)]
        for one, sources in zip(matrix.labels, matrix.sources, strict=True)
    ]


def meant(letters: Sequence[Sequence[str]]) -> list[str]:
    """A text line for each mark in a matrix of marks."""
    return [
        f"{mark}: {words}" for mark, words in MARKS.items() if any(mark in row for row in letters)
    ]


def classes(matrix: HostMatrix) -> list[str]:
    """A text line for each relation of two CPUs: the number of pairs, and their values.

    Nothing if no pair has a usable value.
    """
    rows = [["", "pairs", f"median ({matrix.unit})", "least", "most"]]
    for relation, values in matrix.by_relation().items():
        shown = [number(each) for each in (median(values), min(values), max(values))]
        rows.append([relation, str(len(values)), *shown])
    return aligned(rows).splitlines() if len(rows) > 1 else []


def _host_cells(matrix: HostMatrix) -> list[list[str]]:
    """The cells as text: value, half-width of the interval in small matrices, and mark."""
    wide = len(matrix.labels) <= INTERVALS_CPUS_MAX
    halves = _halves(matrix) if wide else {}
    most = max((len(half) for half in halves.values()), default=0)

    def cell(pair: tuple[int, int], value: float | None, letter: str) -> str:
        half = halves.get(pair, "").ljust(most) if value is not None else ""
        return number(value) + half + letter.ljust(1)

    return [
        [
            cell((one, other), value, letter)
            for other, value, letter in zip(matrix.labels, values, letters, strict=True)
        ]
        for one, values, letters in zip(matrix.labels, matrix.values, marks(matrix), strict=True)
    ]


def _halves(matrix: HostMatrix) -> dict[tuple[int, int], str]:
    """For each usable pair with an interval, its half-width, such as `±0.4`."""
    return {
        pair: f" ±{number(result.half_interval * getattr(result, matrix.quantity))}"
        for pair, result in matrix.results.items()
        if result.half_interval is not None and result.grade != DO_NOT_USE
    }


def _legend(matrix: HostMatrix) -> Iterator[str]:
    halves = [each.half_interval for each in matrix.results.values()]
    known = [half for half in halves if half is not None]
    if known and len(matrix.labels) <= INTERVALS_CPUS_MAX:
        yield "±: half of the 95 % interval for the next measurement"
    elif known:
        middle, most = (f"{100 * each:.1f} %" for each in (median(known), max(known)))
        yield f"half of each 95 % interval: {middle} of the value at the median, {most} at most"
    kinds = list(dict.fromkeys(what for _, what in matrix.boundaries))
    if kinds:
        where = ", ".join(
            f"{what} before CPU {matrix.labels[index]}" for index, what in matrix.boundaries
        )
        yield f"lines: another {where}"
    yield from meant(marks(matrix))


def _coverage(matrix: HostMatrix) -> str:
    counts = matrix.counts()
    total, took = sum(counts.values()), format_latency(matrix.wall_ns)
    measured = len(matrix.results)
    if measured == total:
        return f"all {total} pairs measured in {took}"
    return f"{measured} of {total} pairs measured in {took}; a larger --budget measures more"


def matrix_table(
    measured: Matrix | HostMatrix, *, colour: bool = False, width: int | None = None
) -> str:
    """A text table with a row for each initiator and a column for each partner. A matrix of the
    host also has remarks.

    colour: shade the cells from the lowest value to the highest.
    width: width of the terminal in letters.
    """
    if not isinstance(measured, Matrix):
        return matrix_text(measured, colour=colour, width=width)
    head = f"{measured.function} on {harmless(measured.machine)}, {measured.quantity}: "
    cells = [list(map(number, values)) for values in measured.values]
    lines = [
        head + "rows are initiators, columns are partners",
        *grid(measured, cells, colour=colour, width=width),
        extremes(measured),
    ]
    return "".join(f"{line}\n" for line in lines)


def matrix_html(of: Matrix | HostMatrix) -> str:
    """The title, the heat map and the cells. In a large matrix, the middle cells are omitted."""
    head = (
        f"{of.function} on {of.machine}, {of.quantity}: rows are initiators, columns are partners"
    )
    image = picture(of.plot, f"heat map of {of.quantity}")
    parts = [paragraph(head), image, _html_cells(of)]
    if not isinstance(of, Matrix):
        parts.append(preformatted("\n".join(summary(of))))
    return "".join(parts)


def _html_cells(of: Matrix | HostMatrix) -> str:
    count = len(of.labels)
    first, last, between = ends(range(count), LABELS_MAX)

    def row(label: str, values: list[str]) -> list[str]:
        gap = ["…"] if between else []
        return [label, *(values[n] for n in first), *gap, *(values[n] for n in last)]

    letters = marks(of)

    def cells(n: int) -> list[str]:
        values = zip(of.values[n], letters[n], strict=True)
        return [number(value) + letter for value, letter in values]

    return table(
        row(of.element, list(map(str, of.labels))),
        range(count),
        lambda n: row(str(of.labels[n]), cells(n)),
        LABELS_MAX,
    )


def matrix_csv(measured: Matrix | HostMatrix) -> str:
    """CSV with a row for each initiator and a column for each partner."""
    names = ["initiator", *map(str, measured.labels)]
    cells = zip(measured.labels, measured.values, strict=True)
    rows = [dict(zip(names, [label, *values], strict=True)) for label, values in cells]
    return csv_table(names, rows)
