"""The scene of a step: the text after `#` in a link of the page."""

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl

from cellstats._native import UsageError
from cellstats.core.parameters import PARAMETERS
from cellstats.core.pattern_files import from_json
from cellstats.core.words import did_you_mean
from cellstats.measure.machine import Machine
from cellstats.measure.result import Result
from cellstats.measure.trace import Trace

WINDOW = 4000
"""Bus cycles of a window for which a scene gives no length."""
_KINDS = {row.name: row.kind for row in PARAMETERS if not row.host_only}
_KINDS |= {"private": "switch"}
_WINDOW = ("skip", "window")
_OWN = ("machine", "function", *_WINDOW)
_VALUE = "value."


@dataclass(frozen=True)
class LessonScene:
    """A machine, a measurement on it, and a window of its run."""

    machine: str
    values: tuple[tuple[str, int], ...]
    function: str
    parameters: tuple[tuple[str, str], ...]
    skip: int = 0
    window: int = WINDOW

    def _machine(self) -> Machine:
        return Machine.find(self.machine, dict(self.values))

    def _keywords(self) -> dict[str, Any]:
        return {name: _parsed(name, text) for name, text in self.parameters}

    def trace(self) -> Trace:
        """The trace of the window."""
        asked = self._keywords()
        return self._machine().trace(self.function, skip=self.skip, window=self.window, **asked)

    def measure(self, placement: list[int] | None = None) -> Result:
        """The result of the whole run, on another placement if one is given."""
        asked = self._keywords() | ({} if placement is None else {"placement": placement})
        return self._machine().measure(self.function, **asked)


def read_scene(text: str, base: LessonScene | None) -> LessonScene:
    """Read a scene from a link or from the part of a link after `#`.

    base: the scene of the lesson, which applies to everything that the text omits. A text with a
    FUNCTION replaces the whole experiment. Raises UsageError for an unknown key.

    >>> read_scene("machine=ps3&function=dmaget&size=1k", None).parameters
    (('size', '1k'),)
    """
    given = dict(parse_qsl(text.partition("#")[2] or text, keep_blank_values=True))
    for key in given:
        if key not in _OWN and key not in _KINDS and not key.startswith(_VALUE):
            hint = "write at = … in the step" if key in ("at", "line") else None
            known = [*_OWN, *_KINDS, "value.KEY"]
            raise UsageError(f"scene: {key!r} is unknown; {hint or did_you_mean(key, known)}")
    if base is None:
        for key in ("machine", "function"):
            if key not in given:
                raise UsageError(f"scene: {key!r} is missing; begin with machine=…&function=…")
        base = LessonScene(given["machine"], (), given["function"], ())
    skip, window = (_number(key, given[key]) if key in given else None for key in _WINDOW)
    values = {k: _number(k, v) for k, v in given.items() if k.startswith(_VALUE)}
    asked = {key: value for key, value in given.items() if key in _KINDS}
    experiment = asked or values or "machine" in given or "function" in given
    if experiment:
        before = {} if "function" in given else dict(base.parameters)
        base = LessonScene(
            given.get("machine", base.machine),
            tuple((key.removeprefix(_VALUE), value) for key, value in values.items()),
            given.get("function", base.function),
            tuple((before | asked).items()),
            window=base.window,
        )
    return replace(
        base,
        skip=base.skip if skip is None else skip,
        window=base.window if window is None else window,
    )


def varied(scene: LessonScene, change: str, text: str) -> LessonScene:
    """The scene with another value of one parameter, or of the machine if `change` is `value.KEY`.

    >>> first = read_scene("machine=ps3&function=dmaget&size=1k&skip=9", None)
    >>> varied(first, "size", "2k").parameters
    (('size', '2k'),)
    """
    if change.startswith(_VALUE):
        values = dict(scene.values) | {change.removeprefix(_VALUE): _number(change, text)}
        return replace(scene, values=tuple(values.items()))
    return replace(scene, parameters=tuple((dict(scene.parameters) | {change: text}).items()))


def _number(key: str, text: str) -> int:
    if not re.fullmatch(r"\d+", text):
        raise UsageError(f"scene: {key}={text}: give a whole number")
    return int(text)


def _parsed(name: str, text: str) -> Any:
    """A value as a keyword of `Machine.measure`."""
    if name == "pattern":
        return from_json(text, "pattern")
    if _KINDS[name] == "switch":
        return text == "true"
    return text.replace(".", ",") if name == "placement" else text
