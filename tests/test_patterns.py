"""Communication patterns: their names, files and measurements."""

import json
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats.core.pattern_files import from_csv, from_json, read, to_csv, to_json
from cellstats.patterns import MEMORY, NAMES, Pattern, Phase, Transfer, pattern
from command_line import cellstats

BOARD = cs.machine("eval-board")


def pairs(found: Pattern) -> list[list[tuple[Any, Any]]]:
    return [[(each.source, each.destination) for each in phase.transfers] for phase in found.phases]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ring", [[(0, 1), (1, 2), (2, 3), (3, 0)]]),
        ("pairwise", [[(0, 1), (1, 0), (2, 3), (3, 2)]]),
        ("complement", [[(0, 3), (1, 2), (2, 1), (3, 0)]]),
        ("binomial-tree", [[(0, 1)], [(0, 2), (1, 3)]]),
        ("recursive-doubling-2", [[(0, 2), (1, 3), (2, 0), (3, 1)]]),
        ("pipeline", [[(MEMORY, 0), (0, 1), (1, 2), (2, 3), (3, MEMORY)]]),
        ("hotspot", [[(1, 0), (2, 0), (3, 0)]]),
        (
            "nearest-neighbour",
            [[(0, 1), (0, 3), (1, 2), (1, 0), (2, 3), (2, 1), (3, 0), (3, 2)]],
        ),
        (
            "all-to-all",
            [[(i, (i + step) % 4) for i in range(4)] for step in (1, 2, 3)],
        ),
    ],
)
def test_patterns_by_name(name: str, expected: list[list[tuple[Any, Any]]]) -> None:
    assert pairs(pattern(name, threads=4)) == expected


@pytest.mark.parametrize("threads", [2, 4, 8, 16])
def test_after_recursive_doubling_and_the_tree_all_have_heard_of_all(threads: int) -> None:
    for name, first in (("recursive-doubling", range(threads)), ("binomial-tree", [0])):
        known = {thread: {thread} & set(first) for thread in range(threads)}
        for phase in pairs(pattern(name, threads)):
            before = {thread: set(heard) for thread, heard in known.items()}
            for source, destination in phase:
                assert before[source], "nobody sends what it does not have"
                known[destination] |= before[source]
        assert all(heard == set(first) for heard in known.values())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["csv", "json"])
def test_what_is_shown_can_be_read_back(name: str, form: str, tmp_path: Path) -> None:
    shown = cellstats("pattern", "show", name, "-n", "16", "-b", "2k", "--format", form)
    assert shown.status == 0
    file = tmp_path / f"{name}.{form}"
    file.write_text(shown.out, encoding="utf-8")
    assert read(file) == pattern(name, 16, "2k")


def test_repetitions_and_memory_survive_a_file() -> None:
    mine = Pattern(
        "mine",
        3,
        (Phase((Transfer(MEMORY, 2, 48, 5),)), Phase((Transfer(2, 0, "4k"),))),  # type: ignore[arg-type]
    )
    assert mine.total_bytes == 5 * 48 + 4096
    assert from_csv(to_csv(mine), "mine.csv") == mine
    assert from_json(to_json(mine), "mine.json") == mine


def test_text_has_every_transfer_and_the_totals() -> None:
    lines = cellstats("pattern", "show", "binomial-tree", "-n", "4", "-b", "1k").out.splitlines()
    assert lines[0] == "binomial-tree, 4 threads"
    assert [line.split() for line in lines[3:6]] == [
        ["1", "0", "1", "1024", "1"],
        ["2", "0", "2", "1024", "1"],
        ["2", "1", "3", "1024", "1"],
    ]
    assert lines[-1].split() == ["all", "3", "3072"]


def unreadable(file: Path, text: str) -> str:
    """The one-line error message for this text as a pattern file."""
    file.write_text(text, encoding="utf-8")
    with pytest.raises(cs.UsageError) as caught:
        read(file)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 'phase' is missing"),
        ("phase,source,destination,bytes\n", "empty; give at least one transfer"),
        ("phase,source,destination,bytes,colour\n", "column 'colour' is unknown"),
        ("phase,source,source,destination,bytes\n", "column 'source' appears twice"),
        ("phase,source,destination,bytes\n1,0,1\n", "line 2 has 3 cells; the header has 4"),
        ("phase,source,destination,bytes\n0,0,1,16\n", "line 2: phase 0 is too small"),
        ("phase,source,destination,bytes\n1,0,1,16\n1,0,-1,16\n", "line 3: destination '-1'"),
        ("phase,source,destination,bytes\n1,0,256,16\n", "destination '256' is no thread"),
        ("phase,source,destination,bytes\n1,0,1,-16\n", "bytes '-16' is not a whole number"),
        ("phase,source,destination,bytes\n1,0,1,24\n", "1, 2, 4, 8 or a multiple of 16"),
        ("phase,source,destination,bytes\n1,0,0,16\n", "thread 0 to itself"),
        ("phase,source,destination,bytes\n1,memory,memory,16\n", "memory to itself"),
        ("phase,source,destination,bytes,repetitions\n1,0,1,16,0\n", "repetitions 0 is too small"),
    ],
)
def test_a_bad_csv_file_is_one_line(text: str, message: str, tmp_path: Path) -> None:
    assert message in unreadable(tmp_path / "mine.csv", text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is not a JSON object"),
        ('{"threads": 2}', "key 'phases' is missing"),
        ('{"threads": 2, "phases": 1}', "phases is not a list"),
        ('{"threads": 2, "phases": [1]}', "phase 1 is not a list"),
        ('{"threads": 2, "phases": [[1]]}', "transfer 1 is not an object"),
        ('{"threads": 2, "phases": [[]]}', "empty; give at least one transfer"),
        ('{"threads": 2.5, "phases": []}', "threads 2.5 is not a whole number"),
        ('{"threads": 999, "phases": []}', "999 threads; give 1 to 256"),
        ('{"threads": 2, "phases": [], "size": 3}', "key 'size' is unknown"),
        ('{"schema": 2, "threads": 2, "phases": []}', "schema 2"),
        ('{"name": 3, "threads": 2, "phases": []}', "name 3 is not a text"),
        (
            '{"threads": 2, "phases": [[{"source": 0, "destination": 2, "bytes": 16}]]}',
            "there is no thread 2; threads are 0 to 1",
        ),
        (
            '{"threads": 2, "phases": [[{"source": true, "destination": 1, "bytes": 16}]]}',
            "source True is no thread",
        ),
    ],
)
def test_a_bad_json_file_is_one_line(text: str, message: str, tmp_path: Path) -> None:
    assert message in unreadable(tmp_path / "mine.json", text)


def test_a_file_has_sizes_and_threads_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("phase,source,destination,bytes\n1,0,1,2k\n2,1,memory,64\n", encoding="utf-8")
    result = BOARD.measure("exchange", pattern=str(file), iterations=20)
    assert (result.pattern, result.spes, result.size_bytes) == ("mine", 2, 2048)
    assert result.memory == "0"
    assert result.latency_ns * (result.bandwidth_gb_s_own or 0) == pytest.approx(2112, rel=0.01)
    assert BOARD.measure("exchange", pattern=file, spes=5, iterations=20).spes == 5
    with pytest.raises(cs.UsageError, match="there is no thread 1"):
        BOARD.check("exchange", pattern=file, spes=1)
    with pytest.raises(cs.UsageError, match="sizes of its own"):
        BOARD.check("exchange", pattern=file, size=128)


def test_the_recipe_has_the_pattern_as_its_file_would() -> None:
    result = cs.machine("ps3").measure("exchange", pattern="ring", size="1k", iterations=20)
    assert result.spes == 6
    recipe = json.dumps(result.recipe["parameters"]["pattern"])
    assert from_json(recipe, "recipe") == pattern("ring", 6, "1k")


def test_a_sweep_tells_patterns_and_sizes_apart() -> None:
    results = cs.sweep(
        "exchange", machine=BOARD, pattern=["ring", "pairwise"], size="1k,2k", iterations=20
    )
    assert [(result.pattern, result.size_bytes) for result in results] == [
        ("ring", 1024),
        ("ring", 2048),
        ("pairwise", 1024),
        ("pairwise", 2048),
    ]
