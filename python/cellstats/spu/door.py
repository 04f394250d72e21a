"""Calls of programs: each gives a request, which is to be awaited, and is missed if it never is.

A call that is not awaited asks nothing of the machine, and Python does not mind. So each `Caller`
knows its latest call, and at the next one whether that has begun. If it has not, and nobody holds
it, it can not be awaited any more: an error there and then. One that is held may be awaited later,
and is an error if it was not when the run has ended.

The one door between a program and the machine, seen from Python.

A program yields a request and gets the answer, an int, when the machine has it; until then the
program stalls. All calls of programs are made of these requests. They can be awaited in an
`async def`, or delegated to with `yield from` in a generator function.
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
"""Files of the calls themselves; whoever forgets an `await` does so elsewhere."""


class Asked(Generator[Any, int, R], Awaitable[R]):
    """A request: `await` it, or `yield from` it.

    This class is for type checkers only; the object is a plain generator that can be awaited.
    """


class _Call(NamedTuple):
    """A call, and the instruction that made it: only an error looks up in which line that is."""

    steps: "GeneratorType[Any, Any, Any]"
    name: str
    code: CodeType
    instruction: int

    @property
    def waits(self) -> bool:
        """Whether nobody has awaited it yet."""
        steps = self.steps
        return steps.gi_frame is not None and not (steps.gi_suspended or steps.gi_running)

    def forgotten(self) -> UsageError:
        """The error to raise if nobody does."""
        spans = self.code.co_lines()
        lines = [line for start, end, line in spans if start <= self.instruction < end]
        where = f"{self.code.co_filename}, line {lines[0] if lines else '?'}"
        return UsageError(
            f"{where}: {self.name}(…) is not awaited, and so does nothing; write await before it, "
            "or yield from in a generator function"
        )


class Caller:
    """Whose methods, decorated with `request`, are the calls of one program."""

    __slots__ = ("_latest", "_waiting")

    def __init__(self) -> None:
        self._latest = _NO_CALL
        self._waiting: list[_Call] = []

    def look(self) -> None:
        """Raise UsageError if a call can never be awaited any more."""
        self._sort_out()
        listed = [waiting.steps for waiting in self._waiting]
        for waiting, holders in zip(self._waiting, _holders(listed), strict=True):
            if holders <= _NOBODY:
                raise waiting.forgotten()

    def check(self) -> None:
        """Raise UsageError if a call never was awaited: at the end."""
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
"""Written out for each call: `*arguments, **keywords` would take longer than all else in it."""


def request(function: Callable[P, Generator[Any, Any, R]]) -> Callable[P, Asked[R]]:
    """Make a generator function a call, for both `await` and `yield from`."""
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
    """A generator, once it is closed."""
    yield


def _holders(listed: "list[GeneratorType[Any, Any, Any]]") -> list[int]:
    """How many hold each of them, this function among them."""
    return [sys.getrefcount(each) for each in listed]


_NO_CALL = _Call(_ended(), "", _ended.__code__, 0)  # type: ignore[arg-type]
_NO_CALL.steps.close()
_NOBODY = _holders([_ended()])[0] + 1  # type: ignore[list-item]
"""Holders of what only a list and its `_Call` hold; the version of Python says how many."""


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
