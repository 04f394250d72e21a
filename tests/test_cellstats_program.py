"""CellStats as a Linux program (programs/cellstats/ppe) measures the paper's numbers."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import cellstats as cs

PROGRAM = Path(__file__).resolve().parents[1] / "programs" / "cellstats" / "ppe"
UNITS = {"ms": 1e6, "µs": 1e3, "ns": 1.0, "GB/s": 1.0}


def run(flags: str) -> subprocess.CompletedProcess[str]:
    """Run the program with these flags by `cellstats run`."""
    return subprocess.run(
        [sys.executable, "-m", "cellstats", "run", str(PROGRAM / "cellstats.elf"), *flags.split()],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def quantities(flags: str) -> list[float]:
    """The numbers that the program prints: nanoseconds and, if data are transferred, GB/s."""
    done = run(flags)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [re.fullmatch(r"([0-9.]+) (\S+)", line) for line in done.stdout.splitlines()]
    return [float(line[1]) * UNITS[line[2]] for line in lines if line]


# The commands in abellan2008ps3, with the outputs that the paper prints (section 3.2).
@pytest.mark.parametrize(
    ("flags", "published_ns"),
    [
        ("-f mkthread -n 1 -i 4", 1_680_000),
        ("-f mailbox -n 1 -i 200", 6_000),
        ("-f mailbox -n 1 -i 500 --ppe mmio", 362),
        ("-f mailbox -n 2 -i 1k -s", 160),
        ("-f signal -n 2 -i 1k -s", 160),
        ("-f signal -n 1 -i 200", 28_000),
        ("-f signal -n 1 -i 500 --ppe mmio", 290),
        ("-f fetchadd -N 6 -t 2k -i 1k", 135),
        ("-f fetchsub -N 6 -i 1k", 135),
        ("-f fetchinc -N 6 -i 1k", 135),
        ("-f fetchdec -N 6 -i 1k", 135),
        ("-f fetchset -N 6 -i 1k", 135),
        ("-f fetchadd -n 6 -i 2k", 1_000),
    ],
)
def test_it_prints_what_the_paper_has(flags: str, published_ns: float) -> None:
    assert quantities(flags) == [pytest.approx(published_ns, rel=0.1)]


@pytest.mark.parametrize(
    "flags",
    [
        "-f dmaget -n 6 -b 1k",
        "-f dmaget -N 2 -b 16",
        "-f dmaput -N 6 -b 2k -t 512",
        "-f dmaput -n 2 -b 8k -s",
        "-f dmaget -N 3 -b 8 -s",
        "-f dmaget -n 1 -s --batch 16",
        "-f dmalistget -N 6 -l 16 -b 64 -t 256",
        "-f dmalistput -n 2 -l 4 -b 512",
    ],
)
def test_it_moves_data_as_fast_as_the_built_in_functions(flags: str) -> None:
    words = flags.split()
    own = subprocess.run(
        [sys.executable, "-m", "cellstats", *words, "-i", "1k", "--format", "json"],
        capture_output=True,
        text=True,
        check=True,
    )
    result = cs.Result.from_json(own.stdout)
    # The papers' tool adds up the SPEs' bandwidths, each computed from the SPE's own time.
    built_in = [result.latency_ns, result.bandwidth_gb_s_own]
    assert quantities(f"{flags} -i 1k") == pytest.approx(built_in, rel=0.1)


def test_lists_of_2_kb_take_the_same_time_up_to_32_elements_and_longer_beyond() -> None:
    ns = {n: quantities(f"-f dmalistget -n 6 -l {n} -b {2048 // n} -i 200")[0] for n in (1, 32, 64)}
    assert ns[32] == pytest.approx(ns[1], rel=0.05)
    assert ns[64] > 1.5 * ns[32]


@pytest.mark.parametrize(
    ("flags", "line"),
    [
        ("", "nothing to measure; give -f FUNCTION, --help lists all"),
        ("-f foo", "unknown function 'foo'; --help lists all"),
        ("-f dmaget -n 7", "7 SPEs: there are 6 to use"),
        ("-f dmaget -n 1 -N 2", "-n and -N exclude each other"),
        ("-f dmaget -b 24", "-b 24: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most 16k"),
        ("-f dmaget -i 1x", "-i '1x' is not a whole number"),
        ("-f dmaget -i 0", "-i 0: give 1 to 1000000000"),
        ("-f dmaget -l 4", "-l with dmaget: only dmalistget and dmalistput use lists"),
        ("-f dmaget -N 2 -t 8", "-t 8: the stride of DMA buffers is a multiple of 16 bytes"),
        ("-f dmaget -t 128", "-t with dmaget: a stride is between private buffers, give -N"),
        ("-f dmaget x", "x is too much; --help lists the flags"),
        ("-f dmalistget -l 20 -b 16k", "buffers of 327680 bytes do not fit a local store"),
        ("-f mailbox -n 3 -s", "-n 3 with -s: SPEs synchronise in pairs, give an even number"),
        ("-f mailbox --ppe x", "--ppe x: the ways from the PPE to an SPE are library and mmio"),
        ("-f mkthread -s", "-s with mkthread: the PPE creates threads, leave -s out"),
        ("-f fetchadd -n 2 -s", "-s with fetchadd: atomic operations on a remote local store"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(flags: str, line: str) -> None:
    done = run(flags)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"cellstats: {line}")


def test_program_and_stack_of_an_spe_end_before_the_lists_begin() -> None:
    symbols = cs.spu_program(PROGRAM / "spe" / "cellstats_spe.elf").symbols
    stack_bytes_min = 2048
    assert symbols["_end"] + stack_bytes_min <= symbols["__stack"] < 0x4000
