"""Output to a terminal is coloured and fits the width. Output to a pipe is plain and unfitted."""

import fcntl
import io
import itertools
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from typing import NamedTuple

import pytest

import cellstats as cs
from cellstats.core.terminal import folded
from cellstats.measure.progress import Progress
from cellstats.show.matrix import matrix_table, scale
from cellstats.show.tables import aligned, text_table
from command_line import cellstats

ESCAPE = re.compile(r"\x1b\[[\d;]*m")
COMMANDS = [
    "trace dmaget -n 2 -i 100",
    "trace couples -n 8 -b 4k --machine qs20 --window 60",
    "sweep dmaget,dmaput -n 1,2 -b 128,256 --batch 1,2 -i 100",
    "matrix mailbox -i 10 --machine qs20",
    "place ring -n 4 --by model",
    "breakdown dmaget",
    "machine diff ps3 qs20",
    "pattern show ring -n 4",
    "-f couples -n 8 --placements 3 -i 100 --machine eval-board",
    "-f dmaget -n 2 -i 100 -v",
]


COLOURED = ["matrix mailbox -i 10", "trace dmaget -n 2 -s -i 9", "sweep nothing"]


class Shown(NamedTuple):
    """The exit status of a command and its output on a terminal."""

    status: int
    text: str

    @property
    def lines(self) -> list[str]:
        return ESCAPE.sub("", self.text).splitlines()


def on_terminal(line: str, columns: int, **environment: str) -> Shown:
    """Run a command on a terminal with this many columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in ("COLUMNS", "LINES", "NO_COLOR", "TERM")
    }
    command = [sys.executable, "-m", "cellstats", *line.split()]
    outputs = {"stdout": slave, "stderr": slave}
    settings = clean | {"TERM": "xterm-256color"} | environment
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, env=settings, **outputs) as running:  # type: ignore[call-overload]
        os.close(slave)
        parts = []
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # on Linux, raised when the other end is closed
                break
            if not part:
                break
            parts.append(part)
        os.close(master)
    text = b"".join(parts).decode().replace("\r\n", "\n")
    # Remove the progress lines, which the command erases.
    text = re.sub(r"[^\n]*\r\x1b\[K", "", text)
    return Shown(running.returncode, text)


@pytest.mark.parametrize("line", ["trace -n 6", "sweep nothing"])
def test_an_error_is_one_line_that_breaks_between_words(line: str) -> None:
    shown = on_terminal(line, 40)
    assert shown.status == 2
    assert len(shown.lines) > 1
    assert max(map(len, shown.lines)) <= 40
    assert words(shown.text) == words(cellstats(*line.split()).err)


def words(text: str) -> list[str]:
    return sorted(ESCAPE.sub("", text).split())


@pytest.mark.thirds
@pytest.mark.parametrize("line", COMMANDS)
def test_no_line_is_longer_than_the_terminal(line: str) -> None:
    shown = on_terminal(line, 80)
    assert shown.status == 0
    assert max(map(len, shown.lines)) <= 80


@pytest.mark.thirds
@pytest.mark.parametrize("columns", [20, 40])
@pytest.mark.parametrize("line", COMMANDS[:5])
def test_any_width_is_served(line: str, columns: int) -> None:
    shown = on_terminal(line, columns)
    assert shown.status == 0
    assert "Traceback" not in shown.text
    if columns >= 40:
        assert max(map(len, shown.lines)) <= columns


@pytest.mark.thirds
@pytest.mark.parametrize("line", COMMANDS)
def test_nothing_is_lost_on_a_terminal(line: str) -> None:
    piped = cellstats(*line.split())
    wide = on_terminal(line, 400, NO_COLOR="1")
    if not line.startswith(("trace", "machine")):  # these commands use the whole width
        assert wide.text == piped.out
    if not line.startswith("trace"):
        narrow = on_terminal(line, 50, NO_COLOR="1").text.replace("_\n", "_")
        # Only horizontal rules, and column names that are split over two lines, may differ.
        changed = set(re.findall(r"\S+_\S+|-+", piped.out))
        assert set(words(piped.out)) - set(words(narrow)) <= changed


def cells(lines: list[str]) -> dict[str, str]:
    """For each row of a trace, its cells, joined over all blocks."""
    rows: dict[str, str] = {}
    row = re.compile(r"((?:SPE|ring|MIC|PPE|memory|commands)[^.]*?) +([.=\w-]{10,})$")
    for line in lines:
        if found := row.match(line):
            rows[found[1]] = rows.get(found[1], "") + found[2]
    return rows


def test_a_trace_shows_every_bus_cycle_however_narrow_the_terminal_is() -> None:
    line = "trace dmaget -n 2 -i 100"
    piped = cells(cellstats(*line.split()).out.splitlines())
    assert {len(row) for row in piped.values()} == {160}
    for columns in (40, 80, 200):
        assert cells(on_terminal(line, columns).lines) == piped
    assert on_terminal(f"{line} --columns 100", 80, NO_COLOR="1").text == (
        cellstats(*line.split(), "--columns", "100").out
    )


@pytest.mark.thirds
@pytest.mark.parametrize(
    "environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["no colour", "dumb"]
)
@pytest.mark.parametrize("line", COLOURED)
def test_colours_are_shown_where_they_are_wanted(line: str, environment: dict[str, str]) -> None:
    coloured, plain = on_terminal(line, 100), on_terminal(line, 100, **environment)
    assert "\x1b[" in coloured.text
    assert "\x1b[" not in plain.text
    assert "\x1b[" not in cellstats(*line.split()).out + cellstats(*line.split()).err
    extra = [each for each in coloured.lines if each.rstrip() not in plain.text]
    assert [each for each in extra if not each.startswith("colours: ")] == []


def test_an_empty_no_color_is_none() -> None:
    assert "\x1b[" in on_terminal("matrix mailbox -i 10", 100, NO_COLOR="").text


def test_an_error_is_marked_by_its_first_word() -> None:
    shown = on_terminal("sweep nothing", 100)
    assert shown.status == 2
    assert re.match(r"\x1b\[[\d;]+mcellstats:\x1b\[0m ", shown.text)


def test_rings_show_their_direction_and_nothing_else_is_coloured() -> None:
    shown = on_terminal("trace dmaget -n 2 -s -i 100", 100).text
    colours: dict[str, set[str]] = {}
    for line in shown.splitlines():
        if found := ESCAPE.search(line):
            colours.setdefault(line.split()[2], set()).add(found[0])
            assert line.startswith("ring ")
    assert len({frozenset(each) for each in colours.values()}) == len(colours) >= 1


def test_what_place_found_is_bold() -> None:
    shown = on_terminal("place ring -n 4 --by model", 100).text
    bold = [line for line in shown.splitlines() if line.startswith("\x1b[1m")]
    assert [ESCAPE.sub("", line).split()[0] for line in bold] == ["--placement", "found"]


def test_shades_go_from_the_lowest_to_the_highest() -> None:
    matrix = cs.matrix("mailbox", iterations=100)
    text = matrix_table(matrix, colour=True)
    shades: dict[str, set[str]] = {}
    for behind, value in re.findall(r"\x1b\[48;5;(\d+);38;5;\d+m *([\d.]+)", text):
        shades.setdefault(value, set()).add(behind)
    values = [value for row in matrix.values for value in row if value is not None]
    low, high = f"{min(values):.1f}", f"{max(values):.1f}"
    assert (shades[low], shades[high]) == ({"17"}, {"228"})
    assert f"colours: {scale(matrix).words()} (dark: {low} ns, bright: {high} ns)\n" in text
    alike = cs.matrix("dmaget", y="bandwidth", size="16k", batch=16, iterations=100)
    same = matrix_table(alike, colour=True)
    assert len(set(re.findall(r"48;5;(\d+);", same))) == 1
    assert "colours: all are the same to within 1 %\n" in same


def test_columns_of_a_matrix_go_on_below() -> None:
    matrix = cs.matrix("mailbox", machine="qs20", iterations=10)
    lines = matrix_table(matrix, width=60).splitlines()
    heads = [line for line in lines if line.startswith("SPE ")]
    assert len(heads) > 1
    numbers = " ".join(heads).replace("SPE", "").replace("|", "").split()
    assert numbers == [str(label) for label in matrix.labels]
    assert sum(line.startswith("15 ") for line in lines) == len(heads)


def test_a_table_is_stacked_before_a_value_is_lost() -> None:
    results = cs.sweep("dmaget", spes=[1, 2], iterations=10)
    rows = [line.split() for line in text_table(results).splitlines()]
    for width in (200, 60, 30, 5):
        lines = text_table(results, width).splitlines()
        assert width < 20 or max(map(len, lines)) <= width
        for row in rows[1:]:
            for value in row:
                assert any(value in line.split() for line in lines)
    assert aligned([["a", "b"]], 1) == "a  b\n"


def test_lines_are_folded_at_blanks_only() -> None:
    line = "why:  a very/long/path/that/has/no/blank and some words behind it"
    for columns in (1, 20, 30, 100):
        text = folded(f"  {line}\n\nshort\n", columns)
        assert "".join(text.split()) == "".join(f"{line}short".split())
        assert all(len(each) <= columns or " " not in each.strip() for each in text.splitlines())
    assert folded("no end", 80) == "no end"


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        (80, "[############            ]  2 of 4 rows, 0:06 left"),
        (30, "2 of 4 rows, 0:06 left"),
        (8, "2 of 4 "),
    ],
)
def test_progress_stays_in_one_line(
    columns: int, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", str(columns))
    clock = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    with Progress(4) as bar:
        bar.reach(1, 4)
        bar.reach(2, 4)
    written = terminal.getvalue().split("\r\x1b[K")
    assert line in written
    assert max(map(len, written)) < columns


def test_a_log_has_few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten minutes in which a row a second is finished."""
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with Progress(600, always=True, meanwhile="try this") as bar:
        for second in range(600):
            now = float(second)
            bar.advance()
        bar.note("one paper")
    first, *lines = log.getvalue().splitlines()
    assert (first, lines[-1], "600 of 600" in lines[-2]) == ("try this", "one paper", True)
    assert len(lines) < 30


def test_a_note_is_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress(4) as bar:
        bar.note("one paper")
    erase, drawn = "\r\x1b[K", "\r\x1b[K[                        ]  0 of 4 rows"
    assert terminal.getvalue() == f"{drawn}{erase}one paper\n{drawn}{erase}"
