"""The bench: measures each changed machine once, in several processes, and stores the results."""

import signal
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from typing import Any, TypeAlias

from benches.rules.evidence import Evidence
from benches.rules.journal import Journal, key_of
from benches.rules.machines import Override, relevant
from benches.rules.measuring import Measured, Numbers, measured
from benches.rules.residuals import objective
from cellstats._native import UsageError
from cellstats.measure.progress import Progress

Part: TypeAlias = tuple[frozenset[str], tuple[tuple[str, int | str], ...]]
"""Key of a set of machines with changed values; equal keys have equal numbers."""
Measure: TypeAlias = Callable[[Evidence, frozenset[str], Override], Measured]


class Bench:
    """Judges values of machines; tests replace `measure`."""

    def __init__(
        self, evidence: Evidence, journal: Journal, jobs: int, measure: Measure = measured
    ) -> None:
        self.evidence = evidence
        self.journal = journal
        self._jobs = jobs
        self._measure = measure
        self._known: dict[Part, Measured] = {}
        for override, numbers in journal.found.values():
            if not isinstance(numbers, str):
                self._remember(override, numbers)
        if journal.full is None:
            full = self._now(replace(evidence, shortening=None), {}, "runs of the figures")
            journal.begin(full, self._now(evidence, {}, "short runs"))
        self._remember({}, journal.short)

    def numbers(self, overrides: Sequence[Override]) -> list[Numbers | None]:
        """The corrected numbers of these machines, or None for an impossible machine.

        After Ctrl-C, running measurements finish and are stored; then KeyboardInterrupt is raised.
        """
        plain = [dict(relevant(self.evidence.machines, each)) for each in overrides]
        waiting = {key_of(each): each for each in plain if key_of(each) not in self.journal.found}
        missing = dict.fromkeys(part for each in waiting.values() for part in self._parts(each))
        tasks = {
            part: partial(self._measure, self.evidence, part[0], dict(part[1]))
            for part in missing
            if part not in self._known
        }

        def keep() -> None:
            for key, each in list(waiting.items()):
                if all(part in self._known for part in self._parts(each)):
                    self.journal.add(each, self._joined(each))
                    del waiting[key]

        def finished(part: Part, found: Measured) -> None:
            self._known[part] = found
            keep()

        keep()
        run(tasks, finished, self._jobs, "machines")
        found = (self.journal.found[key_of(each)][1] for each in plain)
        return [None if isinstance(one, str) else self.journal.corrected(one) for one in found]

    def objectives(self, overrides: Sequence[Override]) -> list[float | None]:
        """The objective of each machine, or None for an impossible machine."""
        claims = self.evidence.claims
        found = self.numbers(overrides)
        return [None if each is None else objective(claims, each) for each in found]

    def full(self, override: Override) -> Numbers:
        """The numbers of the figures' own runs, which are not stored.

        Raises UsageError for an impossible machine.
        """
        evidence = replace(self.evidence, shortening=None)
        return self._now(evidence, override, "runs of the figures")

    def _now(self, evidence: Evidence, override: Override, what: str) -> Numbers:
        found: Numbers = {}

        def finished(_part: frozenset[str], numbers: Measured) -> None:
            if isinstance(numbers, str):
                raise UsageError(numbers)
            found.update(numbers)

        parts = sorted(evidence.parts, key=sorted)
        tasks = {part: partial(self._measure, evidence, part, override) for part in parts}
        run(tasks, finished, self._jobs, what)
        return found

    def _parts(self, override: Override) -> list[Part]:
        return [(names, relevant(names, override)) for names in self.evidence.parts]

    def _joined(self, override: Override) -> Measured:
        joined: Numbers = {}
        for part in self._parts(override):
            found = self._known[part]
            if isinstance(found, str):
                return found
            joined |= found
        return joined

    def _remember(self, override: Override, numbers: Numbers) -> None:
        for part in self._parts(override):
            papers = self.evidence.parts[part[0]]
            ids = [claim.id for each in papers for claim in each.claims]
            self._known[part] = {name: numbers[name] for name in ids if name in numbers}


def run(
    tasks: Mapping[Part, Callable[[], Measured]] | Mapping[frozenset[str], Callable[[], Measured]],
    finished: Callable[..., None],
    jobs: int,
    what: str,
) -> None:
    """Call `finished` with the key and result of each task. If `jobs` is 1, start no process."""
    with Progress(len(tasks), always=True, what=what) as bar:
        if jobs == 1 or len(tasks) < 2:
            for key, task in tasks.items():
                finished(key, task())
                bar.advance()
            return
        context = get_context("spawn")
        with ProcessPoolExecutor(jobs, context, _ignore_interrupts) as executor:
            futures: dict[Future[Measured], Any] = {}
            try:
                futures |= {executor.submit(task): key for key, task in tasks.items()}
                for future in as_completed(list(futures)):
                    finished(futures.pop(future), future.result())
                    bar.advance()
            except BaseException:
                for future in futures:
                    future.cancel()
                for future, key in futures.items():
                    if not future.cancelled() and future.exception() is None:
                        finished(key, future.result())
                raise


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in workers, so that tasks finish; the main process handles Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
