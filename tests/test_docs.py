"""The documents show the commands' current output, and their links are not broken."""

from pathlib import Path

import pytest

import examples
import links
from command_line import ROOT

SHOWING = [path for path in links.markdown_files() if list(examples.shown(path.read_text("utf-8")))]


@pytest.mark.parametrize("path", SHOWING, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_shown_is_what_is_printed(path: Path) -> None:
    wrong = [f"{path}:{one.first}: {one.source}" for one, _ in examples.differences(path)]
    # If this fails, `workshop/examples.py --write` updates the documents.
    assert wrong == []


def test_the_first_pages_show_something() -> None:
    assert {ROOT / "README.md", ROOT / "docs/tutorial.md", ROOT / "docs/dma.md"} <= {*SHOWING}


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


def test_links_lead_somewhere() -> None:
    assert [line for path in links.markdown_files() for line in links.of_markdown(path)] == []


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("docs/guide/python.md", None),
        ("docs/guide/python.md#measurements", None),
        ("docs/guide/python.md#nothing", "there is no such heading"),
        ("docs/nothing.md", "there is no such file"),
        ("../elsewhere", "there is no such file"),
        ("https://example.org/page", None),
        ("https:/example.org", "is no address; write https://..."),
    ],
)
def test_a_broken_link_is_seen(link: str, problem: str | None) -> None:
    assert links.problem(ROOT / "README.md", link) == problem


def test_what_differs_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```console\n$ cellstats -f mailbox -s\n1 ns\n$ cellstats -f mailbox -s\n…\n```\n"
    )
    [(one, found)] = examples.differences(page)
    assert (one.source, one.output, found) == ("cellstats -f mailbox -s", ["1 ns"], ["158 ns"])
    examples.rewrite(page)
    assert page.read_text().splitlines()[2] == "158 ns"
    assert list(examples.differences(page)) == []
