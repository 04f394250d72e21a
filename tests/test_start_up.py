"""A plain measurement imports only the modules that it needs, and parses its flags like Click."""

import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import cellstats as cs
from cellstats.cli import group
from cellstats.core.plain_flags import plain_flags, rows
from cellstats.show.result import simulation_text as text
from chance import examples
from command_line import cellstats

OURS = {
    "_native",
    "single_runs",
    "cli",
    "cli.exit_status",
    "cli.plain_measurement",
    "core",
    "core.interrupts",
    "core.machine",
    "core.parameters",
    "core.pattern_pairs",
    "core.plain_flags",
    "core.quantities",
    "core.refusal",
    "core.display",
    "core.headline",
    "core.version",
    "core.words",
    "measure",
    "measure.machine",
    "measure.request",
}
"""The package's modules that a plain measurement may import. Extend this set only on purpose."""
HEAVY = {
    "argparse",
    "ast",
    "asyncio",
    "click",
    "concurrent.futures",
    "csv",
    "dataclasses",
    "datetime",
    "difflib",
    "gettext",
    "importlib.metadata",
    "inspect",
    "locale",
    "logging",
    "matplotlib",
    "multiprocessing",
    "numpy",
    "pandas",
    "pathlib",
    "pyarrow",
    "shutil",
    "sqlite3",
    "statistics",
    "subprocess",
    "tempfile",
    "threading",
    "tomllib",
    "urllib",
}


def imported(*arguments: str) -> set[str]:
    """The modules that a command imports, except those imported at the interpreter's start."""
    code = "import json, sys; before = set(sys.modules); from cellstats.cli import main; main()\n"
    code += "print(json.dumps(sorted(set(sys.modules) - before)))"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "line",
    [
        "-f mailbox -n 2 -s -i 1k",
        "-f dmaget -N 6 -b 1k -t 2k -i 100 --machine qs20",
        "--version",
    ],
)
def test_a_plain_measurement_imports_what_it_needs(line: str) -> None:
    modules = imported(*line.split())
    ours = {name.partition(".")[2] for name in modules if name.startswith("cellstats.")}
    assert ours <= OURS
    assert modules & HEAVY == set()


def test_the_list_of_heavy_modules_can_be_hit() -> None:
    assert imported("-f", "mailbox", "-i", "10", "-v") & HEAVY >= {"dataclasses", "inspect"}
    assert "click" in imported("-fmailbox", "-i10")


def test_click_is_all_that_help_and_errors_add() -> None:
    light = HEAVY & {"asyncio", "concurrent.futures", "csv", "matplotlib", "numpy"}
    assert imported("-fmailbox", "-i10") & light == set()


PAPER = [
    "-f mkthread -n 1 -i 100k",
    "-f mailbox -n 2 -i 1m -s",
    "-f fetchadd -N 6 -t 2k -i 1m",
    "-f dmalistget -N 6 -l 16 -b 64 -t 256 -i 1m",
    "-f couples --spes 0,1 --placement 2,3",
    "-f couples --spes random --seed 4 --machine eval-board -v --no-fast-forward --format json",
]


def test_the_version_is_printed_like_by_click() -> None:
    # In the second command, Click reads the flag.
    assert cellstats("--version") == cellstats("--version", "-v")
    assert cs.__version__ == metadata.version("cellstats")


@pytest.mark.parametrize("line", PAPER)
def test_the_examples_go_the_short_way(line: str) -> None:
    assert (plain_flags(line.split()) is None) == ("--spes" in line and "--placement" in line)


def by_click(arguments: list[str]) -> dict[str, object]:
    """The keywords that Click parses. Raises Click's exceptions."""
    with group.cellstats.make_context("cellstats", list(arguments)) as context:
        assert not context.args
        return dict(context.params)


FLAGS = [flag for row in rows() for flag in (row.flag, *row.other_flags)]
FLAGS += ["-f", "--format", "--no-fast-forward", "-v", "--verbose", "--placements", "--strict"]
FLAGS += ["-h", "--help", "--", "-", "-vs", "-n2", "-sv", "--mach", "--machine=ps3", "-b=1k", "-x"]
WORDS = ["dmaget", "mailbox", "copy", "1", "2", "6", "1k", "2K", "3m", "0", "-1", "1..4", "1,2", ""]
WORDS += ["ps3", "host", "mine.toml", "memory", "0,8-15", "8-0", "ring", "random", "l1", " 4 "]
WORDS += ["json", "sweep", "machine", "1" * 30, "\u0664", "=", "--", "-s", "\udc80"]


@examples(1000)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(FLAGS).map(lambda flag: [flag]),
            st.sampled_from(WORDS).map(lambda word: [word]),
            st.tuples(st.sampled_from(FLAGS), st.sampled_from(WORDS)).map(list),
            st.text(max_size=4).map(lambda text: [text]),
        ),
        max_size=6,
    ).map(lambda parts: list(itertools.chain.from_iterable(parts)))
)
@example(["-n"])
@example(["-s", "-s"])
@example(["--spes", "0", "--placement", "1"])
def test_what_is_read_without_click_is_what_click_reads(arguments: list[str]) -> None:
    flags = plain_flags(arguments)
    if flags is not None:
        assert flags == by_click(arguments)


def one_flag_each() -> Iterator[tuple[str, str]]:
    for flag in FLAGS:
        for word in WORDS:
            yield flag, word


def test_every_flag_with_every_word_is_read_as_click_reads_it() -> None:
    read = 0
    for flag, word in one_flag_each():
        for arguments in ([flag, word], [flag], ["-f", "dmaget", flag, word, "-i", "10"]):
            flags = plain_flags(arguments)
            if flags is not None:
                read += 1
                assert flags == by_click(arguments), arguments
    assert read > 100


def test_completion_is_left_to_click(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plain_flags(["-f", "dmaget"]) is not None
    monkeypatch.setenv("_CELLSTATS_COMPLETE", "bash_complete")
    assert plain_flags(["-f", "dmaget"]) is None


@pytest.mark.parametrize(
    "function", [name for name in cs.function_names() if name not in ("exchange", "load")]
)
def test_the_short_way_prints_what_a_result_shows(function: str) -> None:
    result = cs.machine("eval-board").measure(function, iterations=10)
    line = f"-f {function} -i 10 --machine eval-board"
    assert cellstats(*line.split()).out == text(result, verbose=False)
