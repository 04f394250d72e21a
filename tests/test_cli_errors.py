"""Bad input causes a one-line message and exit status 2. An interrupt causes exit status 130."""

import sys
from pathlib import Path

import pytest

from command_line import interrupted, usage_error


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
