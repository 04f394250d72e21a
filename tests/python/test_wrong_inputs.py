"""Some 250 wrong inputs: one line each, which says what is wrong or what would be right.

The left side is typed, the right side is in the answer. Nothing else is printed, no file is left.
"""

import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import ROOT, here_and_now

WRONG_USAGE = """
 | nothing to measure; give -f FUNCTION, one of mkthread,
-f | option '-f' requires an argument; see cellstats --help
-f mailbox -f dmaget | -f is given 2 times; give it once
-f dmaget -n 1 -n 2 | -n is given 2 times; give it once
-f dmaget --machine ps3 --machine qs20 | --machine is given 2 times; give it once
-f dmagte | did you mean dmaget?
-f "" | unknown function ''; known are mkthread, mailbox, signal,
-f dmaget -b 1x | -b '1x' is not a whole number of 0 or more; write digits,
-f dmaget -b -1 | -b '-1' is not a whole number of 0 or more; write digits,
-f dmaget -b 24 | -b 24: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most 16k
-f dmaget -b 32k | -b 32768: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most 16k
-f dmaget -b 0 | -b 0: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most 16k
-f dmaget -b 1e3 | -b '1e3' is not a whole number of 0 or more; write digits,
-f dmaget -i 0 | -i 0 is too small; give 1 or more
-f dmaget -i 99999999999999999999 | -i 99999999999999999999 is too large; give 18 digits at most
-f dmaget -i 1,2 | -i '1,2' is more than one number; several are for cellstats sweep
-f dmaget -i 1..4 | -i '1..4' is more than one number; several are for cellstats sweep
-f dmaget -n 0 | -n 0 is too small; give 1 or more
-f dmaget -n 7 | -n 7: ps3 has 6 SPEs to use, give 1 to 6
-f dmaget -n -1 | -n '-1' is not a whole number of 1 or more; write digits,
-f dmaget -n 2 -N 2 | give -n for a shared or -N for private buffers
-f dmaget -n two | -n 'two' is not a whole number of 1 or more; write digits,
-f dmaget -l 2 | -l with dmaget: only dmalistget, dmalistput and patterns use lists
-f dmalistget -l 0 | -l 0 is too small; give 1 or more
-f dmalistget -l 4000 | -l 4000: a DMA list has 1 to 2048 elements
-f dmaget -t 3 -N 2 | -t 3: the stride of DMA buffers is a multiple of 16 bytes
-f mailbox -n 1 -s | -n 1 with -s: SPEs synchronise in pairs, give an even number
-f mailbox -n 3 -s | -n 3 with -s: SPEs synchronise in pairs, give an even number
-f mailbox --batch 4 | --batch with mailbox: only DMA functions are batched
-f mailbox -b 1k | -b with mailbox: only DMA functions, loads and stores have a size
-f mailbox --ppe libary | --ppe "libary": the ways from the PPE to an SPE are library and mmio
-f mailbox --ppe futex | --ppe "futex": the ways from the PPE to an SPE are library and mmio
-f mailbox --spe-program c++ | --spe-program "c++": give one of builtin, c
-f couples -n 3 | -n 3 with couples: every SPE has a partner, give an even number
-f couples --op write | --op "write": give one of get, put, copy
-f hotspot --target 9 | --target 9: there are SPEs 0 to 5, or memory
-f load --level l9 | --level "l9": give one of l1, l2, l1l2, memory, ls
-f load --threads 3 | --threads 3: the PPE has 2 threads, give 1 to 2
-f load -n 2 | -n 2 with load: SPEs only have level ls; at l1 give --threads
-f copy --level ls --threads 2 | --threads with copy: only where the PPE loads and stores
-f exchange --pattern rng | did you mean ring?
-f exchange --pattern none.csv | give a readable .csv or .json file
-f exchange --pattern bad.json | bad.json: line 2 is not JSON; see cellstats pattern show
-f exchange --pattern bad.csv | there are phase, source, destination, bytes, repetitions
-f exchange --pattern bytes.csv | pattern bytes.csv is not UTF-8 text; give a readable .csv or
-f exchange --pattern list.json | give one with schema, name, threads, phases
-f exchange --pattern quote.csv | quote.csv, line 3 is not CSV: a quote " is opened and never
-f exchange --pattern quotes.csv | quotes.csv, line 2 is not CSV: ',' expected after '"'; see
-f exchange --pattern often.csv | often.csv, line 2: repetitions 1000001: give 1 to 1000000
pattern show oftener.csv | oftener.csv, line 2: repetitions 100000000000000000: give 1 to 1000000
-f exchange --pattern zero.csv | pattern zero.csv: has more than 64 MiB; give a readable .csv or
-f exchange --pattern far.csv | -n 10: ps3 has 6 SPEs to use, give 1 to 6
-f exchange --pattern size.csv -n 2 | size.csv, line 2: bytes 3: a DMA moves 1, 2, 4, 8 or a
-f exchange --pattern dir/ | pattern dir: is a directory; give a readable .csv or .json file
-f mailbox --pattern ring | --pattern with mailbox: only an exchange has one, leave it out
-f dmaget --cells 2 | --cells 2: give 0, 1, 01 or 10
-f dmaget --cells 1 | --cells 1: ps3 has one Cell, give 0
-f dmaget --memory 1 | --memory 1: ps3 has one Cell with one memory, give 0
-f dmaget --placement 0,0 -n 2 | placement: SPE 0 appears twice; each thread needs its own
-f dmaget --placement 0,x | write 0,2,4 or 0,8-15, or random
-f dmaget --placement 5-1 | --placement 5-1 runs backwards; write 1-5
-f dmaget --placement 99 | placement: SPE 99 is not usable; ps3 has SPEs [0, 1, 2, 3, 4, 5]
-f dmaget --placement rondom | did you mean random?
-f dmaget --placement 0,1 -n 3 | name at least as many as -n or -N says
-f dmaget --placement 0,1 --seed 3 | give --placement random or -f uniform
-f dmaget --seed -1 | --seed '-1' is not a whole number of 0 or more; write
-f dmaget --placements 0 | --placements 0 is too small; give 1 or more
-f dmaget --placements some | --placements 'some' is not a whole number of 1 or more;
-f dmaget --placements 4 --placement 0 | give one of them
-f mailbox --histogram | --histogram with mailbox: only DMAs have their latencies kept
-f dmaget --format xml | unknown format 'xml'; give one of text, json, csv
-f dmaget --fromat xml | did you mean --format?
-f dmaget --machine ps4 | did you mean ps3?
-f dmaget --machine none.toml | machine file 'none.toml': no such file or directory; give a
-f dmaget --machine empty.toml | empty.toml: no value for chip.processor_clock_hz,
-f dmaget --machine dir/ | machine file 'dir': is a directory; give a readable .toml
-f dmaget --machine "" | unknown machine ''; known are ps3, eval-board, qs20,
-f dmaget --strict | --strict: nothing disturbs the simulated ps3; leave it out
-f dmaget --samples 3 | --samples is for --machine host; leave it out
-f dmaget --budget 1s | --budget is for --machine host; leave it out
-f dmaget --non-temporal | --non-temporal is for --machine host; leave it out
-f mailbox --signal-mode or | --signal-mode is for --machine host; leave it out
-f dmaget extra | did you mean trace?
-f dmaget --machine host --budget 0 | --budget 0: give a time from 1ms to a day, such as 500ms,
-f dmaget --machine host --budget soon | --budget soon: give a time from 1ms to a day, such as
-f dmaget --machine host --samples 0 | --samples 0 is too small; give 1 or more
-f dmaget --machine host --level l1 | --level with dmaget on the host: only load, store and copy
-f dmaget --machine host --placements 3 | see cellstats matrix
-f mailbox --machine host --ppe pip | did you mean pipe?
-f mailbox --machine host --spes 0,100000 | write 0,2,4 or 0,8-15, or random
-f mailbox --machine host -n 100000 -s | -n 100000: this process may use
-f mailbox --machine host --spe-program c | leave it out
-f dmaget -n 2 sweep | -f before sweep; write cellstats sweep -f ...
swep dmaget | did you mean sweep?
dmaget -n 2 | dmaget is a FUNCTION; write cellstats -f dmaget
--verzion | did you mean --version?
breakdown --spes 0 | --spes: one SPE, and a transfer between two local stores has two; name both, as
breakdown dmaget -s --placement 3 | one SPE, and a transfer between two local stores has two;
breakdown mailbox | give one of dmaget, dmaput, dmalistget, dmalistput
breakdown dmaget -b 24 | -b 24: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most 16k
breakdown dmaget dmaput | got unexpected extra argument (dmaput); see cellstats breakdown --help
breakdown dmaget -f dmaput | FUNCTION is given twice, dmaget and -f dmaput; leave one out
breakdown --machine host | give one of ps3, eval-board, qs20, blade-2100
breakdown --format xml | unknown format 'xml'; known are text, json, csv
completion tcsh | no completion for 'tcsh'; give one of bash, zsh, fish
completion | missing argument 'SHELL'; see cellstats completion --help
doctor --machine ps3 | doctor of 'ps3': only the host can be examined, leave it out
doctor --format csv | unknown format 'csv'; known are text, json
doctor extra | got unexpected extra argument (extra); see cellstats doctor --help
embed | missing argument 'NAME'; see cellstats embed --help
embed a-b hello.elf x.o | 'a-b' is no identifier of C; give letters, digits and _
embed hello none.elf x.o | cannot read 'none.elf': no such file or directory; give another file
embed hello text.elf x.o | the image is no ELF file; give an executable that spu-elf-gcc made
embed hello hello.elf x.txt | 'x.txt' is neither an object file nor assembly; end it in .o or .s
embed hello hello.elf nowhere/x.o | give another file
embed hello hello.elf dir | 'dir' is neither an object file nor assembly; end it in .o or .s
machine | nothing to do; give cellstats machine list, show or diff
machine shw | did you mean show?
machine ps3 | ps3 is a machine; write cellstats machine show ps3
machine show | which machine? Give one of ps3, eval-board, qs20, blade-2100, host, or
machine show ps3 --plot x.svg | --plot draws host; cellstats place --plot draws a Cell
machine diff ps3 host | host is this computer and cannot be described by a machine file
machine show host --basis fitted | --basis with host: its values are all measured
machine show host --plot x.gif | --plot x.gif: the name ends in .png, .svg, .pdf
place ring --machine host --plot x.gif | the name ends in .png, .svg, .pdf
machine show cell-be | cell-be: the bare chip, without memory and operating system; give ps3,
machine cell-be | cell-be is a machine; write cellstats machine show cell-be
machine show esc.toml | esc.toml:2: name: has the control character U+001B; must be one line
machine show /dev/zero | machine file '/dev/zero': has more than 64 MiB; give a readable .toml
place ring --machine host --matrix /dev/zero | --matrix /dev/zero: has more than 64 MiB; give what
embed hello /dev/zero x.o | cannot read '/dev/zero': not an ordinary file; give another file
spu /dev/zero | program '/dev/zero': not an ordinary file; give an SPU executable
machine show qs21 | did you mean qs20?
machine show ps3 qs20 | got unexpected extra argument (qs20); see cellstats machine show --help
machine show ps3 --basis guessed | --basis 'guessed': known are documented, measured, derived,
machine show ps3 --format xml | unknown format 'xml'; known are text, json, csv
machine diff ps3 | which machine? Give one of ps3, eval-board, qs20, blade-2100, or a .toml file
machine diff ps3 none.toml | machine file 'none.toml': no such file or directory; give a
machine diff ps3 qs20 host | see cellstats machine diff --help
machine list ps3 | got unexpected extra argument (ps3); see cellstats machine list --help
matrix | nothing to measure; give FUNCTION, one of mailbox, signal, dmaget, dmaput
matrix fetchadd | no matrix of 'fetchadd'; known are mailbox, signal, dmaget, dmaput
matrix mailbox -b 1k | -b with mailbox: only DMA functions, loads and stores have a size
matrix mailbox --y bandwidth | mailbox moves no data and has no bandwidth; leave it at latency
matrix dmaget --y speed | no quantity 'speed'; known are latency, bandwidth
matrix mailbox --spes 0 | --spes is for a matrix of the host; leave it out
matrix mailbox --ppe mmio | --ppe is for a matrix of the host; leave it out
matrix mailbox --strict | --strict: nothing disturbs the simulated ps3; leave it out
matrix mailbox --plot x.gif | --plot x.gif: the name ends in .png, .svg, .pdf; choose one of them
matrix mailbox --plot nowhere/x.png | give another file
matrix mailbox --jobs 0 | --jobs 0 is too small; give 1 or more
matrix mailbox --jobs many | --jobs 'many' is not a whole number of 1 or more; write
matrix mailbox --budget 1s | --budget is for --machine host; leave it out
matrix mailbox -n 2 | no such option -n; see cellstats matrix --help
matrix mailbox --machine host --jobs 2 | --jobs is for simulated machines; leave it out
matrix mailbox --machine host --no-fast-forward | leave it out
matrix mailbox --machine host --cells 1 | --spes says which cores, --memory which NUMA node
matrix mailbox --machine host --spes 0 | --spes 0: a matrix takes two CPUs, give at least 2
pattern | nothing to do; give cellstats pattern show PATTERN
pattern shw | no such command 'pattern shw'; did you mean show?
pattern ring | ring is a pattern; write cellstats pattern show ring
pattern far.csv | far.csv is a pattern; write cellstats pattern show far.csv
pattern show | which pattern? Give one of ring, nearest-neighbour,
pattern show rng | did you mean ring?
pattern show ring -n 0 | -n 0 is too small; give 1 or more
pattern show ring -n 1 | -n 1: pattern ring takes a number from 2 to 256
pattern show recursive-doubling -n 3 | -n 3: pattern recursive-doubling takes a power of two
pattern show far.csv -b 1k | -b 1k: pattern far has sizes of its own, leave -b out
pattern show none.json | give a readable .csv or .json file
pattern show ring -b 3 | bytes 3: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes
pattern show ring --format xml | unknown format 'xml'; known are text, json, csv
place | which pattern? Give a file, or one of ring,
place rng | did you mean ring?
place ring -n 9 | 9 threads: ps3 has 6 SPEs there, give 1 to 6
place ring -n 0 | -n 0 is too small; give 1 or more
place ring --by guess | --by guess: known are model, simulation
place ring --by matrix | --by matrix: known are model, simulation
place ring --machine host --by model | give matrix, or leave it out
place ring --machine host --cells 0 | --cells is for simulated machines; leave it out
place ring --machine host --matrix none.json | --matrix none.json: no such file or directory;
place ring --machine host --matrix list.json | --matrix list.json is no matrix of the host; give
place ring --matrix list.json | --matrix is for --machine host; leave it out
place ring --verify | --verify is for --machine host; leave it out
place ring --format rankfile | --format rankfile: for ps3 give one of text, json, list,
place ring --machine host --format libspe2 | --format libspe2: for host give one of text, json,
place ring --plot x.gif | --plot x.gif: the name ends in .png, .svg, .pdf; choose one of them
place ring --jobs 0 | --jobs 0 is too small; give 1 or more
place ring --evaluations 0 | --evaluations 0 is too small; give 1 or more
place ring --seed x | --seed 'x' is not a whole number of 0 or more; write
place ring --strict | --strict: nothing disturbs the simulated ps3; leave it out
place ring --spes 0-3 | --spes is for --machine host; leave it out
place far.csv -n 4 | pattern far: there is no thread 9; threads are 0 to 3, or memory
reproduce --out "" | --out '': a name is missing; give one
reproduce --out a --out b | --out is given 2 times; give it once
reproduce nobody | unknown paper 'nobody'; known are kistler2006, chen2007,
reproduce kistler2006 --figure 99 | --figure 99: known are table1, figure4, figure5, figure6,
reproduce kistler2006 --jobs 0 | --jobs 0: give 1 or more
reproduce kistler2006 --jobs x | see cellstats reproduce --help
reproduce kistler2006 --out hello.elf | cannot write 'hello.elf': file exists; give a directory
reproduce kistler2006 --out hello.elf/x | not a directory; give a directory
reproduce kistler2006 --format xml | unknown format 'xml'; known are text, json, csv
run | missing argument 'PROGRAM'; see cellstats run --help
run none.elf | `none.elf` cannot be read: No such file or directory
run dir | `dir` is a directory, where a file should be
run hello.elf | hello.elf: an SPU program; run it with cellstats spu
run bad.json | bad.json: not an ELF file; give a program for the PPE, as
run --files some linux.elf | --files 'some': known are none, cwd, all
run --env X linux.elf | --env 'X' is not NAME=VALUE; write such as --env DEBUG=1
run --env =1 linux.elf | --env '=1' is not NAME=VALUE; write such as --env DEBUG=1
run --limit 0 linux.elf | --limit 0 is too small; give 1 or more
run --trace x linux.elf | --trace 'x' is not a whole number of 1 or more; write
run --trace 5+ linux.elf | --trace '5+' lacks the bus cycles to look at; write such as 400, or
run --trace +5 linux.elf | --trace '+5' lacks the bus cycles to leave out; write such as 400, or
run --trace 0 linux.elf | --trace 0 is too small; give 1 or more
run --trace 999m linux.elf | give fewer, or --trace-out FILE
run --trace-out x.json linux.elf | say how many bus cycles, as --trace 400
run --watch x.html linux.elf | --watch without --trace; say how many bus cycles, as --trace 400
run --trace 10 --trace-out nowhere/x.json linux.elf | give another file
run --record dir linux.elf | --record dir: is a directory; give another file
run --format xml linux.elf | --format 'xml': known are text, json
run --placement 9 linux.elf | placement: SPE 9 is not usable; ps3 has SPEs [0, 1, 2, 3, 4, 5]
run --sysroot none linux.elf | give the one that has lib/ld.so.1 in it
run --machine host linux.elf | give one of ps3, eval-board, qs20, blade-2100
spu | missing argument 'FILE'; see cellstats spu --help
spu none.elf | program 'none.elf': no such file or directory; give an SPU executable
spu text.elf | give an SPU executable, as spu-elf-gcc makes them
spu dir | program 'dir': not an ordinary file; give an SPU executable
spu linux.elf | give what spu-elf-gcc makes
spu hello.elf -n 0 | -n 0 is too small; give 1 or more
spu hello.elf -n 7 | -n 7; ps3 has 6 SPEs
spu hello.elf extra | link it with -mstdmain, or leave out 'extra'
spu hello.elf --placement 0,0 -n 2 | placement: SPE 0 appears twice; each thread needs its own
spu hello.elf --memory none.bin | give a readable file
spu hello.elf --memory hello.elf@x | write such as in.bin@0x1000
spu hello.elf --memory hello.elf@0xffffffff | --memory 'hello.elf' at 0xffffffff does not fit
spu hello.elf --memory hello.elf --memory text.elf | give it a place from 0x1f54 on
spu hello.elf --save-memory out.bin | write such as out.bin@0x1000:16k
spu hello.elf --save-memory out.bin@0:0 | --save-memory 0 is too small; give 1 or more
spu hello.elf --save-memory out.bin@0xffffffff:16 | --save-memory 'out.bin': 16 bytes at
spu hello.elf --save-memory nowhere/out.bin@0:16 | give another file
spu hello.elf --limit 0 | --limit 0 is too small; give 1 or more
spu hello.elf --trace 1+ | --trace '1+' lacks the bus cycles to look at; write such as
spu hello.elf --trace 999m | give fewer, or --trace-out FILE
spu hello.elf --watch x.html | --watch without --trace; say how many bus cycles, as --trace 400
spu hello.elf --record nowhere/x.json | give another file
spu hello.elf --files cdw | did you mean cwd?
spu hello.elf --machine host | give one of ps3, eval-board, qs20, blade-2100
sweep | nothing to measure; give FUNCTION, one of mkthread,
sweep dmagte | did you mean dmaget?
sweep dmaget -n 1.. | write 1..8, 1..8:2 (steps of 2) or 1..8:*2 (doubling)
sweep dmaget -n 6..1 | -n 6..1 runs backwards; write 1..6
sweep dmaget -n 1..6:0 | the step of -n 1..6:0: 0 is too small; give 1 or more
sweep dmaget -n 1..6:x | write 1..8, 1..8:2 (steps of 2) or 1..8:*2 (doubling)
sweep dmaget -b 0..8 | start at 1, or give a step as in 0..8:2
sweep dmaget -i 1..9999999:1 | -i '1..9999999:1' is more than 100000 numbers; give a larger step
sweep dmaget -n , | -n ',' has an empty place; write numbers as in 1,2,6
sweep dmaget -n 1,7 | -n 7: ps3 has 6 SPEs to use, give 1 to 6
sweep dmaget,mailbix | did you mean mailbox?
sweep dmaget --machine ps3,ps4 | did you mean ps3?
sweep dmaget --plot x.png | --plot of one row; give several values, as in -b 128..16k
sweep dmaget -n 1,2 --plot x.txt | choose one of them
sweep dmaget -n 1,2 --y bandwidth | --y is for a plot; give --plot FILE too
sweep dmaget -n 1,2 --y speed --plot x.png | give one of latency, bandwidth
sweep dmaget -n 1,2 --out x.xlsx | choose one of them
sweep dmaget -n 1,2 --out nowhere/x.csv | give another file
sweep dmaget -n 1,2 --out dir | choose one of them
sweep dmaget -n 1,2 --jobs 0 | --jobs 0 is too small; give 1 or more
sweep dmaget -n 1,2 --format xml | unknown format 'xml'; known are table, csv, json
sweep dmaget --on dask://localhost:99999 | ports go from 1 to 65535; give that of the engine
matrix dmaget --on ray://localhost:0 | ports go from 1 to 65535; give that of the engine
sweep dmaget -n 1 -N 1 | give -n for a shared or -N for private buffers
sweep dmaget --placements 3 | did you mean --placement?
trace | nothing to measure; give FUNCTION, one of mkthread,
trace dmagte | did you mean dmaget?
trace dmaget --window 0 | --window 0 is too small; give 1 or more
trace dmaget --window 5000m --scale 1m | --window 5000000000: give 1 to 4294967296 bus cycles
trace dmaget --window 999m | give a --scale of 4995 or more, or a smaller --window
trace dmaget --skip -1 | --skip '-1' is not a whole number of 0 or more; write
trace dmaget --skip 1m -i 5 | skip less, or give more iterations (-i)
trace dmaget --columns 39 | --columns 39 are too few; give 40 or more
trace dmaget --scale 0 | --scale 0 is too small; give 1 or more
trace dmaget --out nowhere/x.json | give another file
trace dmaget --out LONG_NAME | file name too long; give another file
trace dmaget --out dir | --out dir: is a directory; give another file
trace dmaget --machine host | give one of ps3, eval-board, qs20, blade-2100
trace dmaget -b 24 | -b 24: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most 16k
trace dmaget mailbox | got unexpected extra argument (mailbox); see cellstats trace --help
watch | nothing to measure; give FUNCTION, one of mkthread,
watch couplse | did you mean couples?
watch couples --window 999m | --window 999000000: give 1 to 200000
watch couples --at 9k | --at 9000: give 0 to 3999, which is shown
watch couples --out nowhere/x.html | give another file
watch couples --out dir | --out dir: is a directory; give another file
watch couples --machine host | give one of ps3, eval-board, qs20, blade-2100
watch couples --skip 1000m -i 5 | skip less, or give more iterations (-i)
"""

RUNS_THAT_FAIL = """
run --limit 10 linux.elf | raise the limit if that is meant to take longer
spu hello.elf --limit 1 | raise the limit if that is meant to take longer
"""

FILES: dict[str, bytes] = {
    "bad.csv": b"phase,source\n",
    "bad.json": b"{\n",
    "bytes.csv": b"\xff\xfe",
    "empty.toml": b"",
    "esc.toml": b'base = "ps3"\nname = "a\\u001b[31mb"\n',
    "far.csv": b"phase,source,destination,bytes\n1,0,9,128\n",
    "list.json": b"[]\n",
    "often.csv": b"phase,source,destination,bytes,repetitions\n1,0,1,128,1000001\n",
    "oftener.csv": b"phase,source,destination,bytes,repetitions\n1,0,1,128,100000000000000000\n",
    "quote.csv": b'phase,source,destination,bytes\n1,0,1,128\n1,0,1,"128\n1,1,0,128\n',
    "quotes.csv": b'phase,source,destination,bytes\n1,0,1,"128\n1,1,0,"128\n',
    "size.csv": b"phase,source,destination,bytes\n1,0,1,3\n",
    "text.elf": b"x\n",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wrong")
    for name, content in FILES.items():
        (path / name).write_bytes(content)
    (path / "dir").mkdir()
    if Path("/dev/zero").exists():
        (path / "zero.csv").symlink_to("/dev/zero")
    shutil.copy(ROOT / "programs/samples/hello.elf", path / "hello.elf")
    shutil.copy(ROOT / "programs/linux/hello.elf", path / "linux.elf")
    return path


@pytest.fixture
def here(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(place)
    before = signal.getsignal(signal.SIGPIPE) if hasattr(signal, "SIGPIPE") else None
    files = set(place.iterdir())
    yield place
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, before)
    for left in set(place.iterdir()) - files:
        left.unlink()


def rows(table: str) -> list[tuple[str, str]]:
    split = (line.split(" | ") for line in table.strip("\n").splitlines())
    return [(typed.strip(), said) for typed, said in split]


def refused(typed: str, status: int, said: str, here: Path, patch: pytest.MonkeyPatch) -> None:
    if "zero" in typed and not Path("/dev/zero").exists():
        pytest.skip("no device without an end")
    if "host" in typed and sys.platform != "linux":
        pytest.skip("only Linux is measured")
    files = sorted(here.iterdir())
    done = here_and_now(shlex.split(typed.replace("LONG_NAME", "a" * 300)), patch)
    assert (done.status, done.out) == (status, ""), done
    assert done.err.startswith("cellstats: ")
    assert done.err.count("\n") == 1
    assert said in done.err
    assert sorted(here.iterdir()) == files


@pytest.mark.parametrize(("typed", "said"), rows(WRONG_USAGE))
def test_wrong_usage_is_said_in_one_line(
    typed: str, said: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(typed, 2, said, here, monkeypatch)


@pytest.mark.parametrize(("typed", "said"), rows(RUNS_THAT_FAIL))
def test_a_run_that_fails_is_said_in_one_line(
    typed: str, said: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(typed, 1, said, here, monkeypatch)
