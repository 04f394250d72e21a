"""Compare the numbers of abellan2008ps3 with the built-in FUNCTIONs and the Linux program.

    python programs/published.py [-i 2k] [--run "cellstats run"]

Print a table of docs/spe-programs.md. The Linux program is cellstats/ppe/cellstats.elf.
"""

import argparse
import re
import shlex
import subprocess
from pathlib import Path

PROGRAM = Path(__file__).parent / "cellstats" / "ppe" / "cellstats.elf"
UNITS = {"s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1.0, "GB/s": 1.0}
QUANTITY = re.compile(r"([0-9.]+) (\S+)")
ATOMICS = ("fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset")

# Flags; the published value in ns or GB/s, or two contradictory values; the section or figure.
Row = tuple[str, float | tuple[float, float], str]
LATENCIES: tuple[Row, ...] = (
    ("-f mkthread -n 1", 1_680_000, "3.2.1"),
    ("-f mailbox -n 1", 6_000, "3.2.2"),
    ("-f mailbox -n 1 --ppe mmio", 362, "3.2.2"),
    ("-f mailbox -n 2 -s", 160, "3.2.2"),
    ("-f signal -n 1", 28_000, "3.2.3"),
    ("-f signal -n 1 --ppe mmio", 290, "3.2.3"),
    ("-f signal -n 2 -s", 160, "3.2.3"),
    ("-f fetchadd -N 6 -t 2k", 135, "3.2.4"),
    *((f"-f {function} -N 6 -t 128", 135, "Figure 3") for function in ATOMICS),
    # The paper gives 150 ns for each SPE, but also 1 µs for six SPEs.
    *((f"-f fetchadd -n {spes}", (150 * spes, 167 * spes), "4.3") for spes in range(2, 6)),
    *((f"-f {function} -n 6", (900, 1_000), "4.3, Figure 3") for function in ATOMICS),
)
BANDWIDTHS: tuple[Row, ...] = (
    *((f"-f {function} -n 6 -b 16k", 25.6, "4.2.2") for function in ("dmaget", "dmaput")),
    *((f"-f {function} -N 6 -b 2k", 25.6, "4.2.2") for function in ("dmaget", "dmaput")),
    *(
        (f"-f {function} -n 2 -s -b 16k --batch 16", 25.6, "4.2.2")
        for function in ("dmaget", "dmaput")
    ),
    *(
        (f"-f {function} -n 6 -l {elements} -b {2048 // elements}", 12.3, "4.2.3")
        for function in ("dmalistget", "dmalistput")
        for elements in (1, 8, 32)
    ),
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-i", "--iterations", default="2k")
    parser.add_argument("--run", default="cellstats run", help="the command that runs the program")
    given = parser.parse_args()
    print("| flags | where | published | built in | the Linux program | differs by |")
    print("|---|---|---:|---:|---:|---:|")
    for nth, rows in enumerate((LATENCIES, BANDWIDTHS)):
        for flags, published, where in rows:
            words = [*flags.split(), "-i", _iterations(flags, given.iterations)]
            built_in = _quantities(["cellstats", *words])[nth]
            linux = _quantities([*shlex.split(given.run), str(PROGRAM), *words])[nth]
            unit = ("ns", "GB/s")[nth]
            least, most = published if isinstance(published, tuple) else (published, published)
            nearest = min(max(linux, least), most)
            numbers = (
                f"{least:.10g} to {most:.10g}" if most > least else f"{most:.10g}",
                f"{built_in:.10g}",
                f"{linux:.10g}",
            )
            cells = " | ".join(f"{number} {unit}" for number in numbers)
            by = f"{100 * (linux / nearest - 1):+.1f} %"
            print(f"| `{flags}` | {where} | {cells} | {by} |", flush=True)


def _iterations(flags: str, given: str) -> str:
    """Return few iterations for threads: each is slow, and all take the same time."""
    return "20" if "mkthread" in flags else given


def _quantities(command: list[str]) -> list[float]:
    """Return the quantities that a command prints: nanoseconds and, in the second line, GB/s."""
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    return [float(number) * UNITS[unit] for number, unit in QUANTITY.findall(result.stdout)]


if __name__ == "__main__":
    main()
