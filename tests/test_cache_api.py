"""<cache-api.h> of the SDK beside the simplest cache, on a random sequence of operations."""

import random
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import cellstats as cs
from parts import needs
from sdk_programs import compiled, compiled_for_linux

OPERATIONS = ("READ", "WRITE", "POINTER", "TOUCH", "LOCK", "UNLOCK", "FLUSH", "FOUR")
SETS, WAYS, LINE_WORDS = 4, 4, 32
LINE_BYTES = 4 * LINE_WORDS
WORDS = 64 * LINE_WORDS


@dataclass
class Cache:
    """Lines in sets, replaced in turn. The keys of `counts` are those of cache_pr_stats."""

    memory: list[int] = field(default_factory=lambda: list(range(WORDS)))
    lines: list[list[int | None]] = field(
        default_factory=lambda: [[None] * WAYS for _ in range(SETS)]
    )
    oldest: list[int] = field(default_factory=lambda: [0] * SETS)
    changed: set[int] = field(default_factory=set)
    locked: set[int] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def access(self, word: int, write: bool) -> None:
        line = word // LINE_WORDS
        ways = self.lines[line % SETS]
        kind = "write" if write else "read"
        if line in ways:
            self.count(f"{kind} hits")
        else:
            self.count(f"{kind} misses")
            self.replace(line, ways)
        if write:
            self.changed.add(line)

    def replace(self, line: int, ways: list[int | None]) -> None:
        number = line % SETS
        while (old := ways[self.oldest[number]]) in self.locked:
            self.oldest[number] = (self.oldest[number] + 1) % WAYS
        ways[self.oldest[number]] = line
        self.oldest[number] = (self.oldest[number] + 1) % WAYS
        if old is not None:
            self.count("lines replaced")
            self.write_back(old)

    def write_back(self, line: int) -> None:
        if line in self.changed:
            self.changed.remove(line)
            self.count("lines written back")

    def flush(self) -> None:
        self.count("flushes")
        for ways in self.lines:
            for way, line in enumerate(ways):
                if line is not None:
                    self.write_back(line)
                    ways[way] = line if line in self.locked else None


def do(cache: Cache, operation: str, word: int, value: int) -> list[int]:
    """Do an operation. Return the word that the program adds to its sum, if there is one."""
    match operation:
        case "READ" | "TOUCH":
            cache.access(word, write=False)
            return [cache.memory[word]]
        case "WRITE" | "POINTER":
            cache.access(word, write=True)
            old = cache.memory[word] if operation == "POINTER" else 0
            cache.memory[word] = (old + value) % 2**32
        case "LOCK" | "UNLOCK":
            cache.access(word, write=True)
            line = word // LINE_WORDS
            (cache.locked.add if operation == "LOCK" else cache.locked.discard)(line)
        case "FLUSH":
            cache.flush()
        case "FOUR":
            for each in (word, word + 1, word + 128, word + 256):
                cache.access(each, write=False)
            return [cache.memory[word + 256]]
    return []


def operations(chance: random.Random) -> list[tuple[str, int, int]]:
    """Random operations. One line of each set is locked for some time."""
    rows = []
    for _ in range(600):
        name = chance.choice(["READ", "READ", "WRITE", "POINTER", "TOUCH", "FOUR"])
        rows.append((name, chance.randrange(WORDS // 2), chance.randrange(2**32)))
    for at, name in ((100, "LOCK"), (300, "UNLOCK")):
        rows[at:at] = [(name, line * LINE_WORDS, 0) for line in range(SETS)]
    for at in (200, 400):
        rows.insert(at, ("FLUSH", 0, 0))
    return [*rows, ("FLUSH", 0, 0), ("FLUSH", 0, 0)]


@needs("powerpc")
@needs("spu")
def test_counts_words_and_transfers_are_those_of_the_simplest_cache(tmp_path: Path) -> None:
    rows = operations(random.Random(2006))
    table = ",".join(f"{{{OPERATIONS.index(name)},{word},{value}u}}" for name, word, value in rows)
    (tmp_path / "operations.h").write_text(f"#define WORDS {WORDS}\n#define OPERATIONS {table}\n")
    done = cs.linux.run(compiled_for_linux("cache", tmp_path / "cache"), capture=True)
    assert (done.status, done.line) == (0, None)

    assert done.stdout is not None
    cache, total = Cache(), 0
    for row in rows:
        for word in do(cache, *row):
            total = (total * 31 + word) % 2**32
    words, counted, *changed = done.stdout.decode().splitlines()
    assert words == f"sum {total}, first word {cache.memory[0]}"
    pairs = re.findall(r"(\d+) ([a-z ]+)", counted.partition(": ")[2])
    found = {name: int(count) for count, name in pairs}
    assert found == cache.counts
    assert min(found.values()) > 1
    assert changed == [f"{n} {word}" for n, word in enumerate(cache.memory) if word != n]
    (context,) = done.contexts
    assert context.put_bytes == LINE_BYTES * found["lines written back"]
    # The other cache of the program reads one line too.
    misses = found["read misses"] + found["write misses"] + 1
    assert context.get_bytes == LINE_BYTES * misses
    assert context.dma_commands == misses + found["lines written back"]


@needs("spu")
def test_the_compiler_refuses_stores_into_a_cache_that_is_only_read(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="_cache_fixed_changed_element"):
        compiled("spu", "read_only.c", tmp_path / "program")
