"""<libsync.h> of the SDK: SPEs and threads of the PPE work on the same words."""

from pathlib import Path

import cellstats as cs
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
