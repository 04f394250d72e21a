"""The report is complete, and readable on a large screen, on a phone and offline."""

import csv
import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Page

import cellstats as cs
from browser import look
from cellstats.reproduce import Figure, over_placements
from cellstats.reproduce.claims import Claim, PaperFile
from cellstats.reproduce.metric import Metric
from cellstats.reproduce.runs import Store
from cellstats.reproduce.verdicts import Judged, Paper, judge, paper
from cellstats.show.report import write
from command_line import cellstats
from page_stand_in import stand_in
from parts import needs

ONCE: dict[str, Any] = {"command": "cellstats reproduce", "version": "1", "jobs": 2}
in_a_browser = needs("chromium")


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
    assert not re.search(r"<(link|img|iframe|object|embed|base)\b", text)
    scripts = re.findall(r"<script\b([^>]*)>(.*?)</script>", text, re.DOTALL)
    assert {attributes for attributes, _ in scripts} == {""}
    for word in ("fetch", "import", "XMLHttpRequest", "WebSocket", "http", "createElement"):
        assert all(word not in text for _, text in scripts)


def test_it_can_be_sent_by_mail(report: Path) -> None:
    assert report.stat().st_size < 2_000_000


def test_all_claims_are_in_it_once(report: Path, all_papers: list[Judged]) -> None:
    anchors = re.findall(r'id="claim-([^"]+)"', report.read_text(encoding="utf-8"))
    assert sorted(anchors) == sorted(
        each.claim.id for judged in all_papers for each in judged.outcomes
    )


def test_the_bad_ones_come_first(report: Path, all_papers: list[Judged]) -> None:
    anchors = re.findall(r'id="claim-([^"]+)"', report.read_text(encoding="utf-8"))
    order = ["off", "cannot-be-met", "out-of-reach", "reproduced", "method"]
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


def test_papers_without_measured_claims_have_a_report(
    all_papers: list[Judged], store: Store, tmp_path: Path
) -> None:
    # Only the recalled paper has quartiles, so there are none of all papers that count.
    keys = ("chen2007", "sputest2024", "unixbench2008")
    some = [each for each in all_papers if each.paper.key in keys]
    text = write(some, None, tmp_path, store, **ONCE).read_text(encoding="utf-8")
    assert 'id="deviations"' in text
    assert 'id="out-of-sample"' in text


def test_what_one_placement_of_each_orbit_stands_for_is_said(tmp_path: Path) -> None:
    [ten] = over_placements("ps3", "couples", 10, spes=2, iterations=2)
    [every] = over_placements("ps3", "couples", "all", spes=2, iterations=2)
    figure1 = Figure("figure1", "Ten", lambda: [ten])
    figure2 = Figure("figure2", "All", lambda: [every.by_symmetry()])
    claim = Claim(
        id="T001",
        paper="t",
        statement="It is so.",
        place="1",
        figure="figure1",
        all_placements="figure2",
        metric=Metric("bandwidth_gb_s"),
        published=25.6,
    )
    file = PaperFile(
        key="t", title="t", authors="t", published="t", machines=("ps3",), claims=(claim,)
    )
    with Store(tmp_path / "s.sqlite") as store:
        judged = judge([Paper(file, (figure1, figure2))], store, progress=False)
        report = write([*judged], None, tmp_path, store, **ONCE)
    [outcome] = judged[0].outcomes
    assert sorted(outcome.numbers) == ["10 placements", "one placement of each orbit"]
    assert report.read_text(encoding="utf-8").count("One placement of each orbit was run") == 1


def test_every_figure_has_its_numbers_and_its_pictures(
    report: Path, all_papers: list[Judged]
) -> None:
    for judged in all_papers:
        for figure, rows in judged.rows.items():
            stem = report.parent / judged.paper.key / figure.name
            with stem.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
                assert len(list(csv.DictReader(file))) == len(rows)
            if figure.charts(rows):
                assert stem.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
                ElementTree.parse(stem.with_suffix(".svg"))


def test_the_first_screen_has_a_mark_for_every_number(
    report: Path, all_papers: list[Judged]
) -> None:
    text = report.read_text(encoding="utf-8")
    assert re.findall(r'<section id="([^"]+)"', text)[:3] == ["deviations", "causes", "scorecard"]
    [picture] = re.findall(r'<figure class="strips".*?</figure>', text, re.DOTALL)
    marks = re.findall(
        r'<a class="mark ([^"]+)"[^>]*href="#claim-([^"]+)" title="([^ ]+) ', picture
    )
    assert all(name == title for _, name, title in marks)
    outcomes = [each for judged in all_papers for each in judged.outcomes]
    numbers = [
        each
        for each in outcomes
        if each.claim.kind in ("measured", "held-out") and each.deviation is not None
    ]
    assert sorted(name for _, name, _ in marks) == sorted(each.claim.id for each in numbers)
    bad = {each.claim.id for each in numbers if each.verdict != "reproduced"}
    assert {name for looks, name, _ in marks if "off" in looks.split()} == bad
    apart = {each.claim.id for each in numbers if each.claim.kind == "held-out"}
    assert {name for looks, name, _ in marks if "held-out" in looks.split()} == apart


def test_every_claim_that_is_not_met_is_counted_by_its_cause(
    report: Path, all_papers: list[Judged]
) -> None:
    text = report.read_text(encoding="utf-8")
    [section] = re.findall(r'<section id="causes">.*?</section>', text, re.DOTALL)
    counts = [int(each) for each in re.findall(r"<b>(\d+)</b>", section)]
    claims = re.findall(r'href="#claim-([^"]+)"', section)
    outcomes = [
        each for judged in all_papers if not judged.paper.is_recalled for each in judged.outcomes
    ]
    bad = [each.claim.id for each in outcomes if each.verdict not in ("reproduced", "method")]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == len(claims)
    assert sorted(claims) == sorted(bad)


@in_a_browser
def test_a_mark_leads_to_its_claim(opened: Callable[..., Page]) -> None:
    page = opened()
    # No other mark is near that of this claim.
    page.locator('.mark[href="#claim-J070"]').click()
    page.wait_for_function("location.hash === '#claim-J070'")
    page.wait_for_function("document.getElementById('claim-J070').checkVisibility()")


@in_a_browser
@pytest.mark.parametrize("width", [390, 768, 820, 1280, 2560])
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
    text = '<svg viewBox="0 0 100 100" width="100"><text x="90" y="50">beyond the edge</text>'
    text += '<text x="9" y="50">one</text><text x="9" y="52">two</text></svg>'
    page.write_text(
        f"<!DOCTYPE html><body>{wide}<figure aria-label='a panel'>{text}</figure>", encoding="utf-8"
    )
    found = look(page, 390, tmp_path)["found"]
    assert [each.rpartition(" ")[0] for each in found] == [
        "DIV  too wide is cut",
        "a panel is cut",
        "a panel: one is on",
        "#nowhere leads",
    ]


@pytest.fixture
def opened(browser: Browser, report: Path) -> Iterator[Callable[..., Page]]:
    """A fixture: a function that opens the report in a browser window with these settings."""
    contexts = []

    def open_(anchor: str = "", **settings: Any) -> Page:
        contexts.append(browser.new_context(**settings))
        page = contexts[-1].new_page()
        page.goto(report.as_uri() + anchor)
        return page

    yield open_
    for context in contexts:
        context.close()


def shown(page: Page) -> set[str]:
    """The claims in all tables that are not filtered out, even if they are folded."""
    rows = page.evaluate(
        """() => [...document.querySelectorAll(".all-claims tr[id]")]
            .filter((row) => row.closest("[data-hidden]") === null).map((row) => row.id)"""
    )
    return {row.removeprefix("claim-") for row in rows}


@in_a_browser
def test_what_is_looked_for_is_found(opened: Callable[..., Page], all_papers: list[Judged]) -> None:
    outcomes = [each for judged in all_papers for each in judged.outcomes]
    page = opened()
    count = page.locator("#count")
    assert shown(page) == {each.claim.id for each in outcomes}
    assert count.inner_text() == f"{len(outcomes)} of {len(outcomes)} claims"

    for name in ("reproduced", "cannot-be-met", "out-of-reach", "method"):
        page.uncheck(f"[value={name}]")
    off = {each.claim.id for each in outcomes if each.verdict == "off"}
    assert shown(page) == off
    assert count.inner_text().startswith(f"{len(off)} of ")
    assert page.locator(".says li:visible .badge").count() > 10
    assert set(page.locator(".says li:visible .badge").all_inner_texts()) == {"off"}

    page.select_option("#paper", "kistler2006")
    here = {each.claim.id for each in outcomes if each.claim.paper == "kistler2006"}
    assert shown(page) == off & here
    page.fill("#words", "LOCAL store")
    found = shown(page)
    assert {"K057.local-store"} <= found < off & here
    page.fill("#words", "no such words")
    assert shown(page) == set()
    page.get_by_text("No claim matches").is_visible()
    page.click("#nothing button")
    page.wait_for_function("document.getElementById('words').value === ''")
    page.wait_for_function("document.querySelector('.paper[data-hidden]') === null")
    assert len(shown(page)) == len(outcomes)


@in_a_browser
def test_a_link_to_what_is_hidden_shows_it(opened: Callable[..., Page]) -> None:
    page = opened()
    page.fill("#words", "no such words")
    page.evaluate("location.hash = '#claim-K058'")
    page.wait_for_function("document.getElementById('claim-K058').checkVisibility()")
    assert page.locator("#words").input_value() == ""
    # Initially, reproduced claims are folded.
    page.evaluate("location.hash = '#claim-K054'")
    page.wait_for_function("document.getElementById('claim-K054').checkVisibility()")


@in_a_browser
def test_without_scripts_all_is_there(opened: Callable[..., Page], report: Path) -> None:
    page = opened(java_script_enabled=False)
    assert not page.locator("#find").is_visible()
    assert page.locator("nav a:visible").count() > 40
    assert page.locator(".panels svg:visible").count() > 40
    ids = re.findall(r'<tr id="claim-', report.read_text(encoding="utf-8"))
    assert page.locator("tr[id^=claim-]").count() == len(ids)


@in_a_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_contents_stay_while_the_page_is_read(opened: Callable[..., Page], width: int) -> None:
    page = opened(viewport={"width": width, "height": 800})
    page.evaluate("scrollTo(0, 20000)")
    box = page.locator(".side").bounding_box()
    assert box is not None
    assert box["y"] == 0
    # On a phone, the table of contents is folded to save room.
    assert (box["height"] < 80) == (width == 390)


@in_a_browser
def test_it_is_dark_where_all_is_dark_and_where_somebody_wants_it(
    opened: Callable[..., Page],
) -> None:
    def ground(page: Page) -> int:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3]))

    light, dark = opened(color_scheme="light"), opened(color_scheme="dark")
    assert (ground(light), ground(dark) < 120) == (3 * 255, True)
    for page in (light, dark):
        page.click("#theme")
    assert (ground(light) < 120, ground(dark)) == (True, 3 * 255)


@in_a_browser
def test_on_paper_it_is_light_and_has_its_bars(opened: Callable[..., Page]) -> None:
    # An A4 page is as narrow as a phone.
    page = opened(color_scheme="dark", viewport={"width": 720, "height": 1000})
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.emulate_media(media="print", color_scheme="dark")
    style = "(name) => getComputedStyle(document.querySelector(name))"
    assert page.evaluate(f"({style})('body').backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate(f"({style})('.bar').printColorAdjust") == "exact"
    assert page.evaluate(f"({style})('.claims td').display") == "table-cell"
    assert page.locator(".bar").first.is_visible()
    assert not page.locator(".side").is_visible()


@in_a_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_stand_out_from_what_is_behind_them(
    opened: Callable[..., Page], scheme: str
) -> None:
    page = opened(color_scheme=scheme)
    found = page.evaluate(
        """() => {
        const light = (colour) => {
            const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
                .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const behind = (element) => {
            for (let each = element; each; each = each.parentElement) {
                const colour = getComputedStyle(each).backgroundColor;
                if (!/^rgba.*, 0\\)$/.test(colour)) return colour;
            }
            return "rgb(255, 255, 255)";
        };
        return [...document.querySelectorAll("h1, p, a, td, th, .badge, .note, summary, label")]
            .filter((each) => each.textContent.trim()).map((each) => {
                const [a, b] = [light(getComputedStyle(each).color), light(behind(each))];
                const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                return [contrast, each.className || each.tagName];
            }).sort((a, b) => a[0] - b[0])[0];
        }"""
    )
    assert found[0] >= 4.5, found


def test_a_second_run_reuses_what_the_first_one_measured(tmp_path: Path) -> None:
    command = ("reproduce", "kistler2006", "--figure", "6", "--out", str(tmp_path / "out"))
    first, second = cellstats(*command), cellstats(*command)
    assert (first.status, second.status) == (0, 0)
    assert "rows" in first.err
    assert second.err == ""
    assert first.out == second.out
