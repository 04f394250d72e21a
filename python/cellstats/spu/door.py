"""The interface between a Python program and the machine: requests, and calls that make them.

A program yields a request and stalls until the machine sends the answer, an int. All calls of
programs consist of requests. An `async def` awaits a call; a generator function uses `yield from`.

A call that is not awaited does nothing, and Python does not complain. Each `Caller` therefore
remembers its latest call. If the remembered call has not begun when the next call is made, and
nothing else refers to it, the call can never be awaited, so an error is raised at once. A call with
other references may still be awaited. If such a call has not begun when the run ends, an error is
raised then.
"""

import sys
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from types import CodeType, GeneratorType
from typing import Any, Literal, NamedTuple, ParamSpec, TypeAlias, TypeVar

from cellstats._native import UsageError

P = ParamSpec("P")
R = TypeVar("R")

_LIBRARY = {__file__, sys._getframe().f_code.co_filename}
"""Files that define calls; a forgotten `await` is reported in the caller's file instead."""


class Asked(Generator[Any, int, R], Awaitable[R]):
    """The requests of a call, for `await` or `yield from`.

    This class is only for type checkers; the object is a generator that can be awaited.
    """


class _Call(NamedTuple):
    """A call, and the bytecode instruction that made it; only errors look up the source line."""

    steps: "GeneratorType[Any, Any, Any]"
    name: str
    code: CodeType
    instruction: int

    @property
    def waits(self) -> bool:
        """Whether the call has not been awaited yet."""
        steps = self.steps
        return steps.gi_frame is not None and not (steps.gi_suspended or steps.gi_running)

    def forgotten(self) -> UsageError:
        """The error for a call that is never awaited."""
        spans = self.code.co_lines()
        lines = [line for start, end, line in spans if start <= self.instruction < end]
        where = f"{self.code.co_filename}, line {lines[0] if lines else '?'}"
        return UsageError(
            f"{where}: {self.name}(…) is not awaited, so it does nothing; write await before it, "
            "or yield from in a generator function"
        )


class Caller:
    """The calls of one program: its methods that are decorated with `request`."""

    __slots__ = ("_latest", "_waiting")

    def __init__(self) -> None:
        self._latest = _NO_CALL
        self._waiting: list[_Call] = []

    def look(self) -> None:
        """Raise UsageError if a call can no longer be awaited."""
        self._sort_out()
        listed = [waiting.steps for waiting in self._waiting]
        for waiting, holders in zip(self._waiting, _holders(listed), strict=True):
            if holders <= _NOBODY:
                raise waiting.forgotten()

    def check(self) -> None:
        """Raise UsageError if a call was never awaited; called when the run ends."""
        self._sort_out()
        for waiting in self._waiting:
            raise waiting.forgotten()

    def _sort_out(self) -> None:
        latest = _Call(*self._latest)
        self._latest = _NO_CALL
        self._waiting = [each for each in (*self._waiting, latest) if each.waits]


_CALL = """
def {name}(self, {parameters}):
    if self._latest[0].gi_frame is not None:
        self.look()
    steps = function(self, {given})
    frame, name = getframe(1), {name!r}
    code = frame.f_code
    while code.co_filename in library:
        name, frame = code.co_name, frame.f_back
        code = frame.f_code
    self._latest = steps, name, code, frame.f_lasti
    return steps
"""
"""Source of each call; `*arguments, **keywords` would take longer than the rest of the call."""


def request(function: Callable[P, Generator[Any, Any, R]]) -> Callable[P, Asked[R]]:
    """Turn a generator function into a call, for both `await` and `yield from`."""
    code = function.__code__
    _LIBRARY.add(code.co_filename)
    _, *names = code.co_varnames[: code.co_argcount]
    by_name = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
    text = _CALL.format(
        name=function.__name__,
        parameters=", ".join([*names, *(["*", *by_name] if by_name else [])]),
        given=", ".join([*names, *(f"{name}={name}" for name in by_name)]),
    )
    known = {"function": types.coroutine(function), "getframe": sys._getframe, "library": _LIBRARY}
    exec(compile(text, __file__, "exec"), known)
    call: Any = known[function.__name__]
    call.__defaults__, call.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    call.__doc__, call.__module__ = function.__doc__, function.__module__
    call.__qualname__, call.__annotations__ = function.__qualname__, function.__annotations__
    call.__wrapped__ = function
    return call  # type: ignore[no-any-return]


def _ended() -> Generator[Any, Any, None]:
    """The generator of `_NO_CALL`, closed before it starts."""
    yield


def _holders(listed: "list[GeneratorType[Any, Any, Any]]") -> list[int]:
    """Reference counts of the generators, including this function's own references."""
    return [sys.getrefcount(each) for each in listed]


_NO_CALL = _Call(_ended(), "", _ended.__code__, 0)  # type: ignore[arg-type]
_NO_CALL.steps.close()
_NOBODY = _holders([_ended()])[0] + 1  # type: ignore[list-item]
"""Reference count of a generator that only a list and its `_Call` hold, in this Python version."""


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
"""A started program, which returns its stop code; None counts as 0."""


class Iterations:
    """An `async for` loop whose iterations the machine may skip when they repeat exactly.

    The loop yields the number of the next iteration. Before each iteration, the loop sends the
    machine the number of iterations left, and the machine replies with the number of iterations to
    skip.
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
