"""Compares measurements of `--machine host` with those of trusted tools.

CellStats and another tool (a peer) measure each quantity on the same CPUs. In each turn, both tools
measure once, in alternating order, and their results give a ratio. The output is the median ratio
and its 95 % interval. The output also names missing peers and where to get them; docs/BIAS.md
explains the differences.

Nothing passes or fails. `make bench` leaves this bench out, because it takes minutes and needs an
otherwise idle computer.

    python workshop/benches/agreement.py [--cpus 0,1] [--turns N] [--only TEXT] [--stream stream.c]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import cellstats as cs
from cellstats.host.cores import working_set_bytes
from cellstats.host.disturbances import is_bad
from cellstats.host.host_result import HostResult
from cellstats.host.statistics import median_interval

GET = {
    "core-to-core-latency": "cargo install core-to-core-latency",
    "likwid-bench": "the package likwid of Debian and others",
    "cc": "any C compiler",
    "stream.c": "https://www.cs.virginia.edu/stream, given by --stream",
}
AGREES = 0.10
"""Maximum acceptable difference between a ratio and 1."""
PATIENCE_SECONDS = 120
"""Time limit of a peer."""
NOISY = 0.10
"""Maximum acceptable width of the interval of a peer's numbers, as a fraction of their median."""
ROW = "{:<72} {:>7} {:>10} {:>10} {:>21}  {}"
HOST = cs.machine("host")


@dataclass(frozen=True, slots=True)
class Definition:
    """A quantity, with our measurement and the peer's."""

    name: str
    unit: str
    cpus: tuple[int, ...]
    ours: Callable[[], tuple[float, bool]]
    """Our number in the peer's unit, and whether it may be wrong by more than 20 %."""
    theirs: Callable[[], float]


def main() -> None:
    """Print a row for each definition."""
    options = read_options()
    cpus = tuple(int(cpu) for cpu in options.cpus.split(","))
    print(f"load {os.getloadavg()[0]:.2f} before; {options.turns} turns on CPUs {options.cpus}")
    with tempfile.TemporaryDirectory() as folder:
        print(ROW.format("definition", "CPUs", "ours", "theirs", "ratio, 95 % sure", "within 10 %"))
        for each in definitions(cpus, options, folder):
            if options.only in each.name:
                for line in compare(each, options.turns):
                    print(line, flush=True)


def read_options() -> argparse.Namespace:
    """The command line."""
    two = ",".join(map(str, HOST.topology.placement(min(2, HOST.topology.cores()))))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cpus", default=two, help=f"by default {two}")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="definitions with it in the name"
    )
    parser.add_argument("--stream", metavar="FILE", help="stream.c, version 5.10")
    return parser.parse_args()


def definitions(
    cpus: tuple[int, ...], options: argparse.Namespace, folder: str
) -> Iterator[Definition]:
    """All definitions of the installed peers. Prints the names of peers that are not installed."""
    likwid_tests = run("likwid-bench", "-a") if shutil.which("likwid-bench") else ""
    for name, there in (
        ("core-to-core-latency", shutil.which("core-to-core-latency")),
        ("likwid-bench", likwid_tests),
        ("stream.c", options.stream),
        ("cc", shutil.which("cc")),
    ):
        if not there:
            print(f"{name} is not there: {GET[name]}")
    if shutil.which("cc"):
        yield from chases(cpus[:1], folder)
    if shutil.which("core-to-core-latency") and len(cpus) > 1:
        yield core_to_core(cpus[:2])
    for used in dict.fromkeys((cpus[:1], cpus)):
        for level, function, size, non_temporal, test in LIKWID:
            if re.search(rf"^{test} - ", likwid_tests, re.MULTILINE) and has_level(used, level):
                yield likwid(used, level, function, size, non_temporal, test)
        if options.stream:
            yield stream(used, Path(options.stream), folder)


def compare(definition: Definition, turns: int) -> Iterator[str]:
    """A row of the table, followed by its remarks."""
    ours, theirs, bad = [], [], 0
    for turn in range(turns):
        for we in (True, False) if turn % 2 else (False, True):
            if we:
                number, is_off = definition.ours()
                bad += is_off
                ours.append(number)
            else:
                theirs.append(definition.theirs())
    ratios = sorted(one / other for one, other in zip(ours, theirs, strict=True))
    low, high = median_interval(ratios)
    middle = median(ratios)
    yield ROW.format(
        definition.name,
        ",".join(map(str, definition.cpus)),
        f"{median(ours):.1f} {definition.unit}",
        f"{median(theirs):.1f} {definition.unit}",
        f"{middle:.3f} [{low:.3f}, {high:.3f}]",
        "yes" if abs(middle - 1) <= AGREES else "no",
    )
    yield from noise(theirs, bad, turns)


def noise(theirs: Sequence[float], bad: int, turns: int) -> Iterator[str]:
    """Reasons not to trust a row; empty if there are no known reasons."""
    low, high = median_interval(sorted(theirs))
    width = (high - low) / median(theirs)
    if width > NOISY:
        yield f"  noisy: the peer's own median is known to {width:.0%} only"
    if bad > turns / 3:
        yield f"  noisy: {bad} of {turns} of our numbers are good to a factor of 2 only, or less"


# The peer core-to-core-latency counts half a round trip as the latency.

SAMPLE_ROUND_TRIPS, RUNS = 1000, 15


def core_to_core(cpus: tuple[int, ...]) -> Definition:
    """Compare-and-swap of one flag by two threads alternately.

    The peer prints the mean over its samples, which a single interrupted sample can dominate. The
    bench therefore runs the peer many times for one sample, and uses the median.
    """
    cores = ",".join(map(str, cpus))
    command = ("core-to-core-latency", str(SAMPLE_ROUND_TRIPS), "1", "--csv", "--cores", cores)

    def theirs() -> float:
        return median(number_after("", run(*command)) for _ in range(RUNS))

    def ours() -> tuple[float, bool]:
        result = HOST.measure("mailbox", spe_to_spe=True, placement=cpus)
        return result.latency_ns / 2, is_bad(result.grade)

    return Definition("mailbox -s = core-to-core-latency", "ns", cpus, ours, theirs)


# likwid-bench divides the bytes of all loaded and stored elements by the time of all repetitions.

SAMPLES = 6000
"""Number of samples, chosen so that a test runs for about a second."""
LIKWID = [
    ("l1", "load", 32, False, "load_avx"),
    ("l1", "load", 64, False, "load_avx512"),
    ("l1", "copy", 32, False, "copy_avx"),
    ("l2", "load", 32, False, "load_avx"),
    ("memory", "load", 8, False, "load"),
    ("memory", "load", 32, False, "load_avx"),
    ("memory", "store", 32, False, "store_avx"),
    ("memory", "store", 32, True, "store_mem_avx"),
    ("memory", "copy", 8, False, "copy"),
    ("memory", "copy", 32, False, "copy_avx"),
    ("memory", "copy", 32, True, "copy_mem_avx"),
]
"""Level, FUNCTION, element size, whether non-temporal, and the equivalent likwid-bench test."""


def likwid(
    cpus: tuple[int, ...], level: str, function: str, size: int, non_temporal: bool, test: str
) -> Definition:
    """Both tools execute the same instructions over a working set of the same size.

    CellStats is given the working set of one thread; likwid-bench is given the working set of all
    threads, in KB of 1000 bytes.
    """

    def ours() -> tuple[float, bool]:
        result = access(cpus, function, size, level, non_temporal, samples=SAMPLES)
        return mean_bandwidth(result), is_bad(result.grade)

    def theirs() -> float:
        kilobytes = own_bytes(cpus, level) * len(cpus) // 1000
        group = f"N:{kilobytes}kB:{len(cpus)}"
        printed = run("likwid-bench", "-t", test, "-W", group, "-s", "1", cpus=cpus)
        return number_after(r"MByte/s:", printed) / 1000

    past = " --non-temporal" if non_temporal else ""
    name = f"{function} -b {size} --level {level}{past} = likwid-bench -t {test}"
    return Definition(name, "GB/s", cpus, ours, theirs)


# In STREAM, a sample is a whole pass over the arrays, and the result is the best sample.

PASSES = 18  # one for each repetition of ours


def stream(cpus: tuple[int, ...], source: Path, folder: str) -> Definition:
    """The copy kernel: for both tools, the result is the best of the same number of whole passes.

    Each array of STREAM has four times the size of all caches, as STREAM's rules require; our
    arrays together have that size. STREAM's other kernels calculate, unlike any FUNCTION of
    CellStats.
    """
    own = own_bytes(cpus, "memory")
    elements = own * len(cpus) // 8
    program = str(Path(folder, f"stream-{len(cpus)}"))
    sizes = (f"-DSTREAM_ARRAY_SIZE={elements}", f"-DNTIMES={PASSES + 1}", "-mcmodel=medium")
    # Without the last flag, a compiler may call memcpy, which may bypass the caches.
    how = ("-O3", "-march=native", "-fopenmp", "-fno-tree-loop-distribute-patterns")
    run("cc", *how, *sizes, str(source), "-o", program, "-lm")
    size = 32 if "avx2" in Path("/proc/cpuinfo").read_text(encoding="utf-8") else 16

    def ours() -> tuple[float, bool]:
        passes = PASSES * (own // 2 // size)
        result = access(cpus, "copy", size, "memory", False, samples=PASSES, iterations=passes)
        return best_bandwidth(result), is_bad(result.grade)

    def theirs() -> float:
        threads = {"OMP_NUM_THREADS": str(len(cpus)), "OMP_PROC_BIND": "true"}
        return number_after(r"^Copy:", run(program, cpus=cpus, environment=threads)) / 1000

    name = f"copy -b {size} --level memory, best pass = STREAM Copy"
    return Definition(name, "GB/s", cpus, ours, theirs)


# The plain chase in chase.c is what lat_mem_rd of lmbench does with -t: a random cycle of lines.

CHASED = ((16, "KB"), (128, "KB"), (1, "MB"), (8, "MB"), (64, "MB"))
"""Working sets."""


def chases(cpus: tuple[int, ...], folder: str) -> Iterator[Definition]:
    """The latency of loads that wait for each other, on pages that malloc gives."""
    program = str(Path(folder, "chase"))
    run("cc", "-O2", str(Path(__file__).with_name("chase.c")), "-o", program)
    for number, unit in CHASED:
        size = number << (10 if unit == "KB" else 20)

        def ours(size: int = size) -> tuple[float, bool]:
            result = HOST.measure("load", chase="lines", working_set=size, placement=cpus)
            return result.latency_ns, is_bad(result.grade)

        def theirs(size: int = size) -> float:
            return number_after("", run(program, str(size), cpus=cpus))

        name = f"load --chase lines --working-set {number}{unit[0].lower()} = chase.c"
        yield Definition(name, "ns", cpus, ours, theirs)


# Functions that all peers share.


def access(
    cpus: tuple[int, ...], function: str, size: int, level: str, non_temporal: bool, **more: int
) -> HostResult:
    """Our measurement with elements of one size."""
    return HOST.measure(
        function,
        placement=cpus,
        spes=len(cpus),
        size=size,
        level=level,
        non_temporal=non_temporal,
        **more,  # type: ignore[arg-type]
    )


def mean_bandwidth(result: HostResult) -> float:
    """The mean of all samples, including interrupted ones, as in likwid-bench."""
    means = [each.latency_ns_mean for each in result.per_thread]
    return sum((result.means.bytes_per_iteration or 0) / (mean or float("nan")) for mean in means)


def best_bandwidth(result: HostResult) -> float:
    """The bandwidth of the best sample; a sample ends with its slowest thread."""
    series = [
        [time for repetition in each.samples_ns for time in repetition]
        for each in result.per_thread
    ]
    moved = (result.means.bytes_per_iteration or 0) * len(series)
    best: float = min(max(times) for times in zip(*series, strict=True))
    return moved / best


def own_bytes(cpus: tuple[int, ...], level: str) -> int:
    """The working set of each of our threads."""
    return working_set_bytes(HOST.topology, HOST.tree, cpus, level)


def has_level(cpus: tuple[int, ...], level: str) -> bool:
    """Whether our threads can have a working set in this level."""
    try:
        own_bytes(cpus, level)
    except cs.UsageError:
        return False
    return True


def run(
    *command: str, cpus: Sequence[int] | None = None, environment: dict[str, str] | None = None
) -> str:
    """The output of a command on these CPUs only; exits with a message if the command fails."""
    if cpus:
        command = ("taskset", "-c", ",".join(map(str, cpus)), *command)
    every = {**os.environ, **(environment or {})}
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, env=every, timeout=PATIENCE_SECONDS
        )
    except subprocess.TimeoutExpired:
        sys.exit(f"{' '.join(command)}: no end after {PATIENCE_SECONDS} seconds")
    if ended.returncode:
        last = (ended.stderr or ended.stdout).strip().splitlines()[-1:]
        sys.exit(f"{' '.join(command)}: exit status {ended.returncode} {' '.join(last)}")
    return ended.stdout


def number_after(what: str, printed: str) -> float:
    """The first number after a pattern; exits with a message if there is none."""
    found = re.search(rf"{what}[\s,]*([\d.]+)", printed, re.MULTILINE)
    if found is None:
        sys.exit(f"no {what} in what a peer printed")
    return float(found[1])


if __name__ == "__main__":
    main()
