"""Results: one measurement each, its columns carrying their units."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeAlias

from cellstats._native import SCHEMA_VERSION, UsageError
from cellstats.export.plain import pandas, plain, to_series

if TYPE_CHECKING:
    import pandas as pd

    from cellstats.host.host_result import HostResult

AnyResult: TypeAlias = "Result | HostResult"
"""A simulated machine's result, or this computer's."""


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of a histogram: how many DMAs took at least `from_ns`, but less than `to_ns`."""

    from_ns: float
    to_ns: float
    count: int


@dataclass(frozen=True, slots=True)
class Latencies:
    """How long single DMAs took, from the command to its end in the tag status."""

    count: int
    """DMAs."""
    min_ns: float
    median_ns: float
    mean_ns: float
    p99_ns: float
    """One in a hundred took longer."""
    max_ns: float
    bins: tuple[Bin, ...]
    """Of one width, which is the same for all SPEs; empty ones are left out."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None) -> "Latencies | None":
        """What JSON has for it."""
        if data is None:
            return None
        return cls(**{**data, "bins": tuple(Bin(**row) for row in data["bins"])})


@dataclass(frozen=True, slots=True)
class SpeResult:
    """One SPE's part of a result."""

    thread: int
    """The program's number."""
    spe: int
    """The physical SPE it ran on."""
    ticks: int
    """What its decrementer counted for the whole loop."""
    latency_ns: float
    """Average of one iteration."""
    bandwidth_gb_s: float | None
    """GB = 10^9 bytes; None where no data moves."""
    dma_latency: Latencies | None
    """Of its own DMAs; None unless `histogram` was asked for."""


@dataclass(frozen=True, slots=True)
class ThreadResult:
    """The part that one of the PPE's threads has in a result."""

    thread: int
    """Which of them."""
    ticks: int
    """What the time base counted for the whole loop."""
    latency_ns: float
    """Average of one access."""
    bandwidth_gb_s: float | None
    """GB = 10^9 bytes."""


@dataclass(frozen=True, slots=True)
class Result:
    """One measurement; every attribute is a column."""

    schema: int
    """Version of these columns."""
    function: str
    machine: str
    spes: int
    """How many SPEs took part."""
    private: bool
    """A buffer or variable for each SPE (True) or one for all (False)."""
    spe_to_spe: bool
    size_bytes: int | None
    """One DMA, list element or access; of an exchange the longest message."""
    op: str | None
    """Which way a pattern's DMAs went: `get`, `put` or `copy`; None for other functions."""
    target: str | None
    """What was hot in a hotspot: `memory`, or a thread's number; None for other functions."""
    level: str | None
    """Where loads and stores went: `l1`, `l2`, `l1l2`, `memory`, `ls`; None for other functions."""
    threads: int | None
    """Threads of the PPE that made them; None where it made none."""
    pattern: str | None
    """What was exchanged, by name; None for other functions."""
    list_elements: int | None
    stride_bytes: int | None
    """Between the starts of private buffers or variables; None where they are shared."""
    batch: int | None
    """DMAs per wait for completion, 0 = one wait at the end; None for what is not a DMA."""
    ppe: str
    """`library` or `mmio`."""
    spe_program: str
    """What the SPEs ran: `builtin` or `c`."""
    iterations: int
    cells: str | None
    """Whose SPEs were asked for: `0`, `1`, `01` or `10`; None if nobody said."""
    memory: str | None
    """Where buffers and variables lay: `0`, `1` or `interleave`; None if none in main memory."""
    placement: tuple[int, ...]
    """The physical SPE of each thread."""
    latency_ns: float
    """Average over all iterations and SPEs."""
    latency_ns_min: float
    """Average of the fastest SPE."""
    latency_ns_max: float
    """Average of the slowest SPE."""
    bandwidth_gb_s: float | None
    """All SPEs together, GB = 10^9 bytes; None where no data moves."""
    dma_latency: Latencies | None
    """Of all single DMAs; None unless `histogram` was asked for."""
    simulated_ns: float
    """Simulated time of the whole run, thread creation included."""
    per_spe: tuple[SpeResult, ...] = field(repr=False)
    per_thread: tuple[ThreadResult, ...] = field(repr=False)
    counters: Mapping[str, Any] = field(repr=False)
    """What the machine counted while all SPEs measured: command phase, rings, memory, SPEs."""
    recipe: Mapping[str, Any] = field(repr=False)
    """What regenerates this result: version, machine and its hash, function, parameters."""

    @classmethod
    def from_json(cls, text: str) -> "Result":
        """A result from its JSON object. Raises UsageError when it is not one of this version.

        >>> Result.from_json('{"schema": 0}')
        Traceback (most recent call last):
        ...
        cellstats._native.UsageError: a result of schema 0 cannot be read; ...
        """
        data = json.loads(text)
        if not isinstance(data, dict) or data.get("schema") != SCHEMA_VERSION:
            found = data.get("schema") if isinstance(data, dict) else None
            raise UsageError(
                f"a result of schema {found} cannot be read; "
                f"this version reads schema {SCHEMA_VERSION}"
            )
        names = {column.name for column in fields(cls)}
        if data.keys() != names:
            odd = ", ".join(sorted(data.keys() ^ names))
            raise UsageError(
                f"not the columns of schema {SCHEMA_VERSION}; missing or unknown: {odd}"
            )
        data["placement"] = tuple(data["placement"])
        data["dma_latency"] = Latencies.from_dict(data["dma_latency"])
        for row in data["per_spe"]:
            row["dma_latency"] = Latencies.from_dict(row["dma_latency"])
        data["per_spe"] = tuple(SpeResult(**row) for row in data["per_spe"])
        data["per_thread"] = tuple(ThreadResult(**row) for row in data["per_thread"])
        return cls(**data)

    def to_dict(self) -> dict[str, Any]:
        """All columns as JSON would have them: plain dicts, lists and numbers."""
        whole: dict[str, Any] = plain(self)
        return whole

    def to_json(self) -> str:
        """One line of JSON; `from_json` reads it back."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def row(self) -> dict[str, int | float | str | bool | None]:
        """The columns of a table: all but the nested ones; placement as the flag writes it.

        >>> row = Result.scalar_columns()
        >>> "latency_ns" in row, "per_spe" in row
        (True, False)
        """
        row = {name: getattr(self, name) for name in self.scalar_columns()}
        row["placement"] = ",".join(str(spe) for spe in self.placement)
        return row

    @classmethod
    def scalar_columns(cls) -> list[str]:
        """The names of the columns of `row`, in order."""
        nested = {"dma_latency", "per_spe", "per_thread", "counters", "recipe"}
        return [column.name for column in fields(cls) if column.name not in nested]

    def to_series(self) -> "pd.Series[Any]":
        """The table row as a pandas Series. Raises ImportError where pandas is missing."""
        return to_series(self.row())


def columns_of(results: Sequence[AnyResult]) -> list[str]:
    """The columns that a table of these results has: those of each kind of result among them."""
    kinds = dict.fromkeys(type(result) for result in results) or [Result]
    return list(dict.fromkeys(name for kind in kinds for name in kind.scalar_columns()))


def to_frame(results: Iterable[AnyResult]) -> "pd.DataFrame":
    """A pandas DataFrame with one row per result. Raises ImportError where pandas is missing.

    >>> list(to_frame([]).columns) == Result.scalar_columns()
    True
    """
    listed = list(results)
    rows = [result.row() for result in listed]
    frame: pd.DataFrame = pandas().DataFrame(rows, columns=columns_of(listed))
    return frame
