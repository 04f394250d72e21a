"""Communication matrices are read as patterns."""

from pathlib import Path

import pytest

import cellstats as cs
from cellstats.core.pattern_files import read
from cellstats.core.pattern_matrices import TOTAL_BYTES_MAX
from command_line import cellstats, usage_error

NAMED = """# bytes from row to column
rank; a; b; "c"
a; 0; 100; 1.6e4
b; 0; 7; 0
c; 48;; 0
"""
PLAIN = "0 100 16000\n0 7 0\n48 0 0\n"
NUMBERED = ",0,1,2\n0,0,100,16000\n1,0,7,0\n2,48,0,0\n"


def written(path: Path, text: str) -> cs.Pattern:
    path.write_text(text, encoding="utf-8")
    return read(path)


@pytest.mark.parametrize("text", [NAMED, PLAIN, NUMBERED])
def test_names_separators_and_the_diagonal(tmp_path: Path, text: str) -> None:
    found = written(tmp_path / "m.csv", text)
    assert (found.name, found.threads) == ("m", 3)
    [phase] = found.phases
    assert [(t.source, t.destination, t.bytes, t.repetitions) for t in phase.transfers] == [
        (0, 1, 112, 1),
        (0, 2, 16_000, 1),
        (2, 0, 48, 1),
    ]


def test_large_entries_are_several_messages_that_fit(tmp_path: Path) -> None:
    for threads, entry in ((2, 1_100_000), (16, 9_999), (8, 3_000_000_000)):
        row = [str(entry)] * threads
        found = written(tmp_path / "m.txt", "\n".join(["\t".join(row)] * threads))
        pairs = threads * (threads - 1)
        smaller = max(-(-entry * pairs // TOTAL_BYTES_MAX), 1)
        assert found.name == ("m" if smaller == 1 else f"m, 1/{smaller} of the bytes")
        assert entry * pairs <= found.total_bytes * smaller <= 1.1 * entry * pairs
        machine = cs.machine("qs20" if threads > 8 else "eval-board")
        assert machine.measure("exchange", pattern=found, iterations=2).bandwidth_gb_s


def test_a_matrix_is_placed(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(PLAIN, encoding="utf-8")
    done = cellstats("place", str(tmp_path / "m.csv"))
    assert (done.status, done.out.startswith("--placement ")) == (0, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1\n2 0 3\n", "line 2 has 3 entries; a matrix of 2 rows has 2"),
        ("0 1\n-2 0\n", "line 2: '-2' is no number of bytes"),
        ("0 1\nnan 0\n", "line 2: 'nan' is no number of bytes"),
        ("a,b\na,0,1\nb,x,0\n", "line 3: 'x' is no number of bytes"),
        ("0 0\n0 0\n", "no thread sends anything to another"),
        ("5\n", "no thread sends anything to another"),
        (("1 " * 257 + "\n") * 257, "257 threads; give a matrix of 1 to 256"),
    ],
)
def test_what_is_no_matrix_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "m.txt").write_text(text, encoding="utf-8")
    assert message in usage_error("pattern", "show", str(tmp_path / "m.txt"))


def test_a_matrix_may_count_messages(tmp_path: Path) -> None:
    path = tmp_path / "m.txt"
    path.write_text("0 3 900\n2 0 0\n0 1 0\n", encoding="utf-8")
    for size, moved in ((8, 8), (100, 112), ("1k", 1024)):
        [phase] = cs.patterns.pattern(path, size=size).phases
        assert [(t.bytes, t.repetitions) for t in phase.transfers][::2] == [(moved, 3), (moved, 2)]
    # 900 messages of 1 MB are too many to simulate, and each is too long for a DMA.
    found = cs.patterns.pattern(path, size="1m")
    assert found.name == "m, 1/227 of the bytes"
    assert 906 << 20 <= found.total_bytes * 227 <= 1.01 * (906 << 20)


@pytest.mark.parametrize("name", ["p2p.nb_messages.dat", "run_msg_all.mat", "cg.nb_messages.csv"])
def test_matrices_of_messages_by_their_names(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("0 3 \n1 0 \n", encoding="utf-8")
    message = "holds numbers of messages, by its name; give the bytes of a message as -b"
    assert message in usage_error("pattern", "show", str(tmp_path / name))
    assert cs.patterns.pattern(tmp_path / name, size=128).total_bytes == 4 * 128


@pytest.mark.parametrize("name", ["p2p.message_size.dat", "run_size_all.mat"])
def test_matrices_of_bytes_by_their_names(tmp_path: Path, name: str) -> None:
    assert written(tmp_path / name, "0 256 \n128 0 \n").total_bytes == 384
