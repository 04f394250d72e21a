"""Repeats one measurement with many placements of its threads on SPEs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import cached_property
from statistics import fmean, median
from typing import Any, Literal, TypeAlias, Unpack

from cellstats.core.display import Showing
from cellstats.core.keywords import Unseeded
from cellstats.core.parameters import NAMES
from cellstats.core.quantities import parse_count
from cellstats.core.refusal import known_keywords, refusal
from cellstats.measure.machine import Machine, MachineLike, find_simulated
from cellstats.measure.result import Result
from cellstats.measure.sweeps import Row
from cellstats.measure.workers import run_rows

Which: TypeAlias = int | Literal["all", "orbits"]
"""Which placements: a number of random placements, all, or one of each orbit."""
WORDS = ("all", "orbits")


@dataclass(frozen=True, slots=True)
class Summary:
    """Summary of one result column over all placements, in the column's unit."""

    min: float
    """Smallest value."""
    median: float
    """Median value."""
    mean: float
    """Average."""
    max: float
    """Largest value."""

    @classmethod
    def of(cls, values: Sequence[float]) -> "Summary":
        """The summary of a non-empty series of values.

        >>> Summary.of([1.0, 2.0, 6.0])
        Summary(min=1.0, median=2.0, mean=3.0, max=6.0)
        """
        return cls(min(values), median(values), fmean(values), max(values))


@dataclass(frozen=True, repr=False)
class Placements(Showing):
    """A measurement over many placements.

    Placements that differ only by swapping equal threads share one run. In the summaries, a
    run counts once for each of its placements.

    With `which="orbits"`, one placement stands for its orbit, and counts for each placement of the
    orbit: those that turning or mirroring the chip's rings, or swapping equal threads, makes of it.
    The runs of an orbit are not equal, because ties of the bus fall differently. Their bandwidths
    differ by some per cent, and the mean over all placements by some tenths of a per cent. `min`
    and `max` are those of the runs that were made. Traffic with memory, with the PPE or on two
    Cells has no symmetry: there, an orbit has only equal runs.
    """

    _kind = "placements"

    placements: tuple[tuple[int, ...], ...]
    """The physical SPE of each thread, for each placement."""
    runs: tuple[int, ...]
    """For each placement, the index of its result in `results`."""
    results: tuple[Result, ...]
    """One result for each distinct run."""
    seed: int | None
    """Seed of the random placements, or None if `placements` lists all possible placements."""
    cells: str | None
    """The Cells whose SPEs the placements use, or None for all Cells."""
    stands_for: tuple[int, ...] | None = None
    """For each placement, the number of placements for which it stands. None unless `placements`
    lists one placement of each orbit."""

    def __len__(self) -> int:
        return len(self.placements)

    def __repr__(self) -> str:
        # The text omits the results, which would fill the terminal.
        one, different = self.results[0], len(self.results)
        return f"<Placements {one.function} on {one.machine}: {len(self)}, {different} different>"

    @property
    def runs_counted(self) -> Sequence[int]:
        """The index in `results` of each placement that the summaries count."""
        if self.stands_for is None:
            return self.runs
        counted = zip(self.runs, self.stands_for, strict=True)
        return [run for run, times in counted for _ in range(times)]

    @cached_property
    def latency_ns(self) -> Summary:
        """Latency over all placements."""
        return Summary.of([self.results[run].shown_ns for run in self.runs_counted])

    @cached_property
    def bandwidth_gb_s(self) -> Summary | None:
        """Bandwidth over all placements, or None if no data moves."""
        values = [self.results[run].bandwidth_gb_s for run in self.runs_counted]
        moved = [value for value in values if value is not None]
        return Summary.of(moved) if moved else None

    @property
    def settling(self) -> dict[str, int]:
        """Number of runs of each outcome of `settle`; empty without `settle`."""
        found = [each.settling.outcome for each in self.results if each.settling is not None]
        return dict(Counter(found))

    @property
    def best(self) -> Result:
        """The result with the lowest latency; for DMAs, the result with the highest bandwidth."""
        return max(self.results, key=_merit)

    @property
    def worst(self) -> Result:
        """The result with the highest latency; for DMAs, the result with the lowest bandwidth."""
        return min(self.results, key=_merit)

    def rows(self) -> Iterator[dict[str, Any]]:
        """A table row for each placement, with SPEs (as for `--placement`), latency, bandwidth.

        With one placement of each orbit, a row also has the number of placements for which it
        stands; with `settle`, whether its run settled.
        """
        for nth, (spes, run) in enumerate(zip(self.placements, self.runs, strict=True)):
            result = self.results[run]
            row: dict[str, Any] = {
                "placement": ",".join(map(str, spes)),
                "latency_ns": result.shown_ns,
                "bandwidth_gb_s": result.bandwidth_gb_s,
            }
            if self.stands_for is not None:
                row["stands_for"] = self.stands_for[nth]
            if result.settling is not None:
                row["settling"] = result.settling.outcome
            yield row

    def to_dict(self) -> dict[str, Any]:
        """The summary in plain dicts, lists and numbers; docs/results.md explains its columns.

        `placements` is the number of placements that the summary counts, and `different` the number
        of runs. With one placement of each orbit, `orbits` is true. With `settle`, `settling` has
        the number of runs of each outcome.
        """
        one = self.results[0]
        parameters = {**one.recipe["parameters"]}
        # The recipes of single runs contain a placement instead of `cells`.
        parameters["cells"] = self.cells
        del parameters["placement"]
        return {
            "schema": one.schema,
            "function": one.function,
            "machine": one.machine,
            "placements": len(self.runs_counted),
            "different": len(self.results),
            **({} if self.stands_for is None else {"orbits": True}),
            **({"settling": self.settling} if self.settling else {}),
            "seed": self.seed,
            "latency_ns": asdict(self.latency_ns),
            "bandwidth_gb_s": self.bandwidth_gb_s and asdict(self.bandwidth_gb_s),
            "best": list(self.best.placement),
            "worst": list(self.worst.placement),
            "recipe": {**one.recipe, "parameters": parameters},
        }


@known_keywords(*NAMES)
def placements(
    function: str,
    *,
    machine: MachineLike = "ps3",
    which: Which = 10,
    seed: int = 0,
    executor: Executor | None = None,
    jobs: int | None = None,
    **parameters: Unpack[Unseeded],
) -> Placements:
    """Measure one FUNCTION over many placements.

    which: number of random placements, `"all"` for all possible placements, or `"orbits"` for one
        placement of each orbit, which stands for all that turning or mirroring the rings makes of
        it (see `Placements`).
    seed: chooses the random placements, and the targets of uniform traffic.
    parameters: keywords of `Machine.measure`, without a placement. With `cells`, each thread stays
        on its Cell.
    executor, jobs: where to run the simulations, as for `cellstats.sweep`.

    Raises UsageError for invalid parameters, RunError when a run fails.

    >>> pairs = placements("couples", machine="eval-board", which="all", spes=2, iterations=20)
    >>> len(pairs), len(pairs.results)
    (56, 56)
    """
    found = find_simulated(machine)
    planned = plan(found, function, parse_which(which, "{which}"), seed, parameters)
    results: dict[int, Result] = {}
    run_rows(planned.rows, results.__setitem__, executor=executor, jobs=jobs)
    return planned.placements(results)


def parse_which(which: int | str, what: str) -> int | str:
    """The number of placements, or the word. Raises UsageError for anything else.

    >>> parse_which("1k", "which"), parse_which("orbits", "which")
    (1000, 'orbits')
    """
    return which if which in WORDS else parse_count(which, what)


@dataclass(frozen=True)
class Plan:
    """The placements of a measurement, and the runs that measure them."""

    listed: tuple[tuple[int, ...], ...]
    same_as: tuple[int, ...]
    """For each placement, the index of the first placement with the same run."""
    rows: Mapping[int, Row]
    """The runs, keyed by the index of each run's first placement."""
    seed: int | None
    cells: str | None
    stands_for: tuple[int, ...] | None

    def placements(self, results: Mapping[int, Result]) -> Placements:
        """All placements with their results, from `results` with the keys of `rows`."""
        run_of = {nth: run for run, nth in enumerate(self.rows)}
        return Placements(
            placements=self.listed,
            runs=tuple(run_of[nth] for nth in self.same_as),
            results=tuple(results[nth] for nth in self.rows),
            seed=self.seed,
            cells=self.cells,
            stands_for=self.stands_for,
        )


def plan(
    machine: Machine, function: str, which: int | str, seed: int, parameters: Mapping[str, Any]
) -> Plan:
    """List the placements of a measurement. Raises UsageError for invalid parameters."""
    if parameters.get("placement") is not None:
        raise refusal("{which} and {placement} exclude each other; give one of them")
    listed = machine.list_placements(function, which, {**parameters, "seed": seed})
    cells = parameters.get("cells")
    # The placement of each run replaces `cells`.
    given = {name: value for name, value in parameters.items() if name != "cells"}
    if function == "uniform":
        given["seed"] = seed
    return Plan(
        listed=tuple(map(tuple, listed["placements"])),
        same_as=tuple(listed["same_as"]),
        rows={
            nth: Row(machine, function, {**given, "placement": listed["placements"][nth]})
            for nth in sorted(set(listed["same_as"]))
        },
        seed=None if which in WORDS else seed,
        cells=None if cells is None else str(cells),
        stands_for=tuple(listed["stands_for"]) if which == "orbits" else None,
    )


def _merit(result: Result) -> float:
    if result.bandwidth_gb_s is None or result.offered_load is not None:
        return -result.shown_ns
    return result.bandwidth_gb_s
