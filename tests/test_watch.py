"""A page for one run: its scene, the written files, and refusals."""

import html
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

import cellstats as cs
from cellstats import _native
from cellstats.cli import main
from cellstats.measure.machine import Machine
from cellstats.show import page as built_page
from command_line import ROOT
from page_stand_in import TEXT, scene_in, stand_in

COPY = str(ROOT / "programs" / "samples" / "copy.elf")
MINE = 'base = "ps3"\nname = "mine"\n# </script><script>alert(1)</script>\n'
MEASURED: list[tuple[str, str, dict[str, Any]]] = [
    ("ps3", "couples", {"spes": 4, "iterations": 1024}),
    ("ps3", "mailbox", {"spes": 2, "spe_to_spe": True, "iterations": 100}),
    ("ps3", "load", {"level": "memory", "iterations": 1000}),
    ("ps3", "hotspot", {"target": 1, "op": "get", "batch": 1, "spes": 4, "iterations": 10}),
    ("qs20", "exchange", {"pattern": "ring", "spes": 4, "size": "1k", "cells": 1, "iterations": 2}),
    ("qs20", "dmaget", {"spes": 3, "private": True, "stride": "2k", "memory": 1, "iterations": 9}),
    ("eval-board", "uniform", {"placement": "random", "seed": 3, "spes": 5, "iterations": 200}),
]


@pytest.fixture(autouse=True)
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Replace the built page by a stand-in, which also contains an element for the scene."""
    with stand_in(tmp_path_factory.mktemp("page")):
        yield


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_scene_has_what_was_asked_for_and_nothing_else() -> None:
    page = cs.machine("ps3").watch("couples", spes=4, size="16k", placement="ring", skip="1k")
    assert page.scene == {
        "title": "couples on ps3",
        "machine": {"name": "ps3"},
        "request": {"function": "couples", "spes": 4, "size": 16384, "placement": [0, 2, 4, 5]},
        "skip": 1000,
        "window": 4000,
    }
    page = cs.machine("ps3").watch("exchange", pattern="ring", spes=2, at=7, window=8)
    assert page.scene["request"]["pattern"]["threads"] == 2
    assert (page.scene["skip"], page.scene["window"], page.scene["at"]) == (0, 8, 7)


def test_values_of_a_built_in_machine_are_named_and_other_machines_go_whole(tmp_path: Path) -> None:
    changed = Machine.find("ps3", {"eib.hop_bus_cycles": 2}).watch("dmaget")
    assert changed.scene["machine"] == {"name": "ps3", "values": {"eib.hop_bus_cycles": 2}}
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    own = cs.machine(path).watch("dmaget")
    assert own.scene["machine"] == {"toml": MINE, "origin": "mine.toml"}
    changed = cs.machine(path, {"chip.spes": [0, 2]}).watch("dmaget")
    assert changed.scene["machine"] == {**own.scene["machine"], "values": {"chip.spes": [0, 2]}}


@pytest.mark.parametrize(("machine", "function", "parameters"), MEASURED)
def test_the_scene_of_a_result_gives_the_same_result(
    machine: str, function: str, parameters: dict[str, Any]
) -> None:
    result = cs.machine(machine).measure(function, **parameters)
    asked = json.dumps(result.watch().scene["request"])
    again = _native.Request(cs.machine(machine).native, asked).measure()
    found = cs.Result.from_json(again)
    assert found.per_spe == result.per_spe
    assert found.per_thread == result.per_thread
    assert found.counters == result.counters


def test_a_result_knows_only_machines_that_are_built_in(tmp_path: Path) -> None:
    result = Machine.find("ps3", {"eib.hop_bus_cycles": 2}).measure("mailbox", iterations=10)
    assert result.watch(at=3).scene["machine"]["values"] == {"eib.hop_bus_cycles": 2}
    path = tmp_path / "ps3.toml"
    path.write_text('base = "ps3"\neib.hop_bus_cycles = 2\n', encoding="utf-8")
    other = cs.machine(path)
    result = other.measure("mailbox", iterations=10)
    assert "toml" in result.watch(other).scene["machine"]
    for given in (None, cs.machine("ps3")):
        with pytest.raises(cs.UsageError, match="machine: this result is of another 'ps3'"):
            result.watch(given)


def test_a_link_says_all_of_a_scene() -> None:
    page = Machine.find("qs20", {"eib.hop_bus_cycles": 2}).watch(
        "exchange", pattern="ring", spes=2, size="1k", placement=[3, 8], skip=5, window=77, at=9
    )
    read = {key: value for key, [value] in parse_qs(page.link, strict_parsing=True).items()}
    assert json.loads(read.pop("pattern")) == page.scene["request"]["pattern"]
    assert read == {
        "machine": "qs20",
        "function": "exchange",
        "spes": "2",
        "placement": "3.8",
        "value.eib.hop_bus_cycles": "2",
        "skip": "5",
        "window": "77",
        "at": "9",
    }
    page = cs.machine("ps3").watch("dmaget", spe_to_spe=True, spes=2, placement="random", seed=4)
    assert page.link == (
        "machine=ps3&function=dmaget&spes=2&spe_to_spe=true&placement=random&seed=4"
    )


def test_what_has_no_room_in_a_link_is_said(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    with pytest.raises(cs.UsageError, match="a link cannot hold a machine file"):
        _ = cs.machine(path).watch("dmaget").link
    with pytest.raises(cs.UsageError, match="a link cannot hold a recorded trace"):
        _ = cs.machine("ps3").trace("dmaget").watch().link


def test_a_page_appears_whole_with_its_scene_and_no_text_ends_it(tmp_path: Path) -> None:
    source = tmp_path / "mine.toml"
    source.write_text(MINE, encoding="utf-8")
    place = tmp_path / "pages" / "mine.html"
    place.parent.mkdir()
    page = cs.machine(source).watch("dmaget")
    page.save(place)
    text = place.read_text(encoding="utf-8")
    assert text == page.to_html()
    assert scene_in(text) == page.scene
    assert text.count("</script>") == 1
    assert list(place.parent.iterdir()) == [place]
    with pytest.raises(cs.UsageError, match="cannot write"):
        page.save(tmp_path / "nowhere" / "mine.html")


def test_a_recorded_trace_is_in_the_page_with_its_rows(tmp_path: Path) -> None:
    trace = cs.machine("ps3").trace("dmaget", size=256, window=400)
    page = trace.watch("two </script> lines")
    page.save(tmp_path / "two.html")
    scene = scene_in((tmp_path / "two.html").read_text(encoding="utf-8"))
    assert scene["trace"] == trace.data
    assert (scene["title"], scene["machine"]) == ("two </script> lines", {"name": "ps3"})


def test_notebooks_get_a_frame_that_reaches_nothing() -> None:
    page = cs.machine("ps3").watch("couples")
    shown = page._repr_html_()
    [inside] = re.findall(r'^<iframe srcdoc="([^"]*)" sandbox="allow-scripts" ', shown)
    assert html.unescape(inside) == page.to_html()
    assert repr(page) == "<Page: couples on ps3>"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "is not there; build it with make web"),
        ("<p>another</p>", "has no place for a run; build it"),
        (TEXT * 2, "has no place for a run; build it"),
    ],
)
def test_a_page_that_was_not_built_is_said_in_one_line(
    text: str | None,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with stand_in(tmp_path, text):
        page = cs.machine("ps3").watch("dmaget")
        for write in (page.open, lambda: page.save("dmaget.html")):
            with pytest.raises(cs.UsageError, match=words):
                write()
        assert re.fullmatch(f"<p>.*{words}.*</p>", page._repr_html_())
        assert main(["watch", "dmaget"]) == 2
        assert main(["spu", COPY, "--trace", "100", "--watch", "copy.html"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert [words in line for line in said.err.splitlines()] == [True, True]
    assert not [path for path in tmp_path.iterdir() if path.name != "page.html"]


def test_bytes_that_are_no_text_are_said_in_one_line(tmp_path: Path) -> None:
    with stand_in(tmp_path):
        built_page.PAGE.write_bytes(b"\xff\xfe")
        with pytest.raises(cs.UsageError, match="cannot be read: it is not UTF-8 text"):
            cs.machine("ps3").watch("dmaget").to_html()


def test_the_command_takes_the_flags_of_a_measurement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["-N", "4", "-b", "1k", "--placement", "ring", "--skip", "9", "--window", "5k"]
    assert main(["watch", "-f", "dmaput", *flags, "--at", "12"]) == 0
    assert capsys.readouterr() == ("dmaput-ps3.html\n", "")
    given: dict[str, Any] = {"spes": 4, "private": True, "size": "1k", "placement": "ring"}
    page = cs.machine("ps3").watch("dmaput", **given, skip=9, window="5k", at=12)
    found = scene_in((tmp_path / "dmaput-ps3.html").read_text(encoding="utf-8"))
    assert found == page.scene
    assert main(["watch", "dmaput", "--out", "here.html"]) == 0
    assert capsys.readouterr() == ("here.html\n", "")
    assert (tmp_path / "here.html").is_file()


def test_without_arguments_the_browser_gets_the_lessons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []
    found = [True]

    def browser(address: str) -> bool:
        shown.append(address)
        return found[0]

    monkeypatch.setattr("webbrowser.open", browser)
    assert main(["watch"]) == 0
    assert capsys.readouterr() == ("lessons.html\n", "")
    assert shown == [(tmp_path / "lessons.html").as_uri()]
    scene = scene_in((tmp_path / "lessons.html").read_text(encoding="utf-8"))
    assert scene == {"title": "the lessons", "lessons": True}
    assert main(["watch", "--out", "mine.html"]) == 0
    assert len(shown) == 1
    assert (tmp_path / "mine.html").is_file()
    # The page is there, so it is no error if nothing shows it.
    found[0] = False
    capsys.readouterr()
    assert main(["watch"]) == 0
    note = "cellstats: no browser was found; open 'lessons.html' in one\n"
    assert capsys.readouterr() == ("lessons.html\n", note)


def test_a_page_has_the_name_of_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    says = "a page is HTML; give a name that ends in .html\n"
    for arguments in (["watch"], ["watch", "dmaget"]):
        assert main([*arguments, "--out", "x.pdf"]) == 2
        assert capsys.readouterr() == ("", f"cellstats: --out x.pdf: {says}")
    assert main(["spu", COPY, "--trace", "100", "--watch", "x.pdf"]) == 2
    assert capsys.readouterr() == ("", f"cellstats: --watch x.pdf: {says}")
    assert not (tmp_path / "x.pdf").exists()
    for name in ("x.HTM", "x"):
        assert main(["watch", "dmaget", "--out", name]) == 0
        assert (tmp_path / name).is_file()


def test_a_machine_may_have_any_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE.replace("mine", "../my machine"), encoding="utf-8")
    assert main(["watch", "dmaget", "--machine", str(path)]) == 0
    assert capsys.readouterr().out == "dmaget-..-my-machine.html\n"


def test_the_browser_gets_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []

    def browser(address: str) -> bool:
        shown.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", browser)
    assert main(["watch", "dmaget", "--out", "a page.html", "--open"]) == 0
    assert shown == [(tmp_path / "a page.html").as_uri()]
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    place = cs.machine("ps3").watch("dmaget").open()
    assert shown[1:] == [place.as_uri()]
    assert scene_in(place.read_text(encoding="utf-8"))["request"] == {"function": "dmaget"}
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    capsys.readouterr()
    assert main(["watch", "dmaget", "--open"]) == 2
    assert capsys.readouterr() == (
        "dmaget-ps3.html\n",
        "cellstats: no browser was found; open 'dmaget-ps3.html' in one\n",
    )


def test_a_program_is_watched_from_its_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["spu", COPY, "--trace", "10+300", "--watch", "copy.html"]) == 0
    said = capsys.readouterr()
    assert re.fullmatch(
        r"1 SPE, \d+ SPU cycles, [^,\n]+(, cut off where the window ends)?\n", said.err
    )
    scene = scene_in((tmp_path / "copy.html").read_text(encoding="utf-8"))
    assert scene["title"] == "copy.elf on ps3"
    assert scene["trace"]["to"] - scene["trace"]["from"] == 300
    assert main(["spu", COPY, "--trace", "100"]) == 0
    assert "at the first DMA command" in capsys.readouterr().err


def test_a_run_ends_with_its_window() -> None:
    async def copy(spu: cs.Spu) -> None:
        await spu.mfc_get(0x1000, 0x0000, 128, tag=0)
        await spu.mfc_write_tag_mask(1 << 0)
        await spu.mfc_read_tag_status_all()

    whole = cs.run("ps3", {0: copy})
    assert whole.trace is None
    cut = cs.run("ps3", {0: copy}, window=(0, 60))
    assert cut.trace is not None
    assert cut.trace.window[1] - cut.trace.window[0] == 60
    assert cut.record["threads"] == []
    late = cs.run("ps3", {0: copy}, window=(100_000, 60))
    assert (late.trace, late.record) == (None, whole.record)
    assert "at the first DMA command" in cut.trace.waveform()
    assert cut.trace.watch().scene["trace"]["commands"]


@pytest.mark.parametrize("window", [3, (1, 2, 3), (0, 0), (-1, 5), ("a", 5), (0, 1 << 70)])
def test_a_window_that_is_none_is_refused(window: Any) -> None:
    with pytest.raises(cs.UsageError, match="window"):
        cs.run("ps3", {}, window=window)
    with pytest.raises(cs.UsageError, match="window"):
        cs.linux.run(os.devnull, window=window)
