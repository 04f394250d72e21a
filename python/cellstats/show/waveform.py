"""A trace as a text waveform, as HTML and as a picture.

The waveform has a row for each ring, ramp, queue and SPU, with time from left to right, in ASCII.
Every line in transit is represented by a letter, which is the same on its on-ramp, ring and
off-ramp. A digit is the number of waiting lines or commands, or the number of an SPE.

The picture shows on a time axis when SPUs, memory channels and rings are active, for longer windows
than the waveform can show. Needs matplotlib.
"""

import itertools
import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

from cellstats.core.refusal import refusal
from cellstats.core.terminal import BLUE, ORANGE, coloured, width
from cellstats.core.words import harmless
from cellstats.measure.activity import Activity, Row, Span, command_name, depths, lanes
from cellstats.measure.trace import Trace
from cellstats.placement.rings import SPE, element
from cellstats.show.figures import figure_class
from cellstats.show.html_parts import preformatted
from cellstats.show.wheel import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


COLUMNS_MIN, _COLUMNS = 40, 100
DRAWN_MAX = 200_000
"""Maximum number of time columns in all blocks together. A column with all rows takes a
kilobyte."""
_IDLE = "."
_LETTERS = string.ascii_letters
_STALLS = {
    "MFC_RdTagStat": ("t", "tag status"),
    "MFC_Cmd": ("q", "room in the queue"),
    "MFC_RdAtomicStat": ("a", "atomic status"),
    "SPU_RdInMbox": ("i", "inbound mailbox"),
    "SPU_WrOutMbox": ("o", "outbound mailbox"),
    "SPU_RdSigNotify1": ("s", "signal"),
    "SPU_RdSigNotify2": ("s", "signal"),
    "SPU_RdEventStat": ("e", "event"),
    "MFC_RdListStallStat": ("l", "stalled list"),
}
_OTHER_STALL = ("x", "another channel")
_COMMANDS_MAX = 24
_MOVING = re.compile("[a-zA-Z]+")
_RING_COLOURS = {">": BLUE, "<": ORANGE}

_Cells = list[str]
Lane: TypeAlias = tuple[str, Sequence[Span], str]
"""The name, the spans and the colour of a lane."""
_RUNS, _STALL_COLOURS, _MEMORY = "#3b6ea8", "#e3b23c", "0.35"
_LANE_INCHES = 0.24
MEASURED = "the beginning of the measurement"
"""The event at which the window of a measurement's trace opens."""


def check(columns: int, scale: int, bus_cycles: int = 0) -> None:
    """Raise UsageError for fewer than 40 columns, a scale below 1, or a window that is too long."""
    if columns < COLUMNS_MIN:
        raise refusal(f"{{columns}} {columns} are too few; give {COLUMNS_MIN} or more")
    if scale < 1:
        raise refusal(f"{{scale}} {scale} is too small; give 1 or more bus cycles per column")
    if bus_cycles > scale * DRAWN_MAX:
        least = -(-bus_cycles // DRAWN_MAX)
        reason = f"{bus_cycles} bus cycles take more than {DRAWN_MAX} columns of text"
        raise refusal(f"{reason}; give a {{scale}} of {least} or more, or a smaller {{window}}")


def columns_of(stream: TextIO) -> int:
    """The output width for a stream: a terminal's width (at least `COLUMNS_MIN`), otherwise 100."""
    return max(width(stream) or _COLUMNS, COLUMNS_MIN)


def waveform(
    data: Mapping[str, Any],
    columns: int,
    scale: int,
    opened_by: str = MEASURED,
    *,
    colour: bool = False,
) -> str:
    """The data of a trace as a text waveform. Raises UsageError in the same cases as `check`.

    colour: show lines on the rings in a different colour for each direction.
    """
    check(columns, scale, data["to"] - data["from"])
    picture = _Picture(Activity(data), scale)
    rows = [
        *picture.spe_rows(),
        *picture.call_rows(),
        *picture.command_rows(),
        *picture.data_rows(),
    ]
    margin = max((len(label) for label, _ in rows), default=0) + 1
    # The number of columns in a block is a multiple of ten, so that every block has the same axis.
    room = max((columns - margin) // 10 * 10, 10)
    blocks = []
    for start in range(0, picture.columns, room):
        lines = _block(rows, margin, start, min(room, picture.columns - start), scale)
        blocks.append("\n".join(_in_colours(lines, margin) if colour else lines))
    head = _head(data, scale, opened_by)
    return "\n\n".join([head, *blocks, "\n".join(picture.legend(columns))]) + "\n"


def _head(data: Mapping[str, Any], scale: int, opened_by: str) -> str:
    begin, end = data["from"], data["to"]
    skipped = begin - data["triggered_at"]
    first = f"{skipped} bus cycles after" if skipped else "at"
    per_column = "a column is a bus cycle" if scale == 1 else f"a column is {scale} bus cycles"
    return (
        f"{harmless(data['machine'])}, bus cycles {begin} to {end}, {first} {opened_by};\n"
        f"{per_column} of {1e9 / data['bus_hz']:g} ns"
    )


def _block(
    rows: Sequence[tuple[str, _Cells]], width: int, start: int, length: int, scale: int
) -> Iterator[str]:
    ticks = (f"|{(start + column) * scale}".ljust(10) for column in range(0, length, 10))
    yield (" " * width + "".join(ticks)).rstrip()
    for label, cells in rows:
        yield label.ljust(width) + "".join(cells[start : start + length])


def _in_colours(lines: Iterable[str], margin: int) -> Iterator[str]:
    """Colour the rings of a block by direction. Unnamed lanes belong to the ring above them."""
    colour = ""
    for line in lines:
        label, cells = line[:margin].rstrip(), line[margin:]
        if label:
            colour = _RING_COLOURS[label[-1]] if label.startswith("ring ") else ""
        yield line[:margin] + _MOVING.sub(_painter(colour), cells) if colour else line


def _painter(colour: str) -> Callable[[re.Match[str]], str]:
    return lambda run: coloured(run[0], colour)


class _Picture:
    """Rows of cells. A cell is the letter in one column of one row."""

    def __init__(self, activity: Activity, scale: int) -> None:
        self.activity = activity
        self.scale = scale
        self.columns = -(-(activity.end - activity.begin) // scale)
        self.letters: dict[int, str] = {}
        letters = itertools.cycle(_LETTERS)
        for row in activity.transfers:
            # A line that crosses the interface to another chip keeps its letter.
            self.letters[row["id"]] = self.letters.get(row["onward_of"]) or next(letters)
        self.stalls_seen: dict[str, str] = {}
        self.deep = False

    def _paint(self, cells: _Cells, span: Span, symbol: str) -> None:
        """Mark the free cells of a span. If spans share a column, the first one stays visible."""
        first = max(span[0] - self.activity.begin, 0) // self.scale
        end = -(-max(span[1] - self.activity.begin, 0) // self.scale)
        for column in range(first, min(end, self.columns)):
            if cells[column] == _IDLE:
                cells[column] = symbol

    def _row(self, spans: Iterable[tuple[Span, str]]) -> _Cells:
        cells = [_IDLE] * self.columns
        for span, symbol in spans:
            self._paint(cells, span, symbol)
        return cells

    def _numbers(self, spans: Sequence[Span]) -> _Cells:
        """The maximum number of simultaneous spans in each column."""
        most = [0] * self.columns
        begin, end = self.activity.begin, self.activity.end
        steps = depths(spans)
        ends = [at for at, _ in steps[1:]] + [end]
        for (at, depth), until in zip(steps, ends, strict=False):
            first = max(at - begin, 0) // self.scale
            last = -(-max(min(until, end) - begin, 0) // self.scale)
            for column in range(first, min(last, self.columns)):
                most[column] = max(most[column], depth)
        self.deep |= max(most, default=0) > 9
        return [_digit(number) for number in most]

    def spe_rows(self) -> Iterator[tuple[str, _Cells]]:
        """The rows of each SPE: activity of the SPU, and number of entries in each queue."""
        for spe in self.activity.spes():
            stalls = [(span, self._stall(channel)) for span, channel in self.activity.stalls(spe)]
            running = [(span, "=") for span in self.activity.running(spe)]
            rows = [("SPU", self._row([*stalls, *running]))]
            for name, queue in (("DMAs", "spu"), ("proxy", "proxy"), ("atomic", "atomic")):
                spans = [span for span, _ in self.activity.commands(spe, queue)]
                rows.append((name, self._numbers(spans)))
            rows.append(("lines", self._numbers(self.activity.lines(spe))))
            yield from ((f"SPE{spe} {name}", cells) for name, cells in _used(rows))

    def call_rows(self) -> Iterator[tuple[str, _Cells]]:
        """The rows of the PPEs' system calls."""
        for ppe, thread in self.activity.callers():
            calls = [(span, "=") for span, _ in self.activity.calls(ppe, thread)]
            yield from _used([(f"{ppe} calls", self._row(calls))])

    def _stall(self, channel: str) -> str:
        symbol, what = _STALLS.get(channel, _OTHER_STALL)
        self.stalls_seen[symbol] = what
        return symbol

    def command_rows(self) -> Iterator[tuple[str, _Cells]]:
        """The rows of the address concentrator and of the memory channels."""
        ordered: list[tuple[Span, str]] = []
        refused: list[tuple[Span, str]] = []
        for at, turn, row in self.activity.ordered():
            mark = (at, at + 1), _unit(row["issuer"])
            (refused if turn["response"] == "retry" else ordered).append(mark)
        rows = [("commands", self._row(ordered)), ("refused", self._row(refused))]
        for channel in self.activity.channels():
            spans = self.activity.accesses(channel)
            marks = [(span, "W" if row["write"] else "R") for span, row in spans]
            rows.append((f"memory {self.activity.channel(channel)}", self._row(marks)))
        yield from _used(rows)

    def data_rows(self) -> Iterator[tuple[str, _Cells]]:
        """The rows of on-ramps, interfaces, rings and off-ramps."""
        activity = self.activity
        for ramp in range(len(activity.data["elements"])):
            waits = activity.waiting(ramp)
            sent = [row for row in activity.transfers if row["from"] == ramp]
            heads = [(span, "-") for span in waits]
            cells = self._row([*self._lettered(sent, activity.sending), *heads])
            rows = [("on", cells), ("wait", self._numbers(waits))]
            yield from ((f"{activity.element(ramp)} {name}", row) for name, row in _used(rows))
        for direction, crossings in activity.crossings():
            yield direction, self._numbers([span for span, _ in crossings])
        for number, (name, direction) in enumerate(activity.rings()):
            own = [row for row in activity.transfers if row["ring"] == number]
            arrow = ">" if direction == "clockwise" else "<"
            for nth, lane in enumerate(lanes(self._lettered(own, activity.on_ring))):
                yield f"ring {name} {arrow}" if nth == 0 else "", self._row(lane)
        for ramp in range(len(activity.data["elements"])):
            got = [row for row in activity.transfers if row["to"] == ramp]
            cells = self._row(self._lettered(got, activity.receiving))
            yield from _used([(f"{activity.element(ramp)} off", cells)])

    def _lettered(self, rows: Iterable[Row], span: Callable[[Row], Span]) -> list[tuple[Span, str]]:
        return [(span(row), self.letters[row["id"]]) for row in rows]

    def legend(self, columns: int) -> Iterator[str]:
        """The meaning of the symbols, and each command with the letters of its lines."""
        stalls = ", ".join(f"{symbol} {what}" for symbol, what in sorted(self.stalls_seen.items()))
        yield "SPU: = runs" + (f"; waits for: {stalls}" if stalls else "")
        counted = "DMAs, lines, wait" + (", to Cell" if self.activity.crossings() else "")
        yield f"{counted}: how many" + (", a is 10, b is 11, ..." if self.deep else "")
        yield "commands: the SPE (P: PPE) whose command is ordered; refused: sent again later"
        if self.activity.callers():
            yield "calls: = a system call"
        if self.activity.channels():
            yield "memory: R reads, W writes"
        yield "on, ring, off: a letter for each line; - on-ramp that waits; > clockwise, < counter-"
        yield from self._commands(columns)

    def _commands(self, columns: int) -> Iterator[str]:
        rows = list(self.activity.data["commands"])
        for row in rows[:_COMMANDS_MAX]:
            text = _sentence(row, self.activity.begin)
            own = (r["id"] for r in self.activity.transfers if r["command"] == row["id"])
            letters = "".join(dict.fromkeys(self.letters[number] for number in own))
            room = max(columns - len(text) - 2, 3)
            short = letters if len(letters) <= room else letters[: room - 2] + ".."
            yield f"{text}: {short}" if letters else text
        if len(rows) > _COMMANDS_MAX:
            yield f"and {len(rows) - _COMMANDS_MAX} more commands"


def _sentence(row: Row, begin: int) -> str:
    """A description of one command. The times are relative to the beginning of the window."""
    first, done = row["first_request_at"], row["done_at"]
    text = f"SPE{row['spe']} {command_name(row)}, given at {row['enqueued_at'] - begin}"
    if first is not None:
        text += f", on the bus from {first - begin}"
    return text + ("" if done is None else f", done at {done - begin}")


def _unit(issuer: str) -> str:
    """The symbol of an element: a digit for an SPE (a letter from SPE 10 on), P for the PPE."""
    sender = element(issuer)
    return _digit(sender.number).replace(_IDLE, "0") if sender.kind == SPE else sender.kind[0]


def _digit(number: int) -> str:
    if number == 0:
        return _IDLE
    return (string.digits + string.ascii_lowercase)[number] if number < 36 else "+"


def _used(rows: Iterable[tuple[str, _Cells]]) -> Iterator[tuple[str, _Cells]]:
    return ((label, cells) for label, cells in rows if any(cell != _IDLE for cell in cells))


def trace_figure(of: Trace) -> "Figure":
    """A chart with a lane for each active SPU, memory channel and ring, over time in bus cycles."""
    activity = Activity(of.data)
    lanes = list(_lanes(activity))
    names = list(dict.fromkeys(name for name, _, _ in lanes))
    figure = figure_class()(figsize=(9.0, 1.5 + _LANE_INCHES * len(names)), layout="constrained")
    axes = figure.add_subplot()
    for name, spans, colour in lanes:
        _bars(axes, names.index(name), spans, colour, activity)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(0, activity.end - activity.begin)
    axes.set_xlabel(f"Bus cycles of {1e9 / of.data['bus_hz']:g} ns, from {activity.begin} on")
    axes.set_title(f"{of.data['machine']}: who is busy")
    axes.grid(visible=True, axis="x", alpha=0.3)
    _legend(figure)
    return figure


def _lanes(activity: Activity) -> Iterator[Lane]:
    for spe in activity.spes():
        yield f"SPE{spe} SPU", activity.running(spe), _RUNS
        yield f"SPE{spe} SPU", [span for span, _ in activity.stalls(spe)], _STALL_COLOURS
    for ppe, thread in activity.callers():
        yield f"{ppe} calls", [span for span, _ in activity.calls(ppe, thread)], _RUNS
    for channel in activity.channels():
        spans = [span for span, _ in activity.accesses(channel)]
        yield f"memory {activity.channel(channel)}", spans, _MEMORY
    for number, (name, direction) in enumerate(activity.rings()):
        rows = [row for row in activity.transfers if row["ring"] == number]
        clockwise = direction == "clockwise"
        colour = COLOURS[0 if clockwise else 1]
        yield f"ring {name} {'>' if clockwise else '<'}", [*map(activity.on_ring, rows)], colour


def _bars(axes: "Axes", lane: int, spans: Sequence[Span], colour: str, activity: Activity) -> None:
    inside = [
        (max(begin, activity.begin) - activity.begin, min(end, activity.end))
        for begin, end in spans
        if activity.inside((begin, end))
    ]
    bars = [(begin, end - activity.begin - begin) for begin, end in inside]
    axes.broken_barh(bars, (lane - 0.4, 0.8), facecolors=colour, edgecolor="white", linewidth=0.4)


def _legend(figure: "Figure") -> None:
    from matplotlib.patches import Patch

    words = (
        (_RUNS, "SPU runs"),
        (_STALL_COLOURS, "SPU waits"),
        (_MEMORY, "memory reads or writes"),
        (COLOURS[0], "line on a clockwise ring"),
        (COLOURS[1], "line on a counterclockwise ring"),
    )
    handles = [Patch(color=colour, label=text) for colour, text in words]
    figure.legend(handles=handles, loc="outside lower center", ncols=5, fontsize="x-small")


def trace_text(of: Trace, *, columns: int = 100, scale: int = 1, colour: bool = False) -> str:
    """The waveform, headed by what opened the window."""
    return waveform(of.data, columns, scale, of.opened_by or MEASURED, colour=colour)


def trace_html(of: Trace) -> str:
    """The waveform."""
    return preformatted(str(of))
