"""Machines by name and by file, and what `measure` refuses."""

from pathlib import Path

import pytest

import cellstats as cs


def test_built_in_machines() -> None:
    assert set(cs.machine_names()) >= {"ps3", "eval-board"}
    assert len(cs.machine("ps3").spes) == 6
    assert len(cs.machine("eval-board").spes) == 8
    assert cs.machine("ps3").bus_hz == 1_600_000_000
    assert cs.machine("ps3").hash != cs.machine("eval-board").hash


def test_every_value_says_where_it_comes_from() -> None:
    for value in cs.machine("ps3").values():
        assert " ".join(value) == "key value unit basis range source meaning base"
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
    ],
)
def test_bad_parameters(parameters: dict[str, object], words: str) -> None:
    with pytest.raises(cs.UsageError, match=words):
        cs.machine("ps3").measure("dmaget", **({"size": 128} | parameters))  # type: ignore[arg-type]


def test_unknown_functions() -> None:
    with pytest.raises(cs.UsageError, match="did you mean mailbox"):
        cs.machine("ps3").measure("mailbx")
