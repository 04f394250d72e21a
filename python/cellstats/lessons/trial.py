"""What the reader of a step moves: a parameter, a value of the machine, or threads."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cellstats._native import UsageError
from cellstats.core.parameters import PARAMETERS
from cellstats.core.words import did_you_mean
from cellstats.lessons.scene import LessonScene, varied

PLACEMENT = "placement"
"""What changes if the reader drags threads."""


@dataclass(frozen=True)
class Trial:
    """The table `try` of a step."""

    change: str
    values: tuple[str, ...]
    """The positions of the slider; none if the reader drags threads."""
    shows: tuple[str, ...]
    """Quantities that the panel shows for each value."""
    claims: Mapping[str, Mapping[str, Any]]
    """What is claimed of the run with some of the values, or on some placements."""

    def scenes(self, scene: LessonScene) -> Iterator[tuple[str, LessonScene]]:
        """Each value with its scene: all of a slider, and the placements that are claimed.

        scene: the scene of the step. Raises UsageError if it lacks a value to begin with.
        """
        if self.change == PLACEMENT:
            for text in self.claims:
                yield text, varied(scene, PLACEMENT, text)
            return
        key = self.change.removeprefix("value.")
        given = dict(scene.values if key != self.change else scene.parameters)
        if str(given.get(key)) not in self.values:
            raise UsageError(f"scene: write {self.change}= with one of {', '.join(self.values)}")
        for text in self.values:
            yield text, varied(scene, self.change, text)


def read_trial(step: Mapping[str, Any]) -> Trial | None:
    """Read the table `try` of a step, which has the right form. Raises UsageError otherwise."""
    given = step.get("try")
    if given is None:
        return None
    other = next((key for key in ("question", "puzzle") if key in step), None)
    if other:
        raise UsageError(f"a step has {other!r} or 'try'; write two steps")
    for text in (step["text"], given["ask"], given["because"]):
        if "{" in text:
            raise UsageError("what stands in braces changes as the reader moves; write it in shows")
    change, values = given["change"], tuple(map(str, given.get("values", ())))
    claims = {key: dict(each) for key, each in given.get("claims", {}).items()}
    known = [row.name for row in PARAMETERS if not row.host_only and row.name != "pattern"]
    if change not in known and not change.startswith("value."):
        raise UsageError(f"try: change: {did_you_mean(change, [*known, 'value.KEY'])}")
    if change == PLACEMENT and values:
        raise UsageError("try: values: leave them out; the reader drags threads")
    if change != PLACEMENT and not values:
        raise UsageError("try: 'values' is missing; add it")
    for key in claims:
        if change != PLACEMENT and key not in values:
            raise UsageError(f"try: claims: {key!r} is none of the values {', '.join(values)}")
    return Trial(change, values, tuple(given["shows"]), claims)
