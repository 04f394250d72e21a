"""The one door between a program and the machine, seen from Python.

A program yields a request and gets the answer, an int, when the machine has it; until then the
program stalls. All calls of programs are made of these requests. They can be awaited in an
`async def`, or delegated to with `yield from` in a generator function.
"""

from collections.abc import Callable, Coroutine, Generator
from typing import Any, Literal, TypeAlias

from cellstats.spu.calls import Asked

SpuRequest: TypeAlias = (
    tuple[Literal["read"], int]  # channel
    | tuple[Literal["write"], int, int]  # channel, value
    | tuple[Literal["count"], int]  # channel
    | tuple[Literal["compute"], int]  # SPU cycles
    | tuple[Literal["stop"], int]  # stop code
    | tuple[Literal["mark"], int]  # iterations left, this one included
)
PpeRequest: TypeAlias = (
    tuple[Literal["load"], int, int]  # effective address, bytes
    | tuple[Literal["store"], int, int, int]  # effective address, bytes, value
    | tuple[Literal["walk"], str, int, int, int, int, int]  # as `Ppe.walk`
    | tuple[Literal["syscall"], str, int, int]  # name, thread, argument
    | tuple[Literal["compute"], int]  # PPE cycles
    | tuple[Literal["read"], int, int]  # effective address, bytes
    | tuple[Literal["write"], int, bytes]  # effective address, data
    | tuple[Literal["mfc_command"], int, int, int, int, int, int]  # as `Ppe.mfc_command`
    | tuple[Literal["tag_status"], int, int, str]  # thread, mask, when
    | tuple[Literal["events"], int, int | None]  # masks of threads, timeout_ns
    | tuple[Literal["sync"]]
    | tuple[Literal["timebase"]]
    | tuple[Literal["mark"], int]
)
Request: TypeAlias = SpuRequest | PpeRequest

Running: TypeAlias = Coroutine[Any, Any, int | None] | Generator[Any, int, int | None]
"""A started program. It returns its stop code; None counts as 0."""


class Iterations:
    """`async for` over a loop whose iterations the machine may skip when they repeat exactly.

    Yields the number of the next iteration. Before each one the machine is told how many are left,
    and answers how many of them it has skipped.
    """

    __slots__ = ("_count", "_left", "_mark", "_running")

    def __init__(self, count: int, mark: Callable[[int], Asked[int]]) -> None:
        self._count = count
        self._left = count
        self._mark = mark
        self._running = False

    def __aiter__(self) -> "Iterations":
        return self

    async def __anext__(self) -> int:
        if self._running:
            self._left -= 1
        self._running = True
        if self._left > 0:
            self._left -= await self._mark(self._left)
        if self._left <= 0:
            raise StopAsyncIteration
        return self._count - self._left
