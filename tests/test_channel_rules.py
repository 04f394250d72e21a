"""The rules of the channels as programs in Python, as an SPU executable and as a Linux program.

`crates/cell/tests/rules` has the rules and says what the steps mean.
"""

import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
import channel_rules
from channel_rules import MEMORY, OPERATIONS, OWN, expanded, never

ROOT = Path(__file__).resolve().parents[1]
TABLE = channel_rules.table()
STEPS = ROOT / "programs/tests/steps.elf"
LINUX = ROOT / "linux/programs/steps.elf"
PS3 = cs.machine("ps3")
RULES = [rule for channel in TABLE["channel"] for rule in channel.get("rule", [])]
LIMIT_BUS_CYCLES = 3_000_000


def block(texts: list[str], own: int) -> bytes:
    """The block `steps` of programs/tests/steps.c."""
    bases = [0, own >> 32, own & 0xFFFF_FFFF, MEMORY >> 32, MEMORY & 0xFFFF_FFFF]
    steps = list(expanded(texts))
    rows = [
        (OPERATIONS.index(step.operation), step.place, step.base, step.value, step.checked)
        for step in steps
    ]
    words = [*bases, len(rows), *(word for row in rows for word in row)]
    return struct.pack(f">{len(words)}I", *words)


def limit(rule: dict[str, Any]) -> int:
    return 1 << 60 if "limit" in rule else LIMIT_BUS_CYCLES


def expect(rule: dict[str, Any], run: Callable[[], object]) -> None:
    """Run a program, which must end at the channel that never answers, if the rule says so."""
    channel = never(rule["steps"])
    if channel is None:
        run()
    else:
        with pytest.raises(cs.RunError, match=channel):
            run()


def run_in_linux(texts: list[str], place: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the steps on an SPE of a Linux program, in an empty directory."""
    spu = Path(shutil.copy(STEPS, place / "spu.elf"))
    spu.chmod(0o755)
    (place / "block").write_bytes(block(texts, 0))
    command = [sys.executable, "-m", "cellstats", "run", *options, str(LINUX), spu.name]
    command += [hex(cs.spu_program(STEPS).symbols["steps"]), "block"]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)


each_rule = pytest.mark.parametrize("rule", RULES, ids=[rule["says"][:60] for rule in RULES])


@each_rule
def test_a_program_in_python_finds_the_rule(rule: dict[str, Any]) -> None:
    wrong: list[str] = []
    program = channel_rules.program(rule["steps"], wrong)
    expect(rule, lambda: cs.run(PS3, {0: program}, limit_bus_cycles=limit(rule)))
    assert not wrong


@each_rule
def test_an_executable_finds_the_rule(rule: dict[str, Any]) -> None:
    steps = block(rule["steps"], OWN)
    program = cs.spu_program(STEPS, local_store={"steps": steps})

    def run() -> None:
        result = cs.run(PS3, {0: program}, limit_bus_cycles=limit(rule))
        # A stop of `exit`, with status 0.
        assert result.record["threads"][0]["stop_code"] == 0x2000

    expect(rule, run)


@each_rule
def test_a_linux_program_finds_the_rule(rule: dict[str, Any], tmp_path: Path) -> None:
    ran = run_in_linux(rule["steps"], tmp_path, *([] if "limit" in rule else ["--limit", "60m"]))
    channel = never(rule["steps"])
    if channel is None:
        assert ran.returncode == 0, ran.stderr
    else:
        assert ran.returncode != 0
        # It waits for ever, or a rule is broken, which the library reports to the program.
        assert channel in ran.stderr or "spe_context_run" in ran.stdout
