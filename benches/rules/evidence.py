"""The claims that judge rules, and their rows."""

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
from cellstats.reproduce.experiments import Ask
from cellstats.reproduce.judging import Paper, paper, paper_keys


def is_of_rings(ask: Ask) -> bool:
    """Whether a row is a pattern between local stores only, so that only rings can limit it."""
    hot_memory = ask.function == "hotspot" and ask.columns.get("target", "memory") == "memory"
    return ask.function in PATTERNS and not hot_memory


def is_of_bus(ask: Ask) -> bool:
    """Whether a row consists of DMAs over the bus; a program also has instructions."""
    return ask.function in (*SINGLE, *PATTERNS)


def is_measurement(ask: Ask) -> bool:
    """Whether a row measures FUNCTIONs and not a whole program."""
    return ask.kind != "program"


CHOICES: Mapping[str, Callable[[Ask], bool]] = {
    "rings": is_of_rings,
    "bus": is_of_bus,
    "measured": is_measurement,
}
"""Sets of claims by name; all rows of a claim in a set are of this kind."""


SHORT = Shortening()


@dataclass(frozen=True)
class Evidence:
    """The claims of all papers, found by their folders, and the runs that check them."""

    choice: str = "bus"
    """One of `CHOICES`."""
    only: tuple[str, ...] = ()
    """Patterns of ids, such as `K0*`; if given, other claims do not count."""
    shortening: Shortening | None = SHORT
    """None for the runs of the figures themselves."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Other processes read the files again instead of receiving their contents.
        return Evidence, (self.choice, self.only, self.shortening)

    @cached_property
    def papers(self) -> tuple[Paper, ...]:
        """The papers with only these claims. Raises UsageError if there are none."""
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
        """The claims grouped by their machines, whose numbers change together."""
        found: dict[frozenset[str], list[Paper]] = {}
        for each in self.papers:
            about: dict[frozenset[str], list[Claim]] = {}
            for claim in each.claims:
                machines = frozenset(ask.machine for ask in each.asks_of(claim))
                about.setdefault(machines, []).append(claim)
            for machines, claims in about.items():
                found.setdefault(machines, []).append(each.with_claims(claims))
        return {machines: tuple(papers) for machines, papers in found.items()}

    @property
    def machines(self) -> frozenset[str]:
        """All machines of the claims."""
        return frozenset().union(*self.parts)

    def asks(self, machines: frozenset[str]) -> dict[Ask, Ask]:
        """Each row that a group's claims need, and the shorter row that replaces it."""
        needed = {ask for each in self.parts[machines] for ask in self._needed(each)}
        figures = (figure for each in self.parts[machines] for figure in each.figures)
        rows = dict.fromkeys(ask for figure in figures for ask in figure.asks if ask in needed)
        short = self.shortening
        return {ask: ask if short is None else short.of(ask) for ask in rows}

    @cached_property
    def digest(self) -> str:
        """A digest of the simulator with its machines, of the claims, and of their rows."""
        simulator = hashlib.sha256(Path(_native.__file__).read_bytes())
        parts = [sorted(map(repr, self.asks(part).items())) for part in self.parts]
        metrics = [(claim.id, claim.metric) for claim in self.claims]
        simulator.update(repr((parts, metrics)).encode())
        return simulator.hexdigest()[:16]

    def _only(self, whole: Paper) -> Paper:
        return whole.with_claims(claim for claim in whole.claims if self._counts(whole, claim))

    def _counts(self, whole: Paper, claim: Claim) -> bool:
        named = not self.only or any(fnmatchcase(claim.id, each) for each in self.only)
        if claim.kind != "measured" or not named:
            return False
        asks = whole.asks_of(claim)
        return bool(asks) and all(map(CHOICES[self.choice], asks))

    def _needed(self, of: Paper) -> Iterator[Ask]:
        for claim in of.claims:
            yield from of.asks_of(claim)
