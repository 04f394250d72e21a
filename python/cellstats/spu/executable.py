"""SPU executables as programs for `cellstats.run`."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.files import open_ordinary
from cellstats.core.refusal import known_keywords
from cellstats.core.words import did_you_mean, reason

Files: TypeAlias = Literal["none", "cwd", "all"]
"""The user's files that executables may open."""
EXECUTABLE_BYTES_MAX = 64 << 20
"""Largest file to read. Loaded segments are far smaller, but debug information may be long."""


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
    with open_ordinary(path) as file:
        content = file.read(EXECUTABLE_BYTES_MAX + 1)
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
