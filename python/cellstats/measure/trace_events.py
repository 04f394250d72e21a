"""Writes traces in the Trace Event Format, for viewers such as Perfetto (https://ui.perfetto.dev).

The viewer shows each SPE as a process. The command phase, the rings, the ramps, the interface
between two chips, the memory and the PPEs' system calls have one process each. Overlapping slices
go to separate tracks. Arrows lead from an MFC command to its cache lines. A nanosecond on the chip
is written as a microsecond, because viewers show no times below a nanosecond.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from cellstats.measure.activity import Activity, Row, Span, command_name, depths, lanes

Event: TypeAlias = dict[str, Any]
Slice: TypeAlias = tuple[Span, tuple[str, Mapping[str, Any]]]
"""A span, its label, and the details that a click on the span shows."""

_COMMANDS, _RINGS, _RAMPS, _INTERFACE, _MEMORY, _PPES, _FIRST_SPE = 1, 2, 3, 4, 5, 6, 10
_QUEUES = (("DMAs", "spu"), ("proxy DMAs", "proxy"), ("lock lines", "atomic"))


def trace_events(data: Mapping[str, Any]) -> dict[str, Any]:
    """The whole Trace Event object: events, unit of times, and facts about the machine."""
    begin, end = data["from"], data["to"]
    return {
        "displayTimeUnit": "ns",
        "otherData": {
            "machine": data["machine"],
            "machine_hash": data["machine_hash"],
            "first_bus_cycle": begin,
            "bus_cycles": end - begin,
            "times": "1 us in the viewer is 1 ns on the chip",
            "bus_cycle_us_in_the_viewer": 1e9 / data["bus_hz"],
        },
        "traceEvents": _Tracks(Activity(data)).events(),
    }


def as_json(found: Mapping[str, Any]) -> Iterator[str]:
    """The object as JSON, event by event, because one string would take more memory."""
    head = {name: value for name, value in found.items() if name != "traceEvents"}
    yield _json(head)[:-1] + ',"traceEvents":['
    for nth, event in enumerate(found["traceEvents"]):
        yield ("," if nth else "") + _json(event)
    yield "]}\n"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


class _Tracks:
    """Collects events, and numbers their tracks."""

    def __init__(self, activity: Activity) -> None:
        self.activity = activity
        self.ns_per_cycle: float = 1e9 / activity.data["bus_hz"]
        self.tracks: dict[tuple[int, str], int] = {}
        self.found: list[Event] = []
        self.command_tracks: dict[int, tuple[int, int]] = {}

    def events(self) -> list[Event]:
        """All events: first the names of tracks, then the events of each track by time."""
        self._spes()
        self._calls()
        self._command_phase()
        self._data_phase()
        self._memory()
        order = sorted(self.found, key=lambda event: (event["pid"], event["tid"], event["ts"]))
        return [*self._names(), *order]

    def _at(self, cycle: int) -> float:
        return round((cycle - self.activity.begin) * self.ns_per_cycle, 3)

    def _track(self, pid: int, name: str) -> int:
        return self.tracks.setdefault((pid, name), len(self.tracks) + 1)

    def _names(self) -> Iterator[Event]:
        names = {_COMMANDS: "command bus", _RINGS: "rings", _RAMPS: "ramps", _MEMORY: "memory"}
        names |= {_INTERFACE: "chip-to-chip interface", _PPES: "system calls"}
        for pid in sorted({pid for pid, _ in self.tracks}):
            name = names.get(pid, f"SPE {pid - _FIRST_SPE}")
            yield _meta("process_name", pid, 0, name=name)
            yield _meta("process_sort_index", pid, 0, sort_index=pid)
        for (pid, name), tid in self.tracks.items():
            yield _meta("thread_name", pid, tid, name=name)
            yield _meta("thread_sort_index", pid, tid, sort_index=tid)

    def _slices(self, pid: int, name: str, slices: Iterable[Slice], category: str) -> None:
        """Add slices as one track, or as several if they overlap."""
        visible = [row for row in slices if self.activity.inside(row[0]) and row[0][0] < row[0][1]]
        for number, lane in enumerate(lanes(visible)):
            tid = self._track(pid, name if number == 0 else f"{name} ({number + 1})")
            for (begin, end), (label, details) in lane:
                if "command" in details and category == "command":
                    self.command_tracks[details["command"]] = pid, tid
                self._slice(pid, tid, (begin, end), label, category, details)

    def _slice(
        self, pid: int, tid: int, span: Span, name: str, category: str, details: Mapping[str, Any]
    ) -> None:
        begin, end = span
        start = self._at(max(begin, self.activity.begin))
        known = {"from_bus_cycle": begin, "to_bus_cycle": end} | dict(details)
        event = {"name": name, "cat": category, "ph": "X", "pid": pid, "tid": tid}
        duration = round(self._at(end) - start, 3)
        self.found.append(event | {"ts": start, "dur": duration, "args": known})

    def _counter(self, pid: int, name: str, spans: list[Span]) -> None:
        tid = 0
        for at, depth in depths(span for span in spans if self.activity.inside(span)):
            if at < self.activity.end:
                ts = self._at(max(at, self.activity.begin))
                event = {"name": name, "ph": "C", "pid": pid, "tid": tid, "ts": ts}
                self.found.append(event | {"args": {"number": depth}})

    def _spes(self) -> None:
        activity = self.activity
        for spe in activity.spes():
            pid = _FIRST_SPE + spe
            running: list[Slice] = [(span, ("runs", {})) for span in activity.running(spe)]
            self._slices(pid, "program", running, "program")
            waits: list[Slice] = [(s, (f"waits: {name}", {})) for s, name in activity.stalls(spe)]
            self._slices(pid, "waits", waits, "stall")
            for name, queue in _QUEUES:
                commands = activity.commands(spe, queue)
                slices = [(span, (command_name(row), _command(row))) for span, row in commands]
                self._slices(pid, name, slices, "command")
                if commands:
                    self._counter(pid, f"{name} in the queue", [span for span, _ in commands])
            if lines := activity.lines(spe):
                self._counter(pid, "lines under way", lines)

    def _calls(self) -> None:
        for ppe, thread in self.activity.callers():
            calls: list[Slice] = [(s, (name, {})) for s, name in self.activity.calls(ppe, thread)]
            self._slices(_PPES, f"{ppe} thread {thread}", calls, "call")

    def _command_phase(self) -> None:
        slices: list[Slice] = []
        for at, turn, row in self.activity.ordered():
            refused = " (retry)" if turn["response"] == "retry" else ""
            name = f"{row['issuer']} {row['kind']}{refused}"
            slices.append(((at, at + 1), (name, _request(row))))
        self._slices(_COMMANDS, "address concentrator", slices, "order")

    def _data_phase(self) -> None:
        activity = self.activity
        for number, (ring, direction) in enumerate(activity.rings()):
            own = [row for row in activity.transfers if row["ring"] == number]
            slices = [(activity.on_ring(row), (self._route(row), _request(row))) for row in own]
            self._slices(_RINGS, f"ring {ring} {direction}", slices, "transfer")
        for direction, crossings in activity.crossings():
            crossing = [
                (span, (f"{row['issuer']} {row['kind']}", _request(row))) for span, row in crossings
            ]
            self._slices(_INTERFACE, direction, crossing, "crossing")
        for ramp, element in enumerate(activity.data["elements"]):
            for name, end, span in (
                ("on-ramp", "from", activity.sending),
                ("off-ramp", "to", activity.receiving),
            ):
                own = [row for row in activity.transfers if row[end] == ramp]
                slices = [(span(row), (self._route(row), _request(row))) for row in own]
                self._slices(_RAMPS, f"{element} {name}", slices, "ramp")
            if waits := activity.waiting(ramp):
                self._counter(_RAMPS, f"{element} lines that wait", waits)
        self._arrows()

    def _arrows(self) -> None:
        """Draw arrows from the command that requests a cache line to the line's transfer on a ring.

        An arrow begins at the time of the request. A line that crosses to another chip has a second
        arrow, to its transfer on that chip.
        """
        begin = self.activity.begin
        rings = {
            event["args"]["request"]: event
            for event in self.found
            if event.get("cat") == "transfer"
        }
        for row in self.activity.transfers:
            ring = rings[row["id"]]
            before = rings.get(row["onward_of"])
            if before is not None:
                self._arrow(row["id"], (before["pid"], before["tid"]), before["ts"], ring)
            origin = self.command_tracks.get(row["command"])
            if origin is None or not row["rounds"] or row["granted_at"] < begin:
                continue
            issued = row["rounds"][0]["issued_at"]
            if issued >= begin:
                self._arrow(row["id"], origin, self._at(issued), ring)

    def _arrow(self, number: int, origin: tuple[int, int], ts: float, to: Event) -> None:
        arrow = {"name": "line", "cat": "line", "id": number}
        pid, tid = origin
        self.found.append(arrow | {"ph": "s", "pid": pid, "tid": tid, "ts": ts})
        ends = {"ph": "f", "bp": "e", "pid": to["pid"], "tid": to["tid"], "ts": to["ts"]}
        self.found.append(arrow | ends)

    def _memory(self) -> None:
        activity = self.activity
        for channel in activity.channels():
            slices: list[Slice] = [
                (span, ("write" if row["write"] else "read", {"request": row["request"]}))
                for span, row in activity.accesses(channel)
            ]
            self._slices(_MEMORY, f"channel {activity.channel(channel)}", slices, "access")

    def _route(self, row: Row) -> str:
        return f"{self.activity.element(row['from'])} to {self.activity.element(row['to'])}"


def _meta(what: str, pid: int, tid: int, **args: Any) -> Event:
    return {"name": what, "ph": "M", "pid": pid, "tid": tid, "ts": 0, "args": args}


def _command(row: Row) -> dict[str, Any]:
    return {
        "command": row["id"],
        "tag": row["tag"],
        "local_store_address": f"{row['lsa']:#x}",
        "effective_address": f"{row['ea']:#x}",
        "first_request_bus_cycle": row["first_request_at"],
    }


def _request(row: Row) -> dict[str, Any]:
    ready, granted = row["ready_at"], row["granted_at"]
    return {
        "request": row["id"],
        "command": row["command"],
        "bytes": row["bytes"],
        "kind": row["kind"],
        "rounds": len(row["rounds"]),
        "waited_bus_cycles": None if granted is None else granted - ready,
    }
