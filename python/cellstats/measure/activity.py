"""Finds the time spans in which each ring, ramp, queue and SPU of a trace was busy.

Waveforms and Trace Events show the same time spans. All times are bus cycles since the start of the
run.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from cellstats.measure.shares import chip_by_chip

Item = TypeVar("Item")
Span = tuple[int, int]
"""The first bus cycle of a time span, and the first bus cycle after it."""


def lanes(items: Iterable[tuple[Span, Item]]) -> list[list[tuple[Span, Item]]]:
    """Distribute items over as few lanes as possible, so that no two spans in a lane overlap.

    >>> lanes([((0, 8), "a"), ((5, 9), "b"), ((8, 12), "c")])
    [[((0, 8), 'a'), ((8, 12), 'c')], [((5, 9), 'b')]]
    """
    spread: list[list[tuple[Span, Item]]] = []
    for (begin, end), item in sorted(items, key=lambda row: row[0]):
        free = next((lane for lane in spread if lane[-1][0][1] <= begin), None)
        if free is None:
            spread.append(free := [])
        free.append(((begin, end), item))
    return spread


def depths(spans: Iterable[Span]) -> list[tuple[int, int]]:
    """The times at which the number of overlapping spans changes, each with the new number.

    >>> depths([(2, 5), (3, 5), (5, 6)])
    [(2, 1), (3, 2), (5, 1), (6, 0)]
    """
    steps: dict[int, int] = {}
    for begin, end in spans:
        steps[begin] = steps.get(begin, 0) + 1
        steps[end] = steps.get(end, 0) - 1
    depth, found = 0, []
    for at in sorted(steps):
        if steps[at]:
            depth += steps[at]
            found.append((at, depth))
    return found


def clipped(spans: Sequence[Span], begin: int, end: int) -> list[Span]:
    """The time spans cut to a window; spans outside the window are left out.

    >>> clipped([(0, 4), (3, 9), (8, 9)], 2, 8)
    [(2, 4), (3, 8)]
    """
    cut = [(max(first, begin), min(last, end)) for first, last in spans]
    return [(first, last) for first, last in cut if first < last]


Row = Mapping[str, Any]
_LIST_COMMANDS = {f"{verb}l{order}" for verb in ("get", "put", "putr") for order in ("", "b", "f")}
"""Mnemonics of DMA list commands: plain, with barrier, and with fence."""


class Activity:
    """The busy spans of one trace; unfinished spans last until the end of the window.

    data: the `Trace.data` of the trace.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.begin: int = data["from"]
        self.end: int = data["to"]
        self.transfers = transfers(data)

    def inside(self, span: Span) -> bool:
        """Whether a time span overlaps the window."""
        return span[0] < self.end and span[1] > self.begin

    def until(self, at: int | None) -> int:
        """The end of a time span; for an unfinished span (None), the end of the window."""
        return self.end if at is None else at

    def rings(self) -> list[tuple[str, str]]:
        """Name and direction of each ring, chip by chip."""
        directions = self.data["rings"]
        return list(zip(chip_by_chip(len(directions), self.data["chips"]), directions, strict=True))

    def channel(self, number: int) -> str:
        """The name of a memory channel."""
        return chip_by_chip(self.data["memory_channels"], self.data["chips"])[number]

    def crossings(self) -> list[tuple[str, list[tuple[Span, Row]]]]:
        """The cache lines that cross the interface between two chips, by direction.

        A line's span begins when the line arrives at one chip's off-ramp, and ends when the line is
        ready at the other chip's on-ramp.
        """
        rows = {row["id"]: row for row in self.data["requests"]}
        found: dict[str, list[tuple[Span, Row]]] = {}
        per_chip = len(self.data["elements"]) // self.data["chips"]
        for row in rows.values():
            origin = rows.get(row["onward_of"])
            if origin is not None and row["ready_at"] is not None:
                span = origin["arrived_at"], row["ready_at"]
                found.setdefault(f"to Cell {row['from'] // per_chip}", []).append((span, row))
        inside = (
            (name, [c for c in crossings if self.inside(c[0])]) for name, crossings in found.items()
        )
        return sorted((name, crossings) for name, crossings in inside if crossings)

    def element(self, ramp: int) -> str:
        """The name of the EIB element at a ramp."""
        name: str = self.data["elements"][ramp]
        return name

    def spes(self) -> list[int]:
        """The numbers of the SPEs that ran programs or commands."""
        busy = {row["spe"] for row in (*self.data["programs"], *self.data["commands"])}
        return sorted(busy)

    def sending(self, row: Row) -> Span:
        """The cycles in which a transfer's beats pass its on-ramp."""
        return row["granted_at"], row["granted_at"] + self.data["beats"]

    def receiving(self, row: Row) -> Span:
        """The cycles in which a transfer's beats pass its off-ramp."""
        return row["arrived_at"] - self.data["beats"], row["arrived_at"]

    def on_ring(self, row: Row) -> Span:
        """The cycles in which any beat of a transfer is on the ring."""
        return row["granted_at"], row["arrived_at"]

    def waiting(self, ramp: int) -> list[Span]:
        """The time spans in which cache lines at an on-ramp waited for a ring's grant."""
        ready = [row for row in self.data["requests"] if row["from"] == ramp]
        spans = ((row["ready_at"], self.until(row["granted_at"])) for row in ready)
        return [span for span in spans if span[0] < span[1] and self.inside(span)]

    def commands(self, spe: int, *queues: str) -> list[tuple[Span, Row]]:
        """The commands in these queues of an SPE, each with its time span in the queue."""
        rows = [row for row in self.data["commands"] if row["spe"] == spe]
        return [
            ((row["enqueued_at"], self.until(row["done_at"])), row)
            for row in rows
            if row["queue"] in queues
        ]

    def lines(self, spe: int) -> list[Span]:
        """The time spans of the bus requests that an SPE's MFC issued."""
        rows = self.data["requests"]
        own = (row for row in rows if row["unit"] == "MFC" and row["issuer"] == f"SPE{spe}")
        return [(row["rounds"][0]["issued_at"], self.until(row["done_at"])) for row in own]

    def ordered(self) -> Iterator[tuple[int, Row, Row]]:
        """The commands ordered on the bus in the window: bus cycle, round and request of each."""
        for row in self.data["requests"]:
            for turn in row["rounds"]:
                at = turn["ordered_at"]
                if at is not None and self.begin <= at < self.end:
                    yield at, turn, row

    def running(self, spe: int) -> list[Span]:
        """The time spans of an SPE's programs; an empty program lasts one cycle."""
        rows = [row for row in self.data["programs"] if row["spe"] == spe]
        spans = ((row["started_at"], self.until(row["stopped_at"])) for row in rows)
        return [(begin, max(end, begin + 1)) for begin, end in spans]

    def stalls(self, spe: int) -> list[tuple[Span, str]]:
        """The time spans in which an SPU was stalled, each with the channel that stalled it."""
        rows = [row for row in self.data["stalls"] if row["spe"] == spe]
        return [((row["from"], self.until(row["to"])), row["channel"]) for row in rows]

    def calls(self, ppe: str, thread: int) -> list[tuple[Span, str]]:
        """The time spans of the system calls of a PPE's hardware thread, each with its name."""
        rows = self.data.get("calls", ())
        own = (row for row in rows if (row["ppe"], row["thread"]) == (ppe, thread))
        return [((row["from"], self.until(row["to"])), row["name"]) for row in own]

    def callers(self) -> list[tuple[str, int]]:
        """The hardware threads with system calls, each as its PPE and its number."""
        return sorted({(row["ppe"], row["thread"]) for row in self.data.get("calls", ())})

    def accesses(self, channel: int) -> list[tuple[Span, Row]]:
        """The time spans in which a memory channel was busy, each with its access."""
        rows = [row for row in self.data["accesses"] if row["channel"] == channel]
        return [((row["from"], row["to"]), row) for row in rows]

    def channels(self) -> list[int]:
        """The memory channels with accesses, by number."""
        return sorted({row["channel"] for row in self.data["accesses"]})


def transfers(data: Mapping[str, Any]) -> list[Row]:
    """The requests whose data were on a ring in the window, in the order of their grants."""
    begin, end = data["from"], data["to"]
    moved = [row for row in data["requests"] if row["granted_at"] is not None]
    on_ring = [row for row in moved if row["granted_at"] < end and row["arrived_at"] > begin]
    return sorted(on_ring, key=lambda row: (row["granted_at"], row["from"]))


def command_name(row: Row) -> str:
    """An MFC command's mnemonic, and its size in bytes or list elements unless it is atomic."""
    name: str = row["name"]
    if row["queue"] == "atomic":
        return name
    if name in _LIST_COMMANDS:
        return f"{name} of {row['size_bytes'] // 8} elements"
    return f"{name} of {row['size_bytes']} B"
