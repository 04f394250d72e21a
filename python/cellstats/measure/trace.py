"""A trace: the bus cycles of a window of a measurement."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellstats.core.display import Page, Showing, page, picture, text
from cellstats.core.files import write_whole
from cellstats.core.plain import to_frame, with_stops
from cellstats.core.refusal import known_keywords
from cellstats.core.shape import of_schema
from cellstats.measure.activity import transfers
from cellstats.measure.source_text import with_text
from cellstats.measure.trace_events import as_json, trace_events
from cellstats.measure.trace_shape import check_trace

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

SCHEMA_VERSION = 1
PRINTED_COLUMNS_MAX = 480
"""Maximum number of time columns when printed; a longer window has more cycles per column."""


@dataclass(frozen=True, repr=False)
class Trace(Showing):
    """A window of a run, bus cycle by bus cycle, as made by `Machine.trace`.

    A trace can be turned into text for people, Trace Events for viewers, and plain data.
    """

    _kind = "trace"

    data: Mapping[str, Any]
    """The trace as the simulator reports it, described in docs/trace.md."""
    opened_by: str | None = None
    """The event that opened the window, or None for the beginning of the measurement."""

    @classmethod
    def from_json(cls, text: str) -> "Trace":
        """A trace from its JSON object. Raises UsageError for other data or schemas.

        >>> Trace.from_json('{"schema": 0}')
        Traceback (most recent call last):
        ...
        cellstats._native.UsageError: a trace of schema 0 cannot be read; ...
        """
        data = of_schema(text, SCHEMA_VERSION, "a trace")
        check_trace(data)
        return cls(data)

    @classmethod
    def of_commands(cls, text: str, positions: str | None) -> "Trace":
        """The simulator's trace of a program run, where the first DMA command opens the window.

        positions: the positions of programs of instructions as JSON, or None if there are none.
        """
        data = json.loads(text)
        if positions is not None:
            found = json.loads(positions)
            data["positions"] = found | {"lines": with_text(found["lines"])}
        return cls(data, opened_by="the first DMA command")

    def __repr__(self) -> str:
        begin, end = self.window
        return f"<Trace {self.data['machine']}: bus cycles {begin} to {end}>"

    def __str__(self) -> str:
        begin, end = self.window
        scale = max(1, -(-(end - begin) // PRINTED_COLUMNS_MAX))
        return self.waveform(scale=scale).rstrip("\n")

    def plot(self) -> "Figure":
        """A chart of SPUs, memory and rings. Raises UsageError if matplotlib is missing."""
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

    def to_frame(self) -> "pd.DataFrame":
        """A pandas DataFrame of `transfers`: one row for each, with times in bus cycles.

        The columns are those of a request in the trace's data; `from` and `to` are elements of the
        ring. Responses of Retry are not listed, only their number. Raises ImportError without
        pandas.
        """
        counted = ({**each, "rounds": len(each["rounds"])} for each in self.transfers())
        return to_frame(with_stops(counted, self.data["elements"]))

    @known_keywords()
    def waveform(self, columns: int = 100, scale: int = 1, *, colour: bool = False) -> str:
        """ASCII text with a legend that shows rings, ramps, queues and SPUs against time.

        columns: number of characters in a text line; longer lines continue in a new block.
        scale: bus cycles per column.
        colour: show cache lines on the rings in colours, one for each direction.

        Raises UsageError for fewer than 40 columns, for a scale below 1, and for a window that
        needs more than 200000 time columns.
        """
        return text(self, columns=columns, scale=scale, colour=colour)

    def to_trace_events(self) -> dict[str, Any]:
        """The trace in the Trace Event Format (JSON Object Format), for Perfetto and others.

        These viewers show no time below 1 ns, but a bus cycle is shorter. A nanosecond of the chip
        is therefore shown as a microsecond, and a bus cycle of 0.625 ns as 0.625 us.
        """
        return trace_events(self.data)

    def watch(self, title: str | None = None) -> Page:
        """A page that plays this trace in a browser, without a simulation.

        title: the heading; by default the machine's name.
        """
        return page(self, title)

    def save(self, path: str | Path) -> None:
        """Write the `to_trace_events` object to a file, which appears only when complete.

        Raises UsageError if the path cannot be written, RunError if the disk is full.
        """
        write_whole(Path(path), as_json(self.to_trace_events()))
