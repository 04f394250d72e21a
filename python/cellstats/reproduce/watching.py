"""A figure's row to watch in a browser, and the link that leads to it."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from cellstats._native import UsageError
from cellstats.page.built_page import built_page
from cellstats.page.scene import BuiltIn, scene, scene_link
from cellstats.reproduce.answers import Answer, Answers
from cellstats.reproduce.asks import Ask
from cellstats.reproduce.published import Figure
from cellstats.text.labels import described

FILE = "watch.html"
"""The page beside the report, to which all its links lead."""

BUS_CYCLES_PER_LINE = 1000
"""Where lines are rarer on the rings, most of a page would be empty."""


class Link(NamedTuple):
    """A link of the report."""

    address: str
    text: str


def page_to_watch() -> str | None:
    """The page that links lead to; None where it was not built, and there are no links then."""
    try:
        return built_page()
    except UsageError:
        return None


def link(figure: Figure, rows: Answers) -> Link | None:
    """To the row with most SPEs, of these the one with most bandwidth; None where little moves.

    rows: its answers, in the order of its asks.
    """
    seen = list(_seen(figure, rows))
    if not seen:
        return None
    ask, answer = max(seen, key=lambda row: _rank(row[1]))
    given = {name: value for name, value in ask.given if name != "which"}
    if ask.kind == "placements":
        given["placement"] = "random"
    shown = scene(BuiltIn.named(ask.machine), ask.function, given)
    known = [(name, answer.columns.get(name)) for name in ("pattern", "spes", "size_bytes")]
    words = [described(name, value) for name, value in known if value]
    return Link(f"{FILE}#{scene_link(shown)}", ", ".join([f"watch {ask.function}", *words]))


def _seen(figure: Figure, rows: Answers) -> Iterator[tuple[Ask, Answer]]:
    """The rows that are measurements of which there is something to see."""
    for ask, answer in zip(figure.asks, rows, strict=True):
        if ask.kind != "program" and (answer.result is None or _is_busy(answer.result.counters)):
            yield ask, answer


def _is_busy(counters: Mapping[str, Any]) -> bool:
    """Whether more than a line now and then is on the rings."""
    lines = sum(ring["grants"] for ring in counters["rings"])
    return bool(lines * BUS_CYCLES_PER_LINE >= counters["bus_cycles"])


def _rank(answer: Answer) -> tuple[float, float]:
    return answer.columns.get("spes") or 0, answer.columns.get("bandwidth_gb_s") or 0
