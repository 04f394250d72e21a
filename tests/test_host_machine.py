"""Measurements on recorded computers: requests, refusals and results."""

import copy
import json
import pickle
import re
import time
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

import cellstats as cs
import recorded
from cellstats import _native
from cellstats.host.disturbances import GRADES, TRUST
from cellstats.host.host_machine import HostMachine
from cellstats.host.host_result import HostResult
from command_line import ROOT
from host_answers import Answers, asked, refusal

SCHEMA: dict[str, Any] = json.loads(
    files("cellstats").joinpath("schema/host-result-2.json").read_text(encoding="utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


MEASUREMENTS: list[tuple[str, dict[str, Any]]] = [
    ("mkthread", {}),
    ("mailbox", {}),
    ("mailbox", {"spe_to_spe": True, "spes": 4}),
    ("mailbox", {"ppe": "lines"}),
    ("mailbox", {"ppe": "oneway", "spe_to_spe": True}),
    ("signal", {"ppe": "eventfd", "signal_mode": "or"}),
    ("fetchadd", {"spes": 2, "private": True, "stride": 4}),
    ("dmaget", {"size": "1k"}),
    ("dmaput", {"spe_to_spe": True, "spes": 3, "non_temporal": True}),
    ("dmalistget", {"list_elements": 16}),
    ("load", {"level": "l2", "size": 8}),
    ("copy", {"level": "memory", "spes": 2, "memory": 0}),
    ("copy", {"working_set": "1m", "mix": "3:1", "pages": "small"}),
    ("load", {"chase": "lines", "level": "l2", "pages": "huge"}),
    ("load", {"chase": "pages", "background": "store", "rate": 2.5}),
    ("load", {"chase": "lines", "background": "dirty", "level": "l2"}),
    ("hotspot", {"op": "put", "target": 1}),
    ("uniform", {"seed": 7}),
    ("exchange", {"pattern": "ring", "spes": 4}),
]


@pytest.mark.parametrize("name", ["desktop", "two-sockets", "hybrid"])
@pytest.mark.parametrize(("function", "parameters"), MEASUREMENTS)
def test_results_keep_the_schema(name: str, function: str, parameters: dict[str, Any]) -> None:
    result = recorded.host(name, Answers()).measure(function, **parameters)
    VALIDATOR.validate(json.loads(result.to_json()))
    assert HostResult.from_json(result.to_json()) == result
    assert list(result.row()) == HostResult.scalar_columns()


def test_the_schema_has_all_grades() -> None:
    assert SCHEMA["properties"]["grade"]["enum"] == list(GRADES) == list(TRUST)


def test_the_document_names_every_column_and_no_other() -> None:
    text = (ROOT / "docs/host-results.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([a-z0-9_]+)` \|", text, re.MULTILINE))

    def names(schema: object) -> set[str]:
        if isinstance(schema, list):
            return set().union(*map(names, schema))
        if not isinstance(schema, dict):
            return set()
        return set(schema.get("properties", {})).union(*map(names, schema.values()))

    assert documented == names(SCHEMA)


def test_columns_of_both_kinds_have_the_same_meaning_or_another_name() -> None:
    ours, theirs = set(HostResult.scalar_columns()), set(cs.Result.scalar_columns())
    assert {"function", "spes", "size_bytes", "placement", "latency_ns", "bandwidth_gb_s"} <= (
        ours & theirs
    )
    assert not ours & {"ppe", "cells", "threads", "simulated_ns"}


@pytest.mark.parametrize(
    ("parameters", "cpus"),
    [
        ({}, [0, 1]),
        ({"spes": 4}, [0, 1, 2, 3]),
        ({"spes": 6}, [0, 1, 2, 3, 4, 5]),
        ({"placement": [5, 1]}, [5, 1]),
        ({"placement": "4-7"}, [4, 5, 6, 7]),
        ({"placement": "4-7", "spes": 2}, [4, 5]),
    ],
)
def test_which_cpus_take_part(parameters: dict[str, Any], cpus: list[int]) -> None:
    assert asked("desktop", "mailbox", **parameters)["cpus"] == cpus


def test_random_cpus_are_a_matter_of_the_seed() -> None:
    one, same, other = (
        asked("two-sockets", "mailbox", spes=6, placement="random", seed=seed)["cpus"]
        for seed in (1, 1, 2)
    )
    assert one == same != other
    assert len(set(one)) == 6


@pytest.mark.parametrize(
    ("parameters", "path"),
    [
        ({}, "futex"),
        ({"ppe": "library"}, "futex"),
        ({"ppe": "eventfd"}, "eventfd"),
        ({"ppe": "lines"}, "lines"),
        ({"ppe": "oneway", "spe_to_spe": True}, "oneway"),
        ({"ppe": "pipe"}, "pipe"),
        ({"ppe": "mmio"}, "memory"),
        ({"ppe": "memory"}, "memory"),
        ({"spe_to_spe": True}, "memory"),
    ],
)
def test_how_a_mailbox_goes(parameters: dict[str, Any], path: str) -> None:
    assert asked("desktop", "mailbox", **parameters)["path"] == path


def test_patterns_take_all_cores_but_no_second_threads() -> None:
    assert asked("desktop", "pairwise")["cpus"] == [0, 1, 2, 3]
    assert asked("desktop", "cycle")["op"] == "copy"
    assert asked("desktop", "pairwise")["op"] == "get"
    assert asked("desktop", "pairwise")["size_bytes"] == 16384


def test_iterations_are_of_all_samples_together() -> None:
    request = asked("desktop", "mkthread", iterations="1k", samples=50)
    # The requested 1000 iterations need 18 repetitions of 3 samples with 20 iterations each.
    assert (request["samples"], request["iterations"]) == (3, 20)
    request = asked("desktop", "mkthread", iterations=2)
    assert (request["samples"], request["iterations"]) == (1, 1)
    assert asked("desktop", "mkthread")["iterations"] is None


def test_a_budget_is_for_all_repetitions() -> None:
    assert asked("desktop", "mkthread", budget="90ms")["budget_ns"] == 5_000_000
    assert asked("desktop", "mkthread", budget=0.06, samples=6)["budget_ns"] == 10_000_000


def test_strides_hold_what_they_are_between() -> None:
    def stride(function: str, **parameters: Any) -> int:
        request = asked("desktop", function, private=True, spes=2, **parameters)
        return int(request["stride_bytes"])

    assert stride("fetchadd", stride=4) == 4
    assert stride("fetchadd") == 128
    assert stride("dmaget", size=2048, stride=512) == 2048
    assert stride("dmaget", size=100, stride=64) == 128
    assert asked("desktop", "dmaget")["stride_bytes"] is None


def test_memory_is_larger_than_all_caches_that_are_used() -> None:
    one = asked("two-sockets", "dmaget")["level_bytes"]
    assert one == 4 * 46080 * 1024
    both = asked("two-sockets", "dmaget", spes=2, placement=[0, 18])["level_bytes"]
    assert both == one
    assert asked("two-sockets", "dmaget", spe_to_spe=True)["level_bytes"] == 0
    assert asked("desktop", "load", level="l1")["level_bytes"] == 16384


@pytest.mark.parametrize(
    ("function", "parameters", "words"),
    [
        (
            "mailbox",
            {"spes": 3},
            "spes 3 with mailbox: cores communicate in pairs, give an even number",
        ),
        ("mailbox", {"spes": 10}, "spes 10: this process may use 8 CPUs (0-7), give 8 at most"),
        ("mailbox", {"placement": [0, 8]}, "placement 8: this process may use CPUs 0-7"),
        ("mailbox", {"placement": [1, 1]}, "a CPU appears twice"),
        ("mailbox", {"placement": "ring"}, "give CPUs, such as 0,2,4, or random"),
        ("mailbox", {"placement": [0, 1], "spes": 4}, "spes 4: placement has 2 CPUs"),
        ("mailbox", {"ppe": "carrier"}, "no path between cores; "),
        ("mailbox", {"ppe": "pipe", "spe_to_spe": True}, "leave one out"),
        ("mailbox", {"spe_program": "c"}, "there are no SPEs to run it"),
        ("mailbox", {"placement": "0-11"}, "placement 8: this process may use CPUs 0-7"),
        ("dmaget", {"ppe": "pipe"}, "only mailboxes and signals"),
        ("load", {"samples": 1_000_001}, "samples 1000001: give 1000000 at most"),
        ("load", {"iterations": 10**13}, "iterations 10000000000000: give 1000000000000 at most"),
        ("mailbox", {"cells": "0"}, "a computer has no Cells"),
        ("mailbox", {"size": 8}, "only DMA functions, loads and stores have a size"),
        ("mailbox", {"private": True}, "private with mailbox"),
        ("mailbox", {"histogram": True}, "hold every sample anyhow"),
        ("mailbox", {"fast_forward": False}, "nothing is simulated"),
        ("mailbox", {"colour": "red"}, "unknown parameter 'colour'"),
        ("mailbox", {"budget": "soon"}, "such as 500ms, 30s or 2m"),
        ("mailbox", {"budget": "0s"}, "from 1ms to a day"),
        ("mailbox", {"memory": 1}, "NUMA nodes with memory are 0; or give interleave"),
        ("mailbox", {"samples": 0}, "samples 0 is too small"),
        ("load", {"threads": 2}, "give spes for cores"),
        ("load", {"size": 12}, "1, 2, 4, 8, 16, 32, 64 bytes"),
        ("load", {"level": "ls"}, "l1, l2, l3, memory"),
        ("load", {"non_temporal": True}, "only bulk stores can be non-temporal"),
        ("dmaget", {"level": "l1"}, "only load, store and copy have a level"),
        ("dmaget", {"stride": 64}, "give private"),
        ("dmaget", {"spe_to_spe": True, "spes": 1}, "between cores takes at least 2"),
        ("dmaget", {"size": 0}, "give 1 to 1024m bytes"),
        ("fetchadd", {"spe_to_spe": True}, "leave spe_to_spe out"),
        ("fetchadd", {"private": True, "stride": 6}, "a multiple of 4 bytes"),
        ("hotspot", {"target": 4}, "give a thread from 0 to 3, or memory"),
        ("exchange", {}, "say what is exchanged"),
        ("exchange", {"pattern": "wring"}, "unknown pattern"),
        ("signal", {"signal_mode": "and"}, "known are overwrite, or"),
        ("dmagte", {}, "did you mean dmaget?"),
        ("signal", {"ppe": "lines"}, "a signal has a line for each direction in any case"),
        ("signal", {"ppe": "oneway", "spe_to_spe": True}, "give memory"),
    ],
)
def test_what_is_refused(function: str, parameters: dict[str, Any], words: str) -> None:
    assert words in refusal("desktop", function, **parameters)


def test_a_check_looks_at_levels_too() -> None:
    host = recorded.host("virtual-machine", Answers())
    with pytest.raises(cs.UsageError, match="give level memory"):
        host.check("load", level="l2")


def test_what_is_refused_with_one_cpu() -> None:
    alone = {"proc/self/status": "Cpus_allowed_list: 2"}
    host = HostMachine(recorded.tree("desktop", alone), Answers())
    with pytest.raises(
        cs.UsageError, match=r"spes 2: this process may use 1 CPU \(2\), give 1 at most"
    ):
        host.measure("mailbox")
    assert host.measure("fetchadd").placement == (2,)


def test_numbers_come_from_the_samples() -> None:
    answers = Answers()
    host = answers.on(recorded.host("two-sockets", answers))
    near, far = (host.measure("mailbox", placement=pair) for pair in ([0, 1], [0, 18]))
    assert (round(near.latency_ns), round(far.latency_ns)) == (50, 250)
    assert near.latency_ns_sample_min == 50.0
    assert (near.repetitions, near.samples) == (18, 180)
    assert (near.grade, near.why, near.disturbed) == ("1 %", "", ())
    # The partner thread only replies, so it has no latency.
    assert near.per_thread[1].latency_ns is None
    assert [len(series) for series in near.per_thread[0].samples_ns] == [10] * 18


def calibrated(*iterations: int) -> Answers:
    """Answers whose repetitions have these numbers of iterations in a sample."""
    each = iter(iterations)

    def change(answer: dict[str, Any]) -> None:
        answer["what"]["iterations_per_sample"] = next(each)
        answer["least_ns"] = 100_000 / answer["what"]["iterations_per_sample"]

    return Answers(change)


def test_iterations_are_those_of_all_repetitions() -> None:
    result = recorded.host("desktop", calibrated(1000, 1300, 900)).measure("fetchadd", samples=3)
    assert result.iterations == 1000 + 1300 + 900


def test_a_repetition_begins_with_what_the_earlier_ones_found_and_bad_ones_do_not_count() -> None:
    answers = calibrated(1, 400, 250, 249, 1000, 2000)
    result = recorded.host("desktop", answers).measure("fetchadd", samples=6)
    # Those of 1 iteration were calibrated while they were interrupted: fewer than 325 / 4.
    assert result.repetitions == 5
    assert result.iterations == 400 + 250 + 249 + 1000 + 2000
    assert [each["iteration_ns"] for each in answers.asked[:3]] == [None, 100_000, 50_125]


def test_fewer_than_six_repetitions_have_no_interval() -> None:
    few, enough = (
        recorded.host("desktop", Answers()).measure("fetchadd", samples=count) for count in (5, 6)
    )
    assert (few.latency_ns_ci_low, few.half_interval) == (None, None)
    assert (few.grade, few.why) == ("do not use", "5 repetitions, and an interval takes 6")
    assert enough.latency_ns_ci_low is not None
    assert enough.grade == "1 %"


def test_a_result_of_an_older_version_is_read_without_trust() -> None:
    result = recorded.host("desktop", Answers()).measure("fetchadd")
    older = {**result.to_dict(), "schema": 1}
    for rows, new in ((older, "grade why counters"), (older["per_thread"][0], "cycles")):
        for name in [name for name in rows if name in new or name.endswith("_operation")]:
            del rows[name]
    read = HostResult.from_json(json.dumps(older))
    assert (read.latency_ns, read.grade) == (result.latency_ns, "do not use")
    with pytest.raises(cs.UsageError, match="not a result of the host, schema 2"):
        HostResult.from_json(json.dumps({**older, "schema": 0}))


@pytest.mark.parametrize("budget", [None, "200ms"])
def test_repetitions_are_spread_over_the_budget(
    budget: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cellstats.host.repetitions.SPREAD_NS", 200_000_000)
    began: list[float] = []
    host = recorded.host("desktop", Answers(lambda _answer: began.append(time.monotonic())))
    host.measure("fetchadd", samples=4, budget=budget)
    assert began[-1] - began[0] >= 0.15 - 0.01


def test_bandwidth_is_that_of_all_threads() -> None:
    result = recorded.host("desktop", Answers()).measure("copy", level="l1", spes=3, size=64)
    assert result.bandwidth_gb_s == pytest.approx(3 * 64 / 1000.1)


def test_a_disturbed_measurement_says_so() -> None:
    def interrupt(answer: dict[str, Any]) -> None:
        answer["threads"][0]["involuntary_switches"] = 9

    result = recorded.host("desktop", Answers(interrupt)).measure("mailbox")
    assert result.disturbed == ("the thread on CPU 0 was interrupted 162 times",)
    assert result.row()["disturbed"] == result.disturbed[0]
    # Its repetitions agree nevertheless.
    assert result.grade == "1 %"


def test_a_sweep_measures_one_after_the_other_and_mixes_machines() -> None:
    answers = Answers()
    host = recorded.host("desktop", answers)
    rows = cs.sweep("mailbox", machine=host, spes=[2, 4], spe_to_spe=True)
    assert [row.spes for row in rows] == [2, 4]
    frame = cs.to_frame([*rows, cs.machine("ps3").measure("mailbox", iterations=10)])
    assert list(frame.machine) == ["host", "host", "ps3"]
    assert frame.path.notna().tolist() == [True, True, False]


PROBED = ("_repr_html_", "_ipython_display_", "__array_interface__", "__dataframe__", "__len__")


def test_what_only_a_simulated_machine_has_is_no_attribute() -> None:
    host = cs.machine("host")
    for name in ("native", "spes", "chips", "trace", "breakdown", "values", "diff", *PROBED):
        assert not hasattr(host, name)
        assert getattr(host, name, None) is None
    with pytest.raises(AttributeError, match="cannot be looked into cycle by cycle; give one of"):
        host.trace("dmaget")
    assert host.name == copy.deepcopy(host).name == copy.copy(host).name == "host"
    assert host.cpus == pickle.loads(pickle.dumps(host)).cpus


def test_the_host_is_found_by_name_and_can_be_sent_elsewhere() -> None:
    host = cs.machine("host")
    assert isinstance(host, HostMachine)
    assert pickle.loads(pickle.dumps(host)).cpus == host.cpus
    host.check("mkthread", spes=1)
    with pytest.raises(cs.UsageError, match="cannot be simulated; give one of"):
        cs.run(host, {})  # type: ignore[arg-type]
    with pytest.raises(cs.UsageError, match="looked into cycle by cycle"):
        host.trace("mailbox")
    assert not hasattr(host, "colour")
    with pytest.raises(cs.UsageError, match="one after the other; leave it out"):
        cs.matrix("mailbox", machine="host", jobs=2)


def test_the_host_measures_every_function_of_a_cell() -> None:
    for function in cs.function_names():
        _native.refuse_on_host(function, [])
    with pytest.raises(cs.UsageError, match=r"^function sing: the host does not measure it"):
        _native.refuse_on_host("sing", [])
