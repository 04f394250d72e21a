"""A strange word at any position of any command line causes no traceback."""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cellstats.cli.group import cellstats
from command_line import ROOT, here_and_now

COMPLETE = {
    "": "-f mailbox -i 10",
    "breakdown": "",
    "completion": "bash",
    "doctor": "",
    "host": "",
    "embed": "x hello.elf x.o",
    "machine diff": "ps3 qs20",
    "machine list": "",
    "machine show": "ps3",
    "matrix": "mailbox -i 10",
    "pattern show": "ring",
    "place": "ring -n 2",
    "reproduce": "kistler2006 --figure table1",
    "run": "linux.elf",
    "sdk": "sdk",
    "spu": "hello.elf",
    "sweep": "mailbox -i 10",
    "trace": "dmaget -i 10",
    "watch": "couples",
}
"""A valid command line of each command. The strange word is inserted, or replaces another word."""
NO_TEXT = os.fsdecode(b"k\xff.toml") if sys.platform != "win32" else "k.toml"


def command(path: str) -> click.Command:
    found: click.Command = cellstats
    for word in path.split():
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), word) or found
    return found


def test_every_command_is_tried() -> None:
    leaves = {path.split()[0] for path in COMPLETE if path}
    assert leaves == set(cellstats.list_commands(click.Context(cellstats)))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda _: True)  # `watch --` opens the lessons
    for name, source in (
        ("hello.elf", "programs/samples/hello.elf"),
        ("linux.elf", "linux/programs/hello.elf"),
        (NO_TEXT, "machines/ps3.toml"),
    ):
        shutil.copy(ROOT / source, tmp_path / name)
    before = signal.getsignal(signal.SIGPIPE) if hasattr(signal, "SIGPIPE") else None
    yield tmp_path
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, before)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("path", COMPLETE)
def test_no_word_is_too_strange(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = COMPLETE[path].split()
    if path == "sdk":
        monkeypatch.setenv("PATH", "")  # Without compilers, it does not compile libraries.
    flags = [
        flag
        for option in command(path).params
        if isinstance(option, click.Option) and not option.is_flag
        for flag in option.opts
        if (path, flag) != ("reproduce", "--out")
    ]
    for strange in (NO_TEXT, "", "\u202e", "0" * 40, "-"):
        cases = [[*words, flag, strange] for flag in flags]
        cases += [[*words[:nth], strange, *words[nth + 1 :]] for nth in range(len(words))]
        if path not in ("run", "reproduce"):
            cases.append([*words, strange])
        for case in cases:
            done = here_and_now([*path.split(), *case], monkeypatch)
            assert done.status in (0, 1, 2, 3), (case, done)
            assert done.status in (0, 3) or done.err.count("\n") == 1, (case, done)
