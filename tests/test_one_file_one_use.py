"""No output overwrites an input or another output, whatever path names the file."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cellstats.cli.command import Command
from cellstats.cli.file_flags import FileType
from cellstats.cli.group import cellstats
from command_line import ROOT, here_and_now
from command_line import cellstats as in_a_process

LINES = """
spu x.elf --save-memory x.elf@0:16 | this file is also FILE x.elf, which is read
spu x.elf --record x.elf | --record x.elf: this file is also FILE x.elf, which is read
spu x.elf --record ./x.elf | --record ./x.elf: this file is also FILE x.elf, which is read
spu x.elf --record dir/../x.elf | this file is also FILE x.elf, which is read
spu x.elf --record link | --record link: this file is also FILE x.elf, which is read
spu x.elf --record hard | --record hard: this file is also FILE x.elf, which is read
spu --record x.elf x.elf | --record x.elf: this file is also FILE x.elf, which is read
spu x.elf --memory in@0x100 --save-memory in@0:16 | this file is also --memory in, which is read
spu x.elf --save-memory in@0:16 --memory in | this file is also --memory in, which is read
spu x.elf --save-memory o@0:16 --save-memory o@16:16 | also --save-memory o, which is written too
spu x.elf --save-memory o@0:16 --save-memory dangling@16:16 | also --save-memory o, which is
spu x.elf --machine m.toml --record m.toml | this file is also --machine m.toml, which is read
spu x.elf --trace 9 --trace-out x.json --save-memory x.json@0:16 | also --trace-out x.json, which is
spu x.elf --trace 9 --trace-out x.json --watch x.json | also --trace-out x.json, which is written
run --record p.elf p.elf | --record p.elf: this file is also PROGRAM p.elf, which is read
run --trace 9 --trace-out p.elf p.elf | this file is also PROGRAM p.elf, which is read
run --trace 9 --watch p.elf p.elf | this file is also PROGRAM p.elf, which is read
run --trace 9 --watch w --record w p.elf | --record w: this file is also --watch w, which is written
sweep exchange --pattern mine.csv --out mine.csv | also --pattern mine.csv, which is read
sweep exchange --pattern ring,mine.csv -n 2 --out mine.csv | also --pattern mine.csv, which is read
sweep mailbox --machine ps3,m.toml --out m.toml | also --machine m.toml, which is read
sweep dmaget -n 1,2 --out link.svg --plot a.svg | also --out link.svg, which is written too
matrix mailbox --machine m.toml --plot m.toml | also --machine m.toml, which is read
place mine.csv --plot mine.csv | --plot mine.csv: this file is also PATTERN mine.csv, which is read
place ring --machine m.toml --plot m.toml | also --machine m.toml, which is read
place ring --machine host --matrix m.json --plot m.json | also --matrix m.json, which is read
trace dmaget --machine m.toml --out m.toml | --out m.toml: this file is also --machine m.toml, which
trace exchange --pattern mine.csv --out mine.csv | also --pattern mine.csv, which is read
watch couples --machine m.toml --out m.toml | --out m.toml: this file is also --machine m.toml,
machine show m.toml --plot m.toml | --plot m.toml: this file is also MACHINE m.toml, which is read
embed x x.o x.o | OUT x.o: this file is also FILE x.o, which is read; give another file
"""
FILES = ("x.elf", "x.o", "p.elf", "m.toml", "m.json", "mine.csv", "in", "a.svg")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        (tmp_path / name).write_text(f"{name}, as it was\n")
    (tmp_path / "dir").mkdir()
    (tmp_path / "link").symlink_to("x.elf")
    (tmp_path / "link.svg").symlink_to("a.svg")
    (tmp_path / "dangling").symlink_to("o")
    (tmp_path / "hard").hardlink_to("x.elf")
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "said"), [line.split(" | ") for line in LINES.strip().splitlines()]
)
def test_a_file_of_two_uses_is_refused(
    typed: str, said: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(here.iterdir())
    done = here_and_now(typed.split(), monkeypatch)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done
    assert said in done.err
    assert "which is" in done.err
    assert sorted(here.iterdir()) == before
    for name in FILES:
        assert (here / name).read_text() == f"{name}, as it was\n"


def leaves(command: click.Command = cellstats) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), name)
            assert found is not None
            yield from leaves(found)


def test_every_flag_that_names_a_file_says_whether_it_writes_it() -> None:
    for command in leaves():
        assert isinstance(command, Command), command
        for param in command.params:
            shown = param.make_metavar(click.Context(command))
            files = "FILE" in shown or param.name in ("out", "machine", "pattern", "matrices")
            if files and command.name != "doctor":
                assert isinstance(param.type, FileType), (command.name, param.name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no /dev")
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["/dev/null", "/dev/stdout"])
def test_what_cannot_be_lost_may_be_named_twice(name: str) -> None:
    shutil.copy(ROOT / "programs/samples/hello.elf", "x.elf")
    done = in_a_process("spu", "x.elf", "--save-memory", f"{name}@0:3", "--record", name)
    assert done.status == 0, done
    assert not name.endswith("stdout") or done.out.count("\0" * 3 + '{"') == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "spu x.elf --record all",
            b"--record all: this file is also the standard output, which is",
        ),
        (
            "spu all",
            b"the standard output: this file is also FILE all, which is read; give another",
        ),
    ],
)
def test_the_file_behind_the_standard_output_is_one_of_them(
    line: str, said: bytes, here: Path
) -> None:
    shutil.copy(ROOT / "programs/samples/hello.elf", "all")
    before = (here / "all").read_bytes()
    with (here / "all").open("ab") as file:
        words = [sys.executable, "-m", "cellstats", *line.split()]
        done = subprocess.run(words, stdout=file, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert (here / "all").read_bytes() == before


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no descriptors as files")
def test_the_standard_output_as_a_file_is_not_begun_anew(here: Path) -> None:
    """A file that receives standard output keeps its text. A link to it is not replaced."""
    shutil.copy(ROOT / "programs/samples/hello.elf", "x.elf")
    (here / "shown").symlink_to("/proc/self/fd/1")
    with (here / "all").open("a") as file:
        file.write("before\n")
        file.flush()
        line = [sys.executable, "-m", "cellstats", "spu", "x.elf", "--record", "shown"]
        done = subprocess.run(line, stdout=file, stderr=subprocess.DEVNULL, check=False)
    assert done.returncode == 0
    with (here / "all").open("a") as file:
        file.write("after\n")
    lines = (here / "all").read_text().splitlines()
    assert lines[0] == "before"
    assert lines[-1] == "after"
    assert lines[-2].startswith('{"')
    assert (here / "shown").is_symlink()
