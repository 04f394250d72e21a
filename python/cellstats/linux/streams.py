"""Standard input, output and error of a program: the user's, or bytes."""

import os
import sys
from typing import IO, Any, Protocol

from cellstats.spu.executable import StandardStreams

TerminalSize = tuple[int, int]
"""Rows and columns."""


class Streams(Protocol):
    """What the simulator asks for; streams are 0, 1 and 2."""

    def read(self, n: int) -> bytes:
        """Up to `n` bytes of standard input; none at its end."""

    def write(self, file: int, data: bytes) -> None:
        """Write to standard output (1) or the error output (2)."""

    def terminal(self, stream: int) -> TerminalSize | None:
        """The size of the terminal that a stream is, if it is one."""


class OwnStreams(StandardStreams):
    """Those of `sys`."""

    own: tuple[int, ...] = (0, 1, 2)
    """The streams that are those of `sys`."""

    def terminal(self, stream: int) -> TerminalSize | None:
        """The size of the terminal that a stream is, if it is one."""
        if stream not in self.own:
            return None
        file: IO[Any] | None = (sys.stdin, sys.stdout, sys.stderr)[stream]
        try:
            size = os.get_terminal_size(file.fileno()) if file is not None else None
        except (OSError, ValueError):
            # Not a terminal; not a file of the operating system's, as in a notebook; or closed.
            return None
        return None if size is None else (size.lines & 0xFFFF, size.columns & 0xFFFF)


class GivenInput(OwnStreams):
    """Those of `sys`, but for input, which is known before."""

    own: tuple[int, ...] = (1, 2)

    def __init__(self, stdin: bytes) -> None:
        self._stdin = memoryview(stdin)

    def read(self, n: int) -> bytes:
        """Up to `n` bytes of standard input; none at its end."""
        data, self._stdin = self._stdin[:n], self._stdin[n:]
        return bytes(data)


class Captured(GivenInput):
    """Input that is known before, and output that is kept."""

    own: tuple[int, ...] = ()

    def __init__(self, stdin: bytes) -> None:
        super().__init__(stdin)
        self.kept = {1: bytearray(), 2: bytearray()}

    def write(self, file: int, data: bytes) -> None:
        """Keep what is written to standard output (1) or the error output (2)."""
        self.kept[file] += data
