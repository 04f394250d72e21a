"""An SPE's program that overwrites its own code by DMA: the report names the command."""

from pathlib import Path

import cellstats as cs
from test_channel_rules import STEPS, run_in_linux


def test_a_report_names_the_dma_into_overwritten_code(tmp_path: Path) -> None:
    main = cs.spu_program(STEPS).symbols["main"] & ~127
    steps = [
        f"write MFC_LSA {main:#x}",
        "write MFC_EAH memory.high",
        "write MFC_EAL memory.low+0x0",
        "write MFC_Size 512",
        "write MFC_TagID 3",
        "write MFC_Cmd 0x40",
        "wait 20000",
    ]
    ran = run_in_linux(steps, tmp_path, "-v", "--limit", "60m")
    assert (
        "the program's code was overwritten here; the last DMA into this line was get" in ran.stderr
    )
    assert f"get lsa={main:#x} ea=0x" in ran.stderr
    assert "size=512 tag=3 (512 bytes), given in bus cycle " in ran.stderr
