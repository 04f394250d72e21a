"""Headers of the SDK that have no test of their own."""

from pathlib import Path

import cellstats as cs
from parts import needs
from sdk_programs import compiled_for_linux


@needs("powerpc")
@needs("spu")
def test_checkpoints_timers_and_intrinsics(tmp_path: Path) -> None:
    program = compiled_for_linux("headers", tmp_path / "headers", "simdmath", "sync")
    done = cs.linux.run(program, capture=True)
    assert (done.status, done.line) == (0, None)
    content = (tmp_path / "headers_spu.elf").read_bytes()
    # and $N,$N,$N
    checkpoints = [(0x18200000 | n << 14 | n << 7 | n).to_bytes(4, "big") for n in range(32)]
    assert all(word in content for word in checkpoints)
