"""With a full disk, commands print one line and end with status 1. No finished row is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import ROOT, Done
from parts import needs

resource = pytest.importorskip("resource", reason="no limits of a process here")
HELLO = str(ROOT / "programs/samples/hello.elf")
DMA = str(ROOT / "programs/samples/copy.elf")
LINUX = str(ROOT / "linux/programs/copy.elf")


def on_a_full_disk(directory: Path, *arguments: str, limit_bytes: int = 100) -> Done:
    """Run the command with a limit on the file size."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))

    done = subprocess.run(
        [sys.executable, "-m", "cellstats", *arguments],
        cwd=directory,
        preexec_fn=limited,
        # This setting prevents Python from writing .pyc files.
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "line",
    [
        "sweep dmaget -n 1,2 -i 10 --out r.csv",
        "sweep dmaget -n 1,2 -i 10 --plot r.svg",
        "matrix mailbox -i 10 --plot r.svg",
        "place ring -n 2 --by model --plot r.svg",
        "trace dmaget --out r.json",
        pytest.param("watch couples --out r.html", marks=needs("page")),
        f"embed hello {HELLO} r.o",
        f"spu {HELLO} --record r.json",
        f"spu {HELLO} --save-memory r.bin@0:16k",
        f"spu {DMA} --trace 400 --trace-out r.json",
        pytest.param(f"spu {DMA} --trace 400 --watch r.html", marks=needs("page")),
        f"run --record r.json {LINUX}",
        f"run --trace 400 --trace-out r.json {LINUX}",
        "reproduce kistler2006 --figure table1 --out r",
    ],
)
def test_it_ends_with_status_1_and_one_line(tmp_path: Path, line: str) -> None:
    done = on_a_full_disk(tmp_path, *line.split())
    assert done.status == 1, done
    last = [line for line in done.err.splitlines() if not line.startswith(("[", "1 SPE"))]
    assert len(last) == 1, done
    assert "cannot write" in last[0]
    assert last[0].startswith("cellstats: ")
    assert [each for each in tmp_path.glob("**/*") if each.suffix in (".html", ".svg")] == []


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_rows_that_are_kept_are_not_measured_again(tmp_path: Path, part: float) -> None:
    line = ["sweep", "dmaget", "-n", "1..4", "-i", "10", "--jobs", "1", "--out", "r.json"]
    assert on_a_full_disk(tmp_path, *line, limit_bytes=1_000_000).status == 0
    size = (tmp_path / "r.json").stat().st_size
    (tmp_path / "r.json").unlink()
    # The journal contains each row with its recipe, so it exceeds the limit.
    torn = on_a_full_disk(tmp_path, *line, limit_bytes=round(part * size))
    assert (torn.status, torn.out) == (1, ""), torn
    assert torn.err == "cellstats: cannot write 'r.json.journal': file too large\n"
    kept = (tmp_path / "r.json.journal").read_text().splitlines()
    assert 1 <= len(kept) <= 3
    again = on_a_full_disk(tmp_path, *line, "--progress", limit_bytes=1_000_000)
    assert again.status == 0, again
    assert (tmp_path / "r.json").stat().st_size == size
    assert [each.name for each in tmp_path.iterdir()] == ["r.json"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")
@pytest.mark.parametrize(
    "line",
    [
        "trace dmaget --out /dev/full",
        pytest.param("watch couples --out /dev/full", marks=needs("page")),
    ],
)
def test_a_device_without_room(tmp_path: Path, line: str) -> None:
    done = on_a_full_disk(tmp_path, *line.split(), limit_bytes=10_000_000)
    assert (done.status, done.out) == (1, "")
    assert done.err == "cellstats: cannot write '/dev/full': no space left on device\n"
