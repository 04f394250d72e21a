"""Measures the cost of starting the command: part of `make bench`.

If valgrind is installed, callgrind counts instructions, which do not depend on other work of this
computer. Milliseconds are the minimum CPU time of twenty runs. Byte-code is compiled first, as
during installation. The bench has no pass criterion.
"""

import compileall
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import cellstats

RUNS = 20
PROGRAMS = Path(__file__).parents[2] / "linux" / "programs"
COMMANDS = {
    "python -c pass": "-c pass",
    "cellstats -f mailbox -n 2 -s -i 1k": "-m cellstats -f mailbox -n 2 -s -i 1k",
    "the same, --format json": "-m cellstats -f mailbox -n 2 -s -i 1k --format json",
    "cellstats --version": "-m cellstats --version",
    "cellstats --help": "-m cellstats --help",
    "cellstats run hello_dynamic.elf": f"-m cellstats run {PROGRAMS / 'hello_dynamic.elf'}",
}


def main() -> None:
    """Print a row for each command."""
    compileall.compile_dir(Path(cellstats.__file__).parent, quiet=1)
    for name, arguments in COMMANDS.items():
        command = [sys.executable, *arguments.split()]
        cpu_ms = min(1000 * processor_seconds(command) for _ in range(RUNS))
        print(f"{name:<40} {cpu_ms:>8.1f} ms  {instructions(command)}", flush=True)


def processor_seconds(command: list[str]) -> float:
    """User and system time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def instructions(command: list[str]) -> str:
    """Instructions of a whole run."""
    if shutil.which("valgrind") is None:
        return "callgrind: not found"
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}"]
    done = subprocess.run([*valgrind, *command], check=True, capture_output=True, text=True)
    counted = next(line for line in done.stderr.splitlines() if "Collected" in line)
    return f"{int(counted.split()[-1]) / 1e6:>8.1f} million instructions"


if __name__ == "__main__":
    main()
