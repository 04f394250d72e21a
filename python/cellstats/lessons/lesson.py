"""The format of a lesson: a TOML file, read and checked, with one line for each kind of mistake."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellstats._native import UsageError
from cellstats.core.words import did_you_mean, reason
from cellstats.lessons import highlights, quantities
from cellstats.lessons.scene import LessonScene, read_scene
from cellstats.lessons.trial import Trial, read_trial

LESSONS = Path(__file__).parent
"""Folder of the lessons that the page contains."""

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
"""A quantity in a text, in braces; the page replaces it by its value."""

Check = Callable[[Any], str | None]
"""Says what would be right; None for a valid value."""


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) and value.strip() else "write a text in quotes"


def _prose(value: Any) -> str | None:
    """Check a text with *stressed* words and with quantities in braces."""
    if (wrong := _text(value)) is not None:
        return wrong
    if re.search(r"[{}]", PLACEHOLDER.sub("", value)):
        return "close each brace, as in {line 1 granted_at}"
    return "close each star, as in *ring*" if value.count("*") % 2 else None


def _time(value: Any) -> str | None:
    if isinstance(value, str):
        quantities.parse(value)
        return None
    whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return None if whole else "write a bus cycle such as 193, or an event: 'line 1 granted_at + 4'"


def _expected(value: Any) -> str | None:
    if isinstance(value, list):
        numbers = len(value) == 2 and all(isinstance(each, int | float) for each in value)
        right = numbers and value[0] <= value[1]
        return None if right else "write a range as [24, 26], the smaller number first"
    plain = isinstance(value, int | float | str) and not isinstance(value, bool)
    return None if plain else "write a number, a text, or a range such as [24, 26]"


def _claims(value: Any) -> str | None:
    if not isinstance(value, dict) or not value:
        return "write claims such as 'line 1 ring' = 2"
    for name, expected in value.items():
        quantities.parse(name)
        wrong = _expected(expected)
        if wrong:
            raise UsageError(f"{name!r}: {wrong}")
    return None


def _choices(value: Any) -> str | None:
    if not isinstance(value, list) or not 2 <= len(value) <= 6:
        return "give 2 to 6 choices"
    for choice in value:
        _table(choice, {"text": _text, "is": _expected}, ("text", "is"))
    return None


def _subjects(value: Any) -> str | None:
    if not isinstance(value, list):
        return "write a list such as ['SPE0', 'line 1']"
    for each in value:
        highlights.check(each)
    return None


def _spes(value: Any) -> str | None:
    whole = isinstance(value, list) and value and all(isinstance(each, int) for each in value)
    return None if whole else "write the SPE of each thread, such as [0, 2, 4, 6]"


def _pairs(value: Any) -> str | None:
    """Check threads that belong together: each in one pair."""
    right = isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(type(each) is int for each in pair)
        for pair in value
    )
    threads = [each for pair in value for each in pair] if right else []
    if not threads or len(set(threads)) < len(threads):
        return "write pairs of threads, each thread once, such as [[0, 1], [2, 3]]"
    return None


def _values(value: Any) -> str | None:
    texts = isinstance(value, list) and {str(each) for each in value if type(each) in (int, str)}
    right = texts and len(texts) == len(value) and 2 <= len(texts) <= 12
    return None if right else 'give 2 to 12 different values, such as [1, 2, 4] or ["128", "1k"]'


def _shows(value: Any) -> str | None:
    if not isinstance(value, list) or not 1 <= len(value) <= 3:
        return "write 1 to 3 quantities, such as ['run bandwidth_gb_s']"
    for name in value:
        if (wrong := _quantity(name)) is not None:
            return wrong
    return None


def _claims_by_value(value: Any) -> str | None:
    if not isinstance(value, dict) or not value:
        return "write claims for a value, such as 16k = { 'run bandwidth_gb_s' = [12, 20] }"
    for tried, claims in value.items():
        try:
            wrong = _claims(claims)
        except UsageError as error:
            raise UsageError(f"{tried}: {error}") from None
        if wrong:
            raise UsageError(f"{tried}: {wrong}")
    return None


def _further(value: Any) -> str | None:
    if not isinstance(value, list) or not value:
        return "write a list such as [{ text = 'The guide', link = 'https://…' }]"
    for each in value:
        _table(each, {"text": _text, "link": _text, "command": _text}, ("text",))
        if not ("link" in each or "command" in each):
            return "give each text a link, a command, or both"
    return None


def _speed(value: Any) -> str | None:
    number = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    return None if number else "write a number of bus cycles per second"


def _yes(value: Any) -> str | None:
    return None if isinstance(value, bool) else "write true or false"


def _quantity(value: Any) -> str | None:
    if not isinstance(value, str):
        return "write a quantity such as 'line 1 ring'"
    quantities.parse(value)
    return None


_VIEW: Mapping[str, Check] = {
    "scene": _text,
    "at": _time,
    "until": _time,
    "speed": _speed,
    "highlight": _subjects,
    "zoom": _yes,
    "pairs": _pairs,
}
_QUESTION: Mapping[str, Check] = {
    "ask": _prose,
    "choices": _choices,
    "answer": _quantity,
    "because": _prose,
    "then": lambda value: _table(value, _VIEW),
}
_PUZZLE: Mapping[str, Check] = {"best": _spes}
_TRY: Mapping[str, Check] = {
    "ask": _prose,
    "change": _text,
    "label": _text,
    "values": _values,
    "shows": _shows,
    "because": _prose,
    "claims": _claims_by_value,
}
_STEP: Mapping[str, Check] = {
    "title": _text,
    "text": _prose,
    **_VIEW,
    "claims": _claims,
    "question": lambda value: _table(value, _QUESTION, ("ask", "choices", "answer", "because")),
    "puzzle": lambda value: _table(value, _PUZZLE, ("best",)),
    "try": lambda value: _table(value, _TRY, ("ask", "change", "shows", "because")),
    "further": _further,
}
_LESSON: Mapping[str, Check] = {
    "title": _text,
    "about": _text,
    "scene": _text,
    "steps": lambda value: None if isinstance(value, list) and value else "add [[steps]]",
}


def _table(value: Any, known: Mapping[str, Check], needed: tuple[str, ...] = ()) -> None:
    """Check a table of the file. Raises UsageError for an unknown, missing or invalid key."""
    if not isinstance(value, dict):
        raise UsageError(f"write a table with {', '.join(needed or known)}")
    for key, inner in value.items():
        if key not in known:
            raise UsageError(f"{key!r} is unknown; {did_you_mean(key, list(known))}")
        try:
            wrong = known[key](inner)
        except UsageError as error:
            raise UsageError(f"{key}: {error}") from None
        if wrong:
            raise UsageError(f"{key}: {wrong}")
    missing = [key for key in needed if key not in value]
    if missing:
        raise UsageError(f"{missing[0]!r} is missing; add it")


@dataclass(frozen=True)
class View:
    """What a step, or the answer to its question, shows: a run and a bus cycle."""

    where: str
    """`step 3` or `step 3: question`, for messages."""
    scene: LessonScene
    at: int | str
    until: int | str | None
    """The end of the stretch that is played, if any."""
    highlight: tuple[str, ...]
    claims: Mapping[str, Any]
    question: Mapping[str, Any] | None
    """The question whose answer this view contains."""
    texts: tuple[str, ...]
    kept: tuple[str, ...]
    """Texts that stay on the page when the question is answered."""
    puzzle: Mapping[str, Any] | None
    pairs: tuple[tuple[int, int], ...] = ()
    """Threads that belong together."""
    tries: Trial | None = None
    """What the reader moves."""


@dataclass(frozen=True)
class Lesson:
    """A lesson whose form is valid. `check` compares its claims with the simulator."""

    key: str
    """The name of the file without its ending; links to the lesson contain the name."""
    data: Mapping[str, Any]

    def views(self) -> Iterator[View]:
        """Every run and bus cycle that the lesson shows, in order."""
        base = read_scene(self.data["scene"], None)
        for number, step in enumerate(self.data["steps"], start=1):
            where = f"step {number}"
            question = step.get("question")
            then = question and question.get("then")
            with located(where):
                tries = read_trial(step)
                scene = read_scene(step.get("scene", ""), base)
                shown = (step["text"], *([question["ask"]] if question else ()))
                yield View(
                    where,
                    scene,
                    step["at"],
                    step.get("until"),
                    tuple(step.get("highlight", ())),
                    step.get("claims", {}),
                    None if then else question,
                    shown if then or not question else (*shown, question["because"]),
                    (),
                    step.get("puzzle"),
                    _pairs_of(step),
                    tries,
                )
                if then:
                    assert question is not None
                    after = read_scene(then["scene"], base) if "scene" in then else scene
                    # The page keeps what the answer does not replace.
                    both = {**step, **then}
                    yield View(
                        f"{where}: question",
                        after,
                        both["at"],
                        both.get("until"),
                        tuple(both.get("highlight", ())),
                        {},
                        question,
                        (question["because"],),
                        shown,
                        None,
                        _pairs_of(both),
                    )


def _pairs_of(view: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    return tuple((one, other) for one, other in view.get("pairs", ()))


@contextmanager
def located(where: str) -> Iterator[None]:
    """Put the place of a mistake in front of its message."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def read_lesson(path: str | Path) -> Lesson:
    """Read a lesson. Raises UsageError with the file, the step, and what would be right."""
    file = Path(path)
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise UsageError(f"{str(file)!r} is not UTF-8 text; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{str(file)!r} is not TOML: {error}") from None
    except OSError as error:
        raise UsageError(f"{str(file)!r} cannot be read: {reason(error)}") from None
    with located(repr(str(file))):
        _table(data, _LESSON, ("title", "about", "scene", "steps"))
        for number, step in enumerate(data["steps"], start=1):
            with located(f"step {number}"):
                _table(step, _STEP, ("title", "text", "at"))
        lesson = Lesson(file.stem, data)
        list(lesson.views())
    return lesson
