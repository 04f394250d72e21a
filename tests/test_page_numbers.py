"""The simulator in the page returns the same numbers as the native simulator."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from browser import driven
from cellstats import _native
from cellstats.show.page import PAGE
from parts import needs

pytestmark = needs("page", "chromium")

# Calls the simulator in the same way as the page: request and result are passed in memory.
_SIMULATOR = """async () => {
  const text = atob(document.getElementById("simulator").textContent);
  const packed = Uint8Array.from(text, (each) => each.charCodeAt(0));
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { instance } = await WebAssembly.instantiate(await new Response(bytes).arrayBuffer(), {});
  const { room, call, answer, memory } = instance.exports;
  window.ask = (text) => {
    const request = new TextEncoder().encode(text);
    const at = room(request.length);
    new Uint8Array(memory.buffer, at, request.length).set(request);
    const length = call();
    return new TextDecoder().decode(new Uint8Array(memory.buffer, answer(), length));
  };
}"""

RUNS: list[tuple[str, dict[str, Any]]] = [
    ("ps3", {"function": "mkthread", "iterations": 3}),
    ("ps3", {"function": "mailbox", "iterations": 50}),
    ("ps3", {"function": "mailbox", "spes": 2, "spe_to_spe": True, "iterations": 80}),
    ("ps3", {"function": "signal", "ppe": "mmio", "iterations": 40}),
    ("ps3", {"function": "dmaget", "size": 128}),
    ("ps3", {"function": "dmaget", "spes": 6, "size": 16384, "histogram": True}),
    (
        "ps3",
        {"function": "dmalistput", "spes": 3, "size": 512, "list_elements": 8, "iterations": 500},
    ),
    ("ps3", {"function": "fetchadd", "spes": 6, "iterations": 300}),
    ("ps3", {"function": "fetchset", "spes": 2, "private": True, "iterations": 200}),
    ("eval-board", {"function": "couples", "spes": 8, "size": 16384}),
    ("eval-board", {"function": "couples", "placement": [0, 7, 2, 5, 4, 3, 6, 1]}),
    ("eval-board", {"function": "complement", "spes": 8, "op": "put"}),
    ("eval-board", {"function": "uniform", "spes": 8, "seed": 7, "iterations": 20}),
    ("eval-board", {"function": "hotspot", "spes": 8, "target": "3", "size": 2048}),
    ("eval-board", {"function": "cycle", "placement": "random", "seed": 3, "size": 1024}),
    ("eval-board", {"function": "load", "level": "l2", "iterations": 2000}),
    ("qs20", {"function": "dmaput", "spes": 16, "memory": "1", "size": 4096, "iterations": 200}),
    ("qs20", {"function": "couples", "placement": [0, 8, 1, 9, 2, 10, 3, 11], "iterations": 30}),
    (
        "blade-2100",
        {"function": "pairwise", "spes": 16, "memory": "0", "size": 8192, "iterations": 30},
    ),
    ("blade-2100", {"function": "copy", "level": "ls", "iterations": 2000}),
]


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with driven() as browser:
        page = browser.new_page()
        page.goto(PAGE.as_uri())
        page.evaluate(_SIMULATOR)
        yield page


def ask(page: Page, **request: Any) -> Any:
    return json.loads(page.evaluate("(text) => ask(text)", json.dumps(request)))


@pytest.mark.parametrize(("machine", "request_"), RUNS, ids=lambda value: str(value)[:60])
def test_results_are_the_native_ones(page: Page, machine: str, request_: dict[str, Any]) -> None:
    native = _native.Request(_native.Machine.builtin(machine), json.dumps(request_))
    found = ask(page, ask="measure", machine={"name": machine}, request=request_)
    assert found == json.loads(native.measure())


@pytest.mark.parametrize(("machine", "request_"), RUNS[5:18], ids=lambda value: str(value)[:60])
def test_windows_are_the_native_ones(page: Page, machine: str, request_: dict[str, Any]) -> None:
    native = _native.Request(_native.Machine.builtin(machine), json.dumps(request_))
    opened = ask(page, ask="open", machine={"name": machine}, request=request_)
    assert "error" not in opened
    for skip, length in [(0, 200), (200, 300), (50, 100)]:
        found = ask(page, ask="window", skip=skip, bus_cycles=length)
        assert rows(found) == json.loads(native.trace(skip, length))


def rows(columns: dict[str, Any]) -> dict[str, Any]:
    """Convert a trace from columns to rows."""
    words = columns.pop("words")
    tables = {name: value for name, value in columns.items() if isinstance(value, dict)}
    texts = {
        "queue",
        "name",
        "issuer",
        "unit",
        "kind",
        "target",
        "response",
        "channel",
        "reason",
        "ppe",
    }

    def row(table: str, names: list[str], cells: tuple[Any, ...]) -> dict[str, Any]:
        # In the trace, the channel of a stall is a name, but the channel of a memory is a number.
        named = texts - {"channel"} if table in ("accesses", "memory_queues") else texts
        return {
            name: words[cell] if name in named and cell is not None else cell
            for name, cell in zip(names, cells, strict=True)
        }

    made = {
        name: [row(name, list(table), cells) for cells in zip(*table.values(), strict=True)]
        for name, table in tables.items()
    }
    rounds = made.pop("rounds")
    for name in ("commands", "requests"):
        made[name] = [{"id": nth, **each} for nth, each in enumerate(made[name], start=1)]
    for each in made["requests"]:
        each["rounds"] = []
    for each in rounds:
        made["requests"][each.pop("request") - 1]["rounds"].append(each)
    return {name: value for name, value in columns.items() if name not in tables} | made
