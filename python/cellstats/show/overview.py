"""The overview of this computer as text and HTML.

Numbers have the marks of matrices: `~` for good to within a factor of 2 only, `!` for not to be
used.
"""

from cellstats.core.quantities import format_bandwidth, format_latency
from cellstats.core.words import printable
from cellstats.host.disturbances import GRADES, TRUST
from cellstats.host.environment import digest
from cellstats.host.latency_levels import MEMORY
from cellstats.host.overview import Level, NodeMemory, Overview
from cellstats.show.html_parts import preformatted
from cellstats.show.matrix import MARK_OF_GRADE, classes, grades, worst
from cellstats.show.tables import aligned, number

_UNITS = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"))


def overview_text(of: Overview) -> str:
    """Levels, bandwidths, latency under load, and messages between cores, as text."""
    parts = [[digest(dict(of.environment))], _levels(of), _nodes(of), _bandwidths(of), _loaded(of)]
    if of.matrix:
        heading = "messages between CPUs through memory, round trip"
        parts.append([heading, *classes(of.matrix), grades(of.matrix), *worst(of.matrix)])
    parts.append(
        [
            *explained(of),
            *(f"not measured: {what}" for what in of.missing),
            *(f"disturbed: {what}" for what in of.disturbed),
            *(["cellstats doctor says what to do"] if of.is_bad() else []),
        ]
    )
    return printable("\n".join("\n".join([*part, ""]) for part in parts if part))


def size_words(size_bytes: float) -> str:
    """A number of bytes with a binary unit.

    >>> size_words(49152), size_words(3 << 19), size_words(1 << 30)
    ('48 KB', '1.5 MB', '1 GB')
    """
    unit, name = next(each for each in _UNITS if size_bytes >= each[0] or each[1] == "KB")
    return f"{size_bytes / unit:.3g} {name}"


def explained(of: Overview) -> list[str]:
    """A text line for each mark."""
    return [
        f"{mark(grade)}: {TRUST[grade]}" for grade in GRADES if mark(grade) and grade in of.grades()
    ]


def name_of(level: Level) -> str:
    """The name of a level."""
    return level.name or "a step"


def mark(grade: str) -> str:
    """The mark of a number with this grade."""
    return MARK_OF_GRADE.get(grade, "")


def _levels(of: Overview) -> list[str]:
    curve = list(of.curves)[-1]
    rows = [["level", "latency", "up to", "reported", "more on small pages", "grade"]]
    for each in of.levels:
        more = each.translation_ns
        rows.append(
            [
                name_of(each),
                format_latency(each.latency_ns) + mark(each.grade),
                "" if each.up_to_bytes is None else size_words(each.up_to_bytes),
                "" if each.reported_bytes is None else size_words(each.reported_bytes),
                "" if more is None else format_latency(max(more, 0.0)),
                each.grade,
            ]
        )
    return [f"a load that waits for the one before it, CPU {of.cpu}, {curve}", *_lines(rows)]


def _nodes(of: Overview) -> list[str]:
    """Node by node: the latency and the bandwidth of memory."""
    if not of.nodes:
        return ["one NUMA node: its latency and its bandwidth are those of memory"]
    lines = []
    for what in ("latency", "bandwidth"):
        cells = {
            (each.from_node, each.node): _of_node(each)
            for each in of.nodes
            if (each.latency_ns is None) == (what == "bandwidth")
        }
        columns = list(dict.fromkeys(node for _, node in cells))
        rows = [["from", *(f"node {node}" for node in columns)]]
        for one in dict.fromkeys(one for one, _ in cells):
            rows.append([f"node {one}", *(cells.get((one, node), "") for node in columns)])
        lines += [f"{what} of the memory of NUMA nodes", *_lines(rows)] if cells else []
    return lines


def _of_node(each: NodeMemory) -> str:
    if each.latency_ns is not None:
        return format_latency(each.latency_ns) + mark(each.grade)
    return format_bandwidth(each.bandwidth_gb_s or 0.0) + mark(each.grade)


def _bandwidths(of: Overview) -> list[str]:
    places = list(dict.fromkeys((each.level, each.cores) for each in of.bandwidths))
    found = {(each.operation, each.level, each.cores): each for each in of.bandwidths}
    heads = [place(level, cores) for level, cores in places]
    rows = [["GB/s", *heads]]
    for name in dict.fromkeys(each.operation for each in of.bandwidths):
        cells = [found.get((name, *place)) for place in places]
        rows.append(
            [name, *(number(one.bandwidth_gb_s) + mark(one.grade) if one else "" for one in cells)]
        )
    return ["bandwidth, loads and stores together", *_lines(rows)]


def place(level: str, cores: int) -> str:
    """The level and the number of cores of a bandwidth."""
    name = level if level == MEMORY else level.upper()
    return f"{name}, {cores} cores" if cores > 1 else name


def _loaded(of: Overview) -> list[str]:
    if len(of.loaded) < 2:
        return []
    rows = [
        [format_bandwidth(each.bandwidth_gb_s), format_latency(each.latency_ns) + mark(each.grade)]
        for each in of.loaded
    ]
    return ["latency of memory while other cores load", *_lines(rows)]


def _lines(rows: list[list[str]]) -> list[str]:
    return aligned(rows).splitlines()


def overview_html(of: Overview) -> str:
    """The same text as printed by the command."""
    return preformatted(str(of))
