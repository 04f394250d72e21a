"""Patterns of more threads than cores are folded: who shares a core, and is it well chosen?"""

import json
import random
from pathlib import Path

import pytest

import cellstats as cs
from cellstats.core.pattern_matrices import longest_message
from cellstats.patterns import MEMORY, Pattern, Phase, Transfer, pattern
from cellstats.placement.folding import Groups, fold, folded, in_blocks
from command_line import cellstats, usage_error


def grid(wide: int, high: int) -> Pattern:
    """A pattern in which each thread of a grid sends to its neighbours, 1 KB each."""
    pairs = []
    for a in range(wide * high):
        for b in range(wide * high):
            (x, y), (to_x, to_y) = divmod(a, wide), divmod(b, wide)
            if abs(x - to_x) + abs(y - to_y) == 1:
                pairs.append(Transfer(a, b, 1024))
    return Pattern("grid", wide * high, (Phase(tuple(pairs)),))


def by_chance(chance: random.Random, threads: int) -> Pattern:
    ends = [chance.sample(range(threads), 2) for _ in range(3 * threads)]
    transfers = tuple(
        Transfer(a, b, 16 * chance.randint(1, 90), chance.randint(1, 9)) for a, b in ends
    )
    memory = (Transfer(MEMORY, 0, 4096), Transfer(threads - 1, MEMORY, 8))
    return Pattern(
        "by chance", threads, (Phase(transfers[::2]), Phase((*transfers[1::2], *memory)))
    )


def inside_bytes(wanted: Pattern, groups: Groups) -> int:
    group_of = {thread: nth for nth, group in enumerate(groups) for thread in group}
    return sum(
        t.total_bytes
        for _, t in wanted.transfers()
        if MEMORY not in (t.source, t.destination)
        and group_of[int(t.source)] == group_of[int(t.destination)]
    )


@pytest.mark.parametrize(("threads", "cores"), [(9, 4), (12, 6), (17, 2), (33, 16), (7, 6)])
def test_all_threads_are_in_groups_of_equal_sizes(
    threads: int, cores: int, chance: random.Random
) -> None:
    groups = fold(by_chance(chance, threads), cores).grouping.threads
    assert sorted(thread for group in groups for thread in group) == list(range(threads))
    sizes = sorted(map(len, groups))
    assert sizes == sorted(map(len, in_blocks(threads, cores)))
    assert sizes[-1] - sizes[0] <= 1
    assert list(groups) == sorted(tuple(sorted(group)) for group in groups)


@pytest.mark.parametrize("threads", [9, 20])
def test_bytes_are_inside_groups_or_between_them(threads: int, chance: random.Random) -> None:
    for _ in range(5):
        wanted = by_chance(chance, threads)
        found = fold(wanted, 4)
        moved = sum(
            t.total_bytes for _, t in wanted.transfers() if MEMORY not in (t.source, t.destination)
        )
        inside = inside_bytes(wanted, found.grouping.threads)
        blocks = inside_bytes(wanted, in_blocks(threads, 4))
        assert found.grouping.inside == pytest.approx(inside / moved)
        assert found.grouping.inside_blocks == pytest.approx(blocks / moved)
        assert inside >= blocks
        # A mean size is rounded up to 16 bytes, which a merged message repeats.
        between = wanted.total_bytes - inside
        assert between <= found.pattern.total_bytes <= 1.05 * between
        assert found.pattern.threads == 4


def test_messages_of_one_size_stay_as_they_are() -> None:
    wanted = grid(4, 4)
    [phase] = folded(wanted, in_blocks(16, 4)).phases  # type: ignore[union-attr]
    sizes = {(t.source, t.destination): (t.bytes, t.repetitions) for t in phase.transfers}
    assert sizes == {(a, b): (1024, 4) for a in range(4) for b in range(4) if abs(a - b) == 1}


def test_a_grid_is_cut_into_squares() -> None:
    # Rows of a grid of 6 by 6 cut 36 couples; four squares of 3 by 3 cut 12.
    found = fold(grid(6, 6), 4)
    assert found.pattern.total_bytes == 2 * 12 * 1024
    squares = {tuple(6 * x + y for x in xs for y in ys) for xs in THIRDS for ys in THIRDS}
    assert set(found.grouping.threads) == squares


THIRDS = (range(3), range(3, 6))


def test_of_many_threads_couples_are_joined_first() -> None:
    # Rows of a grid of 16 by 16 cut 240 couples, and squares of 4 by 4 cut 96.
    found = fold(grid(16, 16), 16)
    assert found.pattern.total_bytes <= 2 * 110 * 1024
    assert {len(group) for group in found.grouping.threads} == {16}


def test_couples_apart_are_found(chance: random.Random) -> None:
    names = list(range(32))
    chance.shuffle(names)
    couples = [(names[nth], names[nth + 1]) for nth in range(0, 32, 2)]
    heavy = [Transfer(a, b, 4096, 9) for a, b in couples]
    light = [Transfer(a, (a + 1) % 32, 16) for a in range(32)]
    wanted = Pattern("couples", 32, (Phase((*heavy, *light)),))
    assert {tuple(sorted(each)) for each in couples} == set(fold(wanted, 16).grouping.threads)


def test_buffers_fit_local_stores() -> None:
    # Fifteen groups send to each one, and no thread has more than two senders.
    wanted = Pattern(
        "far",
        32,
        (Phase(tuple(Transfer(a, (a + hop) % 32, 16_384) for a in range(32) for hop in (5, 16))),),
    )
    found = folded(wanted, in_blocks(32, 16))
    assert found is not None
    senders = max(sum(t.destination == to for _, t in found.transfers()) for to in range(16))
    assert max(t.bytes for _, t in found.transfers()) <= longest_message(senders)
    everyone = Pattern(
        "all",
        32,
        (Phase(tuple(Transfer(a, b, 16_384) for a in range(32) for b in (0, 1) if a > 1)),),
    )
    for each in (wanted, everyone):
        few = fold(each, 16).pattern
        assert cs.machine("qs20").measure("exchange", pattern=few, iterations=1).bandwidth_gb_s


@pytest.mark.parametrize("by", ["model", "simulation"])
def test_the_answer_is_no_slower_than_blocks(by: str) -> None:
    for wanted in (grid(4, 6), pattern("recursive-doubling", 16)):
        found = cs.place(wanted, machine="ps3", by=by, evaluations=40)
        assert found.groups is not None
        assert found.threads == len(found.groups.threads) == len(set(found.placement)) == 6
        assert found.in_blocks_ns is not None
        assert found.answer_simulated_ns is not None
        assert found.answer_simulated_ns <= found.in_blocks_ns * 1.0001


def matrix(path: Path, wanted: Pattern) -> str:
    rows = [["0"] * wanted.threads for _ in range(wanted.threads)]
    for _, t in wanted.transfers():
        rows[int(t.source)][int(t.destination)] = str(t.total_bytes)
    path.write_text("\n".join(map(",".join, rows)), encoding="utf-8")
    return str(path)


def test_the_command_names_the_threads_of_each_spe(tmp_path: Path) -> None:
    file = matrix(tmp_path / "grid.csv", grid(4, 4))
    flags = ("place", file, "--cells", "0", "--machine", "qs20", "--evaluations", "20")
    data = json.loads(cellstats(*flags, "--format", "json").out)
    text = cellstats(*flags).out
    assert "grid, 16 threads in 8 groups on qs20, Cell 0" in text
    for spe, group in zip(data["placement"], data["groups"]["threads"], strict=True):
        assert len(group) == 2
        assert f"  SPE {spe}: {group[0]}" in text
    assert data["groups"]["inside"] >= data["groups"]["inside_blocks"] > 0
    picture = tmp_path / "p.svg"
    assert cellstats(*flags, "--plot", str(picture)).status == 0
    drawn = picture.read_text(encoding="utf-8")
    assert all(f"thread {group[0]}…" in drawn for group in data["groups"]["threads"])


def test_what_cannot_be_folded_is_refused(tmp_path: Path) -> None:
    apart = Pattern("apart", 8, (Phase((Transfer(0, 4, 1024), Transfer(1, 5, 1024))),))
    file = matrix(tmp_path / "apart.csv", apart)
    message = usage_error("place", file, "--machine", "ps3", "--cells", "0")
    assert "8 threads on 6 cores: in these groups, no core sends anything to another" in message
    assert "0 4" in message
    # Whoever gives a number of threads means that number.
    named = usage_error("place", "ring", "-n", "8", "--machine", "ps3")
    assert "8 threads: ps3 has 6 SPEs there, give 1 to 6" in named
