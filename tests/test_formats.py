"""Output formats: every writer in the table exists, and unknown formats are refused."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import click
import pytest

import cellstats as cs
import recorded
from cellstats.cli import group
from cellstats.core.display import Kind
from cellstats.host.computer import computer
from cellstats.host.environment import read_environment
from cellstats.host.survey import overview
from cellstats.reproduce.verdicts import chosen, judge
from cellstats.show import views
from cellstats.show.machine import BASES
from cellstats.show.views import VIEWS, Format, find, names_of, of_file
from host_answers import Answers


def test_every_kind_has_a_view() -> None:
    assert set(VIEWS) == set(get_args(Kind))


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_each_format_of_a_kind_has_a_name_of_its_own(view: views.View) -> None:
    names = [form.name for form in view.formats]
    assert len(names) == len(set(names))


def test_what_is_for_files_only_is_no_choice() -> None:
    assert names_of("sweep") == ("table", "csv", "json")
    assert names_of("figure") == ()


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(cs.UsageError, match="unknown format 'jsn'; did you mean json"):
        find("results", "jsn")
    with pytest.raises(cs.UsageError, match="give one of text, json, csv"):
        find("results", "xml", views.give_one_of)


def test_help_names_all_formats_and_endings_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    ninth = Format("xml", lambda: repr, (".xml",), about="for once")
    monkeypatch.setitem(VIEWS, "matrix", views.View(*VIEWS["matrix"].formats, ninth))
    assert views.in_words("matrix").endswith(" or xml (for once)")
    assert views.endings("matrix") == ".xml"


PS3 = cs.machine("ps3")
KINDS: dict[str, tuple[Kind, ...]] = {
    "sweep": ("sweep",),
    "matrix": ("matrix",),
    "breakdown": ("breakdown",),
    "doctor": ("trouble",),
    "host": ("overview",),
    "place": ("placement", "SPE binding"),
    "reproduce": ("claims",),
}


@pytest.mark.parametrize("name", KINDS)
def test_help_of_commands_is_made_of_the_table(name: str) -> None:
    found = group.cellstats.get_command(click.Context(group.cellstats), name)
    assert found is not None
    helps = {each.name: each.help for each in found.params if isinstance(each, click.Option)}
    assert (helps["form"] or "").startswith(views.in_words(*KINDS[name]))
    if "plot" in helps:
        assert (helps["plot"] or "").endswith(f": {views.endings('figure')}.")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rows.txt", "--out .*rows.txt: the name ends in .csv, .json, .jsonl, .parquet; choose"),
        ("nowhere/rows.csv", "there is no such directory"),
    ],
)
def test_files_that_cannot_be_are_refused(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(cs.UsageError, match=words):
        of_file("sweep", tmp_path / name, "--out")
    assert of_file("sweep", tmp_path / "ROWS.JSONL", "--out").name == "json"


def host() -> Any:
    answers = Answers()
    return answers.on(recorded.host("desktop", answers))


SAMPLES: dict[Kind, Callable[[], list[Any]]] = {
    "results": lambda: [[PS3.measure("mailbox", iterations=10)]],
    "sweep": lambda: [cs.sweep("mailbox", iterations=[10, 20])],
    "placements": lambda: [cs.placements("couples", which=4, spes=4, iterations=2)],
    "matrix": lambda: [cs.matrix("mailbox", iterations=10)],
    "breakdown": lambda: [PS3.breakdown()],
    "trouble": lambda: [[], read_environment(host().tree, host().topology)],
    "machines": lambda: [[PS3, cs.machine("qs20")]],
    "machine": lambda: [PS3, BASES],
    "difference": lambda: [PS3, cs.machine("qs20")],
    "computer": lambda: [computer(host().tree, host().topology)],
    "overview": lambda: [overview(host(), budget="300ms")],
    "pattern": lambda: [cs.patterns.pattern("ring", threads=4)],
    "placement": lambda: [cs.place("ring", by="model", threads=4)],
    "SPE binding": lambda: [PS3, [0, 1]],
    "CPU binding": lambda: [[0, 1]],
    "claims": lambda: [judge(chosen(["chen2007"], None), progress=False)],
}
"""For each kind that `--format` writes, an object of this kind, and what else its writers take."""


def test_every_kind_that_is_written_has_a_sample() -> None:
    assert set(SAMPLES) == {kind for kind, view in VIEWS.items() if names_of(kind)}


@pytest.mark.parametrize("kind", SAMPLES)
def test_every_format_writes_what_can_be_read_back(kind: Kind) -> None:
    thing = SAMPLES[kind]()
    # The first format is for people, and may also take the width of a terminal.
    for form in VIEWS[kind].formats[1:]:
        written = form.write(*thing)
        assert written, form.name
        if form.name == "json":
            assert all(isinstance(json.loads(line), dict) for line in written.splitlines())
        if form.name == "csv":
            rows = list(csv.reader(written.splitlines()))
            assert {len(row) for row in rows} == {len(rows[0])}
