"""Machines, given by name or file, and the parameters that `measure` refuses."""

import re
from pathlib import Path

import pytest

import cellstats as cs
from cellstats import _native
from cellstats.patterns import Phase, Transfer


def test_built_in_machines() -> None:
    assert set(cs.machine_names()) >= {"ps3", "eval-board"}
    assert len(cs.machine("ps3").spes) == 6
    assert len(cs.machine("eval-board").spes) == 8
    assert cs.machine("ps3").bus_hz == 1_600_000_000
    assert cs.machine("ps3").hash != cs.machine("eval-board").hash


def test_every_value_says_where_it_comes_from() -> None:
    for value in cs.machine("ps3").values():
        assert " ".join(value) == "key value unit basis range interval source meaning base"
        assert value["basis"] in {"documented", "measured", "derived", "fitted", "assumed"}
        assert value["source"]
        assert value["meaning"].endswith(".")
        assert value["base"] in {None, "cell-be"}
        numbers = isinstance(value["value"], int)
        if numbers and value["basis"] in {"fitted", "assumed"}:
            assert value["range"] is not None


@pytest.mark.parametrize("name", ["ps4", "PS3", ""])
def test_unknown_names(name: str) -> None:
    with pytest.raises(cs.UsageError, match=r"unknown machine .* ps3"):
        cs.machine(name)


def test_missing_files_and_directories(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(cs.UsageError, match=r"give a readable \.toml file"):
            cs.machine(path)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"spes": 0}, "spes 0 is too small"),
        ({"spes": 7}, "6"),
        ({"size": "1.5k"}, "size '1.5k' is not a whole number"),
        ({"size": 24}, "multiple of 16"),
        ({"batch": -1}, "batch -1 is too small"),
        ({"ppe": "direct"}, "mmio"),
        ({"placement": "near"}, "random"),
        ({"placement": [1.5]}, "placement: SPE 1.5 is not a whole number"),
        ({"seed": 7}, "give placement random"),
        ({"iterations": True}, "iterations True is not a whole number"),
        ({"size": 2**70}, "size 1180591620717411303424: out of range, give 0 to 4294967295"),
        ({"size": 10**5000}, "size: no parameter can have this value"),
        ({"size": "{size}"}, "size '{size}' is not a whole number"),
        ({"private": 1}, "private 1: give true or false"),
        ({"private": float("nan")}, "private nan: no parameter can have this value"),
        ({"private": [[]]}, "private [[]]: give true or false"),
        ({"ppe": "\ud800"}, "ppe: no parameter can have this value"),
        ({"placement": 5}, "placement 5: give a list of SPEs"),
        ({"placement": [2**70]}, "placement 1180591620717411303424: out of range"),
        ({"placement": [0], "spes": 2}, "name at least as many as spes says"),
        ({"cells": ""}, 'cells "": give 0, 1, 01 or 10'),
        ({"memory": "a\nb"}, 'memory "a\\nb": give 0, 1 or interleave'),
        ({"target": True}, "target with dmaget: only a hotspot"),
        ({"pattern": "ring"}, "pattern with dmaget: only an exchange"),
    ],
)
def test_bad_parameters(parameters: dict[str, object], words: str) -> None:
    with pytest.raises(cs.UsageError, match=re.escape(words)) as raised:
        cs.machine("ps3").measure("dmaget", **({"size": 128} | parameters))  # type: ignore[arg-type]
    assert str(raised.value).isprintable()


class NumbersLikeNumPys:
    """An integer and a truth value whose types are neither int nor bool."""

    class Int64:
        def __index__(self) -> int:
            return 2

    class bool_:  # noqa: N801
        def __bool__(self) -> bool:
            return True


def test_numbers_of_numpy_are_numbers() -> None:
    result = cs.machine("ps3").measure(
        "dmaget",
        spes=NumbersLikeNumPys.Int64(),  # type: ignore[arg-type]
        private=NumbersLikeNumPys.bool_(),  # type: ignore[arg-type]
        iterations=2,
    )
    assert (result.spes, result.private) == (2, True)


def test_the_name_of_a_pattern_is_shown_as_it_is() -> None:
    pattern = cs.Pattern("{size}\n", 2, (Phase((Transfer(0, 1, 2**20),)),))
    with pytest.raises(cs.UsageError) as raised:
        cs.machine("ps3").measure("exchange", pattern=pattern)
    assert str(raised.value).startswith(r"pattern {size}\n: 1048576 bytes do not fit")


def test_the_model_knows_the_machines_memories_and_the_patterns_threads() -> None:
    with pytest.raises(cs.UsageError, match="memory 1: ps3 has one Cell"):
        cs.place("ring", threads=4, machine="ps3", by="model", memory=1)
    native = cs.machine("ps3").native
    with pytest.raises(cs.UsageError, match="pattern x: thread 7 of 2; give 0 to 1"):
        _native.model_costs(native, ("x", 2, [[(0, 7, 16, 1)]]), [[0, 1]], "0")


def test_unknown_functions() -> None:
    with pytest.raises(cs.UsageError, match="did you mean mailbox"):
        cs.machine("ps3").measure("mailbx")
