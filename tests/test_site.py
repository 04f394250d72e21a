"""The site: its picture moves as the run did, its links are relative, and all can read it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import assemble
import cellstats as cs
import links
import picture
import visit
from browser import driven
from cellstats.show.page import PAGE
from command_line import ROOT
from parts import needs

SIZE_MAX = 100_000
"""Maximum size of the picture in bytes, because it is in git."""


def test_each_line_of_the_picture_moves_as_in_the_run() -> None:
    text = picture.PICTURE.read_text(encoding="utf-8")
    [duration] = {float(each) for each in re.findall(r"animation:([\d.]+)s linear", text)}
    cycles = round(duration / picture.SECONDS)
    delay = r"[^>]*animation-delay:(-?[\d.]+)s"
    trains = re.findall(rf'<path class="m s\d+ b" [^>]*pathLength="(\d+)"{delay}', text)
    labels = re.findall(rf'<g class="m w"{delay}">.*?<text[^>]*>(\d+)</text>', text)
    assert [when for _, when in trains] == [when for when, _ in labels]
    drawn = [
        (int(thread), round(float(when) / picture.SECONDS) % cycles, int(hops))
        for (hops, when), (_, thread) in zip(trains, labels, strict=True)
    ]
    parts = dict(pair.split("=") for pair in picture.RUN.split("&"))
    machine = cs.machine(parts["machine"])
    run = machine.trace(
        "complement", spes=8, size=parts["size"], op="put", skip=picture.FIRST, window=4 * cycles
    ).data
    threads = {f"SPE{row['spe']}": row["thread"] for row in run["programs"]}
    simulated = []
    for row in run["requests"]:
        start = (row["granted_at"] or 0) - run["from"]
        if 0 < start <= cycles:
            clockwise = run["rings"][row["ring"]] == "clockwise"
            ends = (row["from"], row["to"]) if clockwise else (row["to"], row["from"])
            hops = (ends[1] - ends[0]) % len(run["elements"])
            simulated.append((threads[row["issuer"]], start % cycles, hops))
    assert len(drawn) > 8
    assert sorted(drawn) == sorted(simulated)


def test_the_picture_is_small_and_can_stand_still() -> None:
    text = picture.PICTURE.read_text(encoding="utf-8")
    assert len(text) < SIZE_MAX
    still, _, moving = text.partition("@media not (prefers-reduced-motion:reduce){")
    assert "animation:" not in still
    assert "animation:" in moving


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A site whose documents and report are tiny; the report lies beside it."""
    start = (ROOT / "workshop/site/index.html").read_text("utf-8")
    for path, anchor in set(re.findall(r'href="(docs/[^"#]+)#?([^"]*)"', start)):
        page = tmp_path / "site" / path
        page.parent.mkdir(parents=True, exist_ok=True)
        if anchor or not page.exists():
            page.write_text(f'<a id="{anchor}" href="../index.html">up</a>', encoding="utf-8")
    (tmp_path / "report.html").write_text(
        '<a href="watch.html#spes=8">watch</a> <a href="key/one.csv">CSV</a>', encoding="utf-8"
    )
    (tmp_path / "watch.html").touch()
    (tmp_path / "key").mkdir()
    (tmp_path / "key" / "one.csv").touch()
    (tmp_path / "key" / "old.csv").touch()
    return tmp_path / "site"


def test_a_site_has_what_its_links_lead_to_and_nothing_else(out: Path) -> None:
    assemble.main(out)
    assert list(links.of_site(out)) == []
    assert (out / "report/key/one.csv").is_file()
    assert not (out / "report/key/old.csv").exists()
    assert not (out / "report/watch.html").exists()
    assert '"../docs/rings.html#spes=8"' in (out / "report/report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("/docs/index.html", "leads out of the site"),
        ("../../report.html", "leads out of the site"),
        ("nothing.html", "there is no such file"),
        ("../index.html#nothing", "there is no such anchor"),
    ],
)
def test_a_bad_link_of_a_site_is_seen(out: Path, link: str, problem: str) -> None:
    assemble.main(out)
    (out / "docs" / "page.html").write_text(f'<a href="{link}">x</a>', encoding="utf-8")
    assert list(links.of_site(out)) == [f"site/docs/page.html: {link}: {problem}"]


def test_the_address_of_a_site_is_canonical(out: Path) -> None:
    assemble.main(out, "https://example.org/cell/")
    for page, address in {"index.html": "", "docs/rings.html": "docs/rings.html"}.items():
        link = f'<link rel="canonical" href="https://example.org/cell/{address}">'
        assert link in (out / page).read_text(encoding="utf-8")
    assert list(links.of_site(out)) == []
    with pytest.raises(SystemExit, match=r"write one such as https://example\.org"):
        assemble.main(out, "example.org")


def test_a_site_that_is_too_large_is_refused(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assemble, "SIZE_MAX", 1_000)
    with pytest.raises(SystemExit, match="the limit is"):
        assemble.main(out)


def test_the_start_page_says_how_far_numbers_are() -> None:
    said = assemble.how_good((ROOT / "README.md").read_text(encoding="utf-8"))
    assert re.fullmatch(
        r"Half of \d+ published numbers [^][]* the worst within [\d.]+&nbsp;%\.", said
    )
    with pytest.raises(SystemExit, match="does not say how far numbers are"):
        assemble.how_good("nothing")


def test_the_first_link_leads_to_lessons_before_the_picture() -> None:
    start = (ROOT / "workshop/site/index.html").read_text(encoding="utf-8")
    assert start.index("Take a lesson") < start.index("<!-- picture -->")
    assert start.count("Take a lesson") == 1


def test_a_page_of_its_own_gets_links_to_the_site(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<head></head><body class='x'><p><body></p></body>", encoding="utf-8")
    assemble.link_to_site(page, {"Start": "../index.html"})
    text = page.read_text(encoding="utf-8")
    assert "<body class='x'><nav" in text
    assert '<a href="../index.html" target="_top">Start</a>' in text
    assert text.count("<nav") == text.count("</style></head>") == 1


def test_all_parts_of_the_site_are_linked() -> None:
    for page, others in assemble.LINKED.items():
        parts = {(Path("/site") / page).parent.joinpath(to).resolve() for to in others.values()}
        assert Path("/site/index.html") in parts
        assert len(parts) == 3
    sidebar = (ROOT / "workshop/docs/of_site.html").read_text(encoding="utf-8")
    assert set(re.findall(r"}}([^\"]+)", sidebar)) == {
        *("../index.html", "rings.html", "../report/report.html"),
    }


DOCUMENT = """# A page

The first paragraph describes the page.

```console
$ {wide}
```

| {wide} | {wide} |
|---|---|
| a | b |

```{{eval-rst}}
.. autofunction:: cellstats.measure
```

```{{toctree}}
:caption: Guide

other
```
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The start page, the rings, and documents with what trouble readers have had with furo."""
    folder = tmp_path_factory.mktemp("site")
    pages = folder / "sources"
    pages.mkdir()
    (pages / "index.md").write_text(DOCUMENT.format(wide="wide " * 50), encoding="utf-8")
    (pages / "other.md").write_text("# Other\n\nText.\n", encoding="utf-8")
    out = folder / "out" / "site"
    command = [sys.executable, "-m", "sphinx", "-Q", "-t", "site", "-c", str(ROOT / "docs")]
    command += ["-d", str(folder / "trees"), str(pages), str(out / "docs")]
    subprocess.run(command, check=True)
    (folder / "out" / "report.html").write_text("<!DOCTYPE html>", encoding="utf-8")
    assemble.main(out)
    return out


@needs("page", "chromium")
@pytest.mark.parametrize("page", ["index.html", "docs/index.html", "docs/rings.html"])
def test_nothing_troubles_readers(site: Path, page: str) -> None:
    assert PAGE.is_file()
    with visit.served(site) as address, driven() as browser:
        assert list(visit.visit(browser, address, page)) == []


@needs("page", "chromium")
def test_what_troubles_readers_is_seen(tmp_path: Path) -> None:
    (tmp_path / "bad.html").write_text(
        '<!DOCTYPE html><title>x</title><p style="color: #ccc">faint</p><img src="/a.png" alt="">'
        '<link rel="canonical" href="here.html"><p id="late">late</p><p>tall</p>'
        '<div style="width: 5000px">wide</div><script>console.error("oh");'
        "requestAnimationFrame(() => setTimeout(() => { late.style.height = '60vh' }))</script>",
        encoding="utf-8",
    )
    with visit.served(tmp_path) as address, driven() as browser:
        found = "\n".join(visit.visit(browser, address, "bad.html"))
    for words in (
        "color-contrast",
        "no description",
        "no language",
        "no viewport",
        "oh",
        "here.html",
    ):
        assert words in found
    for words in ("a.png: status 404", "is fetched from elsewhere", "is wider than"):
        assert words in found
