"""Wrong inputs for all commands: each input causes a one-line message, no other output, and no
file.

Each row of wrong_inputs.txt contains a command line and a part of the expected message. Add every
new refusal of a command to wrong_inputs.txt. A command runs in this process, which takes only
milliseconds.
"""

import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import ROOT, here_and_now

WRONG_USAGE = (Path(__file__).parent / "wrong_inputs.txt").read_text(encoding="utf-8")
"""Command lines, each with a part of the expected message."""

RUNS_THAT_FAIL = """
run --limit 10 linux.elf | raise the limit if that is meant to take longer
spu hello.elf --limit 1 | raise the limit if that is meant to take longer
"""

FILES: dict[str, bytes] = {
    "bad.csv": b"phase,source\n",
    "bad.json": b"{\n",
    "bytes.csv": b"\xff\xfe",
    "empty.toml": b"",
    "esc.toml": b'base = "ps3"\nname = "a\\u001b[31mb"\n',
    "far.csv": b"phase,source,destination,bytes\n1,0,9,128\n",
    "list.json": b"[]\n",
    "often.csv": b"phase,source,destination,bytes,repetitions\n1,0,1,128,1000001\n",
    "oftener.csv": b"phase,source,destination,bytes,repetitions\n1,0,1,128,100000000000000000\n",
    "quote.csv": b'phase,source,destination,bytes\n1,0,1,128\n1,0,1,"128\n1,1,0,128\n',
    "quotes.csv": b'phase,source,destination,bytes\n1,0,1,"128\n1,1,0,"128\n',
    "size.csv": b"phase,source,destination,bytes\n1,0,1,3\n",
    "text.elf": b"x\n",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wrong")
    for name, content in FILES.items():
        (path / name).write_bytes(content)
    (path / "dir").mkdir()
    if Path("/dev/zero").exists():
        (path / "zero.csv").symlink_to("/dev/zero")
    shutil.copy(ROOT / "programs/samples/hello.elf", path / "hello.elf")
    shutil.copy(ROOT / "linux/programs/hello.elf", path / "linux.elf")
    return path


@pytest.fixture
def here(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(place)
    before = signal.getsignal(signal.SIGPIPE) if hasattr(signal, "SIGPIPE") else None
    files = set(place.iterdir())
    yield place
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, before)
    for left in set(place.iterdir()) - files:
        left.unlink()


def rows(table: str) -> list[tuple[str, str]]:
    split = (line.split(" | ") for line in table.strip("\n").splitlines())
    return [(typed.strip(), said) for typed, said in split]


def refused(typed: str, status: int, said: str, here: Path, patch: pytest.MonkeyPatch) -> None:
    if "zero" in typed and not Path("/dev/zero").exists():
        pytest.skip("no device without an end")
    if "host" in typed and sys.platform != "linux":
        pytest.skip("only Linux is measured")
    files = sorted(here.iterdir())
    done = here_and_now(shlex.split(typed.replace("LONG_NAME", "a" * 300)), patch)
    assert (done.status, done.out) == (status, ""), done
    assert done.err.startswith("cellstats: ")
    assert done.err.count("\n") == 1
    assert said in done.err
    assert sorted(here.iterdir()) == files


@pytest.mark.parametrize(("typed", "said"), rows(WRONG_USAGE))
def test_wrong_usage_is_said_in_one_line(
    typed: str, said: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(typed, 2, said, here, monkeypatch)


@pytest.mark.parametrize(("typed", "said"), rows(RUNS_THAT_FAIL))
def test_a_run_that_fails_is_said_in_one_line(
    typed: str, said: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(typed, 1, said, here, monkeypatch)
