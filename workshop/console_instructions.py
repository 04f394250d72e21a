"""Compares the instructions of the simulated processors with what PlayStation 3 consoles printed.

    python workshop/console_instructions.py PS3AUTOTESTS [MYPS3TESTS]  runs and compares all suites
    python workshop/console_instructions.py PS3AUTOTESTS --digests    writes digests for Rust

PS3AUTOTESTS is a clone of https://github.com/AlexAltea/ps3autotests (GPL-2), and MYPS3TESTS one of
https://github.com/elad335/myps3tests (LGPL-3). They contain programs, and what consoles printed
when they ran these programs. Nothing of them belongs to CellStats: the programs run as they are,
by the examples console_ppe and console_spe of Rust's crates. Suites whose program or expected
output is missing in the clone are named and left out. Needs Rust. Fails if a line differs for no
known reason.
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

STACK = "a single is printed as eight bytes, of which four are of the console's stack"
FIRST = "the first line shows the condition register as the system left it"
TORN = "two lines overlap in the console's log"
DOUBTED = "the suites' own list (run-tests.py) says that this expected output is not correct"
# What each known difference leaves of a line.
_SINGLE = re.compile(r"(?<=-> )([0-9A-F]{8})[0-9A-F]{8}")
_CONDITION = re.compile(r" : [0-9a-f]{16}\]")
_WHOLE = re.compile(r"\S+ *\(\S+\) -> [0-9A-F]{16} \[[0-9A-F]{16} : [0-9A-F]{8}\]")
_ESTIMATE = re.compile(r"(fr\w+)\[.*?\((0x\w+)\)\]result=.*?\((0x\w+)\)")


class Suite(NamedTuple):
    """A suite: its folder, and why some of its lines may differ."""

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
    Suite("spu_alu", DOUBTED),
    Suite("spu_fpu", DOUBTED),
]
MYPS3TESTS = [
    Suite("ppu_tests/AltiVec NaN precedence"),
    Suite("ppu_tests/ppu_integer_arithmetic", TORN),
    Suite("spu_tests/FREST + FRSQEST test"),
]
DIGESTED = (
    "ppu_float_arithmetic",
    "ppu_float_compare",
    "ppu_float_conversion",
    "ppu_integer_arithmetic",
    "ppu_integer_logical",
    "ppu_integer_shift",
    "ppu_vector_integer_arithmetic",
)


class Files(NamedTuple):
    """A suite's program and the file of its expected output, if they are in the clone."""

    program: Path | None
    expected: Path | None


def files(suite: Suite, clone: Path) -> Files:
    """Find a suite in its clone."""
    autotests = clone / "tests/cpu" / suite.folder
    folder = autotests if autotests.is_dir() else clone / suite.folder
    programs = [*sorted(folder.glob("*.elf")), *sorted(folder.glob("*.self"))]
    expected = [*folder.glob("*.expected"), *folder.glob("expected.txt")]
    return Files(next(iter(programs), None), next(iter(expected), None))


def run(program: Path) -> str:
    """What a console's program prints on the simulated processors."""
    crate, example = ("spu", "console_spe") if "spu" in program.name else ("ppu", "console_ppe")
    command = ["cargo", "run", "--release", "--quiet", "--package", crate, "--example", example]
    result = subprocess.run(
        [*command, "--", program], cwd=ROOT, stdout=subprocess.PIPE, check=False
    )
    if result.returncode:
        sys.exit(f"{program}: not run")
    return result.stdout.decode("latin-1")


def lines(text: str) -> list[str]:
    """The lines of an output that are compared."""
    if "frest_fi" in text:
        # The log breaks lines at any character. C libraries differ in the digits of decimals.
        return [" ".join(found) for found in _ESTIMATE.findall("".join(text.split()))]
    return text.replace("\r", "").rstrip("\n").split("\n")


def prints_single(suite: str, label: str, earlier: int) -> bool:
    """Whether a line shows a single; `earlier` lines before it have the same label."""
    if suite == "ppu_float_conversion":
        # Each instruction runs on doubles first, and then on singles.
        return earlier > 0
    name = re.split(r"[ .(]", label)[0]
    return suite == "ppu_float_arithmetic" and (name.endswith("s") or name == "fres")


def essence(suite: Suite, line: str, index: int, earlier: int) -> str:
    """A line of the console without what is arbitrary for a known reason."""
    if suite.known == STACK and prints_single(suite.folder, line.split(" ->")[0], earlier):
        return _SINGLE.sub(r"\1", line)
    if suite.known == FIRST and index == 0:
        return _CONDITION.sub("]", line)
    if suite.known == DOUBTED or (suite.known == TORN and not _WHOLE.fullmatch(line)):
        return ""
    return line


class Compared(NamedTuple):
    """Numbers of lines, and the lines that differ for no known reason: a console's and ours."""

    lines: int
    equal: int
    known: int
    different: list[tuple[str, str]]


def compare(suite: Suite, expected: str, output: str) -> Compared:
    """Compare a suite's outputs."""
    theirs, ours = lines(expected), lines(output)
    if suite.known == TORN:
        # The log begins with the end of an earlier run.
        theirs = theirs[-len(ours) :]
    equal = known = 0
    different = []
    earlier: Counter[str] = Counter()
    for index, (their, our) in enumerate(zip(theirs, ours, strict=False)):
        label = their.split(" ->")[0]
        rest = essence(suite, their, index, earlier[label])
        if their == our:
            equal += 1
        elif rest in ("", essence(suite, our, index, earlier[label])):
            known += 1
        else:
            different.append((their, our))
        earlier[label] += 1
    if len(theirs) != len(ours):
        different.append((f"{len(theirs)} lines", f"{len(ours)} lines"))
    return Compared(len(theirs), equal, known, different)


def report(suite: Suite, clone: Path) -> bool:
    """Print how a suite compares. Return whether all differences are known."""
    program, expected = files(suite, clone)
    if program is None or expected is None:
        what = "program" if program is None else "expected output"
        print(f"{suite.folder}: left out, no {what}")
        return True
    result = compare(suite, expected.read_text("latin-1"), run(program))
    known = f", {result.known} differ: {suite.known}" if result.known else ""
    print(f"{suite.folder}: {result.lines} lines, {result.equal} equal{known}")
    for their, our in result.different[:_SHOWN]:
        print(f"    console: {their}\n    here:    {our}")
    if result.different:
        print(f"    {len(result.different)} lines differ")
    return not result.different


def digests(clone: Path) -> Iterator[str]:
    """A digest of what the consoles printed, for each instruction, without arbitrary bytes."""
    for suite in AUTOTESTS:
        expected = files(suite, clone).expected
        if suite.folder not in DIGESTED or expected is None:
            continue
        earlier: Counter[str] = Counter()
        hashes: dict[str, int] = {}
        for index, line in enumerate(lines(expected.read_text("latin-1"))):
            label, result = essence(suite, line, index, earlier[line.split(" ->")[0]]).split(" -> ")
            mnemonic = re.split(r"[ (]", label)[0]
            name = f"{suite.folder} {mnemonic} {earlier[label]}"
            earlier[label] += 1
            hashes[name] = fnv(f"{result}\n", hashes.get(name, 0xCBF29CE484222325))
        yield from (f"{name} {number:016x}" for name, number in hashes.items())


def fnv(text: str, number: int) -> int:
    """The FNV-1a hash of a text that follows another."""
    for byte in text.encode():
        number = (number ^ byte) * 0x100000001B3 % (1 << 64)
    return number


def main() -> None:
    """Compare, or write digests."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("autotests", type=Path, help="clone of ps3autotests")
    parser.add_argument("myps3tests", type=Path, nargs="?", help="clone of myps3tests")
    parser.add_argument("--digests", action="store_true", help="write the digests of Rust's tests")
    arguments = parser.parse_args()
    if arguments.digests:
        DIGESTS.write_text("".join(f"{line}\n" for line in digests(arguments.autotests)))
        return
    suites = [(suite, arguments.autotests) for suite in AUTOTESTS]
    if arguments.myps3tests:
        suites += [(suite, arguments.myps3tests) for suite in MYPS3TESTS]
    unknown = [suite for suite, clone in suites if not report(suite, clone)]
    sys.exit(1 if unknown else 0)


if __name__ == "__main__":
    main()
