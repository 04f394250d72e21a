"""Reasons for refusing parameters, as data, so that messages can name flags or Python keywords.

A `UsageError` about a parameter has the attribute `refusal`: the parameter, its value as shown, the
FUNCTION or parameter that excludes it, and the reason. Reasons contain parameters' names in braces,
such as `{size}`; `{shared}` is the opposite of `{private}`, and `{any_spes}` is any parameter that
sets the number of SPEs. `verbatim` escapes text from users. Errors of the compiled simulator also
have a `refusal`.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, TypeVar

from cellstats._native import UsageError
from cellstats.core.words import did_you_mean

Function = TypeVar("Function", bound=Callable[..., Any])

_KEYWORDS = {
    "private_spes": "spes",
    "any_spes": "spes",
    "pattern_threads": "threads",
    "shared": "private=False",
    "host_placement": "placement",
}
_NAMED = re.compile(r"\{([a-z_]+)\}|\{\{")


class Refusal(NamedTuple):
    """The reason why a parameter is refused."""

    parameter: str | None
    given: str | None
    with_: str | None
    """A FUNCTION, or another parameter in braces, such as `{size}`."""
    reason: str

    def worded(self, name: Callable[[str], str]) -> str:
        """The error message in one line; `name` returns the name of a parameter for the readers."""
        with_ = None if self.with_ is None else _named(self.with_, name)
        head = " ".join(
            part
            for part in (
                None if self.parameter is None else name(self.parameter),
                self.given,
                f"with {with_}" if with_ is not None and self.parameter else with_,
            )
            if part is not None
        )
        reason = _named(self.reason, name)
        return f"{head}: {reason}" if head else reason


def refusal(
    reason: str, parameter: str | None = None, given: object = None, with_: str | None = None
) -> UsageError:
    """The UsageError to raise for a refused parameter.

    >>> str(refusal("give {shared}, or a smaller {size}", "private", with_="mailbox"))
    'private with mailbox: give private=False, or a smaller size'
    """
    parts = Refusal(parameter, None if given is None else str(given), with_, reason)
    error = UsageError(parts.worded(keyword))
    error.refusal = parts
    return error


def known_keywords(*others: str) -> Callable[[Function], Function]:
    """Make a function refuse unknown keywords with a line that names the most similar keyword.

    others: keywords that the function takes as `**parameters`, besides its own.

    >>> @known_keywords("size")
    ... def show(*, machine="ps3", **parameters): ...
    >>> show(sise="1k")
    Traceback (most recent call last):
    ...
    cellstats._native.UsageError: unknown parameter 'sise'; did you mean size? Known are ...
    """

    def decorate(function: Function) -> Function:
        # Avoids `inspect`: importing it takes longer than all other imports of a short measurement.
        code = function.__code__
        own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        known = tuple(dict.fromkeys(name for name in (*own, *others) if name != "self"))

        @wraps(function)
        def called(*given: Any, **named: Any) -> Any:
            for name in named:
                if name not in known:
                    near = did_you_mean(name, known)
                    raise UsageError(f"unknown parameter {name!r}; {near}")
            return function(*given, **named)

        return called  # type: ignore[return-value]

    return decorate


def verbatim(text: object) -> str:
    """A user's text, made safe to quote in a reason: on one line, with braces escaped.

    >>> str(refusal(f"{verbatim('{size}')} is no {{size}}"))
    '{size} is no size'
    """
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(text))
    return line.replace("{", "{{")


def quoted(value: object) -> str:
    """The `repr` of a value, made safe by `verbatim`."""
    return verbatim(repr(value))


def reworded(error: UsageError, name: Callable[[str], str]) -> str:
    """The message of a UsageError, in which `name` supplies the parameters' names."""
    parts = error.refusal
    return str(error) if parts is None else Refusal(*parts).worded(name)


def keyword(parameter: str) -> str:
    """The Python name of a parameter."""
    return _KEYWORDS.get(parameter, parameter)


def _named(text: str, name: Callable[[str], str]) -> str:
    return _NAMED.sub(lambda match: name(match[1]) if match[1] else "{", text)
