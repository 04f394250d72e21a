"""The numbers of claims on one machine: the work of one process of the bench."""

from typing import TypeAlias

from benches.rules.evidence import Evidence
from benches.rules.machines import Override, overridden
from cellstats._native import RunError, UsageError
from cellstats.measure.machine import Machine
from cellstats.measure.result import Result
from cellstats.measure.sweeps import Row as Run
from cellstats.reproduce.experiments import Experiment, Row
from cellstats.reproduce.verdicts import outcomes

Numbers: TypeAlias = dict[str, float]
"""A number for each claim, by its id."""
Measured: TypeAlias = Numbers | str
"""The numbers, or the reason why no machine can have these values."""


def measured(evidence: Evidence, machines: frozenset[str], override: Override) -> Measured:
    """The numbers of the claims about these machines, with these values."""
    try:
        there = {name: overridden(name, override) for name in sorted(machines)}
        rows = _rows(evidence.experiments(machines), there)
        found = [one for each in evidence.parts[machines] for one in outcomes(each, rows)]
    except (UsageError, RunError, ZeroDivisionError) as error:
        return str(error)
    return {one.claim.id: one.simulated for one in found if one.simulated is not None}


def _rows(
    stand_ins: dict[Experiment, Experiment], machines: dict[str, Machine]
) -> dict[Experiment, Row]:
    """The row of each experiment, measured by running the experiment's short form."""
    kept: dict[str, Result] = {}
    rows: dict[Experiment, Row] = {}
    for experiment, short in stand_ins.items():
        machine = machines[experiment.machine]
        results = [_result(run, kept) for run in short.runs(machine)]
        rows[experiment] = short.row(machine, results)
    return rows


def _result(run: Run, kept: dict[str, Result]) -> Result:
    """The result of a run; a run that equals an earlier run is not repeated."""
    key = repr((run.machine.name, run.function, sorted(run.parameters.items())))
    if key not in kept:
        assert isinstance(run.machine, Machine)
        kept[key] = run.machine.run(run.function, run.parameters)
    return kept[key]
