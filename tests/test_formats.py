"""Output formats: every writer in the table exists, and unknown formats are refused."""

from collections import Counter
from pathlib import Path

import click
import pytest

import cellstats as cs
from cellstats.cli import group
from cellstats.show import formats
from cellstats.show.formats import FORMATS, find, names_of, of_file


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form.kind}-{form.name}")
def test_writers_are_where_the_table_says(form: formats.Format) -> None:
    for place in filter(None, (form.writer, form.needs)):
        assert callable(formats.function_at(place))


def test_each_format_of_a_kind_has_a_name_of_its_own() -> None:
    assert max(Counter((form.kind, form.name) for form in FORMATS).values()) == 1


def test_what_is_for_files_only_is_no_choice() -> None:
    assert names_of("sweep") == ("table", "csv", "json")
    assert names_of("figure") == ()


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(cs.UsageError, match="unknown format 'jsn'; did you mean json"):
        find("result", "jsn")
    with pytest.raises(cs.UsageError, match="give one of text, json, csv"):
        find("result", "xml", formats.give_one_of)


def test_help_names_all_formats_and_endings_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    ninth = formats.Format("matrix", "xml", "show.documents:line", (".xml",), about="for once")
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, ninth))
    assert formats.in_words("matrix").endswith(" or xml (for once)")
    assert formats.endings("matrix") == ".xml"


KINDS: dict[str, tuple[formats.Kind, ...]] = {
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
    assert (helps["form"] or "").startswith(formats.in_words(*KINDS[name]))
    if "plot" in helps:
        assert (helps["plot"] or "").endswith(f": {formats.endings('figure')}.")


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
