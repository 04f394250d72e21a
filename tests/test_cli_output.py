"""Output in the paper's format, JSON and CSV, help and completion. Standard error is empty."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import cellstats as cs
from cellstats import Result
from cellstats.cli import group
from cellstats.cli.help import default_iterations
from cellstats.measure.request import request
from cellstats.papers.abellan2008ps3 import BY_REGISTER, COMMANDS
from command_line import ROOT, cellstats

LATENCY = re.compile(r"[0-9.]+ (ns|µs|ms|s)")


@pytest.mark.parametrize("command", [*COMMANDS, *BY_REGISTER])
def test_every_command_that_the_paper_prints_runs_as_printed(command: str) -> None:
    done = cellstats(*command.split()[1:])
    assert (done.status, done.err) == (0, "")
    latency, *bandwidth = done.out.splitlines()
    assert LATENCY.fullmatch(latency)
    assert len(bandwidth) == ("dma" in command)


def test_bandwidth_is_the_second_line() -> None:
    latency, bandwidth = cellstats("-f", "dmaget", "-b", "1k", "-i", "1k").out.splitlines()
    assert LATENCY.fullmatch(latency)
    assert re.fullmatch(r"[0-9.]+ GB/s", bandwidth)


def test_verbose_adds_spes_and_counters() -> None:
    lines = cellstats("-f", "dmaput", "-N", "3", "-b", "64", "-i", "1k", "-v").out.splitlines()
    assert any(line.split() == ["thread", "SPE", "ticks", "latency", "bandwidth"] for line in lines)
    assert sum(line.split()[:1] == [str(thread)] for line in lines for thread in range(3)) == 3
    assert any(re.fullmatch(r"rings\.\d\.grants +\d+", line) for line in lines)
    assert any(
        re.fullmatch(r"ring \d +[0-9.]+ % busy; waits for it: off-ramp busy 100 %", line)
        for line in lines
    )
    assert any(
        re.fullmatch(r"SPE 2 SPU queue +[0-9.e-]+ on average, 1 at most", line) for line in lines
    )


def test_json_is_one_object_per_line_with_the_documented_columns() -> None:
    done = cellstats("-f", "fetchadd", "-N", "2", "-i", "1k", "--format", "json")
    assert (done.status, done.err, done.out.count("\n")) == (0, "", 1)
    data = json.loads(done.out)
    assert (data["schema"], data["function"], data["machine"]) == (1, "fetchadd", "ps3")
    assert (data["spes"], data["iterations"], data["bandwidth_gb_s"]) == (2, 1000, None)
    assert len(data["per_spe"]) == 2
    assert data["recipe"]["function"] == "fetchadd"
    assert Result.from_json(done.out).to_dict() == data


def test_csv_has_a_header_and_one_row() -> None:
    done = cellstats("-f", "dmaget", "-n", "2", "-b", "2k", "-i", "1k", "--format", "csv")
    header, row = csv.reader(done.out.splitlines())
    assert header == Result.scalar_columns()
    assert dict(zip(header, row, strict=True))["size_bytes"] == "2048"


def test_placement_is_used() -> None:
    flags = ("-f", "dmaget", "-n", "3", "-b", "128", "-i", "100", "--format", "json")
    assert json.loads(cellstats(*flags, "--placement", "0,2,4").out)["placement"] == [0, 2, 4]
    seeded = [cellstats(*flags, "--placement", "random", "--seed", "7").out for _ in range(2)]
    assert seeded[0] == seeded[1] != ""


def test_help_explains_and_shows_the_examples() -> None:
    done = cellstats("--help")
    assert (done.status, done.err) == (0, "")
    words = " ".join(done.out.split())
    assert "the smallest multiple of STRIDE that holds a buffer" in words
    assert "private buffers never overlap" in words
    for command in COMMANDS:
        assert command.replace("CellStats", "cellstats") in words


def test_help_and_guide_have_the_iterations_that_are_measured() -> None:
    """Each listed number of iterations must be the default that measurements use."""
    said = {name: what for names, what in default_iterations() for name in names}
    assert list(said) == cs.function_names()
    machine = cs.machine("ps3")
    for function, sizes in (("uniform", (128, 16384)), ("load", (4, 16)), ("copy", (8, 16))):
        number, unit, _, what = said[function].partition(",")[0].split(" ")
        assert (unit, what) == ("MB", "SIZE")
        for size in sizes:
            op = {"op": "get"} if function == "uniform" else {}
            asked = request(machine.native, function, {"size": size, **op})
            assert asked.iterations() == int(number) * 2**20 // size
    assert cs.measure("exchange", pattern="ring").iterations == 1000
    assert (said["exchange"], said["dmaget"]) == ("1k", "1m, with --spe-program c 10k")
    help_text, guide = (
        cellstats("--help").out,
        Path(ROOT, "docs/guide/functions.md").read_text(encoding="utf-8"),
    )
    for names, what in default_iterations():
        assert re.search(rf"^    {names[0]}\b.*  {re.escape(what)}$", help_text, re.MULTILINE)
        assert f"| {', '.join(f'`{name}`' for name in names)} | {what} |\n" in guide


def test_version() -> None:
    assert re.fullmatch(r"cellstats \d+\.\d+\.\d+\S*\n", cellstats("--version").out)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    done = cellstats("completion", shell)
    assert done.status == 0
    assert "_CELLSTATS_COMPLETE" in done.out


def offered(line: str) -> list[str]:
    """The words that shell completion offers at the end of a command line."""
    words = line.split(" ")
    environment = os.environ | {
        "_CELLSTATS_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-m", "cellstats"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return [word.removeprefix("plain,") for word in done.stdout.split()]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("cellstats -f dmal", "dmalistget dmalistput"),
        ("cellstats matrix ", "mailbox signal dmaget dmaput"),
        ("cellstats breakdown dmal", "dmalistget dmalistput"),
        ("cellstats sweep mailbox,sig", "mailbox,signal"),
        ("cellstats sweep --ppe library,mm", "library,mmio"),
        ("cellstats sweep --format t", "table"),
        ("cellstats matrix --y b", "bandwidth"),
        ("cellstats -f dmaget --placement r", "ring random"),
        ("cellstats trace dmaget --placement 0,2,", "0,2,1 0,2,3 0,2,4 0,2,5"),
        ("cellstats -f dmaget --machine qs20 --spes 1", "1 10 11 12 13 14 15"),
        ("cellstats watch dmaget --machine none.toml --spes 0,", ""),
    ],
)
def test_completion_knows_the_words(line: str, words: str) -> None:
    assert offered(line) == words.split()


@pytest.mark.parametrize(
    ("line", "there", "not_there"),
    [
        ("cellstats -f mailbox -", "-n -s --ppe --machine", "-b -l -t -N --op --level --budget"),
        ("cellstats -f dmaget --", "--batch --histogram", "--op --target --pattern --threads"),
        ("cellstats trace fetchadd -", "-N -t --window", "-b -l -s --batch"),
        ("cellstats watch -f load -", "-b --level --threads", "-l --op --pattern"),
        ("cellstats sweep mailbox,dmalistget -", "-l -b -s", "--op --level"),
        ("cellstats -f copy --machine host -", "--level --non-temporal --budget", "--threads --op"),
        ("cellstats -f nothing -", "-b -l --op --level", "--budget"),
        ("cellstats -", "-b -l --op --level --version", "--signal-mode"),
    ],
)
def test_completion_offers_what_a_function_takes(line: str, there: str, not_there: str) -> None:
    words = set(offered(line))
    assert words >= set(there.split())
    assert not words & set(not_there.split())


def test_what_is_not_offered_is_refused_and_what_is_offered_is_not() -> None:
    values = {"-b": "16", "-l": "2", "-t": "2k", "--op": "put", "--level": "l1", "--threads": "1"}
    for function in ("mailbox", "dmalistput", "fetchadd", "couples", "store"):
        words = offered(f"cellstats -f {function} -")
        for flag, value in values.items():
            private = ["-N", "2"] if flag == "-t" and "-N" in words else []
            done = cellstats("-f", function, flag, value, "-i", "10", *private)
            assert (done.status == 0) == (flag in words), (function, flag, done)


def test_help_is_in_groups() -> None:
    text = cellstats("--help").out
    headings = re.findall(r"^([A-Z][\w ]+):$", text, re.MULTILINE)
    assert headings == [
        *("Measure", "Inspect a run", "Run programs", "Show information"),
        *("What is measured", "Where", "How", "Output", "Other"),
    ]
    assert "Options" not in headings
    for command in ("sweep", "trace", "watch", "matrix"):
        assert "Where:" in cellstats(command, "--help").out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")
@pytest.mark.parametrize("arguments", [["--version"], ["-f", "dmaget", "-i", "10"]])
def test_a_full_disk_is_said_in_a_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cellstats", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "cellstats: the output cannot be written: no space left on device\n"


def test_a_closed_pipe_is_quiet() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "cellstats", "--help"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_ascii_terminals_get_ascii() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cellstats", "-f", "mailbox", "-i", "100"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.isascii()


def test_the_list_of_commands_says_what_their_own_help_says() -> None:
    context = click.Context(group.cellstats)
    listed = {
        name: text
        for names in type(group.cellstats).groups.values()
        for name, text in names.items()
    }
    assert sorted(listed) == group.cellstats.list_commands(context)
    for name, text in listed.items():
        command = group.cellstats.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(limit=200) == text
