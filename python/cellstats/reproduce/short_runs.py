"""Short runs, with an eighth of the iterations, for experiments that move 32 MB for each SPE.

Experiments that move 32 MB for each SPE take nearly all of the time in which papers are measured.
Bandwidth is an average that settles early, so the sensitivity analysis measures these experiments
as short runs. If short runs give another verdict on a claim, that claim is measured at full length.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from cellstats.measure.request import request
from cellstats.reproduce.claims import Claim
from cellstats.reproduce.experiments import Experiment, Row
from cellstats.reproduce.runs import Store, built_in, measured_rows
from cellstats.reproduce.settled import IN_BULK
from cellstats.reproduce.verdicts import Judged, Outcome, Paper, outcomes

_SHARE = 8


def shortened(experiment: Experiment) -> Experiment:
    """Shorten an experiment that moves 32 MB in a pattern. Returns other experiments unchanged.

    >>> from cellstats.reproduce.experiments import measured
    >>> [one] = measured("ps3", "couples", spes=2)
    >>> shortened(one).given
    (('spes', 2), ('iterations', 128))
    """
    if experiment.function not in IN_BULK or "iterations" in dict(experiment.given):
        return experiment
    machine = built_in(experiment.machine)
    [run, *_] = experiment.runs(machine)
    whole = request(machine.native, run.function, run.parameters).iterations()
    return replace(experiment, given=(*experiment.given, ("iterations", max(whole // _SHARE, 1))))


@dataclass(frozen=True)
class Baseline:
    """Outcomes of a paper's claims on unchanged machines, all from short runs or all from runs of
    full length.
    """

    paper: Paper
    """The paper with only these claims."""
    stand_ins: Mapping[Experiment, Experiment]
    """The experiments that the claims need, each mapped to the experiment that is measured in its
    place."""
    rows: Mapping[Experiment, Row]
    """The row of each experiment that the claims need."""
    outcomes: Mapping[str, Outcome]
    """The outcome of each claim, by its id."""

    def experiments_of(self, claim: Claim) -> set[Experiment]:
        """The experiments that are actually measured for a claim."""
        return {self.stand_ins[each] for each in self.paper.experiments_of(claim)}

    def judged(self, claims: Iterable[Claim], measured: Mapping[Experiment, Row]) -> list[Outcome]:
        """Judge claims with `measured` rows in place of the baseline's rows."""
        rows = {each: measured.get(s) or self.rows[each] for each, s in self.stand_ins.items()}
        return outcomes(self.paper.with_claims(claims), rows)


def baselines(
    judged: Sequence[Judged],
    store: Store | None = None,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> list[Baseline]:
    """Divide each paper's claims into those whose verdict is the same with short runs, and those
    that need runs of full length.

    store, jobs, executor: as for `cellstats.reproduce.runs.measured_rows`.
    """
    full = [_rows_for_claims(one) for one in judged]
    stand_ins = {each: shortened(each) for rows in full for each in rows}
    new = [short for each, short in stand_ins.items() if short != each]
    measured = measured_rows(new, store, jobs=jobs, executor=executor) if new else {}
    found = []
    for one, rows in zip(judged, full, strict=True):
        short = {each: measured.get(stand_ins[each]) or row for each, row in rows.items()}
        # These rows cover ten placements, because all placements would take hours.
        # A claim is left out if its verdicts over ten and over all placements differ.
        ten = outcomes(one.paper, rows)
        judged_by_ten = zip(one.outcomes, ten, outcomes(one.paper, short), strict=True)
        pairs = [(ten, short) for all_, ten, short in judged_by_ten if all_.agrees == ten.agrees]
        alike = [by_short for whole, by_short in pairs if whole.agrees == by_short.agrees]
        other = [whole for whole, by_short in pairs if whole.agrees != by_short.agrees]
        found.append(_baseline(one.paper, alike, stand_ins, short))
        found.append(_baseline(one.paper, other, {each: each for each in rows}, rows))
    return [baseline for baseline in found if baseline.paper.claims]


def _rows_for_claims(judged: Judged) -> dict[Experiment, Row]:
    """Rows that the paper's claims need, in the order of the paper's figures."""
    paper = judged.paper
    needed = {each for claim in paper.claims for each in paper.experiments_of(claim)}
    figures = (zip(figure.experiments, rows, strict=True) for figure, rows in judged.rows.items())
    return {each: row for figure in figures for each, row in figure if each in needed}


def _baseline(
    paper: Paper,
    judged: Sequence[Outcome],
    stand_ins: Mapping[Experiment, Experiment],
    rows: Mapping[Experiment, Row],
) -> Baseline:
    own = paper.with_claims(each.claim for each in judged)
    by_id = {each.claim.id: each for each in judged}
    return Baseline(own, {each: stand_ins[each] for each in rows}, rows, by_id)
