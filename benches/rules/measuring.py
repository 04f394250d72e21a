"""The numbers of claims on one machine: the work of one process of the bench."""

from typing import TypeAlias

from benches.rules.evidence import Evidence
from benches.rules.machines import Override, overridden
from cellstats._native import RunError, UsageError
from cellstats.measure.machine import Machine
from cellstats.measure.result import Result
from cellstats.measure.sweeps import Row
from cellstats.reproduce.experiments import Answer, Ask
from cellstats.reproduce.judging import outcomes

Numbers: TypeAlias = dict[str, float]
"""A number for each claim, by its id."""
Measured: TypeAlias = Numbers | str
"""The numbers, or the reason why no machine can have these values."""


def measured(evidence: Evidence, machines: frozenset[str], override: Override) -> Measured:
    """The numbers of the claims about these machines, with these values."""
    try:
        there = {name: overridden(name, override) for name in sorted(machines)}
        answers = _answers(evidence.asks(machines), there)
        found = [one for each in evidence.parts[machines] for one in outcomes(each, answers)]
    except (UsageError, RunError, ZeroDivisionError) as error:
        return str(error)
    return {one.claim.id: one.simulated for one in found if one.simulated is not None}


def _answers(asks: dict[Ask, Ask], machines: dict[str, Machine]) -> dict[Ask, Answer]:
    """The results of rows, each from the row that replaces it."""
    kept: dict[str, Result] = {}
    answers: dict[Ask, Answer] = {}
    for ask, short in asks.items():
        machine = machines[ask.machine]
        results = [_result(row, kept) for row in short.rows(machine)]
        answers[ask] = short.answer(machine, results)
    return answers


def _result(row: Row, kept: dict[str, Result]) -> Result:
    """The result of a run; equal runs are only made once."""
    key = repr((row.machine.name, row.function, sorted(row.parameters.items())))
    if key not in kept:
        assert isinstance(row.machine, Machine)
        kept[key] = row.machine.run(row.function, row.parameters)
    return kept[key]
