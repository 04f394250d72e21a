"""Does what moves in the picture move as the trace says: commands, responses, memory, beats?"""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page

import cellstats as cs
from browser import Open
from cellstats.show.page import PAGE
from parts import needs

pytestmark = needs("page", "chromium")

ORDER_TO_RESPONSE = 30
"""Bus cycles from the order of a command to the response of one chip."""

MARKS = """() => [...document.querySelectorAll("#picture .command[data-line]")].map((mark) => {
  const [, x, y] = /translate\\((\\S+) (\\S+)\\)/.exec(mark.getAttribute("transform"));
  const { line, issuer, stage } = mark.dataset;
  return { line: Number(line), issuer, stage, x: Number(x), y: Number(y),
    retry: mark.classList.contains("again") };
})"""


@pytest.fixture
def opened(visited: Open) -> Open:
    """A function that opens the page at a bus cycle."""

    def open_page(hash_: str) -> Page:
        return visited(
            f"{PAGE.as_uri()}#{hash_}",
            viewport={"width": 1280, "height": 800},
            reduced_motion="reduce",
        )

    return open_page


def at(page: Page, cycle: int) -> list[dict[str, Any]]:
    """The marks of commands at a bus cycle after the trigger."""
    page.evaluate("(at) => cellstats.go(at)", cycle)
    marks: list[dict[str, Any]] = page.evaluate(MARKS)
    return marks


def stage(line: dict[str, Any], now: int, local: int) -> tuple[str, bool] | None:
    """The stage of a line's command by the trace, and whether its answer is Retry."""
    for nth, attempt in enumerate(line["rounds"]):
        issued, ordered, responded = (
            attempt[name] for name in ("issued_at", "ordered_at", "responded_at")
        )
        after = line["rounds"][nth + 1]["issued_at"] if nth + 1 < len(line["rounds"]) else responded
        if not issued <= now or (responded is not None and now >= max(after, responded)):
            continue
        if ordered is None or now < ordered:
            return "sent", False
        if responded is not None and now >= responded:
            return "retry", True
        snooped = responded - local if responded - ordered > local else ordered
        if now < snooped:
            return "both chips", False
        third = 3 * (now - snooped) // (responded - snooped)
        names = ("snoop", "responses", "response")
        return names[third], third == 2 and attempt["response"] == "retry"
    return None


@pytest.mark.parametrize(
    ("machine", "function", "given", "cycles"),
    [
        ("eval-board", "dmaget", {"spes": 1, "size": 128}, range(10, 70, 3)),
        ("ps3", "fetchadd", {"spes": 6}, range(2200, 2400, 17)),
        ("qs20", "dmaget", {"spes": 1, "size": 128}, range(16, 390, 29)),
    ],
    ids=["one-dma", "retries", "two-chips"],
)
def test_a_command_is_where_the_trace_has_it(
    opened: Open, machine: str, function: str, given: dict[str, Any], cycles: range
) -> None:
    hash_ = "&".join(f"{name}={value}" for name, value in given.items())
    page = opened(f"machine={machine}&function={function}&{hash_}&at=0")
    data = cs.machine(machine).trace(function, window=4000, **given).data
    seen = Counter[str]()
    for cycle in cycles:
        marks = at(page, cycle)
        expected = {}
        for line in data["requests"]:
            found = stage(line, data["triggered_at"] + cycle, ORDER_TO_RESPONSE)
            if found and found[0] not in {"snoop", "responses"}:
                expected[line["id"]] = (line["issuer"], *found)
                seen[found[0] + " Retry" * found[1]] += 1
        assert {
            mark["line"]: (mark["issuer"], mark["stage"], mark["retry"]) for mark in marks
        } == expected, cycle
    assert {"sent"} < seen.keys()
    assert ("retry Retry" in seen) == (function == "fetchadd")
    assert ("both chips" in seen) == (machine == "qs20")


def test_a_command_moves_evenly_and_asks_every_unit(opened: Open) -> None:
    page = opened("machine=eval-board&function=dmaget&spes=1&size=128&at=0")
    there = [(mark["x"], mark["y"]) for cycle in range(15, 35) for mark in at(page, cycle)]
    steps = {
        (round(x - old_x, 0), round(y - old_y, 0)) for (old_x, old_y), (x, y) in pairwise(there)
    }
    assert len(there) == 20
    assert len(steps) <= 4, "equal steps, up to rounding"
    for cycle in (40, 50):
        assert at(page, cycle) == []
        snoops = page.locator("#picture .snoops").get_attribute("d") or ""
        assert snoops.count("M") == 12, "one for each unit of the chip"
    back = [(mark["x"], mark["y"]) for cycle in range(56, 65) for mark in at(page, cycle)]
    assert abs(back[-1][1] - there[0][1]) < abs(back[0][1] - there[0][1])
    assert at(page, 66) == []


def test_accesses_of_memory_are_drawn_while_they_last(opened: Open) -> None:
    page = opened("machine=eval-board&function=hotspot&spes=8&size=16384&op=get&at=0")
    data = cs.machine("eval-board").trace("hotspot", window=4000, spes=8, size=16384, op="get").data
    for cycle in (0, 1000, 1017, 2500):
        at(page, cycle)
        now = data["triggered_at"] + cycle
        for channel in (0, 1):
            lasting = [
                row
                for row in data["accesses"]
                if row["channel"] == channel
                and row["from"] <= now < max(row["to"], row["data_at"] or 0)
            ]
            drawn = page.locator(f"[data-channel-lane='{channel}']").get_attribute("d") or ""
            assert drawn.count("M") == len(lasting) > 4


@pytest.mark.parametrize("width", [390, 1280])
def test_eight_beats_can_be_counted_all_the_way(visited: Open, width: int) -> None:
    page = visited(
        f"{PAGE.as_uri()}#machine=eval-board&function=dmaget&spes=1&size=128&at=0",
        viewport={"width": width, "height": 844},
    )
    rows = []
    for cycle in range(189, 210):
        at(page, cycle)
        elements = page.evaluate("cellstats.shown().elements")
        dashes = page.evaluate(
            "document.querySelector('#picture .band[data-line] .beats')?.getAttribute('d') ?? ''"
        )
        rows.append(
            (
                elements["MIC"]["queues"]["leaving"],
                dashes.count("M"),
                elements["SPE0"]["queues"]["arrived"],
            )
        )
    assert rows[0] == (8, 0, 0)
    assert rows[4] == (4, 1, 3)
    assert rows[9] == rows[-1] == (0, 0, 8), "until the line is in the local store"
    assert {sum(row) for row in rows} == {8}
    at(page, 211)
    assert page.evaluate("cellstats.shown().elements.SPE0.queues.arrived") == 0


def test_commands_follow_a_machine_whose_values_change(opened: Open) -> None:
    page = opened("machine=eval-board&function=dmaget&spes=1&size=128&at=50")
    key = "eib.command_response_bus_cycles"
    for value in (10, 60, 20):
        page.evaluate(
            "(values) => cellstats.run("
            "{ ...cellstats.state(), machine: { name: 'eval-board', values } })",
            {key: value},
        )
        stages = [mark["stage"] for mark in at(page, 35 + value - 1)]
        assert stages == ["response"], value
        assert at(page, 35 + value) == [], value
