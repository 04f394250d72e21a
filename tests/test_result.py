"""Results: columns, conversion to JSON and back, tables."""

import dataclasses
import json

import pytest

import cellstats as cs


@pytest.fixture(scope="module", name="result")
def _result() -> cs.Result:
    return cs.machine("ps3").measure("dmaget", spes=2, size="1k", iterations="1k")


def test_columns(result: cs.Result) -> None:
    assert (result.function, result.machine, result.spes) == ("dmaget", "ps3", 2)
    assert (result.size_bytes, result.iterations, result.private) == (1024, 1000, False)
    assert result.latency_ns_min <= result.latency_ns <= result.latency_ns_max
    assert result.bandwidth_gb_s is not None
    assert result.bandwidth_gb_s > 0
    assert [row.thread for row in result.per_spe] == [0, 1]


def test_results_cannot_be_changed(result: cs.Result) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.latency_ns = 0.0  # type: ignore[misc]


def test_json_and_back(result: cs.Result) -> None:
    assert cs.Result.from_json(result.to_json()) == result
    assert json.loads(result.to_json()) == result.to_dict()


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"schema": 2}, "a result of schema 2 cannot be read"),
        ({"colour": "red"}, "a result: colour is unknown"),
    ],
)
def test_other_schemas_are_refused(result: cs.Result, change: dict[str, object], line: str) -> None:
    with pytest.raises(cs.UsageError, match=line):
        cs.Result.from_json(json.dumps(result.to_dict() | change))


def test_tables(result: cs.Result) -> None:
    frame = cs.to_frame([result, result])
    assert list(frame.columns) == cs.Result.scalar_columns()
    assert frame["size_bytes"].tolist() == [1024, 1024]
    assert result.to_series()["placement"] == ",".join(str(spe) for spe in result.placement)


def test_the_same_measurement_gives_the_same_result(result: cs.Result) -> None:
    again = cs.machine("ps3").measure("dmaget", spes=2, size=1024, iterations=1000)
    assert again == result
