"""A trace says where each SPE's program of instructions is, with names and source lines."""

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cellstats as cs
from cellstats.cli import main
from cellstats.measure.source_text import with_text
from command_line import ROOT
from page_stand_in import scene_in, stand_in
from parts import needs
from positions_in_trace import at, periods_of

BARRIER = ROOT / "programs" / "samples" / "barrier.elf"
LINUX_COPY = ROOT / "linux" / "programs" / "copy.elf"
WAITS = """\
#include <spu_mfcio.h>
static volatile float numbers[512] __attribute__((aligned(128)));
int main(unsigned long long speid, unsigned long long argp)
{
    float sum = 0;
    for (int round = 0; round < 2; round++) {
        mfc_get(numbers, argp * 0x10000, sizeof numbers, 3, 0, 0);
        mfc_write_tag_mask(1 << 3);
        mfc_read_tag_status_all();
        for (int i = 0; i < 512; i++)
            sum += numbers[i];
    }
#line 1 "/etc/passwd"
    numbers[0] = sum;
    return 0;
}
"""


def waits(data: Mapping[str, Any]) -> int:
    """Compare positions with the waits at channels; returns the number of waits."""
    found = 0
    spes = {row["spe"]: periods_of(data, row["spe"]) for row in data["programs"]}
    for row in data["stalls"]:
        if row["from"] < data["from"] or row["to"] is None:
            continue
        period = at(spes[row["spe"]], (row["from"] + row["to"]) // 2)
        assert re.match("(rdch|wrch) ", period.text), (row, period)
        found += 1
    return found


def test_a_page_of_spu_contains_the_positions(tmp_path: Path) -> None:
    with stand_in(tmp_path):
        page = str(tmp_path / "barrier.html")
        assert main(["spu", str(BARRIER), "-n", "6", "--trace", "4000", "--watch", page]) == 0
    data = scene_in(Path(page).read_text(encoding="utf-8"))["trace"]
    assert waits(data) > 20
    assert "main" in data["positions"]["instructions"]["function"]
    assert not any(data["positions"]["instructions"]["changed"])


def test_a_page_of_run_contains_the_positions_of_embedded_executables(tmp_path: Path) -> None:
    with stand_in(tmp_path):
        page = str(tmp_path / "copy.html")
        assert main(["run", "--trace", "4000", "--watch", page, str(LINUX_COPY)]) == 0
    data = scene_in(Path(page).read_text(encoding="utf-8"))["trace"]
    assert waits(data) > 0
    assert "main" in data["positions"]["instructions"]["function"]


def test_programs_without_instructions_have_no_positions() -> None:
    async def copy(spu: cs.Spu) -> None:
        await spu.mfc_get(0x1000, 0x0000, 128, tag=0)

    trace = cs.run("ps3", {0: copy}, window=(0, 60)).trace
    assert trace is not None
    assert "positions" not in trace.data
    assert "positions" not in cs.machine("ps3").trace("dmaget", spes=1).data


def test_a_long_window_costs_a_page_little() -> None:
    programs = {rank: cs.spu_program(BARRIER, argp=rank, envp=6) for rank in range(6)}
    trace = cs.run("ps3", programs, window=(0, 4000)).trace
    assert trace is not None
    assert len(json.dumps(trace.data["positions"], separators=(",", ":"))) < 200_000


@needs("spu")
def test_lines_have_their_text_and_no_path(tmp_path: Path) -> None:
    source = tmp_path / "waits.c"
    source.write_text(WAITS)
    flags = ["-g", "-O1", "-std=gnu99", "-o", str(tmp_path / "waits.elf")]
    subprocess.run(["spu-elf-gcc", *flags, str(source)], check=True)
    program = cs.spu_program(tmp_path / "waits.elf")
    trace = cs.run("ps3", {0: program}, window=(0, 20000)).trace
    assert trace is not None
    lines = trace.data["positions"]["lines"]
    rows = list(zip(lines["file"], lines["number"], lines["text"], strict=True))
    own = [(number, text) for file, number, text in rows if file == "waits.c"]
    assert own
    assert all(text == WAITS.splitlines()[number - 1].rstrip() for number, text in own)
    assert 11 in dict(own)
    # The executable's author must not choose which of the user's files are read.
    assert ("passwd", 1, None) in rows
    assert str(tmp_path) not in json.dumps(trace.data)
    # The loop waits for its operand: the sum of the round before.
    slow = [period for period in periods_of(trace.data, 0) if period.cause == "dependency"]
    assert any(period.line == ("waits.c", 11, WAITS.splitlines()[10]) for period in slow)


def test_files_that_cannot_be_read_leave_lines_without_text(tmp_path: Path) -> None:
    (tmp_path / "binary.c").write_bytes(b"\xff\xfe\n")
    (tmp_path / "folder.c").mkdir()
    (tmp_path / "long.c").write_text("x" * 300)
    names = ["none.c", "folder.c", "binary.c", "long.c", "nul\0.c"]
    paths = [str(tmp_path / name) for name in names]
    table = with_text({"file": paths, "number": [1, 1, 1, 1, 1]})
    assert table["file"] == names
    assert table["text"] == [None, None, "\ufffd\ufffd", "x" * 200, None]
    assert with_text({"file": [paths[3]], "number": [9]})["text"] == [None]
