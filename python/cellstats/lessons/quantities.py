"""Quantities of a run, by names such as `line 1 granted_at` or `SPE3 commands`.

A name consists of a subject and one word; `+ 4` or `- 4` may follow. Claims, questions, times and
texts of lessons use these names. The page evaluates the same names: page/src/lessons/quantities.ts.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from cellstats._native import UsageError
from cellstats.core.words import did_you_mean
from cellstats.measure.result import Result

Value = int | float | str | None
_ROUNDS = {"issued_at": 0, "ordered_at": -1, "responded_at": -1}
"""Times of the command phase, and the round of a line that has each: the first or the last."""
_LINE_TIMES = ("ready_at", "granted_at", "arrived_at", "done_at")
_SPANS = {"waited": ("ready_at", "granted_at"), "on_ring": ("granted_at", "arrived_at")}
_COMMAND_TIMES = ("enqueued_at", "first_request_at", "done_at")
_ELEMENT = ("commands", "in_flight", "waiting", "state", "channel", "reads", "writes")

WORDS: Mapping[str, tuple[str, ...]] = {
    "line": (*_ROUNDS, *_LINE_TIMES, *_SPANS, "ring", "hops", "from", "to", "retries", "reason"),
    "command": _COMMAND_TIMES,
    "ring": ("lines",),
    "rings": ("lines",),
    "link": ("lines",),
    "window": ("bandwidth_gb_s", "grants", "retries"),
    "run": ("bandwidth_gb_s", "latency_ns"),
    "element": _ELEMENT,
}
"""The words that may follow each subject."""
NUMBERED = ("line", "command", "ring")
ELEMENT = re.compile(r"(PPE|SPE\d+|MIC|IOIF[01])(/1)?")


class Quantity(NamedTuple):
    """A parsed name of a quantity."""

    kind: str
    """The key of the subject in WORDS."""
    subject: str
    number: int
    word: str
    plus: int


def parse(name: str) -> Quantity:
    """Parse the name of a quantity. Raises UsageError, which lists what is known.

    >>> parse("line 1 granted_at + 4")
    Quantity(kind='line', subject='line 1', number=1, word='granted_at', plus=4)
    """
    found = re.fullmatch(r"(\S+)( \d+)? (\w+)(?: ([+-]) (\d+))?", name)
    if not found:
        raise UsageError(f"{name!r} is not a quantity; write one such as 'line 1 granted_at'")
    head, number, word, sign, amount = found.groups()
    kind = "element" if ELEMENT.fullmatch(head) else head
    if kind not in WORDS:
        known = [*(each for each in WORDS if each != "element"), "SPE0", "PPE", "MIC"]
        raise UsageError(f"{name!r}: {head!r} is no subject; {did_you_mean(head, known)}")
    if (number is not None) != (kind in NUMBERED):
        right = f"{head} 1" if kind in NUMBERED else head
        raise UsageError(f"{name!r}: write {right!r} as the subject")
    if word not in WORDS[kind]:
        raise UsageError(f"{name!r}: {word!r} is unknown; {did_you_mean(word, WORDS[kind])}")
    plus = int(amount or 0) * (-1 if sign == "-" else 1)
    return Quantity(kind, head + (number or ""), int(number or 0), word, plus)


@dataclass(frozen=True)
class Situation:
    """A bus cycle of a run, in which quantities have values."""

    data: Mapping[str, Any]
    """`Trace.data` of the window."""
    cycle: int
    """Bus cycles since the first measured DMA."""
    result: Callable[[], Result]
    """Measures the whole run."""

    @property
    def now(self) -> int:
        """The bus cycle since the start of the run, as in the trace."""
        return int(self.data["triggered_at"]) + self.cycle

    def value(self, name: str) -> Value:
        """The value of a quantity; None if there is none at this bus cycle or in this window."""
        quantity = parse(name)
        value = _READ[quantity.kind](self, quantity)
        return value + quantity.plus if isinstance(value, int | float) else value

    def _row(self, table: str, quantity: Quantity) -> Mapping[str, Any]:
        rows = self.data[table]
        if not 1 <= quantity.number <= len(rows):
            raise UsageError(f"{quantity.subject!r} is not in the window; it has 1 to {len(rows)}")
        row: Mapping[str, Any] = rows[quantity.number - 1]
        return row

    def _since(self, time: int | None) -> int | None:
        return None if time is None else time - int(self.data["triggered_at"])

    def _during(self, row: Mapping[str, Any], begin: str, end: str) -> bool:
        first, last = row[begin], row[end]
        return first is not None and first <= self.now and (last is None or last > self.now)

    def _line(self, quantity: Quantity) -> Value:
        row, word = self._row("requests", quantity), quantity.word
        if word in _ROUNDS:
            return self._since(row["rounds"][_ROUNDS[word]][word] if row["rounds"] else None)
        if word in _LINE_TIMES:
            return self._since(row[word])
        if word in ("from", "to"):
            return None if row[word] is None else str(self.data["elements"][row[word]])
        if word in _SPANS:
            begin, end = (row[name] for name in _SPANS[word])
            return None if begin is None or end is None else int(end - begin)
        if word == "retries":
            return len(row["rounds"]) - 1
        if word == "reason":
            waits = (each for each in self.data["waits"] if each["request"] == quantity.number)
            return next((w["reason"] for w in waits if self._during(w, "from", "to")), None)
        return self._hops(row) if word == "hops" else row[word]

    def _hops(self, row: Mapping[str, Any]) -> int | None:
        if row["ring"] is None:
            return None
        count = len(self.data["elements"]) // int(self.data["chips"])
        forwards = self.data["rings"][row["ring"]] == "clockwise"
        distance: int = row["to"] - row["from"] if forwards else row["from"] - row["to"]
        return distance % count

    def _command(self, quantity: Quantity) -> Value:
        return self._since(self._row("commands", quantity)[quantity.word])

    def _rings(self, quantity: Quantity) -> Value:
        on = [row for row in self.data["requests"] if self._during(row, "granted_at", "arrived_at")]
        every = quantity.kind == "rings"
        return sum(1 for row in on if every or row["ring"] == quantity.number)

    def _link(self, _: Quantity) -> Value:
        rows = self.data["requests"]
        return sum(1 for row in rows if self._during(row, "crossing_at", "crossed_at"))

    def _window(self, quantity: Quantity) -> Value:
        data, rows = self.data, self.data["requests"]
        inside = range(data["from"], data["to"])
        if quantity.word == "grants":
            return sum(1 for row in rows if row["granted_at"] in inside)
        if quantity.word == "retries":
            every = (each for row in rows for each in row["rounds"])
            return sum(1 for each in every if each["response"] == "retry")
        # A line that crosses from chip to chip counts once.
        beats, length = data["beats"], len(inside)
        moved = sum(
            row["bytes"] / beats
            for row in rows
            if row["ring"] is not None and row["arrived_at"] and row["onward_of"] is None
            for beat in range(beats)
            if row["arrived_at"] - beats + beat in inside
        )
        return float(moved * data["bus_hz"] / length / 1e9)

    def _run(self, quantity: Quantity) -> Value:
        value: float | None = getattr(self.result(), quantity.word)
        return value

    def _element(self, quantity: Quantity) -> Value:
        name, word, data = quantity.subject, quantity.word, self.data
        known = list(data["elements"])
        if name not in known:
            raise UsageError(f"{name!r} is not on this machine; {did_you_mean(name, known)}")
        if word == "waiting":
            ramp = known.index(name)
            sent = (row for row in data["requests"] if row["from"] == ramp)
            return sum(1 for row in sent if self._during(row, "ready_at", "granted_at"))
        if word == "in_flight":
            own = (row for row in data["requests"] if row["issuer"] == name and row["rounds"])
            spans = (
                {"from": each["rounds"][0]["issued_at"], "to": each["done_at"]} for each in own
            )
            return sum(1 for span in spans if self._during(span, "from", "to"))
        if word in ("reads", "writes"):
            return self._queued(name, word == "writes")
        return self._spe(int(re.sub(r"\D", "", name) or -1), word)

    def _queued(self, name: str, write: bool) -> Value:
        each = int(self.data["memory_channels"]) // int(self.data["chips"])
        first = each if name.endswith("/1") else 0
        levels: dict[int, int] = {}
        for row in self.data["memory_queues"]:
            if row["at"] <= self.now and row["write"] == write:
                levels[row["channel"]] = row["entries"]
        return sum(levels.get(channel, 0) for channel in range(first, first + each))

    def _spe(self, spe: int, word: str) -> Value:
        mine = {
            table: [row for row in self.data[table] if row["spe"] == spe]
            for table in ("commands", "stalls", "programs")
        }
        if word == "commands":
            own = (row for row in mine["commands"] if row["queue"] == "spu")
            return sum(1 for row in own if self._during(row, "enqueued_at", "done_at"))
        stalls = [row["channel"] for row in mine["stalls"] if self._during(row, "from", "to")]
        if word == "channel":
            return stalls[0] if stalls else None
        runs = any(self._during(row, "started_at", "stopped_at") for row in mine["programs"])
        return "waits" if stalls else "runs" if runs else "none"


_READ: Mapping[str, Callable[[Situation, Quantity], Value]] = {
    "line": Situation._line,
    "command": Situation._command,
    "ring": Situation._rings,
    "rings": Situation._rings,
    "link": Situation._link,
    "window": Situation._window,
    "run": Situation._run,
    "element": Situation._element,
}
