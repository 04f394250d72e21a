"""SPU executables: as programs for `cellstats.run`, and embedded in PowerPC programs.

The embedding functions replace the tool `embedspu`. A PowerPC program declares an SPU executable as

    extern spe_program_handle_t name;

and passes `&name` to libspe2's `spe_program_load`. The program is linked with an object file that
holds the executable's bytes (section `.rodata.speelf`, at a multiple of 128) and the handle: the
handle's size, the address of the bytes, and no table of effective addresses. `embedded_object`
writes this file without PowerPC tools; `embedded_assembly` writes assembly instead.

Sources: SPE Runtime Management Library (`spe_program_handle_t`); System V ABI, PowerPC supplement.
"""

import os
import re
import stat
import struct
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.refusal import known_keywords
from cellstats.core.words import did_you_mean, reason

Files: TypeAlias = Literal["none", "cwd", "all"]
"""The user's files that executables may open."""
EXECUTABLE_BYTES_MAX = 64 << 20
"""Largest file to read. Loaded segments are far smaller, but debug information may be long."""

IMAGE_ALIGNMENT = 128
_HANDLE_BYTES = 12

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

# ELF: classes, types, machines, sections, symbols, relocations.
_ELF_HEADER = struct.Struct(">16sHHIIIIIHHHHHH")
_SECTION = struct.Struct(">10I")
_SYMBOL = struct.Struct(">IIIBBH")
_RELOCATION = struct.Struct(">IIi")
_IDENT_32_BIG = b"\x7fELF\x01\x02\x01" + bytes(9)
_RELOCATABLE, _EXECUTABLE = 1, 2
_PPC, _SPU = 20, 23
_PROGBITS, _SYMTAB, _STRTAB, _RELA = 1, 2, 3, 4
_WRITE, _ALLOC, _INFO_LINK = 1, 2, 0x40
_LOCAL_SECTION, _GLOBAL_OBJECT = 3, 1 << 4 | 1
_R_PPC_ADDR32 = 1


@dataclass(frozen=True)
class SpuProgram:
    """An SPU executable with its arguments, as a program for `cellstats.run`."""

    path: Path
    """The file."""
    native: _native.SpuProgram
    """The executable in the compiled simulator."""

    @cached_property
    def symbols(self) -> Mapping[str, int]:
        """Local-store addresses by name; empty if the file is stripped of its symbols."""
        return self.native.symbols

    @property
    def takes_arguments(self) -> bool:
        """Whether `-mstdmain` linked the program, so that its `main` receives `argc`, `argv`."""
        return self.native.takes_arguments


@dataclass(frozen=True)
class Executed:
    """Counts of an executable that has run."""

    instructions: int
    """Number of instructions executed."""
    channels: Sequence[tuple[str, str, int, int]]
    """Mnemonic, channel, count and SPU cycles of each channel instruction."""
    profile_json: str | None = None
    """The profile, instruction by instruction, or None without `profile`."""


@known_keywords()
def spu_program(
    path: str | Path,
    args: Iterable[str | bytes] = (),
    *,
    argp: int | None = None,
    envp: int = 0,
    local_store: Mapping[int | str, bytes] | None = None,
    profile: bool = False,
) -> SpuProgram:
    """An executable made by `spu-elf-gcc`, as a program for `cellstats.run`.

    args: `argv` after the program's name, for a program linked with `-mstdmain`.
    argp, envp: arguments of `main(speid, argp, envp)` in other programs; by default, `argp` is the
        argument from the creator of the thread, or 0.
    local_store: address, or name of a symbol -> bytes at that address at the start.
    profile: count issues and stalls of each instruction.

    The program can open only those files of the user that the parameter `files` of `cellstats.run`
    allows. The program's output goes to `sys.stdout` and `sys.stderr`.

    Raises UsageError for a file that is damaged or not an SPU executable.
    """
    file = Path(path)
    origin = f"program {str(path)!r}"
    try:
        content = executable(file)
    except (OSError, UsageError) as error:
        why = reason(error) if isinstance(error, OSError) else error
        raise UsageError(f"{origin}: {why}; give an SPU executable") from None
    if isinstance(args, str | bytes):
        raise UsageError(f"args {args!r} is one text; give a list of them, such as [{args!r}]")
    given = list(args)
    # The bytes that the user typed, which need not be UTF-8.
    words = [os.fsencode(word) for word in (file, *given)]

    def build(patches: list[tuple[int, bytes]]) -> _native.SpuProgram:
        return _native.SpuProgram(
            content,
            origin,
            arguments=words,
            argp=argp,
            envp=envp,
            patches=patches,
            profile=profile,
        )

    plain = build([])
    if given and not plain.takes_arguments:
        raise UsageError(
            f"{origin} takes no arguments; link it with -mstdmain, or leave out {given[0]!r}"
        )
    if not local_store:
        return SpuProgram(file, plain)
    symbols = plain.symbols
    return SpuProgram(file, build([(_address(w, symbols), b) for w, b in local_store.items()]))


def executable(path: Path) -> bytes:
    """Read the file of an executable; never blocks, and never reads a device.

    Raises UsageError unless the path names an ordinary file of limited size, and OSError if the
    file is unreadable.
    """
    # An ordinary open of a pipe blocks until a writer opens it.
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UsageError("not an ordinary file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(EXECUTABLE_BYTES_MAX + 1)
    finally:
        os.close(descriptor)
    if len(content) > EXECUTABLE_BYTES_MAX:
        raise UsageError(f"larger than {EXECUTABLE_BYTES_MAX >> 20} MiB")
    return content


def _address(where: int | str, symbols: Mapping[str, int]) -> int:
    if not isinstance(where, str):
        return where
    if where not in symbols:
        known = did_you_mean(where, list(symbols)) if symbols else "the file has no symbols at all"
        raise UsageError(f"no symbol {where!r} in the program; {known}")
    return symbols[where]


class StandardStreams:
    """Standard input and output of programs: the streams of `sys` at the time of each call.

    A stream of `sys` is None if it was closed when Python started.
    """

    def read(self, n: int) -> bytes:
        """Up to `n` bytes of standard input; empty at its end."""
        if sys.stdin is None:
            return b""
        source = getattr(sys.stdin, "buffer", None)
        if source is None:
            return sys.stdin.read(n).encode()
        data: bytes = source.read1(n) if hasattr(source, "read1") else source.read(n)
        return data

    def write(self, file: int, data: bytes) -> None:
        """Write to standard output (1) or the error output (2)."""
        stream = sys.stdout if file == 1 else sys.stderr
        if stream is None:
            return
        buffer = getattr(stream, "buffer", None)
        if buffer is None:
            stream.write(data.decode("utf-8", "backslashreplace"))
            return
        stream.flush()
        buffer.write(data)
        buffer.flush()


def embedded_object(name: str, image: bytes) -> bytes:
    """A PowerPC object file (ELF32, relocatable) with `image` and its handle `name`.

    Raises ValueError if the name is not a C identifier, or the image is not an SPU executable.

    >>> embedded_object("two words", b"")
    Traceback (most recent call last):
    ...
    ValueError: 'two words' is no identifier of C; give letters, digits and _
    """
    _check(name, image)
    handle = struct.pack(">III", _HANDLE_BYTES, 0, 0)
    names = _Strings()
    symbol_names = _Strings()
    symbols = [
        _SYMBOL.pack(0, 0, 0, 0, 0, 0),
        _SYMBOL.pack(0, 0, 0, _LOCAL_SECTION, 0, 1),
        _SYMBOL.pack(symbol_names.add(name), 0, _HANDLE_BYTES, _GLOBAL_OBJECT, 0, 2),
    ]
    points_to_image = _RELOCATION.pack(4, 1 << 8 | _R_PPC_ADDR32, 0)
    sections = [
        _Section("", b"", 0),
        _Section(".rodata.speelf", image, _PROGBITS, _ALLOC, alignment=IMAGE_ALIGNMENT),
        _Section(".data.spehandle", handle, _PROGBITS, _WRITE | _ALLOC, alignment=4),
        _Section(
            ".rela.data.spehandle", points_to_image, _RELA, _INFO_LINK, 5, 2, 4, _RELOCATION.size
        ),
        # Without this section, a linker makes the stack executable.
        _Section(".note.GNU-stack", b"", _PROGBITS),
        # The first two symbols are local.
        _Section(".symtab", b"".join(symbols), _SYMTAB, 0, 6, 2, 4, _SYMBOL.size),
        _Section(".strtab", symbol_names.bytes, _STRTAB),
    ]
    numbers = [names.add(section.name) for section in sections] + [names.add(".shstrtab")]
    sections.append(_Section(".shstrtab", names.bytes, _STRTAB))
    return _object(sections, numbers)


def embedded_assembly(name: str, image: bytes) -> str:
    """The object of `embedded_object` as assembly, with the directives of GNU `as`; `gcc -c` takes
    it as OUT.s.

    Raises ValueError in the same cases as `embedded_object`.
    """
    _check(name, image)
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
        "\t.balign 4",
        f"\t.globl {name}",
        f"\t.type {name},@object",
        f"\t.size {name},{_HANDLE_BYTES}",
        f"{name}:",
        f"\t.long {_HANDLE_BYTES},.Limage,0",
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


def _object(sections: list[_Section], names: list[int]) -> bytes:
    """All sections in order, followed by the section table."""
    out = bytearray(_ELF_HEADER.size)
    table = bytearray()
    for section, name in zip(sections, names, strict=True):
        out += bytes(-len(out) % section.alignment)
        offset = len(out) if section.kind else 0
        out += section.content
        table += _SECTION.pack(
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
    out += bytes(-len(out) % 4)
    header = (_IDENT_32_BIG, _RELOCATABLE, _PPC, 1, 0, 0, len(out), 0)
    counts = (_ELF_HEADER.size, 0, 0, _SECTION.size, len(sections), len(sections) - 1)
    out[: _ELF_HEADER.size] = _ELF_HEADER.pack(*header, *counts)
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
