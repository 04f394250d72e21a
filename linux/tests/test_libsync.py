"""<libsync.h> of the SDK: SPEs and threads of the PPE work on the same words."""

import subprocess
from pathlib import Path

import pytest

import cellstats as cs
from cellstats.linux.sdk import lay_out
from parts import needs
from sdk_programs import compiled_for_linux

WORKERS, ROUNDS = 8, 5
LEFT_BY_POSITIVE = 3


@needs("powerpc")
@needs("spu")
def test_no_operation_is_lost_between_spes_and_the_ppe(tmp_path: Path) -> None:
    program = compiled_for_linux("sync", tmp_path / "sync", "sync")
    done = cs.linux.run(program, capture=True)
    assert (done.status, done.line) == (0, None)
    assert done.stdout is not None
    counts = dict(line.split() for line in done.stdout.decode().splitlines())
    assert {name: int(count) for name, count in counts.items()} == {
        "atomic": WORKERS * ROUNDS,
        "sum": WORKERS * sum(number - 1 for number in range(ROUNDS)),
        "guarded": WORKERS * ROUNDS,
        "tried": WORKERS * ROUNDS,
        "positive": 0,
        "passed": LEFT_BY_POSITIVE,
        "late": 0,
        "torn": 0,
        "first": WORKERS * (ROUNDS // 2),
        "second": WORKERS * (ROUNDS // 2),
        "each": 0,
        "ended": WORKERS,
    }


@needs("powerpc")
@needs("spu")
@pytest.mark.parametrize("tool", ["ppu-gcc -m32", "ppu-gcc -m64", "spu-gcc"])
def test_types_come_with_the_headers_of_their_kind(tool: str, tmp_path: Path) -> None:
    sdk = lay_out(tmp_path / "sdk").directory
    for header, use in (
        ("mutex", "_mutex_init(word); _mutex_lock(word); _mutex_unlock(word);"),
        ("cond", "_cond_init(word); _cond_signal(word);"),
        ("atomic", "_atomic_set(word, 1); _atomic_inc(word);"),
    ):
        source = f"#include <{header}.h>\nvoid use({header}_ea_t word) {{ {use} }}\n"
        (tmp_path / "use.c").write_text(source)
        command = [*str(sdk / "usr" / "bin" / tool).split(), "-Wall", "-Werror", "-c", "use.c"]
        subprocess.run(command, cwd=tmp_path, check=True)
