"""Save the output of many commands, for a comparison before and after a change.

    .venv/bin/python workshop/unchanged.py before     # with the old code
    .venv/bin/python workshop/unchanged.py after      # with the new code
    diff -r before after                           # prints nothing

All output must be the same if a change does not affect behaviour. A command's exit status, both
output streams and files are saved in a separate folder. The commands cover every FUNCTION, machines
with one and two chips, JSON with all counters, traces, sweeps, placements, executables, Linux
programs, page scenes, claim tables, and errors. No output depends on this computer or on the time
of day.
"""

import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "programs" / "samples"
LINUX = ROOT / "linux" / "programs"
SCENE = re.compile(r'<script type="application/json" id="scene">(.*?)</script>')

COMMANDS = f"""
-f mkthread -n 4 -i 100 --format json
-f mailbox -n 2 -i 300 --format json
-f mailbox -n 3 -i 300 --ppe mmio --format json
-f mailbox -n 4 -i 300 -s --format json
-f mailbox -s --spes 0,8 -i 300 --machine qs20 --format json
-f signal -n 2 -i 300 --format json
-f signal -n 2 -i 300 -s -v
-f signal -n 1 -i 300 --ppe mmio --machine blade-2100 --format json
-f dmaget -n 6 -b 1k -i 2k --format json
-f dmaget -N 3 -b 16k -i 200 --batch 4 --histogram --format json
-f dmaget -N 8 -b 1k -i 500 --cells 1 --machine qs20 --format json
-f dmaget -n 5 -b 2k -i 200 -s -v
-f dmaget -n 2 -b 128 -i 1k --spe-program c --format json
-f dmaput -N 6 -b 2k -i 1k -t 512 --format json
-f dmaput -n 16 -b 4k -i 100 --memory interleave --machine qs20 --format json
-f dmaput -n 1 -b 8 -i 1k --no-fast-forward --format json
-f dmalistget -N 6 -l 16 -b 64 -t 256 -i 500 --format json
-f dmalistput -n 2 -l 4 -b 256 -i 500 -s --format json
-f fetchadd -N 6 -t 2k -i 1k --format json
-f fetchadd -n 16 --memory 1 -i 200 --machine qs20 --format json
-f fetchsub -n 4 -i 500 --format json
-f fetchinc -n 3 -i 500 --spe-program c --format json
-f fetchdec -n 2 -i 500 -v
-f fetchset -n 6 -i 500 --placement random --seed 4 --format json
-f hotspot -n 8 --op put --batch 1 --histogram -i 200 --machine eval-board --format json
-f hotspot -n 5 --target 2 --op copy -b 4k -i 100 --machine eval-board --format json
-f complement -n 8 -i 60 --machine eval-board --format json
-f pairwise -n 8 -i 60 --op put --machine eval-board --format json
-f uniform -n 8 -i 60 --seed 3 --machine eval-board --format json
-f couples -n 8 -i 60 --machine eval-board --placements 10
-f couples -n 12 -i 40 --cells 01 --machine qs20 --format json
-f cycle -n 8 -b 1k -l 16 -i 60 --machine eval-board --format json
-f hotspot --op get -b 4k --memory interleave --spes 1,4 --machine blade-2100 --settle --format json
-f cycle -b 16k --spes 3,6,5,1 --machine blade-2100 --settle
-f exchange --pattern recursive-doubling -n 8 -i 50 --machine eval-board --format json
-f exchange --pattern all-to-all -n 6 -b 4k -i 20 --machine qs20 --placement model --format json
-f load --level l1 --threads 2 -i 10k --format json
-f store --level l2 -b 8 -i 10k --machine blade-2100 --format json
-f copy --level memory -i 10k --format json
-f copy --level l1l2 -i 10k -v
-f load --level ls -n 4 -b 4 -i 10k --format json
-f dmaget -n 7
-f couples -n 3
-f dmaget -b 24
-f exchange --machine ps3
-f load --level l2 -n 2
-f mailbox -N 2 -b 4
-f hotspot --spe-program c
-f dmaget --cells 1
-f dmaput --placement 0,0,1
-f sing
trace dmaget -n 2 -b 1k -s
trace dmaput -N 6 -b 2k --skip 5k --window 400 --out trace.json
trace dmaget -n 4 -b 4k --machine qs20 --memory 1 --window 600 --out trace.json
trace fetchadd -n 3 --window 300
trace mailbox --window 300 --scale 2
breakdown --machine eval-board
breakdown dmalistput -b 128 -l 4 -s --format csv
breakdown --spes 0,8 --machine qs20 --format json
sweep dmaget -N 1..6 -b 128..2k -i 200 --format csv
sweep fetchadd,fetchset -n 1,2,4 -i 200 --format json
sweep couples -n 2..8:2 -i 20 --machine eval-board,qs20 --out couples.csv
matrix -f mailbox -i 50 --machine eval-board
matrix -f dmaget -b 4k --batch 4 -i 20 --y bandwidth --format json
place ring -n 4 -b 16k --machine ps3 --format json
place pipeline -n 6 --by model --machine qs20
place all-to-all -n 6 --by model --machine qs20 --format libspe2
pattern show binomial-tree -n 16 -b 64k
pattern show recursive-doubling -n 8 --format csv
machine list
machine show qs20
machine show eval-board --basis fitted,assumed --format json
machine diff ps3 qs20
spu {SAMPLES}/hello.elf -n 6
spu {SAMPLES}/matrix.elf --profile
spu {SAMPLES}/pingpong.elf -n 2 --machine qs20 --record record.json
spu {SAMPLES}/barrier.elf -n 4
run -v {LINUX}/hello.elf
run --record record.json {LINUX}/race.elf
run --format json {LINUX}/many.elf
run --trace 400 {LINUX}/abs.elf
run {LINUX}/image.elf
run -v {LINUX}/mailboxes.elf
run {LINUX}/signals.elf
run -v {LINUX}/faults.elf
run --format json {LINUX}/gang.elf
run {LINUX}/posix.elf
run --trace 2k --trace-out trace.json {LINUX}/copy.elf
run --trace 4k --watch page.html {LINUX}/abs.elf
spu {SAMPLES}/matrix.elf --trace 4k --watch page.html
watch couples -n 4 --out page.html
watch dmaget -n 12 -b 16k --machine qs20 --window 10k --at 5200 --out page.html
watch fetchadd -n 2 --placement 1,0 --out page.html
place ring -n 12 -b 16k --machine qs20
place all-to-all -n 9 -b 2k --machine blade-2100 --format json
place recursive-doubling -n 16 -b 4k --by model --machine qs20 --format json
reproduce kistler2006 --figure table1 --jobs 1
reproduce kistler2006 --figure table1 --jobs 1 --out .
reproduce sudheer2009 --figure figure4 --jobs 1 --out .
""".strip().splitlines()


def keep(folder: Path, nth: int, command: str) -> None:
    """Run one command in a separate folder, and save its output there."""
    home = folder / f"{nth:02}"
    home.mkdir(parents=True)
    run = [sys.executable, "-m", "cellstats", *shlex.split(command)]
    done = subprocess.run(run, cwd=home, capture_output=True, text=True, check=False)
    (home / "command").write_text(command.replace(str(ROOT), ".") + "\n")
    (home / "status").write_text(f"{done.returncode}\n")
    (home / "stdout").write_text(done.stdout)
    (home / "stderr").write_text(done.stderr)
    # Save only a page's scene, because the rest of the page is the same for all runs.
    for page in home.glob("page.html"):
        (home / "scene.json").write_text("".join(SCENE.findall(page.read_text())) + "\n")
    # Pictures and reports contain the current time, and the page layout of a database may vary.
    for made in home.rglob("*"):
        if made.suffix in (".png", ".svg", ".html", ".sqlite", ".sqlite-wal", ".sqlite-shm"):
            made.unlink()


def main() -> None:
    """Run all commands, two at a time."""
    if len(sys.argv) != 2 or Path(sys.argv[1]).exists():
        sys.exit("usage: python workshop/unchanged.py FOLDER, which does not exist yet")
    folder = Path(sys.argv[1])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda job: keep(folder, *job), enumerate(COMMANDS)))
    for command in sorted(folder.iterdir()):
        status = (command / "status").read_text().strip()
        print(command.name, status, (command / "command").read_text().strip())


if __name__ == "__main__":
    main()
