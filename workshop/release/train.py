"""Runs what people wait for, so that a compiler sees which code is worth its time.

`make wheels` builds the simulator for this computer first. This build counts how often each branch
is taken while this script uses it, and the wheels are optimised for the counts (profile-guided
optimisation). Each command uses one processor and no random numbers, because only equal counts
lead to identical wheels.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = """
-f couples -n 8 -b 16k -i 60 --machine eval-board --no-fast-forward
-f cycle --spes 0,5,2,7,4,1,6,3 -b 16k -i 80 --machine blade-2100 --no-fast-forward
-f cycle --spes 0,5,2,7,4,1,6,3 -b 1k -l 16 -i 40 --machine blade-2100 --no-fast-forward
-f hotspot --op copy -n 8 --cells 0 --memory interleave -b 16k -i 40 --machine blade-2100
-f hotspot --op get -n 4 --cells 0 --memory interleave -b 4k -i 200 --machine blade-2100
-f dmaget -n 6 -b 16k -i 100 --no-fast-forward
-f dmaput -n 6 -b 128 -i 4k --no-fast-forward
-f dmaget -s -n 2 -b 128 -i 4k --no-fast-forward
-f fetchadd -n 6 -i 1k --no-fast-forward
-f mailbox -n 2 -s -i 2k --no-fast-forward
-f mailbox -n 2 -i 1k --no-fast-forward
-f signal -n 2 -s -i 2k --no-fast-forward
-f copy --level memory -b 8 -i 100k --machine blade-2100 --no-fast-forward
-f load --level l2 -b 8 -i 100k --machine blade-2100 --no-fast-forward
-f dmaget -n 6 -b 1k -i 1m
spu {root}/programs/samples/matrix.elf
run {root}/linux/programs/loads.elf words 16384 40
run {root}/linux/programs/loads.elf lines 1048576 2
run {root}/linux/programs/hello.elf
place binomial-tree --machine eval-board --by simulation --evaluations 200 --jobs 1
""".strip().splitlines()


def run(command: str) -> None:
    """Run a command. A subprocess.CalledProcessError is raised if it fails."""
    # A path may contain spaces.
    words = [word.format(root=ROOT) for word in command.split()]
    subprocess.run(
        [sys.executable, "-m", "cellstats", *words], check=True, stdout=subprocess.DEVNULL
    )


def main() -> None:
    """Run all commands; the first that fails ends the build."""
    for command in COMMANDS:
        run(command)


if __name__ == "__main__":
    main()
