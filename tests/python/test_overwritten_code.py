"""An SPE's program that overwrites its own code by DMA: the report names the command."""

import shutil
import subprocess
import sys
from pathlib import Path

import cellstats as cs
from test_channel_rules import LINUX, STEPS, block


def test_a_report_names_the_dma_into_overwritten_code(tmp_path: Path) -> None:
    spu = Path(shutil.copy(STEPS, tmp_path / "spu.elf"))
    spu.chmod(0o755)
    symbols = cs.spu_program(STEPS).symbols
    steps = [
        f"write MFC_LSA {symbols['main'] & ~127:#x}",
        "write MFC_EAH memory.high",
        "write MFC_EAL memory.low+0x0",
        "write MFC_Size 512",
        "write MFC_TagID 3",
        "write MFC_Cmd 0x40",
        "wait 20000",
    ]
    (tmp_path / "block").write_bytes(block({"steps": steps}, 0))
    command = [
        sys.executable,
        "-m",
        "cellstats",
        "run",
        "-v",
        "--limit",
        "60m",
        str(LINUX),
        "spu.elf",
    ]
    command += [hex(symbols["steps"]), "block"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (
        "the program's code was overwritten here; the last DMA into this line was get" in ran.stderr
    )
    assert f"get lsa={symbols['main'] & ~127:#x} ea=0x" in ran.stderr
    assert "size=512 tag=3 (512 bytes), given in bus cycle " in ran.stderr
