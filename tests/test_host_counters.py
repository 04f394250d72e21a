"""Hardware counters: from counts of repetitions to a result and its line of text."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

import recorded
from cellstats.host.hardware_counters import UNCOUNTED
from cellstats.host.host_result import HostResult
from cellstats.show.host_result import counts
from host_answers import Answers
from test_host_machine import SCHEMA, VALIDATOR

COUNTS = {"operations": 1000, "cycles": 50_000, "instructions": 100_000, "llc_misses": 250}


def measured(
    function: str = "fetchadd",
    counts_of: Callable[[int], Any] = lambda _nth: COUNTS,
    counters: str = "user and kernel",
    **parameters: Any,
) -> HostResult:
    """A result of twelve repetitions, in which the n-th row of a thread has `counts_of(n)`."""
    rows = 0

    def count(answer: dict[str, Any]) -> None:
        nonlocal rows
        answer["counters"] = counters
        for row in answer["threads"]:
            row["counts"] = counts_of(rows) if row["samples_ns"] else None
            row["voluntary_switches"] = 2 * row["operations"]
            row["involuntary_switches"] = 1
            rows += 1

    result = recorded.host("desktop", Answers(count)).measure(function, samples=12, **parameters)
    VALIDATOR.validate(json.loads(result.to_json()))
    assert HostResult.from_json(result.to_json()) == result
    return result


def per_operation(result: HostResult) -> list[float | None]:
    return [
        result.cycles_per_operation,
        result.instructions_per_operation,
        result.llc_misses_per_operation,
    ]


def test_events_are_per_operation_and_totals_are_of_all_repetitions() -> None:
    result = measured(spes=3)
    assert per_operation(result) == [50.0, 100.0, 0.25]
    for row in result.per_thread:
        assert (row.counted_operations, row.cycles) == (12_000, 600_000)
        assert (row.instructions, row.llc_misses) == (1_200_000, 3000)
    assert counts(result) == (
        "per operation: cycles 50, instructions 100, instructions per cycle 2, LLC misses 0.25, "
        "context switches 2"
    )
    assert counts(result) in str(result).splitlines()


def test_context_switches_are_those_of_the_timed_samples() -> None:
    result = measured()
    (row,) = result.per_thread
    switches = row.voluntary_switches + row.involuntary_switches
    assert result.context_switches_per_operation == switches / result.iterations > 2


def test_a_thread_that_only_replies_is_not_counted() -> None:
    asks, replies = measured("mailbox").per_thread
    assert asks.cycles == 600_000
    assert (replies.counted_operations, replies.cycles, replies.llc_misses) == (0, None, None)


def test_repetitions_in_which_the_counters_were_in_use_are_left_out() -> None:
    some = measured(counts_of=lambda nth: COUNTS if nth % 3 else None)
    assert some.counters == "user and kernel"
    assert some.per_thread[0].counted_operations == 8000
    assert per_operation(some) == [50.0, 100.0, 0.25]
    none = measured(counts_of=lambda _nth: None)
    assert none.counters == "in use"
    assert per_operation(none) == [None] * 3
    assert "no hardware counters: they are in use; end other profilers" in counts(none)


def test_an_event_that_the_processor_lacks_is_left_out() -> None:
    result = measured(counts_of=lambda _nth: {**COUNTS, "llc_misses": None}, counters="user")
    assert per_operation(result) == [50.0, 100.0, None]
    assert result.per_thread[0].llc_misses is None
    assert "LLC" not in counts(result)
    assert counts(result).endswith("; hardware events of user space only")


def test_rare_events_are_rounded_but_not_to_none() -> None:
    result = measured(counts_of=lambda _nth: {**COUNTS, "operations": 1_000_000, "cycles": 0})
    assert counts(result).startswith(
        "per operation: cycles 0, instructions 0.1, LLC misses < 0.001,"
    )


@pytest.mark.parametrize("reason", sorted(UNCOUNTED))
def test_every_reason_is_one_line_with_its_remedy(reason: str) -> None:
    result = measured(counts_of=lambda _nth: None, counters=reason)
    line = counts(result)
    assert result.counters == reason
    assert line.startswith("per operation: context switches 2; no hardware counters: ")
    assert line.endswith(UNCOUNTED[reason].mend)
    assert "\n" not in line


def test_reasons_are_those_of_the_schema() -> None:
    counters = SCHEMA["properties"]["counters"]["enum"]
    assert set(counters) == {"user", "user and kernel", *UNCOUNTED}
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate({**measured().to_dict(), "counters": "some"})


def test_tables_have_the_numbers() -> None:
    row = measured().row()
    text = io.StringIO()
    csv.writer(text).writerows([row.keys(), row.values()])
    (read,) = csv.DictReader(io.StringIO(text.getvalue()))
    assert (read["counters"], read["cycles_per_operation"]) == ("user and kernel", "50.0")
