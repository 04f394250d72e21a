"""Exploration of the package in a notebook: completion, short texts, and errors in keywords."""

import copy
import pickle
import pydoc
from collections.abc import Callable
from pathlib import Path

import pytest

import cellstats as cs
from cellstats import patterns


def test_completion_offers_what_is_public_and_nothing_else() -> None:
    offered = [name for name in dir(cs) if not name.startswith("__")]
    assert {*cs.__all__, *cs.TYPES} <= set(offered)
    assert not {"Any", "TYPE_CHECKING", "parameters"} & set(offered)
    assert all(hasattr(cs, name) for name in offered)


def test_help_fits_a_few_screens() -> None:
    text = pydoc.plain(pydoc.render_doc(cs))
    assert len(text.splitlines()) < 300
    assert max(map(len, text.splitlines())) < 500  # signatures are one line
    for name in cs.__all__:
        assert f"    {name}(" in text


@pytest.mark.parametrize(
    "make",
    [
        lambda: cs.machine("ps3"),
        lambda: cs.machine("host"),
        lambda: cs.machine("ps3").measure("dmaget", iterations=1000),
        lambda: cs.machine("ps3").trace("dmaget", iterations=1000),
        lambda: cs.machine("ps3").breakdown(),
        lambda: cs.matrix("mailbox", iterations=1000),
        lambda: cs.placements("couples", which="all", spes=2, iterations=20),
        lambda: cs.place("ring", by="model"),
    ],
)
def test_a_text_of_anything_is_short(make: Callable[[], object]) -> None:
    assert len(repr(make())) < 1500


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_refusal_survives_being_copied(again: Callable[[cs.UsageError], cs.UsageError]) -> None:
    with pytest.raises(cs.UsageError) as caught:
        cs.machine("ps3").measure("dmaget", spes=7)
    copied = again(caught.value)
    assert (str(copied), copied.refusal) == (str(caught.value), caught.value.refusal)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cs.place("ring", threads=1), "threads 1: pattern ring takes"),
        (lambda: patterns.pattern("ring", threads="x"), "threads 'x' is not a whole number"),
        (lambda: cs.machine("ps3").measure("exchange", pattern="ring", spes=1), "spes 1: pattern"),
        (lambda: cs.place("ring", seed=-1), "seed -1 is too small"),
        (lambda: cs.placements("couples", which=0), "which 0 is too small"),
        (lambda: cs.placements("couples", placement=[0, 1]), "which and placement exclude"),
        (lambda: cs.placements("couples", machine="host"), "host is this computer"),
        (lambda: cs.run("host", {}), "host is this computer"),
    ],
)
def test_refusals_name_keywords(call: Callable[[], object], words: str) -> None:
    with pytest.raises(cs.UsageError, match=words) as caught:
        call()
    assert "{" not in str(caught.value)


def test_a_run_takes_a_machine_by_its_name(tmp_path: Path) -> None:
    async def program(spu: cs.Spu) -> None:
        await spu.compute(10)

    file = tmp_path / "mine.toml"
    file.write_text('base = "ps3"\nname = "mine"\n')
    assert cs.run("ps3", {0: program}).record == cs.run(cs.machine("ps3"), {0: program}).record
    assert cs.run(file, {0: program}).record["machine"] == "mine"
