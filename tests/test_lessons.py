"""Lessons: every claim agrees with the simulator, and bad files are refused in one line."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cellstats import UsageError
from cellstats.cli import main
from cellstats.lessons import LESSONS, check, read_lesson
from cellstats.lessons.checks import agrees
from cellstats.lessons.quantities import WORDS, parse
from cellstats.lessons.scene import read_scene
from page_stand_in import scene_in, stand_in

BUILT_IN = sorted(LESSONS.glob("*.toml"))
GOOD = """
title = "Mine"
about = "One DMA."
scene = "machine=eval-board&function=dmaget&spes=1&size=128"

[[steps]]
title = "The ring"
text = "Its data leave at {line 1 granted_at}."
at = "line 1 granted_at + 4"
highlight = ["SPE0 MFC", "line 1", "ring 3"]
claims = { "line 1 hops" = 1, "SPE0 commands" = 1 }

[steps.question]
ask = "How long is it on the ring?"
choices = [{ text = "short", is = [1, 20] }, { text = "long", is = [21, 300] }]
answer = "line 1 on_ring"
because = "{line 1 on_ring} bus cycles."
then = { at = 200 }
"""


@pytest.mark.parametrize("path", BUILT_IN, ids=lambda path: path.stem)
def test_every_claim_of_a_lesson_is_true(path: Path) -> None:
    lesson = read_lesson(path)
    found = check(lesson)
    assert 6 <= len(lesson.data["steps"]) <= 9
    assert len([row for row in found if "question" in row.where]) >= 2
    # In every lesson, the reader moves something and sees what changes.
    assert any("try" in step for step in lesson.data["steps"])
    # Most steps state something about the run.
    assert len({row.where.split(":")[0] for row in found}) >= len(lesson.data["steps"]) - 2


@pytest.mark.parametrize("path", BUILT_IN, ids=lambda path: path.stem)
def test_a_step_is_short(path: Path) -> None:
    for step in read_lesson(path).data["steps"]:
        assert len(re.findall(r"(?<!\sal)[.?](\s|$)", step["text"])) <= 3, step["title"]


def mine(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> str:
    with pytest.raises(UsageError) as error:
        check(read_lesson(path))
    [line] = str(error.value).splitlines()
    return line


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('about = "One DMA."', "", "'mine.toml': 'about' is missing; add it"),
        ("[[steps]]", "[[step]]", "'step' is unknown; did you mean steps?"),
        ('title = "The ring"', "", "step 1: 'title' is missing"),
        ("highlight", "highlihgt", "step 1: 'highlihgt' is unknown; did you mean highlight?"),
        ('"SPE0 MFC"', '"SPE0 FMC"', "step 1: highlight: 'SPE0 FMC' is nothing to highlight"),
        ("line 1 granted_at + 4", "line 1 granted", "did you mean granted_at?"),
        ('at = "line 1', 'at = "row 1', "step 1: at: 'row 1 granted_at + 4': 'row' is no subject"),
        ("{line 1 granted_at}", "{line 1 reason}", "step 1: {line 1 reason} has no value at"),
        ("{line 1 granted_at}", "{rings lines}", "changes with the answer; write it in because"),
        ('hops" = 1', 'hops" = 2', "step 1: 'line 1 hops' is 1, not 2"),
        ('hops" = 1', 'hops" = [3, 2]', "write a range as [24, 26], the smaller number first"),
        ("[21, 300]", "[1, 300]", "question: 'line 1 on_ring' is 9: 'short' and 'long' fits"),
        ("[1, 20]", "[1, 2]", "'line 1 on_ring' is 9: no choice fits; exactly one choice must fit"),
        ("line 1 on_ring", "line 1000 on_ring", "'line 1000' is not in the window; it has 1 to"),
        ("at = 200", "at = 4000", "question: at 4000 is outside the window, 0 to 3999"),
        (
            "size=128",
            "size=129",
            "step 1: size 129: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes",
        ),
        ("size=128", "sise=128", "scene: 'sise' is unknown; did you mean size?"),
        ("size=128", "size=128&at=3", "scene: 'at' is unknown; write at = … in the step"),
        ("machine=eval-board&", "", "scene: 'machine' is missing; begin with machine=…"),
        ("eval-board", "evalboard", "evalboard"),
        ("title", "title =", "'mine.toml' is not TOML"),
        (
            "{line 1 granted_at}",
            "{line 1 granted_at",
            "step 1: text: close each brace, as in {line",
        ),
        ("bus cycles.", "*bus cycles.", "question: because: close each star, as in *ring*"),
        ('"SPE0 MFC"', '"SPE9 MFC"', "step 1: highlight: 'SPE9' is not on this machine; known are"),
        ('"ring 3"', '"ring 4"', "step 1: highlight: 'ring 4': the rings are 0 to 3"),
        ('"ring 3"', '"link"', "highlight: 'link' joins two chips; this machine has one"),
        ('"ring 3"', '"line 1000"', "'line 1000' is not in the window; it has 1 to"),
        (
            "at = 200",
            "at = 200, until = 200",
            "until 200: give a bus cycle after 200, at most 3999",
        ),
    ],
)
def test_a_bad_lesson_gets_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    mine(tmp_path, GOOD.replace(old, new))
    assert says in refused(Path("mine.toml"))


MOVED = """
title = "Mine"
about = "Larger commands."
scene = "machine=eval-board&function=dmaget&spes=2&size=128"

[[steps]]
title = "Larger"
text = "Larger commands."
at = 60
pairs = [[0, 1]]
highlight = ["SPE0"]
further = [{ text = "The guide", command = "cellstats --help" }]

[steps.try]
ask = "How large?"
change = "size"
values = [128, "2k"]
shows = ["run bandwidth_gb_s", "SPE0 in_flight"]
because = "About 2 KB."
claims = { 2k = { "run bandwidth_gb_s" = [16, 18] } }
"""


def test_what_readers_can_move_is_run_with_every_value(tmp_path: Path) -> None:
    found = [row for row in check(read_lesson(mine(tmp_path, MOVED))) if "try" in row.where]
    assert [row.where.split(": ")[1] for row in found] == ["try 128"] * 2 + ["try 2k"] * 2
    for name in ("run bandwidth_gb_s", "SPE0 in_flight"):
        one, other = (row.value for row in found if row.name == name)
        assert isinstance(one, float | int)
        assert isinstance(other, float | int)
        assert one < other


def test_what_readers_can_drag_is_run_where_it_is_claimed(tmp_path: Path) -> None:
    dragged = (
        MOVED.replace('"size"', '"placement"')
        .replace('values = [128, "2k"]\n', "")
        .replace("2k = {", '"0.7" = {')
        .replace("[16, 18]", "[1, 2]")
    )
    [first, _] = [
        row for row in check(read_lesson(mine(tmp_path, dragged))) if "try 0.7" in row.where
    ]
    assert first.name == "run bandwidth_gb_s"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[16, 18]", "[9, 10]", "step 1: try size=2k: 'run bandwidth_gb_s' is"),
        ('"2k"]', '"2K5"]', "step 1: try: claims: '2k' is none of the values 128, 2K5"),
        ('"2k"]', '"2k", 129]', "step 1: try size=129: size 129: a DMA moves 1, 2, 4, 8 or"),
        ('"2k"]', "128]", "try: values: give 2 to 12 different values, such as [1, 2, 4]"),
        ('values = [128, "2k"]', "", "step 1: try: 'values' is missing; add it"),
        ("[128, ", "[256, ", "step 1: scene: write size= with one of 256, 2k"),
        ('"size"', '"sise"', "step 1: try: change: did you mean size?"),
        ('"size"', '"placement"', "try: values: leave them out; the reader drags threads"),
        ('"size"', '"value.eib.hops"', "step 1: scene: write value.eib.hops= with one of 128, 2k"),
        ('"SPE0 in_flight"]', '"line 1 reason"]', "'line 1 reason' has no value at bus cycle 60"),
        ('"SPE0 in_flight"]', '"SPE0 inflight"]', "did you mean in_flight?"),
        ("Larger commands.", "{line 1 hops} larger", "write it in shows"),
        ("[[0, 1]]", "[[0, 1], [1, 2]]", "pairs: write pairs of threads, each thread once"),
        ("[[0, 1]]", "[[0, 5]]", "step 1: pairs: thread 5 is not in this run, which has 2"),
        ('because = "About 2 KB."', "", "step 1: try: 'because' is missing; add it"),
        (', command = "cellstats --help"', "", "give each text a link, a command, or both"),
        ("[steps.try]", "puzzle = { best = [0] }\n[steps.try]", "a step has 'puzzle' or 'try'"),
    ],
)
def test_something_to_move_that_cannot_be_moved_gets_one_line(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    assert old in MOVED
    assert says in refused(mine(tmp_path, MOVED.replace(old, new)))


def test_a_page_opens_with_a_lesson(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    mine(tmp_path, GOOD)
    with stand_in(tmp_path):
        assert main(["watch", "--lesson", "mine.toml"]) == 0
    assert capsysbinary.readouterr().out == b"mine.html\n"
    scene = scene_in((tmp_path / "mine.html").read_text(encoding="utf-8"))
    assert scene == {"title": "Mine", "lesson": {"key": "mine", **tomllib.loads(GOOD)}}


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["couples"], "--lesson with argument: a lesson names its own measurements"),
        (["-n", "2"], "--lesson with -n: a lesson names its own measurements"),
        (["--out", "mine.toml"], "mine.toml"),
    ],
)
def test_a_lesson_has_its_own_measurements(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: list[str],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    mine(tmp_path, GOOD)
    assert main(["watch", "--lesson", "mine.toml", *flags]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert says in line


@pytest.mark.parametrize(
    ("value", "expected", "agree"),
    [
        (24, [24, 26], True),
        (26, [24, 26], True),
        (26.01, [24, 26], False),
        (None, [0, 1], False),
        ("waits", "waits", True),
        ("waits", [0, 1], False),
        (0, 0, True),
        (None, 0, False),
    ],
)
def test_a_range_contains_its_ends(value: Any, expected: Any, agree: bool) -> None:
    assert agrees(value, expected) is agree


def test_a_scene_of_a_step_changes_the_scene_of_the_lesson() -> None:
    first = read_scene("machine=ps3&function=dmaget&spes=2&size=1k&skip=500", None)
    assert read_scene("", first) == first
    other = read_scene("https://example.org/page.html#size=2k", first)
    assert (dict(other.parameters), other.skip) == ({"spes": "2", "size": "2k"}, 0)
    assert dict(read_scene("function=dmaput", first).parameters) == {}
    assert read_scene("value.eib.hop_bus_cycles=2", first).values == (("eib.hop_bus_cycles", 2),)


def test_the_documents_list_every_quantity() -> None:
    page = (LESSONS.parents[2] / "docs" / "guide" / "lessons.md").read_text(encoding="utf-8")
    for kind, words in WORDS.items():
        for word in words:
            assert f"`{word}`" in page, (kind, word)
    assert parse("SPE3 commands").kind == "element"
