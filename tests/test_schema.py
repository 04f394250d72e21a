"""Results comply with the JSON schema, and have the columns documented in docs/results.md."""

import json
import re
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

import cellstats as cs

SCHEMA: dict[str, Any] = json.loads(
    files("cellstats").joinpath("schema/result-1.json").read_text(encoding="utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

MEASUREMENTS: list[tuple[str, dict[str, Any]]] = [
    ("mkthread", {"iterations": 10}),
    ("mailbox", {"spes": 3}),
    ("mailbox", {"spes": 2, "spe_to_spe": True}),
    ("signal", {"ppe": "mmio"}),
    ("dmaget", {"spes": 2, "size": "1k", "batch": 0, "placement": "random", "seed": 3}),
    ("dmaput", {"spes": 3, "private": True, "size": 16, "spe_to_spe": True}),
    ("dmalistget", {"spes": 2, "size": 64, "list_elements": 16}),
    ("dmalistput", {"private": True, "stride": 48}),
    ("fetchadd", {"spes": 2, "private": True}),
    ("fetchset", {"spes": 2}),
    ("load", {"size": 4, "threads": 2}),
    ("store", {"level": "memory"}),
    ("copy", {"level": "ls", "spes": 3}),
    ("exchange", {"pattern": "pipeline", "size": "2k"}),
    ("exchange", {"pattern": "binomial-tree", "spes": 5, "histogram": True}),
]


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("machine", cs.machine_names())
@pytest.mark.parametrize(("function", "parameters"), MEASUREMENTS)
def test_results_keep_the_schema(machine: str, function: str, parameters: dict[str, Any]) -> None:
    result = cs.machine(machine).measure(function, **{"iterations": 100} | parameters)
    VALIDATOR.validate(json.loads(result.to_json()))


@pytest.mark.parametrize(
    "change",
    [
        {"schema": 2},
        {"colour": "red"},
        {"function": "dmaget"},
        {"private": True},
        {"latency_ns": None},
        {"spes": 0},
        {"ppe": "magic"},
    ],
)
def test_other_objects_do_not(change: dict[str, object]) -> None:
    result = cs.machine("ps3").measure("mailbox", iterations=10).to_dict()
    VALIDATOR.validate(result)
    assert not VALIDATOR.is_valid(result | change)


def test_every_function_has_a_name_that_the_schema_allows() -> None:
    pattern = SCHEMA["properties"]["function"]["pattern"]
    assert all(re.match(pattern, name) for name in cs.function_names())
