"""PPE programs: the repository's programs, and programs of a few instructions, made without a
compiler.

    program(*call(4, 1, text(0), 6), *leave(3), data=b"hello\\n")

is an executable that writes six bytes to standard output and ends with status 3.
"""

import struct
import subprocess
from pathlib import Path

LINUX = Path(__file__).resolve().parents[1]
KEPT = LINUX / "programs"
LIBSPE2 = (f"-I{LINUX / 'sdk' / 'ppu' / 'include'}", f"-L{LINUX / 'libspe2'}")
"""A compiler's flags for libspe2."""
CODE = 0x1000_0000
DATA = 0x1001_0000
BUFFER = DATA + 0x1000
SC = 0x4400_0002


def program(
    *words: int, data: bytes = b"", interpreter: str | None = None, machine: int = 20
) -> bytes:
    """Make a static executable, or an executable with a dynamic linker."""
    code = struct.pack(f">{len(words)}I", *words)
    named = b"" if interpreter is None else interpreter.encode() + b"\0"
    count = 2 if interpreter is None else 3
    at = 52 + 32 * count
    place = at + len(named)
    headers = [] if interpreter is None else [(3, at, 0, 0, len(named), len(named), 4, 1)]
    headers += [
        (1, place, CODE, CODE, len(code), len(code), 5, 4),
        (1, place + len(code), DATA, DATA, len(data), 0x10000, 6, 4),
    ]
    ident = b"\x7fELF\x01\x02\x01" + bytes(9)
    header = struct.pack(">2H5I6H", 2, machine, 1, CODE, 52, 0, 0, 52, 32, count, 40, 0, 0)
    rows = b"".join(struct.pack(">8I", *row) for row in headers)
    return ident + header + rows + named + code + data


def text(offset: int) -> int:
    """The address of the byte at an offset in the data."""
    return DATA + offset


def load(register: int, value: int) -> tuple[int, int]:
    """Two instructions that load a number into a register."""
    return (
        15 << 26 | register << 21 | value >> 16 & 0xFFFF,
        24 << 26 | register << 21 | register << 16 | value & 0xFFFF,
    )


def call(number: int, *arguments: int) -> tuple[int, ...]:
    """A system call."""
    words: tuple[int, ...] = load(0, number)
    for register, value in enumerate(arguments, 3):
        words += load(register, value)
    return (*words, SC)


def leave(status: int) -> tuple[int, ...]:
    """`exit_group`"""
    return call(234, status)


HELLO = program(*call(4, 1, text(0), 6), *leave(3), data=b"hello\n")
ENDLESS = program(0x4800_0000)
# A loop that copies up to 64 bytes, until it exits with status 0 at the end of the input.
READ = call(3, 0, BUFFER, 64)
WRITE = (*load(0, 4), *load(3, 1), *load(4, BUFFER), SC)
CAT = program(
    *READ,
    0x2C03_0000,  # cmpwi r3,0
    0x4182_0000 | 4 * (2 + len(WRITE) + 1),  # beq to the end
    0x7C65_1B78,  # mr r5,r3
    *WRITE,
    0x4800_0000 | -4 * (len(READ) + 3 + len(WRITE)) & 0x03FF_FFFC,
    *leave(0),
)


def kept(name: str) -> str:
    """The path of an executable in linux/programs."""
    return str(KEPT / f"{name}.elf")


def compiled(source: str, at: Path, *flags: str) -> Path:
    """Compile a C program."""
    (at / "program.c").write_text(source)
    command = ["powerpc-linux-gnu-gcc", "-O1", "-o", str(at / "program"), "program.c", *flags]
    subprocess.run(command, cwd=at, check=True)
    return at / "program"
