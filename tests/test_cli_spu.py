"""Output streams and exit status of `cellstats spu`."""

import json
import os
import subprocess
import sys
from pathlib import Path

from command_line import cellstats

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "programs" / "tests"
SAMPLES = ROOT / "programs" / "samples"
HELLO = str(SAMPLES / "hello.elf")


def test_output_goes_to_stdout_and_the_time_to_stderr() -> None:
    done = cellstats("spu", HELLO, "-n", "2", "--placement", "3,5")
    assert done.status == 0
    assert sorted(done.out.splitlines()) == ["hello from SPE 0 of 2", "hello from SPE 1 of 2"]
    assert done.err.startswith("2 SPEs, ")
    assert done.err.count("\n") == 1


def test_verbose_shows_each_spe() -> None:
    done = cellstats("spu", HELLO, "-n", "2", "-v", "--placement", "3,5")
    assert "  rank 1 on SPE 5: " in done.err
    assert "exit status 0" in done.err


def test_the_exit_status_is_the_programs() -> None:
    arguments = str(TESTS / "arguments.elf")
    assert cellstats("spu", arguments).status == 1
    done = cellstats("spu", arguments, "a", "--", "-n", "b")
    assert (done.status, done.out) == (4, "1: a\n2: -n\n3: b\n")


def test_names_and_words_need_not_be_utf_8(tmp_path: Path) -> None:
    program = os.fsencode(tmp_path) + b"/\xff.elf"
    Path(os.fsdecode(program)).write_bytes((TESTS / "arguments.elf").read_bytes())
    command = [os.fsencode(sys.executable), b"-m", b"cellstats", b"spu", program, b"\xfe"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"1: \xfe\n")


def test_a_closed_output_and_a_full_disk_are_one_line() -> None:
    def shell(redirected: str) -> tuple[int, str]:
        line = f'exec "{sys.executable}" -m cellstats spu "{HELLO}" {redirected}'
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    status, errors = shell(">&- <&-")
    assert (status, errors.count("\n")) == (1, 1)
    assert shell("2>&-") == (0, "")
    if Path("/dev/full").exists():
        status, errors = shell(">/dev/full")
        assert (status, errors.count("\n")) == (1, 1)


def test_of_several_exit_statuses_the_first_that_is_not_0_counts() -> None:
    # Ping-pong needs exactly two SPEs but receives three, so each SPE ends with an error.
    assert cellstats("spu", str(SAMPLES / "pingpong.elf"), "-n", "3").status == 2


def test_memory_is_filled_from_a_file_and_saved_into_one(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.bin", tmp_path / "part.bin"
    data = os.urandom(1000)
    whole.write_bytes(data)
    where = ("--memory", f"{whole}@0x8000", "--save-memory", f"{part}@0x8010:100")
    assert cellstats("spu", HELLO, *where).status == 0
    assert part.read_bytes() == data[16:116]


def test_the_record_is_json(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    assert cellstats("spu", HELLO, "--record", str(record)).status == 0
    known = json.loads(record.read_text())
    assert known["threads"][0]["stop_code"] == 0x2000
    assert known["executables"]["0"]["instructions"] > 100


def test_a_profile_follows_the_output() -> None:
    done = cellstats("spu", HELLO, "-n", "2", "--profile")
    assert done.status == 0
    lines = done.out.splitlines()
    assert sum("hello from" in line for line in lines) == 2
    assert sum(line.startswith("address ") for line in lines) == 2
    # Both programs begin with the first instruction of newlib's `_start`.
    assert sum("stqr" in line and "$6" in line for line in lines) == 2


def test_a_program_that_goes_wrong_ends_with_status_1_and_one_line() -> None:
    done = cellstats("spu", str(TESTS / "faults.elf"))
    assert done.status == 1
    assert done.err.count("\n") == 1
    assert "0x00800000 is no instruction" in done.err


def test_a_run_that_does_not_end_meets_the_limit() -> None:
    done = cellstats("spu", str(SAMPLES / "barrier.elf"), "-n", "6", "--limit", "100k")
    assert done.status == 1
    assert done.err.startswith("cellstats: not finished after 50000 bus cycles: SPE 0 ")
