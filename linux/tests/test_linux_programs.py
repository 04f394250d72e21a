"""The Linux programs in linux/programs/ run, and two runs are identical."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cellstats as cs
from parts import needs
from ppe_programs import KEPT

# For each program, its last output line. None if the text is not checked.
PROGRAMS: dict[str, str | None] = {
    "hello": "hello from the PPE, and from 6 SPEs",
    "abs": "4096 absolute values",
    "copy": "16777216 bytes copied by 6 SPEs",
    "counter": "7000 increments by 6 SPEs and the PPE",
    "mailboxes": "three rounds of 86 messages",
    "signals": "a token went 10 times round 6 SPEs: 61",
    "proxy": "65536 bytes there and back, three times",
    "mapping": "local stores and registers are where they should be",
    "stops": "every stop was told, and every program went on",
    "many": "24 contexts, 24 right",
    "leaves": "the PPE ends, and its SPEs with it",
    "faults": "ten faults, each reported as what it is",
    "stdio": "the PPE ends",
    "posix": "files, directories and 1024 words of the PPE's memory",
    "race": None,
    "gang": "6 neighbours",
    "errors": "every mistake is told",
    "threads1": "threads of version 1, on 6 SPEs",
    "files": "files, directories and descriptors",
    "waits": "every wait ends as it should",
    "wide": "hello from 64 bits",
    "hello_dynamic": "hello from the PPE, and from 6 SPEs",
    "threads1_dynamic": "threads of version 1, on 6 SPEs",
}
DYNAMIC = needs("powerpc")
NAMES = [pytest.param(name, marks=DYNAMIC if "dynamic" in name else ()) for name in PROGRAMS]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory for a test, with the libraries in the folder that programs search."""
    (tmp_path / "libspe2").mkdir()
    for library in KEPT.glob("libspe2/*.so.*"):
        shutil.copy(library, tmp_path / "libspe2")
    return tmp_path


def run(
    place: Path, *arguments: str, stdin: str = "", options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Copy the program to a directory, and run `cellstats run ARGUMENTS` there."""
    name, *rest = arguments
    shutil.copy(KEPT / name, place)
    return subprocess.run(
        [sys.executable, "-m", "cellstats", "run", *options, f"./{name}", *rest],
        cwd=place,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_program_finds_everything_right_and_the_same_again(name: str, place: Path) -> None:
    """A run succeeds and leaves no files. A second run has the same record and output."""

    def once() -> tuple[str, bytes]:
        done = run(place, f"{name}.elf", options=("--record", "record.json"))
        wrong = done.stderr.count("is not so")
        assert (done.returncode, wrong) == (0, 0), done.stdout + done.stderr
        return done.stdout, (place / "record.json").read_bytes()

    before = sorted(place.iterdir())
    first = once()
    expected = PROGRAMS[name]
    if expected is not None:
        assert first[0].splitlines()[-1] == expected
    left = [*before, place / f"{name}.elf", place / "record.json"]
    assert sorted(place.iterdir()) == sorted(left)
    assert once() == first


def test_who_wins_a_race_is_the_same_each_time(place: Path) -> None:
    first, second = run(place, "race.elf"), run(place, "race.elf")
    assert first.stdout == second.stdout
    # Each thread had 20 turns, and the turns are interleaved.
    text = first.stdout.strip()
    assert all(text.count(letter) == 20 for letter in "abcdefAB")
    assert text != "".join(sorted(text))


@pytest.mark.parametrize("spes", ["5,4,3,2,1,0", "1,0,3,2,5,4", "2,4,0,1,3,5", "4,5,2,3,0,1"])
def test_threads_that_spin_on_a_lock_do_not_keep_its_owner_from_releasing_it(
    spes: str, place: Path
) -> None:
    done = run(place, "race.elf", options=("--placement", spes, "--limit", "60m"))
    assert len(done.stdout.strip()) == 8 * 20, done.stderr


def test_both_sides_share_their_streams(place: Path) -> None:
    lines = run(place, "stdio.elf", stdin="Ada 36\n").stdout.splitlines()
    assert lines[0] == "the PPE begins"
    assert lines[1] == "-1 1 ff 10 c text|   42|42   |00042"
    assert "Ada is 36" in lines
    assert lines[-2:] == ["by write", "the PPE ends"]


def test_an_executable_of_the_spu_in_a_file_of_its_own(place: Path) -> None:
    shutil.copy(KEPT / "hello_spu.elf", place)
    done = run(place, "image.elf", "hello_spu.elf", "3", "4")
    assert (done.returncode, done.stdout) == (3, "hello from SPE 3 of 4\n")
    done = run(place, "image.elf", "none.elf")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("image: none.elf: No such file or directory\n")


def test_a_fault_that_nobody_catches_ends_the_program(place: Path) -> None:
    done = run(place, "faults.elf", "once more")
    assert done.stdout == "ten faults, each reported as what it is\n"
    # The status is 128 + SIGILL, as in a shell.
    assert done.returncode == 128 + 4


def test_faults_are_shown_whether_the_program_heeds_them_or_not(place: Path) -> None:
    done = run(place, "faults.elf", options=("-v",))
    shown = [line for line in done.stderr.splitlines() if line.startswith("  fault after ")]
    told = [line.rpartition("; reported by ")[2] for line in shown]
    events = ["event 0x8", "event 0x40", "event 0x40", "event 0x800"]
    assert told == [
        *(f"{answer} of spu_run" for answer in ("status 0x4", "status 0x20", *events)),
        *("SIGILL", "SIGBUS", "SIGSEGV", "SIGBUS"),
    ]
    # Each text line contains the time, the SPE and the instruction's address.
    assert all(
        re.match(r"  fault after \S+ [mµ]s on SPE \d at 0x[0-9a-f]+ \(", line) for line in shown
    )
    words = [
        "its condition holds: the program halts",
        "0x00800000 is no instruction",
        "DMA alignment: local-store address 0x",
        "data storage: the page at effective address 0x",
        "data storage: nothing is mapped at effective address 0x40",
        "invalid DMA command: opcode 0x0 is not defined",
    ]
    assert [word in line for word, line in zip(words, shown, strict=False)] == [True] * 6
    assert "fault" not in run(place, "faults.elf").stderr


def spu_cycles_of_a_load(place: Path, loop: str, level_bytes: int, laps: int = 1) -> float:
    done = run(place, "loads.elf", loop, str(level_bytes), str(laps))
    ticks, loads = map(int, re.findall(r"\d+", done.stdout))
    return ticks / 79.8e6 * 3.2e9 / loads


@pytest.mark.parametrize(
    ("level_bytes", "laps", "least", "most"),
    [(8192, 300, 6, 7), (262144, 4, 44.5, 46)],
)
def test_a_chase_takes_the_latency_of_its_level(
    level_bytes: int, laps: int, least: float, most: float, place: Path
) -> None:
    """Six cycles in the L1, and 45 in the L2. The first lap, from memory, adds a little."""
    assert least <= spu_cycles_of_a_load(place, "chase", level_bytes, laps) <= most


@pytest.mark.parametrize(("level", "level_bytes"), [("l2", 262144), ("memory", 4 << 20)])
def test_a_walk_takes_as_long_as_a_loop_of_instructions(
    level: str, level_bytes: int, place: Path
) -> None:
    [row] = cs.machine("ps3").measure("load", level=level, size=4, iterations=200_000).per_thread
    assert row.bandwidth_gb_s is not None
    walked = 4 / row.bandwidth_gb_s * 3.2
    assert spu_cycles_of_a_load(place, "words", level_bytes, 2) == pytest.approx(walked, rel=0.02)


def test_a_touched_line_hits(place: Path) -> None:
    missed, touched = (spu_cycles_of_a_load(place, loop, 4 << 20) for loop in ("lines", "touched"))
    assert touched < missed / 3
