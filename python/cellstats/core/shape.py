"""Checks data from JSON against a description of their shape, before anything reads them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from textwrap import shorten
from types import UnionType
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from cellstats._native import UsageError
from cellstats.core.words import harmless

Shape: TypeAlias = Any
"""`int`, `float`, `str`, `bool`, or one of these `| None`; a dict of an object's members, which may
have more; a list with the shape of all its elements; a dataclass, whose objects have no other
members; `tuple[…, ...]` or `Mapping[…]`, as dataclasses have them."""

INTEGER_MAX = 2**64 - 1
_WORDS: Mapping[Any, str] = {
    bool: "true or false",
    dict: "an object",
    float: "a number",
    int: "a whole number",
    list: "a list",
    str: "a text",
    type(None): "null",
}


def of_schema(text: str, version: int, what: str) -> dict[str, Any]:
    """The object of a JSON text. Raises UsageError for a text without one, and for other schemas.

    >>> of_schema("{", 1, "a trace")
    Traceback (most recent call last):
    ...
    cellstats._native.UsageError: a trace is not JSON: line 1, column 2: Expecting property name ...
    """
    data = parsed(text, what)
    found = data.get("schema") if isinstance(data, dict) else None
    if type(found) is not int or found != version:
        shown = shorten(harmless(str(found)), 20, placeholder="…")
        raise UsageError(f"{what} of schema {shown} cannot be read; this version reads {version}")
    return dict(data)


def parsed(text: str, what: str) -> Any:
    """The data of a JSON text. Raises UsageError for a text that is not JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise UsageError(f"{what} is not JSON: {where}") from None
    except RecursionError:
        raise UsageError(f"{what} is not JSON of this program: it is nested too deeply") from None
    except ValueError:
        raise UsageError(f"{what} is not JSON of this program: a number is too long") from None


def check(value: Any, shape: Shape, what: str, place: str = "") -> None:
    """Raise UsageError unless a value has a shape.

    what: what the whole data are, for the message.
    place: where the value is in these data.

    >>> check({"rows": [{"at": 1}, {"at": "1"}]}, {"rows": [{"at": int | None}]}, "a trace")
    Traceback (most recent call last):
    ...
    cellstats._native.UsageError: a trace: rows[1].at is a text, not a whole number or null
    """
    origin: Any = get_origin(shape)
    if isinstance(shape, dict):
        _check_type(value, (dict,), what, place)
        _check_members(value, shape, shape.keys(), what, place)
    elif isinstance(shape, type) and is_dataclass(shape):
        _check_type(value, (dict,), what, place)
        members, needed = _members(shape)
        if odd := sorted(value.keys() - members.keys()):
            raise UsageError(f"{what}: {harmless(_place(place, odd[0]))} is unknown")
        known = {name: inner for name, inner in members.items() if name in value or name in needed}
        _check_members(value, known, needed, what, place)
    elif isinstance(shape, list) or origin is tuple:
        _check_type(value, (list,), what, place)
        inner = shape[0] if isinstance(shape, list) else get_args(shape)[0]
        for number, each in enumerate(value):
            check(each, inner, what, f"{place}[{number}]")
    elif isinstance(shape, UnionType):
        kinds = get_args(shape)
        inner = next((kind for kind in kinds if kind not in _WORDS), None)
        if inner is None or value is None:
            _check_type(value, kinds, what, place)
        else:
            check(value, inner, what, place)
    else:
        _check_type(value, (shape if origin is None else dict,), what, place)


def _check_members(
    value: Any, shape: Mapping[str, Shape], needed: Iterable[str], what: str, place: str
) -> None:
    for name in needed:
        if name not in value:
            raise UsageError(f"{what}: {_place(place, name)} is missing")
    for name, inner in shape.items():
        check(value[name], inner, what, _place(place, name))


def _check_type(value: object, kinds: Iterable[type], what: str, place: str) -> None:
    kinds = tuple(kinds)
    # A whole number is a number, too, but in JSON no truth value is one.
    if type(value) in kinds or (float in kinds and type(value) is int):
        if type(value) is int and abs(value) > INTEGER_MAX:
            raise UsageError(f"{what}: {place} is a number of more than 64 bits")
        return
    wanted = " or ".join(_WORDS[kind] for kind in kinds)
    is_ = f"{place} is" if place else "it is"
    raise UsageError(f"{what}: {is_} {_WORDS[type(value)]}, not {wanted}")


def _place(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


@cache
def _members(shape: type[Any]) -> tuple[Mapping[str, Shape], frozenset[str]]:
    """The members of a dataclass, and the names of those without a default."""
    hints, known = get_type_hints(shape), fields(shape)
    needed = {f.name for f in known if f.default is MISSING and f.default_factory is MISSING}
    return {each.name: hints[each.name] for each in known}, frozenset(needed)
