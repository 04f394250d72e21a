"""Bad input gives one line and exit status 2; an interrupt gives status 130."""

import sys
from pathlib import Path

import pytest

from command_line import interrupted, usage_error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "give -f FUNCTION"),
        ("-f dmagte -b 1k", "did you mean dmaget?"),
        ("-f dmaget -b 1x", "-b '1x' is not a whole number"),
        ("-f dmaget -b 1k -i 0", "-i 0 is too small"),
        ("-f dmaget -b 1k -n -1", "-n '-1' is not a whole number"),
        ("-f dmaget -b 1k -n 2 -N 2", "-n and -N exclude each other"),
        ("-f mailbox --machine ps4", "did you mean ps3?"),
        ("-f mailbox --machine ./none.toml", "no such file"),
        ("-f mailbox --machine .toml/", "machine file"),
        ("-f mailbox --ppe libary", "library"),
        ("-f mailbox --placement 0,x", "write 0,2,4 or 0,8-15, or random"),
        ("-f mailbox --format xml", "text, json, csv"),
        ("-f mailbox --fromat xml", "did you mean --format?"),
        ("-f", "requires an argument"),
        ("measure", "no such command 'measure'; known are breakdown"),
        ("swep dmaget", "no such command 'swep'; did you mean sweep?"),
        ("dmaget -n 2", "write cellstats -f dmaget"),
        ("matrix mailbox -n 2", "see cellstats matrix --help"),
        ("matrix", "one of mailbox, signal, dmaget, dmaput"),
        ("matrix mailbox --spes 0", "--spes is for a matrix of the host"),
        ("matrix mailbox --placement 0", "--placement is for a matrix of the host"),
        ("-f mailbox --spes 0,x", "--spes '0,x' is not a list of SPEs"),
        ("-f mailbox --spes=0,x", "--spes '0,x' is not a list of SPEs"),
        ("sweep mailbox --spes 0,x", "--spes '0,x' is not a list of SPEs"),
        ("machine show ps3 qs20", "see cellstats machine show --help"),
        ("trace dmaget --out /nowhere/x.json", "--out /nowhere/x.json: there is no such directory"),
        ("sweep dmaget -n 1..6:x", "-n '1..6:x' is not a range"),
        ("-f dmaget -i 99999999999999999999", "is too large; give 18 digits at most"),
        ("completion tcsh", "bash, zsh, fish"),
    ],
)
def test_what_the_command_line_refuses(arguments: str, words: str) -> None:
    assert words in usage_error(*arguments.split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("-f dmaget -b 1k -n 7", "6"),
        ("-f dmaget -b 1k -n 9 --machine eval-board", "8"),
        ("-f dmaget -b 24", "multiple of 16"),
        ("-f dmaget -b 32k", "at most 16k"),
        ("-f dmalistget -b 64 -l 4000", "2048"),
        ("-f dmaget -b 1k -N 2 -t 3", "16"),
        ("-f dmalistget -b 16k -l 2048", "local store"),
        ("-f dmaget -b 1k -n 2 --placement 0,0", "0"),
        ("-f dmaget -b 1k -n 3 --placement 0,1", "3"),
        ("-f dmaget -b 1k --placement 99", "99"),
    ],
)
def test_what_the_machine_refuses(arguments: str, words: str) -> None:
    assert words in usage_error(*arguments.split())


@pytest.mark.parametrize("content", [b"", b"[", b"nonsense = 1\n", b"\xff\xfe\x00"])
def test_machine_files_that_are_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    assert "mine.toml" in usage_error("-f", "mailbox", "--machine", str(path))


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_is_quiet() -> None:
    flags = ["-f", "dmaget", "-n", "6", "-b", "16k", "-i", "100m", "--no-fast-forward"]
    done = interrupted(*flags)
    assert (done.status, done.out, done.err.strip()) == (130, "", "")
