"""A trace: a window of a measurement, bus cycle by bus cycle."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellstats._native import UsageError
from cellstats.core.files import write_whole
from cellstats.core.refusal import known_keywords
from cellstats.core.showing import Page, Showing, page, picture, text
from cellstats.measure.activity import transfers
from cellstats.measure.trace_events import as_json, trace_events

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCHEMA_VERSION = 1
PRINTED_COLUMNS_MAX = 480
"""Largest number of time columns in print; a longer window has more bus cycles per column."""


@dataclass(frozen=True, repr=False)
class Trace(Showing):
    """A window of a run, bus cycle by bus cycle; `Machine.trace` traces a measurement.

    A trace can be turned into text for people, Trace Events for viewers, and plain data.
    """

    data: Mapping[str, Any]
    """The simulator's data, described in docs/trace.md."""
    opened_by: str | None = None
    """The event that opened the window; None for the beginning of the measurement."""

    @classmethod
    def from_json(cls, text: str) -> "Trace":
        """A trace from its JSON object. Raises UsageError for other data or versions.

        >>> Trace.from_json('{"schema": 0}')
        Traceback (most recent call last):
        ...
        cellstats._native.UsageError: a trace of schema 0 cannot be read; ...
        """
        data = json.loads(text)
        found = data.get("schema") if isinstance(data, dict) else None
        if found != SCHEMA_VERSION:
            raise UsageError(
                f"a trace of schema {found} cannot be read; this version reads {SCHEMA_VERSION}"
            )
        return cls(data)

    @classmethod
    def of_commands(cls, text: str) -> "Trace":
        """Same as `from_json`, for a run of programs: the first DMA command opens the window."""
        return cls(cls.from_json(text).data, opened_by="the first DMA command")

    def __repr__(self) -> str:
        begin, end = self.window
        return f"<Trace {self.data['machine']}: bus cycles {begin} to {end}>"

    def __str__(self) -> str:
        begin, end = self.window
        scale = max(1, -(-(end - begin) // PRINTED_COLUMNS_MAX))
        return self.waveform(scale=scale).rstrip("\n")

    def plot(self) -> "Figure":
        """SPUs, memory and rings against time. Raises UsageError if matplotlib is missing."""
        return picture(self)

    @property
    def window(self) -> tuple[int, int]:
        """First bus cycle of the window, and the first bus cycle after the window.

        Both cycles are counted from the start of the run.
        """
        return self.data["from"], self.data["to"]

    def transfers(self) -> list[Mapping[str, Any]]:
        """The requests whose data were on a ring in the window, in the order of their grants."""
        return transfers(self.data)

    @known_keywords()
    def waveform(self, columns: int = 100, scale: int = 1, *, colour: bool = False) -> str:
        """Rings, ramps, queues and SPUs against time, as ASCII text with a legend.

        columns: length of a line; a full line continues in a new block.
        scale: bus cycles per column.
        colour: show cache lines on the rings in colours, one for each direction.

        Raises UsageError for fewer than 40 columns, for a scale below 1, and for a window of more
        than 200000 columns of time.
        """
        return text(self, columns=columns, scale=scale, colour=colour)

    def to_trace_events(self) -> dict[str, Any]:
        """The trace in the Trace Event Format (JSON Object Format), for Perfetto and others.

        These viewers show no time below 1 ns, and a bus cycle is shorter. A nanosecond on the chip
        is therefore shown as a microsecond: a bus cycle of 0.625 ns is shown as 0.625 us.
        """
        return trace_events(self.data)

    def watch(self, title: str | None = None) -> Page:
        """A page that plays this trace in a browser; the page simulates nothing.

        title: the heading; by default the machine's name.
        """
        return page(self, title)

    def save(self, path: str | Path) -> None:
        """Write the `to_trace_events` object to a file, which appears when it is complete.

        Raises UsageError if the path cannot be written, RunError if the disk is full.
        """
        write_whole(Path(path), as_json(self.to_trace_events()))
