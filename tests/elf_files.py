"""ELF files of 32 and 64 bits and of either byte order, read independently of the package."""

import struct
from typing import Literal, NamedTuple


class Section(NamedTuple):
    """A section and the fields of its header."""

    kind: int
    flags: int
    content: bytes
    link: int
    info: int
    alignment: int


class _Headers(NamedTuple):
    """Where the ELF header has the offset of a table of headers, and their size and number."""

    word: str
    offset_at: int
    size_at: int
    header: str


_HEADERS = {
    (1, "sections"): _Headers("I", 32, 46, "10I"),
    (1, "segments"): _Headers("I", 28, 42, "8I"),
    (2, "sections"): _Headers("Q", 40, 58, "IIQQQQIIQQ"),
    (2, "segments"): _Headers("Q", 32, 54, "IIQQQQQQ"),
}
# The name, the kind with the binding, and the section of a symbol.
_SYMBOLS = {1: "I8xBxH", 2: "IBxH16x"}


def sections(content: bytes) -> dict[str, Section]:
    """The sections by their names."""
    rows = _rows(content, "sections")
    # The number of the section with the names follows the size and number of sections.
    names_at = _HEADERS[content[4], "sections"].size_at + 4
    (names,) = struct.unpack_from(_order(content) + "H", content, names_at)
    strings = content[rows[names][4] :]
    found = {}
    for name, kind, flags, _, place, length, link, info, alignment, _ in rows:
        part = content[place : place + length]
        found[_text(strings, name)] = Section(kind, flags, part, link, info, alignment)
    return found


def segment_kinds(content: bytes) -> list[int]:
    """The kinds of the segments (PT_LOAD, PT_INTERP, …)."""
    return [kind for kind, *_ in _rows(content, "segments")]


def exported(library: bytes) -> set[str]:
    """The global symbols that a shared library defines."""
    found = sections(library)
    rows = struct.iter_unpack(_order(library) + _SYMBOLS[library[4]], found[".dynsym"].content)
    strings = found[".dynstr"].content
    return {_text(strings, name) for name, info, section in rows if section != 0 and info >> 4 == 1}


def _rows(content: bytes, kind: Literal["sections", "segments"]) -> list[tuple[int, ...]]:
    headers = _HEADERS[content[4], kind]
    order = _order(content)
    (table,) = struct.unpack_from(order + headers.word, content, headers.offset_at)
    size, count = struct.unpack_from(order + "HH", content, headers.size_at)
    return [
        struct.unpack_from(order + headers.header, content, table + n * size) for n in range(count)
    ]


def _order(content: bytes) -> str:
    return ">" if content[5] == 2 else "<"


def _text(strings: bytes, start: int) -> str:
    return strings[start : strings.index(b"\0", start)].decode()
