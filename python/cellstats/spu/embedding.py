"""SPU executables in PowerPC programs.

The embedding functions replace the tool `embedspu`. A PowerPC program declares an SPU executable as

    extern spe_program_handle_t name;

and passes `&name` to libspe2's `spe_program_load`. The program is linked with an object file that
holds the executable's bytes (section `.rodata.speelf`, at a multiple of 128) and the handle: the
handle's size, the address of the bytes, and no table of effective addresses. `embedded_object`
writes this file without PowerPC tools; `embedded_assembly` writes assembly instead.

Sources: SPE Runtime Management Library (`spe_program_handle_t`); System V ABI, PowerPC supplement;
64-bit PowerPC ELF ABI.
"""

import re
import struct
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

IMAGE_ALIGNMENT = 128
Width: TypeAlias = Literal[32, 64]
"""The bits of a pointer of the PowerPC program that an executable is embedded in."""

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

# ELF: classes, types, machines, sections, symbols, relocations.
_ELF_HEADER = struct.Struct(">16sHHIIIIIHHHHHH")
_RELOCATABLE, _EXECUTABLE = 1, 2
_PPC, _PPC64, _SPU = 20, 21, 23
_PROGBITS, _SYMTAB, _STRTAB, _RELA = 1, 2, 3, 4
_WRITE, _ALLOC, _INFO_LINK = 1, 2, 0x40
_LOCAL_SECTION, _GLOBAL_OBJECT = 3, 1 << 4 | 1
_R_PPC_ADDR32, _R_PPC64_ADDR64 = 1, 38


class _Elf(NamedTuple):
    """The formats of an object file, by the width of its pointers."""

    identification: bytes
    machine: int
    header: struct.Struct
    section: struct.Struct
    symbol: struct.Struct
    # Positions in `symbol` of: name, value, size, kind, visibility, section.
    symbol_order: tuple[int, ...]
    relocation: struct.Struct
    # What a relocation says about its symbol: the number's shift, and its own kind.
    symbol_shift: int
    address: int
    # The handle: its size, the address of the image, and the table of effective addresses.
    handle: struct.Struct
    pointer_directive: str

    @property
    def pointer_bytes(self) -> int:
        """Bytes of a pointer, and the alignment of everything that holds one."""
        return self.handle.size // 3


_FORMATS: Mapping[int, _Elf] = {
    32: _Elf(
        identification=b"\x7fELF\x01\x02\x01" + bytes(9),
        machine=_PPC,
        header=_ELF_HEADER,
        section=struct.Struct(">10I"),
        symbol=struct.Struct(">IIIBBH"),
        symbol_order=(0, 1, 2, 3, 4, 5),
        relocation=struct.Struct(">IIi"),
        symbol_shift=8,
        address=_R_PPC_ADDR32,
        handle=struct.Struct(">III"),
        pointer_directive=".long",
    ),
    64: _Elf(
        identification=b"\x7fELF\x02\x02\x01" + bytes(9),
        machine=_PPC64,
        header=struct.Struct(">16sHHIQQQIHHHHHH"),
        section=struct.Struct(">IIQQQQIIQQ"),
        symbol=struct.Struct(">IBBHQQ"),
        symbol_order=(0, 3, 4, 5, 1, 2),
        relocation=struct.Struct(">QQq"),
        symbol_shift=32,
        address=_R_PPC64_ADDR64,
        handle=struct.Struct(">I4xQQ"),
        pointer_directive=".quad",
    ),
}


def embedded_object(name: str, image: bytes, bits: Width = 32) -> bytes:
    """A PowerPC object file (relocatable) with `image` and its handle `name`.

    bits: the width of the program's pointers, which is also the class of the object file.

    Raises ValueError if the name is not a C identifier, or the image is not an SPU executable.

    >>> embedded_object("two words", b"")
    Traceback (most recent call last):
    ...
    ValueError: 'two words' is no identifier of C; give letters, digits and _
    """
    _check(name, image)
    elf = _FORMATS[bits]
    handle = elf.handle.pack(elf.handle.size, 0, 0)
    names = _Strings()
    symbol_names = _Strings()
    symbols = [
        (0, 0, 0, 0, 0, 0),
        (0, 0, 0, _LOCAL_SECTION, 0, 1),
        (symbol_names.add(name), 0, elf.handle.size, _GLOBAL_OBJECT, 0, 2),
    ]
    table = b"".join(
        elf.symbol.pack(*(symbol[place] for place in elf.symbol_order)) for symbol in symbols
    )
    align = elf.pointer_bytes
    points_to_image = elf.relocation.pack(align, 1 << elf.symbol_shift | elf.address, 0)
    sections = [
        _Section("", b"", 0),
        _Section(".rodata.speelf", image, _PROGBITS, _ALLOC, alignment=IMAGE_ALIGNMENT),
        _Section(".data.spehandle", handle, _PROGBITS, _WRITE | _ALLOC, alignment=align),
        _Section(
            ".rela.data.spehandle",
            points_to_image,
            _RELA,
            _INFO_LINK,
            5,
            2,
            align,
            elf.relocation.size,
        ),
        # Without this section, a linker makes the stack executable.
        _Section(".note.GNU-stack", b"", _PROGBITS),
        # The first two symbols are local.
        _Section(".symtab", table, _SYMTAB, 0, 6, 2, align, elf.symbol.size),
        _Section(".strtab", symbol_names.bytes, _STRTAB),
    ]
    numbers = [names.add(section.name) for section in sections] + [names.add(".shstrtab")]
    sections.append(_Section(".shstrtab", names.bytes, _STRTAB))
    return _object(elf, sections, numbers)


def embedded_assembly(name: str, image: bytes, bits: Width = 32) -> str:
    """The object of `embedded_object` as assembly, with the directives of GNU `as`; `gcc -c` takes
    it as OUT.s.

    Raises ValueError in the same cases as `embedded_object`.
    """
    _check(name, image)
    elf = _FORMATS[bits]
    lines = [
        f"# {name}, an SPU executable of {len(image)} bytes, for PowerPC programs with libspe2",
        '\t.section .rodata.speelf,"a",@progbits',
        "\t.balign 128",
        ".Limage:",
        *(
            "\t.byte " + ",".join(map(str, image[offset : offset + 16]))
            for offset in range(0, len(image), 16)
        ),
        '\t.section .data.spehandle,"aw",@progbits',
        f"\t.balign {elf.pointer_bytes}",
        f"\t.globl {name}",
        f"\t.type {name},@object",
        f"\t.size {name},{elf.handle.size}",
        f"{name}:",
        f"\t.long {elf.handle.size}",
        f"\t.balign {elf.pointer_bytes}",
        f"\t{elf.pointer_directive} .Limage,0",
        '\t.section .note.GNU-stack,"",@progbits',
    ]
    return "\n".join(lines) + "\n"


class _Section(NamedTuple):
    """A section of an object file; `_object` computes its offset."""

    name: str
    content: bytes
    kind: int
    flags: int = 0
    link: int = 0
    info: int = 0
    alignment: int = 1
    entry_bytes: int = 0


class _Strings:
    """A string table; it begins with the empty string."""

    def __init__(self) -> None:
        self.bytes = b"\0"

    def add(self, text: str) -> int:
        """Add a string and return its offset; the empty string has offset 0."""
        if not text:
            return 0
        offset = len(self.bytes)
        self.bytes += text.encode("ascii") + b"\0"
        return offset


def _object(elf: _Elf, sections: list[_Section], names: list[int]) -> bytes:
    """All sections in order, followed by the section table."""
    out = bytearray(elf.header.size)
    table = bytearray()
    for section, name in zip(sections, names, strict=True):
        out += bytes(-len(out) % section.alignment)
        offset = len(out) if section.kind else 0
        out += section.content
        table += elf.section.pack(
            name,
            section.kind,
            section.flags,
            0,
            offset,
            len(section.content),
            section.link,
            section.info,
            section.alignment if section.kind else 0,
            section.entry_bytes,
        )
    out += bytes(-len(out) % elf.pointer_bytes)
    header = (elf.identification, _RELOCATABLE, elf.machine, 1, 0, 0, len(out), 0)
    counts = (elf.header.size, 0, 0, elf.section.size, len(sections), len(sections) - 1)
    out[: elf.header.size] = elf.header.pack(*header, *counts)
    return bytes(out + table)


def _check(name: str, image: bytes) -> None:
    if not _IDENTIFIER.match(name):
        raise ValueError(f"{name!r} is no identifier of C; give letters, digits and _")
    if len(image) < _ELF_HEADER.size or not image.startswith(b"\x7fELF"):
        raise ValueError("the image is no ELF file; give an executable that spu-elf-gcc made")
    ident, kind, machine, *_ = _ELF_HEADER.unpack_from(image)
    if ident[4] != 1 or ident[5] != 2 or machine != _SPU:
        raise ValueError(
            "the image is no program of the SPU; give an executable that spu-elf-gcc made"
        )
    if kind != _EXECUTABLE:
        raise ValueError("the image is an object file; link it with spu-elf-gcc first")
