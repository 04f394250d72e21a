"""Communication matrices, as profilers of message-passing programs write them.

A matrix has a row for each sender and a column for each receiver; an entry is the number of bytes,
or the number of messages if their size is given. Cells are apart by commas, semicolons, tabs or
spaces. Names of threads, as a header and as a first column, and comments after `#` are left out,
and so is the diagonal.

    ,a,b,c
    a,0,1.5e6,0
    b,4096,0,128
    c,0,0,0

Traces hold more bytes than local stores, so an entry becomes several messages, each of which fits.
If all entries together would take long to simulate, all of them are made smaller by the same
factor, which the pattern's name says.
"""

import math
import re
from collections.abc import Iterator, Sequence

from cellstats._native import UsageError
from cellstats.core.pattern import THREADS_MAX, Pattern, Phase, Transfer, whole_dma

TOTAL_BYTES_MAX = 4 << 20
"""Bytes of all entries above which they are made smaller."""
_DMA_BYTES, _LINE_BYTES, _QUADWORD_BYTES = 16_384, 128, 16
_LOCAL_STORE_BYTES = 192 << 10
"""Room for one message to send, and for one from each sender."""
_APART = re.compile(r"\s*[,;\t]\s*")


def is_matrix(text: str) -> bool:
    """Whether a text is a matrix, not a table with a row for each transfer."""
    _, header = next(_rows(text), (0, ["source"]))
    return "source" not in map(str.lower, header)


def from_matrix(text: str, origin: str, name: str, size: int | None = None) -> Pattern:
    """The pattern of a matrix: one phase, with a transfer for each entry above 0.

    size: bytes of a message, for a matrix with the number of messages.

    Raises UsageError, which names the file and the line, for anything that is not a square matrix.
    """
    matrix = _numbers(list(_rows(text)), origin)
    if len(matrix) > THREADS_MAX:
        raise UsageError(f"{origin}: {len(matrix)} threads; give a matrix of 1 to {THREADS_MAX}")
    sent = [
        (i, j, entry * (size or 1))
        for i, row in enumerate(matrix)
        for j, entry in enumerate(row)
        if i != j and entry > 0
    ]
    if not sent:
        raise UsageError(f"{origin}: no thread sends anything to another")
    smaller = max(math.ceil(sum(bytes_ for _, _, bytes_ in sent) / TOTAL_BYTES_MAX), 1)
    most = longest_message(
        max(sum(entry > 0 for entry in column) for column in zip(*matrix, strict=True))
    )
    if size is not None:
        most = min(most, size)
    transfers = tuple(_messages(i, j, bytes_ / smaller, most) for i, j, bytes_ in sent)
    name = name if smaller == 1 else f"{name}, 1/{smaller} of the bytes"
    return Pattern(name, len(matrix), (Phase(transfers),))


def longest_message(senders: int) -> int:
    """Most bytes of a message, if a local store has room for one from each sender and its own."""
    return min(_DMA_BYTES, _LOCAL_STORE_BYTES // (senders + 1) // _LINE_BYTES * _LINE_BYTES)


def _messages(source: int, destination: int, size: float, most: int) -> Transfer:
    """Messages of equal sizes up to `most`, which hold at least `size` bytes together."""
    times = max(math.ceil(size / most), 1)
    is_long = size > _LINE_BYTES and most % _LINE_BYTES == 0
    each = whole_dma(size / times, _LINE_BYTES if is_long else _QUADWORD_BYTES)
    return Transfer(source, destination, each, times)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that has some, with the line's number."""
    for number, line in enumerate(text.splitlines(), 1):
        before_comment = line.partition("#")[0]
        if before_comment.strip():
            yield number, _cells(before_comment)


def _cells(line: str) -> list[str]:
    return (
        [cell.strip(' "') for cell in _APART.split(line)] if _APART.search(line) else line.split()
    )


def _numbers(rows: Sequence[tuple[int, list[str]]], origin: str) -> list[list[float]]:
    """The entries, without names."""
    if _is_header(rows[0][1]):
        rows = rows[1:]
    threads = len(rows)
    named = all(len(cells) == threads + 1 for _, cells in rows)
    found = []
    for number, cells in rows:
        entries = cells[1:] if named else cells
        where = f"{origin}, line {number}"
        if len(entries) != threads:
            raise UsageError(
                f"{where} has {len(entries)} entries; a matrix of {threads} rows has {threads}, "
                "and a table of transfers has a header with source and destination"
            )
        for cell in entries:
            if not _is_number(cell):
                raise UsageError(f"{where}: {cell!r} is no number of bytes")
        found.append([float(cell or 0) for cell in entries])
    return found


def _is_header(cells: Sequence[str]) -> bool:
    """Whether a first row has names, or the numbers of threads behind an empty cell."""
    first, *names = cells
    numbered = names in ([str(i + start) for i in range(len(names))] for start in (0, 1))
    return (not first and numbered) or not any(map(_is_number, names or [first]))


def _is_number(cell: str) -> bool:
    try:
        return 0 <= float(cell or 0) < math.inf
    except ValueError:
        return False
