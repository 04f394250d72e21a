"""SPU executables among the programs of `cellstats.run`."""

import os
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

from cellstats import _native
from cellstats._native import UsageError
from cellstats.refusal import known_keywords
from cellstats.text.nearest import did_you_mean
from cellstats.text.reasons import reason

Files: TypeAlias = Literal["none", "cwd", "all"]
"""How far executables may reach into the user's files."""
EXECUTABLE_BYTES_MAX = 64 << 20
"""The largest file that is read; what a program loads is far smaller, what helps debugging not."""


@dataclass(frozen=True)
class SpuProgram:
    """An executable for the SPU with its arguments, a program for `cellstats.run`."""

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
        """Whether it is linked with `-mstdmain`, and its `main` gets `argc` and `argv`."""
        return self.native.takes_arguments


@dataclass(frozen=True)
class Executed:
    """Counts of an executable that has run."""

    instructions: int
    """Number of instructions executed."""
    channels: Sequence[tuple[str, str, int, int]]
    """Mnemonic, channel, count and SPU cycles of each channel instruction."""
    profile_json: str | None = None
    """The profile, instruction by instruction; None unless `profile` was asked for."""


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

    args: `argv` behind the program's name, if it is linked with `-mstdmain`.
    argp, envp: arguments of other programs' `main(speid, argp, envp)`; `argp` is by default the
        argument from the creator of its thread, or 0.
    local_store: address, or the name of a symbol, -> bytes that lie there at the start.
    profile: count issues and stalls of each instruction.

    Files that it opens are the user's own, as far as `files` of `cellstats.run` lets it; its output
    goes to `sys.stdout` and `sys.stderr`.

    Raises UsageError for a file that is no executable for the SPU, or is damaged.
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
    """What an executable's file holds; nothing is waited for, and not read without an end.

    Raises UsageError for what is no file with an end, OSError for what cannot be read.
    """
    # An ordinary open of a pipe waits until somebody writes to it.
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


def _address(place: int | str, symbols: Mapping[str, int]) -> int:
    if not isinstance(place, str):
        return place
    if place not in symbols:
        known = did_you_mean(place, list(symbols)) if symbols else "the file has no symbols at all"
        raise UsageError(f"no symbol {place!r} in the program; {known}")
    return symbols[place]


class StandardStreams:
    """Standard input and output of programs: those of `sys` at the time of each call.

    Those of `sys` are None if they were closed when Python started.
    """

    def read(self, n: int) -> bytes:
        """Up to `n` bytes of standard input; none at its end."""
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
