"""Results of measurements; the names of columns contain their units."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from cellstats._native import SCHEMA_VERSION
from cellstats.core.display import Page, Showing, page, picture
from cellstats.core.headline import QUANTILES
from cellstats.core.machine import Hardware, settings_of
from cellstats.core.plain import plain, to_series
from cellstats.core.plain import to_frame as frame_of
from cellstats.core.refusal import known_keywords
from cellstats.core.shape import check, of_schema
from cellstats.measure.result_parts import (
    Latencies,
    OfferedLoad,
    Settling,
    SpeResult,
    ThreadResult,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class Measured(Showing):
    """One measurement; every attribute is a column. Base class of all results."""

    __slots__ = ()
    _nested: ClassVar[frozenset[str]]
    """Columns that are objects or lists, which tables leave out."""
    _joined: ClassVar[Mapping[str, str]]
    """Columns with several values, and the separator between the values in a table."""

    function: str
    machine: str
    spes: int
    size_bytes: int | None
    placement: tuple[int, ...]
    latency_ns: float
    latency_ns_min: float
    latency_ns_max: float
    bandwidth_gb_s: float | None
    recipe: Mapping[str, Any]

    @classmethod
    def from_json(cls, text: str) -> Self:
        """A result from its JSON object. Raises UsageError for other data or schemas."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """All columns in plain dicts, lists and numbers, as in JSON."""
        whole: dict[str, Any] = plain(self)
        return whole

    def to_json(self) -> str:
        """One text line of JSON, which `from_json` can read."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def row(self) -> dict[str, int | float | str | bool | None]:
        """The result as a table row, without nested columns; a placement is a text like `0,8,9`.

        >>> row = Result.scalar_columns()
        >>> "latency_ns" in row, "per_spe" in row
        (True, False)
        """
        row = {name: getattr(self, name) for name in self.scalar_columns()}
        for name, between in self._joined.items():
            row[name] = between.join(map(str, row[name]))
        return row | self.optional()

    def optional(self) -> dict[str, int | float | str | bool | None]:
        """Columns that only some results have."""
        return {}

    @classmethod
    def scalar_columns(cls) -> list[str]:
        """The names of the columns of `row`, in order."""
        # All subclasses are dataclasses.
        return [each.name for each in fields(cls) if each.name not in cls._nested]  # type: ignore[arg-type]

    def to_series(self) -> "pd.Series[Any]":
        """The table row as a pandas Series. Raises ImportError if pandas is missing."""
        return to_series(self.row())


_OPTIONAL = frozenset({"settling", "start_up_share", "offered_load"})
"""Columns that JSON leaves out if they are None."""


@dataclass(frozen=True, slots=True)
class Result(Measured):
    """One measurement; every attribute is a column."""

    _kind = "result"
    _nested = frozenset({"dma_latency", "per_spe", "per_thread", "counters", "recipe"}) | _OPTIONAL
    _joined = {"placement": ","}  # noqa: RUF012

    # written by workshop/tidy.py: columns of a result
    schema: int
    """Version of these columns."""
    function: str
    """The FUNCTION that was measured, such as `dmaget`."""
    machine: str
    """Name of the machine, such as `ps3`."""
    spes: int
    """Number of SPEs that took part; 0 if the PPE loads and stores."""
    private: bool
    """A buffer or variable for each SPE (True), or one for all SPEs (False)."""
    spe_to_spe: bool
    """Whether SPEs communicate with each other (True), or with the PPE or main memory (False)."""
    size_bytes: int | None
    """Size of one DMA, list element or access; in an exchange, size of the longest message."""
    op: str | None
    """Direction of a pattern's DMAs: `get`, `put` or `copy`; None for other functions."""
    target: str | None
    """Target of a hotspot: `memory`, or a thread's number; partners of a permutation, such as
    `1,2,0`; None for other functions."""
    level: str | None
    """Level of loads and stores: `l1`, `l2`, `l1l2`, `memory`, `ls`; None for other functions."""
    threads: int | None
    """Number of PPE threads that loaded, stored or copied; None if SPEs measured."""
    pattern: str | None
    """Name of an exchange's pattern; None for other functions."""
    list_elements: int | None
    """Elements of one DMA list; None without DMA lists."""
    stride_bytes: int | None
    """Distance between the starts of private buffers or variables; None if they are shared."""
    batch: int | None
    """DMAs per wait for completion (0: one wait at the end); None for functions without DMAs."""
    ppe: str
    """How the PPE reached SPEs: `library` (system calls) or `mmio` (registers)."""
    spe_program: str
    """Programs of the SPEs: `builtin` or `c`."""
    iterations: int
    """Measured iterations of each SPE or PPE thread, without the warm-up."""
    cells: str | None
    """The requested Cells: `0`, `1`, `01` or `10`; None if no Cells were requested."""
    memory: str | None
    """The Cell whose memory held buffers and variables: `0`, `1` or `interleave` (both); None if
    they were not in main memory."""
    placement: tuple[int, ...]
    """Physical SPE of each thread."""
    latency_ns: float
    """Average time of an iteration, with all phases and barriers of an exchange: the mean of
    `per_spe` and `per_thread`. If DMAs overlap (`batch` is not 1), it is shorter than the time that
    a DMA takes."""
    latency_ns_min: float
    """Average of the fastest SPE or PPE thread."""
    latency_ns_max: float
    """Average of the slowest SPE or PPE thread."""
    bandwidth_gb_s: float | None
    """All bytes divided by the time from the first start to the last end of a measured loop, GB =
    10^9 bytes; None if no data moves."""
    dma_latency: Latencies | None
    """Latencies of all single DMAs; None unless `histogram` was asked for."""
    simulated_ns: float
    """Simulated time of the whole run, including thread creation and warm-up."""
    per_spe: tuple[SpeResult, ...] = field(repr=False)
    """A row for each SPE that measured; an SPE that only holds a buffer has no row."""
    per_thread: tuple[ThreadResult, ...] = field(repr=False)
    """A row for each thread of the PPE that measured loads and stores."""
    counters: Mapping[str, Any] = field(repr=False)
    """Counters of the machine while all SPEs measured: command phase, rings, memory, SPEs."""
    recipe: Mapping[str, Any] = field(repr=False)
    """Everything needed to reproduce this result: version, machine and its hash, function,
    parameters."""
    offered_load: OfferedLoad | None = None
    """The load that was offered; left out unless `rate` was given."""
    settling: Settling | None = None
    """Whether the measured loops settled; left out unless `settle` was asked for."""
    start_up_share: float | None = None
    """Share (0 to 1) of start-up and end in the time of a short run, which moves data in fewer
    iterations than its default; left out if it is less than 5 %, in sweeps and over placements."""
    # end of columns of a result

    @classmethod
    def from_json(cls, text: str) -> "Result":
        """A result from its JSON object. Raises UsageError for other data or schemas.

        >>> Result.from_json('{"schema": 0}')
        Traceback (most recent call last):
        ...
        cellstats._native.UsageError: a result of schema 0 cannot be read; ...
        """
        data = of_schema(text, SCHEMA_VERSION, "a result")
        check(data, cls, "a result")
        data["placement"] = tuple(data["placement"])
        data["dma_latency"] = Latencies.from_dict(data["dma_latency"])
        for row in data["per_spe"]:
            row["dma_latency"] = Latencies.from_dict(row["dma_latency"])
        data["per_spe"] = tuple(SpeResult(**row) for row in data["per_spe"])
        data["per_thread"] = tuple(ThreadResult(**row) for row in data["per_thread"])
        if data.get("settling"):
            data["settling"] = Settling(**data["settling"])
        if data.get("offered_load"):
            data["offered_load"] = OfferedLoad(**data["offered_load"])
        return cls(**data)

    def to_dict(self) -> dict[str, Any]:
        """All columns in plain dicts, lists and numbers, as in JSON."""
        whole: dict[str, Any] = plain(self)
        return {
            name: value
            for name, value in whole.items()
            if name not in _OPTIONAL or value is not None
        }

    def optional(self) -> dict[str, int | float | str | bool | None]:
        """The columns about settling and offered load, and the machine's changed values."""
        columns = {} if self.settling is None else self.settling.columns()
        if self.offered_load is not None and self.dma_latency is not None:
            columns |= plain(self.offered_load)
            columns |= {
                f"dma_{name}_ns": getattr(self.dma_latency, f"{name}_ns") for name in QUANTILES
            }
        return {**columns, **settings_of(self.machine)}

    @property
    def shown_ns(self) -> float:
        """The time by which placements are compared: `latency_ns`, or with `rate` the average
        latency of a DMA from its offer.
        """
        if self.offered_load is None or self.dma_latency is None:
            return self.latency_ns
        return self.dma_latency.mean_ns

    @property
    def bandwidth_gb_s_own(self) -> float | None:
        """Sum of the bandwidths of all SPEs or threads, or None if no data moves.

        As in the papers, each bandwidth is computed over the SPE's or thread's own time.
        """
        if self.bandwidth_gb_s is None:
            return None
        own = [each.bandwidth_gb_s for each in self.per_spe]
        own += [each.bandwidth_gb_s for each in self.per_thread]
        return sum(each for each in own if each is not None)

    def plot(self) -> "Figure":
        """A histogram of the latencies of DMAs.

        Raises UsageError if the result has no `dma_latency`, and if matplotlib is missing.
        """
        return picture(self)

    @known_keywords()
    def watch(
        self,
        machine: Hardware | None = None,
        *,
        window: int | str = 4000,
        skip: int | str = 0,
        at: int | str | None = None,
    ) -> Page:
        """A page that plays this measurement in a browser, with the keywords of `Machine.watch`.

        machine: the `cellstats.Machine` of the measurement; required unless built in.

        Raises UsageError for the wrong machine, and in the same cases as `Machine.watch`.
        """
        return page(self, machine, window=window, skip=skip, at=at)


def columns_of(results: Sequence[Measured]) -> list[str]:
    """Names of the columns of a table of these results, which may have different columns."""
    kinds = dict.fromkeys(type(result) for result in results) or [Result]
    names = dict.fromkeys(name for kind in kinds for name in kind.scalar_columns())
    return list(names | dict.fromkeys(name for result in results for name in result.optional()))


def to_frame(results: Iterable[Measured]) -> "pd.DataFrame":
    """A pandas DataFrame with one row per result. Raises ImportError if pandas is missing.

    >>> list(to_frame([]).columns) == Result.scalar_columns()
    True
    """
    listed = list(results)
    rows = [result.row() for result in listed]
    return frame_of(rows, columns_of(listed))
