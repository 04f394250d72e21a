"""Closed outputs, or a system that starts no thread, cause a one-line error and no traceback."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from command_line import ROOT, here_and_now

HELLO = str(ROOT / "programs/samples/hello.elf")
PRINTING = ["-f mailbox -n 2 -i 10", "--help", "--version", "machine list", f"spu {HELLO}"]
posix = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")


def closed(arguments: str, how: str, directory: Path) -> tuple[int, str, str]:
    """Run the command with some of its outputs closed by the shell."""
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m cellstats {arguments} {how}'],
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@posix
@pytest.mark.parametrize("arguments", PRINTING)
def test_an_answer_that_a_closed_output_loses_is_a_failure(arguments: str, tmp_path: Path) -> None:
    said = "cellstats: the output cannot be written: it is closed\n"
    assert closed(arguments, ">&-", tmp_path) == (1, "", said)
    assert closed(arguments, "<&- >&- 2>&-", tmp_path) == (1, "", "")


@posix
@pytest.mark.parametrize("arguments", PRINTING)
def test_a_closed_error_output_changes_nothing(arguments: str, tmp_path: Path) -> None:
    as_it_is, without = closed(arguments, "", tmp_path), closed(arguments, "2>&-", tmp_path)
    assert without == (as_it_is[0], as_it_is[1], "")
    assert without[0] == 0


@posix
@pytest.mark.parametrize("how", ["2>&-", ">&- 2>&-", "2> /dev/full"])
def test_an_error_that_nobody_hears_has_its_status(how: str, tmp_path: Path) -> None:
    assert closed("-f mailbo", how, tmp_path) == (2, "", "")


@posix
def test_a_file_does_not_get_what_a_closed_output_loses(tmp_path: Path) -> None:
    """The first file that is opened must not receive the descriptor of a closed output."""
    status, _, err = closed(f"spu {HELLO} --record r.json", ">&-", tmp_path)
    assert (status, err.count("\n")) == (1, 1)
    assert closed("sweep dmaget -n 1,2 -i 10 --out r.csv", ">&-", tmp_path)[0] == 0
    assert len((tmp_path / "r.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize(
    "line",
    [
        "sweep dmaget -n 1,2 -i 10 --out r.csv",
        "matrix mailbox -i 10",
        "-f dmaget -i 10 --placements 2",
        "place ring -n 2",
        "reproduce kistler2006 --figure 6",
    ],
)
def test_a_system_that_starts_no_thread(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(threading.Thread, "start", refuses)
    done = here_and_now(line.split(), monkeypatch)
    assert (done.status, done.out) == (1, ""), done
    last = done.err.splitlines()[-1]
    assert last.startswith(
        "cellstats: no more threads or processes can be started; raise the limit"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
def test_a_pipe_that_ends_is_a_machine_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    machine = (ROOT / "machines/ps3.toml").read_bytes()
    writer = threading.Thread(target=pipe.write_bytes, args=(machine,))
    writer.start()
    done = here_and_now(["-f", "mailbox", "-i", "10", "--machine", str(pipe)], monkeypatch)
    writer.join()
    assert (done.status, done.err) == (0, "")


def test_no_text_of_a_file_commands_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "a\x1b[31m\u202eb"
    escaped = r"a\x1b[31m\u202eb"
    (tmp_path / f"{name}.csv").write_text("phase,source,destination,bytes\n1,0,1,128\n")
    machine = (ROOT / "machines/ps3.toml").read_text(encoding="utf-8")
    named = machine.replace('name = "ps3"\n', "").replace("Sony", r"So\u001b]ny")
    (tmp_path / f"{name}.toml").write_text(named, encoding="utf-8")
    for line in (
        f"place {name}.csv",
        f"pattern show {name}.csv",
        f"machine show {name}.toml",
        f"machine diff {name}.toml qs20",
        f"trace dmaget --machine {name}.toml",
        f"matrix mailbox -i 10 --machine {name}.toml",
        f"breakdown --machine {name}.toml",
        f"sweep mailbox -i 10 --machine ps3,{name}.toml",
        f"-f mailbox -n 9 --machine {name}.toml",
        f"-f mailbox --machine {name}x.toml",
        f"{name}",
    ):
        done = here_and_now(line.split(" "), monkeypatch)
        said = done.out + done.err
        assert not any(letter in said for letter in "\x1b\u202e"), done
        assert escaped in said or line.startswith("place"), done
