"""Compares the instructions of the simulated processors with what PlayStation 3 consoles printed.

    python tests/console_instructions.py PS3AUTOTESTS [MYPS3TESTS]    runs and compares all suites
    python tests/console_instructions.py PS3AUTOTESTS --digests       writes the digests for Rust's tests

PS3AUTOTESTS is a clone of https://github.com/AlexAltea/ps3autotests (GPL-2), MYPS3TESTS of
https://github.com/elad335/myps3tests (LGPL-3). They contain programs, and what consoles printed when
they ran these programs. Nothing of them belongs to CellStats: the programs run as they are, on the
simulated PPE (crates/ppu/examples/console.rs) and SPE (crates/spu/examples/console.rs). Needs Rust.
Suites whose program or expected output is missing in the clone are named and left out.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
DIGESTS = ROOT / "crates/ppu/tests/console/digests.txt"
_SHOWN = 5
# A single that a suite prints as a doubleword, together with four bytes of its stack.
_SINGLE = re.compile(r"(?<=-> )([0-9A-F]{8})[0-9A-F]{8}")
STACK = "four bytes of the console's stack, printed after a single"
FIRST = "the condition register at the start of the program"
TORN = "lines that overlap in the console's log"


class Suite(NamedTuple):
    """A suite: the folder of its program, and why single lines may differ."""

    folder: str
    known: str = ""


AUTOTESTS = [
    Suite("ppu_branch"),
    Suite("ppu_float_arithmetic", STACK),
    Suite("ppu_float_compare"),
    Suite("ppu_float_conversion", STACK),
    Suite("ppu_float_load"),
    Suite("ppu_float_store"),
    Suite("ppu_fpu"),
    Suite("ppu_gpr", FIRST),
    Suite("ppu_integer_arithmetic"),
    Suite("ppu_integer_compare"),
    Suite("ppu_integer_logical"),
    Suite("ppu_integer_rotate"),
    Suite("ppu_integer_shift"),
    Suite("ppu_vector_integer_arithmetic"),
    Suite("ppu_vpu"),
    Suite("spu_alu"),
    Suite("spu_fpu"),
]
MYPS3TESTS = [
    Suite("ppu_tests/AltiVec NaN precedence"),
    Suite("ppu_tests/ppu_integer_arithmetic", TORN),
    Suite("spu_tests/FREST + FRSQEST test"),
]


def mnemonic(line: str) -> str:
    """The instruction of a line."""
    return re.split(r"[ (\[]", line, maxsplit=1)[0]


def prints_single(suite: str, label: str, before: int) -> bool:
    """Whether a line shows a single; `before` earlier lines have the same label."""
    if suite == "ppu_float_conversion":
        # Each instruction first runs on doubles, then on singles.
        return before > 0
    name = mnemonic(label).rstrip(".")
    return suite == "ppu_float_arithmetic" and (name.endswith("s") or name == "fres")


def known(suite: Suite, index: int, line: str, before: int) -> bool:
    """Whether a difference in this line has the suite's known reason."""
    match suite.known:
        case "four bytes of the console's stack, printed after a single":
            return prints_single(suite.folder, line.split("->")[0], before)
        case "the condition register at the start of the program":
            return index == 0
        case "lines that overlap in the console's log":
            return not re.fullmatch(r"\S+ *\(\S+\) -> [0-9A-F]{16} \[[0-9A-F]{16} : [0-9A-F]{8}\]", line)
    return False


def essence(suite: Suite, line: str, before: int) -> str:
    """A line without digits that are known to be arbitrary."""
    if suite.known == STACK and prints_single(suite.folder, line.split("->")[0], before):
        return _SINGLE.sub(r"\1", line)
    return line
