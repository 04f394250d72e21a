"""The report: is all of it there, and can it be read on a screen, on a phone and offline?"""

import csv
import html
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest

import cellstats as cs
from browser import CHROMIUM, look
from cellstats.reproduce.judging import Judged, judge
from cellstats.reproduce.published import paper
from cellstats.reproduce.store import Store
from cellstats.reproduce.writing import write
from command_line import cellstats
from page_stand_in import stand_in

ONCE: dict[str, Any] = {"command": "cellstats reproduce", "version": "1", "jobs": 2}
in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


@pytest.fixture(scope="module")
def report(
    all_papers: list[Judged], store: Store, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    out = tmp_path_factory.mktemp("out")
    with stand_in(tmp_path_factory.mktemp("page")):
        return write(all_papers, None, out, store, **ONCE)


def test_it_needs_nothing_from_elsewhere(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    loaded = re.findall(r'(?:src|xlink:href|url\(|@import)\s*=?\s*["\'(]?([^"\')\s>]+)', text)
    assert all(each.startswith("#") for each in loaded), set(loaded)
    assert not re.search(r"<(script|link|img|iframe)\b", text)


def test_all_claims_are_in_it_once(report: Path, all_papers: list[Judged]) -> None:
    anchors = re.findall(r'id="claim-([^"]+)"', report.read_text(encoding="utf-8"))
    assert sorted(anchors) == sorted(
        each.claim.id for judged in all_papers for each in judged.outcomes
    )


def test_the_bad_ones_come_first(report: Path, all_papers: list[Judged]) -> None:
    anchors = re.findall(r'id="claim-([^"]+)"', report.read_text(encoding="utf-8"))
    order = ["off", "out-of-reach", "reproduced", "method"]
    for judged in all_papers:
        verdicts = {each.claim.id: order.index(each.verdict) for each in judged.outcomes}
        shown = [verdicts[each] for each in anchors if each in verdicts]
        assert shown == sorted(shown)


def test_no_id_is_there_twice(report: Path) -> None:
    ids = re.findall(r'\sid="([^"]+)"', report.read_text(encoding="utf-8"))
    assert len(ids) == len(set(ids))


def test_the_files_that_it_links_to_lie_beside_it(report: Path) -> None:
    links = re.findall(r'<a href="([^#"][^"]*)"', report.read_text(encoding="utf-8"))
    files = {each.partition("#")[0] for each in links}
    assert "watch.html" in files
    assert all((report.parent / each).stat().st_size > 0 for each in files)


def test_what_can_be_watched_is_a_row_of_the_figure(report: Path) -> None:
    text = html.unescape(report.read_text(encoding="utf-8"))
    links = dict(re.findall(r'<a href="watch.html#([^"]+)">watch ([^<]+)</a>', text))
    assert len(links) > 20
    for address, words in links.items():
        scene = dict(parse_qsl(address))
        assert words.startswith(scene["function"])
        assert scene["machine"] in cs.machine_names()
        if "spes" in scene:
            assert f"{scene['spes']} SPE" in words


def test_without_the_page_there_are_no_links_to_it(store: Store, tmp_path: Path) -> None:
    only = paper("kistler2006").only("4")
    assert only is not None
    with stand_in(tmp_path, text=None):
        report = write([*judge([only], store)], None, tmp_path, store, **ONCE)
    assert "watch" not in report.read_text(encoding="utf-8")
    assert not (tmp_path / "watch.html").exists()


def test_every_figure_has_its_numbers_and_its_pictures(
    report: Path, all_papers: list[Judged]
) -> None:
    for judged in all_papers:
        for figure, rows in judged.rows.items():
            stem = report.parent / figure.paper / figure.name
            with stem.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
                assert len(list(csv.DictReader(file))) == len(rows)
            if figure.charts(rows):
                assert stem.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
                ElementTree.parse(stem.with_suffix(".svg"))


@in_a_browser
@pytest.mark.parametrize("width", [390, 768, 1280])
def test_nothing_is_cut_off_and_no_link_leads_nowhere(
    report: Path, width: int, tmp_path: Path
) -> None:
    about = look(report, width, tmp_path)
    assert about["width"] == width
    assert about["panels"] > 40
    assert not about["scrolls"]
    assert about["found"] == []


@in_a_browser
def test_what_is_cut_off_would_be_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    wide = '<div style="width: 500px">too wide</div><a href="#nowhere">a link</a>'
    text = '<svg viewBox="0 0 100 100" width="100"><text x="90" y="50">beyond the edge</text></svg>'
    page.write_text(
        f"<!DOCTYPE html><body>{wide}<figure aria-label='a panel'>{text}</figure>", encoding="utf-8"
    )
    found = look(page, 390, tmp_path)["found"]
    assert [each.rpartition(" ")[0] for each in found] == [
        "DIV  too wide is cut",
        "a panel is cut",
        "#nowhere leads",
    ]


def test_a_second_run_reuses_what_the_first_one_measured(tmp_path: Path) -> None:
    command = ("reproduce", "kistler2006", "--figure", "6", "--out", str(tmp_path / "out"))
    first, second = cellstats(*command), cellstats(*command)
    assert (first.status, second.status) == (0, 0)
    assert "rows" in first.err
    assert second.err == ""
    assert first.out == second.out
