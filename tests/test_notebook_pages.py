"""In the documentation's notebooks, every cell runs and has the described output."""

import json
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import notebooks
from chance import SHORT
from page_stand_in import stand_in

FILES = notebooks.notebooks()
IDS = [path.stem for path in FILES]
RUN = [path for path in FILES if path.stem != "lecture"] if SHORT else FILES
"""The notebooks whose cells are run: the lecture takes longer than all others together."""


@cache
def ran(path: Path) -> list[tuple[notebooks.Cell, list[notebooks.Output]]]:
    return list(notebooks.run(notebooks.read(path.read_text(encoding="utf-8"))))


@pytest.fixture(autouse=True)
def _page(tmp_path: Path) -> object:
    with stand_in(tmp_path):
        yield


def test_there_are_two() -> None:
    assert {"first-steps", "lecture"} <= set(IDS)


@pytest.mark.parametrize("path", RUN, ids=lambda path: path.stem)
def test_every_cell_runs_and_shows_something(path: Path) -> None:
    for cell, shown in ran(path):
        if cell.kind == "code" and not re.match(r"import |from ", cell.source.splitlines()[-1]):
            assert shown, cell.source
        for one in shown:
            text = (one.text or "") + (one.html or "")
            assert text.strip()
            assert "Traceback" not in text


@pytest.mark.parametrize("path", RUN, ids=lambda path: path.stem)
def test_they_have_pictures_pages_tables_and_text(path: Path) -> None:
    html = "".join(one.html or "" for _, shown in ran(path) for one in shown)
    assert html.count("data:image/png;base64,") >= 5
    assert "<iframe" in html
    assert "<table" in html
    assert any("SPU" in (one.text or "") for _, shown in ran(path) for one in shown)  # waveforms


@pytest.mark.parametrize("path", RUN, ids=lambda path: path.stem)
def test_they_keep_what_they_show(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for cell, (_, shown) in zip(cells, ran(path), strict=True):
        outputs = list(map(notebooks.kept, shown))
        same = notebooks.without_pixels(cell.get("outputs", [])) == notebooks.without_pixels(
            outputs
        )
        assert same, f"python workshop/notebooks.py --write {path}\n{''.join(cell['source'])}"


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_they_are_notebooks_as_jupyter_writes_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    data = json.loads(text)
    assert (data["nbformat"], data["nbformat_minor"]) == (4, 5)
    names = [cell["id"] for cell in data["cells"]]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in names)
    assert text == notebooks.written(path)


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_their_outputs_are_small_and_say_nothing_of_a_computer(path: Path) -> None:
    assert path.stat().st_size < 250_000
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [each for cell in cells for each in cell.get("outputs", [])]
    text = json.dumps(notebooks.without_pixels(outputs))
    assert text.count('"image/png": ""') >= 3
    assert "<iframe" not in text
    assert not re.search(r"/(tmp|home|root|Users|usr)/|\\.venv|File \\\"", text)


def shown_by(*sources: str) -> list[notebooks.Output]:
    cells = [notebooks.Cell("code", source) for source in sources]
    return [one for _, shown in notebooks.run(cells) for one in shown]


def test_a_cell_shows_what_it_prints_and_the_value_of_its_last_line() -> None:
    printed, value = shown_by("x = 6", "print('µ', x)\nx * 7")
    assert (printed.text, value.text) == ("µ 6\n", "42\n")
    assert shown_by("x = 6", "x;", "None") == []
    [one, other] = shown_by("display(1, 2)")
    assert (one.text, other.text) == ("1\n", "2\n")


def test_an_error_in_a_cell_is_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        shown_by("1 / 0")


@pytest.mark.skipif(SHORT, reason="make test-full runs the lecture")
def test_what_the_lecture_says_is_what_it_shows() -> None:
    [path] = [path for path in FILES if path.stem == "lecture"]
    text = "".join(one.text or "" for _, shown in ran(path) for one in shown)
    hops = [float(ns) for ns in re.findall(r"hops: ([\d.]+) to", text)]
    steps = [b - a for a, b in pairwise(hops)]
    assert steps == pytest.approx([0.625] * 5, abs=0.02)  # a bus cycle each
    best, worst = (
        float(gb_s) for gb_s in re.findall(r"(?:best|worst) +\(.*\): +([\d.]+) GB/s", text)
    )
    assert best > 2 * worst  # they differ by more than a factor of two
    (slow_best, slow_worst) = map(float, re.findall(r"with slow hops +([\d.]+)", text))
    assert slow_best > 0.98 * best
    assert 0.75 * worst < slow_worst < 0.85 * worst  # a fifth
    (two_best, two_worst) = map(float, re.findall(r"with two rings +([\d.]+)", text))
    assert 0.45 * best < two_best < 0.55 * best  # half is lost
    assert 0.25 * worst < two_worst < 0.33 * worst  # more than two thirds are
    near, apart = map(float, re.findall(r"\]: ([\d.]+) GB/s, grants", text))
    assert near < apart
    assert apart > 0.98 * 204.8
    waited, ordered = map(int, re.search(r"; (\d+) of (\d+) commands", text).groups())  # type: ignore[union-attr]
    assert waited > 0.95 * ordered
