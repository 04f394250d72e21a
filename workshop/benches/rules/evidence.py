"""The claims by which rules are judged, and their rows."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

from benches.rules.short import PATTERNS, SINGLE, Shortening
from cellstats import _native
from cellstats._native import UsageError
from cellstats.reproduce.claims import Claim
from cellstats.reproduce.experiments import Experiment
from cellstats.reproduce.verdicts import Paper, paper, paper_keys


def is_of_rings(experiment: Experiment) -> bool:
    """Whether an experiment is a pattern between local stores, which only the rings can delay."""
    target = experiment.columns.get("target", "memory")
    hot_memory = experiment.function == "hotspot" and target == "memory"
    return experiment.function in PATTERNS and not hot_memory


def is_of_bus(experiment: Experiment) -> bool:
    """Whether an experiment consists of DMAs, whose lines go over the bus; False for programs."""
    return experiment.function in (*SINGLE, *PATTERNS)


def is_measurement(experiment: Experiment) -> bool:
    """Whether an experiment measures a FUNCTION; False for programs."""
    return experiment.kind != "program"


CHOICES: Mapping[str, Callable[[Experiment], bool]] = {
    "rings": is_of_rings,
    "bus": is_of_bus,
    "measured": is_measurement,
}
"""Sets of claims by name; a claim belongs to a set if all its rows pass the set's test."""


SHORT = Shortening()


@dataclass(frozen=True)
class Evidence:
    """The claims of all papers, and the runs that check these claims."""

    choice: str = "bus"
    """One of `CHOICES`."""
    only: tuple[str, ...] = ()
    """Patterns of claim ids, such as `K0*`; if given, all other claims are ignored."""
    shortening: Shortening | None = SHORT
    """The rule that shortens runs, or None for the runs of the figures themselves."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Other processes read the papers' files again instead of receiving their contents.
        return Evidence, (self.choice, self.only, self.shortening)

    @cached_property
    def papers(self) -> tuple[Paper, ...]:
        """The papers, with only the selected claims. Raises UsageError if no claims remain."""
        every = (self._only(paper(key)) for key in paper_keys())
        found = tuple(only for only in every if only.claims)
        if not found:
            raise UsageError(f"no claim of {self.choice} is called {' or '.join(self.only)}")
        return found

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """All claims, paper by paper."""
        return tuple(claim for each in self.papers for claim in each.claims)

    @cached_property
    def parts(self) -> Mapping[frozenset[str], tuple[Paper, ...]]:
        """The claims, grouped by the machines they need. The numbers of a group change together."""
        found: dict[frozenset[str], list[Paper]] = {}
        for each in self.papers:
            about: dict[frozenset[str], list[Claim]] = {}
            for claim in each.claims:
                machines = frozenset(e.machine for e in each.experiments_of(claim))
                about.setdefault(machines, []).append(claim)
            for machines, claims in about.items():
                found.setdefault(machines, []).append(each.with_claims(claims))
        return {machines: tuple(papers) for machines, papers in found.items()}

    @property
    def machines(self) -> frozenset[str]:
        """All machines that the claims are about."""
        return frozenset().union(*self.parts)

    def experiments(self, machines: frozenset[str]) -> dict[Experiment, Experiment]:
        """The experiments needed by claims about these machines, each mapped to a short form."""
        needed = {e for each in self.parts[machines] for e in self._needed(each)}
        figures = (figure for each in self.parts[machines] for figure in each.figures)
        every = dict.fromkeys(e for figure in figures for e in figure.experiments if e in needed)
        short = self.shortening
        return {each: each if short is None else short.of(each) for each in every}

    @cached_property
    def digest(self) -> str:
        """A digest of the simulator and its machines, the claims, and the claims' experiments."""
        simulator = hashlib.sha256(Path(_native.__file__).read_bytes())
        parts = [sorted(map(repr, self.experiments(part).items())) for part in self.parts]
        metrics = [(claim.id, claim.metric) for claim in self.claims]
        simulator.update(repr((parts, metrics)).encode())
        return simulator.hexdigest()[:16]

    def _only(self, whole: Paper) -> Paper:
        return whole.with_claims(claim for claim in whole.claims if self._counts(whole, claim))

    def _counts(self, whole: Paper, claim: Claim) -> bool:
        named = not self.only or any(fnmatchcase(claim.id, each) for each in self.only)
        if claim.kind != "measured" or not named:
            return False
        experiments = whole.experiments_of(claim)
        return bool(experiments) and all(map(CHOICES[self.choice], experiments))

    def _needed(self, of: Paper) -> Iterator[Experiment]:
        for claim in of.claims:
            yield from of.experiments_of(claim)
