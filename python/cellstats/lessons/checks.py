"""Runs a lesson on the simulator: every claim must hold, every question have one right choice."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from cellstats._native import RunError, UsageError
from cellstats.lessons import highlights
from cellstats.lessons.lesson import PLACEHOLDER, Lesson, View
from cellstats.lessons.quantities import Situation, Value
from cellstats.lessons.scene import LessonScene
from cellstats.lessons.trial import Trial


class Checked(NamedTuple):
    """One quantity of a lesson, as the simulator has it."""

    where: str
    name: str
    expected: Any
    value: Value


def agrees(value: Value, expected: Any) -> bool:
    """Whether a value is the expected one, or within the expected range."""
    if isinstance(expected, list):
        return isinstance(value, int | float) and bool(expected[0] <= value <= expected[1])
    return bool(value == expected)


@lru_cache(maxsize=8)
def _data(scene: LessonScene) -> Mapping[str, Any]:
    return scene.trace().data


_measured = lru_cache(maxsize=64)(LessonScene.measure)


def check(lesson: Lesson) -> list[Checked]:
    """Run every step. Raises UsageError for the first claim that does not hold, with its step."""
    found: list[Checked] = []
    before: dict[str, Value] = {}
    for view in lesson.views():
        try:
            here = _situation(view)
            _played(view, here)
            for name in view.highlight:
                highlights.find(name, here)
            found += _view(view, here)
            found += _tried(view)
            _keep(view, here, before)
            before = {name: here.value(name) for name in _named(view.texts)}
        except (UsageError, RunError) as error:
            raise UsageError(f"{view.where}: {error}") from None
    return found


def _situation(view: View, scene: LessonScene | None = None) -> Situation:
    """The bus cycle of a view, in its own run or in another one."""
    scene = scene or view.scene
    data = _data(scene)
    start = Situation(data, 0, lambda: _measured(scene))
    at = start.value(view.at) if isinstance(view.at, str) else view.at
    last = scene.skip + scene.window - 1
    if not isinstance(at, int) or not scene.skip <= at <= last:
        raise UsageError(f"at {at} is outside the window, {view.scene.skip} to {last}")
    return Situation(data, at, start.result)


def _played(view: View, here: Situation) -> None:
    """The stretch of a view must end in its window, after its beginning."""
    until = here.value(view.until) if isinstance(view.until, str) else view.until
    last = view.scene.skip + view.scene.window - 1
    if view.until is not None and not (isinstance(until, int) and here.cycle < until <= last):
        raise UsageError(f"until {until}: give a bus cycle after {here.cycle}, at most {last}")


def _named(texts: tuple[str, ...]) -> list[str]:
    return [name for text in texts for name in PLACEHOLDER.findall(text)]


def _keep(view: View, here: Situation, before: dict[str, Value]) -> None:
    """A text that stays on the page must not change when the answer shows another moment."""
    for name in _named(view.kept):
        if here.value(name) != before[name]:
            raise UsageError(f"{{{name}}} changes with the answer; write it in because")


def _view(view: View, here: Situation) -> list[Checked]:
    found = [
        Checked(view.where, name, expected, here.value(name))
        for name, expected in view.claims.items()
    ]
    for _, name, expected, value in found:
        if not agrees(value, expected):
            raise UsageError(f"{name!r} is {_shown(value)}, not {_shown(expected)}")
    for name in _named(view.texts):
        if here.value(name) is None:
            raise UsageError(f"{{{name}}} has no value at bus cycle {here.cycle}")
    if view.question:
        found.append(_answered(view, here))
    if view.puzzle:
        view.scene.measure(view.puzzle["best"])
    for thread in (each for pair in view.pairs for each in pair):
        if thread >= (count := len(here.result().placement)):
            raise UsageError(f"pairs: thread {thread} is not in this run, which has {count}")
    return found


def _tried(view: View) -> list[Checked]:
    """Everything that the reader can try must run, and show its quantities."""
    found: list[Checked] = []
    trial = view.tries
    if trial is None:
        return found
    for text, scene in trial.scenes(view.scene):
        try:
            here = _situation(view, scene)
            _played(view, here)
            found += _shown_there(trial, text, f"{view.where}: try {text}", here)
        except (UsageError, RunError) as error:
            raise UsageError(f"try {trial.change}={text}: {error}") from None
    return found


def _shown_there(trial: Trial, text: str, where: str, here: Situation) -> list[Checked]:
    expected = trial.claims.get(text, {})
    found = []
    for name in dict.fromkeys([*trial.shows, *expected]):
        value = here.value(name)
        if value is None:
            raise UsageError(f"{name!r} has no value at bus cycle {here.cycle}")
        if name in expected and not agrees(value, expected[name]):
            raise UsageError(f"{name!r} is {_shown(value)}, not {_shown(expected[name])}")
        found.append(Checked(where, name, expected.get(name), value))
    return found


def _answered(view: View, here: Situation) -> Checked:
    assert view.question is not None
    value = here.value(view.question["answer"])
    right = [each["text"] for each in view.question["choices"] if agrees(value, each["is"])]
    if len(right) != 1:
        name = view.question["answer"]
        which = " and ".join(map(repr, right)) or "no choice"
        raise UsageError(f"{name!r} is {_shown(value)}: {which} fits; exactly one choice must fit")
    return Checked(view.where, view.question["answer"], right[0], value)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"{_shown(value[0])} to {_shown(value[1])}"
    return f"{value:.4g}" if isinstance(value, float) else repr(value)
