"""The shape of the data of a trace, as docs/trace.md describes it, and a check for it."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from cellstats._native import UsageError
from cellstats.core.shape import check

_MAYBE, _TEXT = int | None, str | None
_PROGRAM = {"spe": int, "thread": int, "started_at": int, "stopped_at": _MAYBE}
_COMMAND = {
    **dict.fromkeys(("id", "spe", "lsa", "ea", "size_bytes", "tag", "enqueued_at"), int),
    **dict.fromkeys(("issue_spu_cycles", "list_fetch_at", "first_request_at"), _MAYBE),
    **dict.fromkeys(("done_at", "status_spu_cycles"), _MAYBE),
    **dict.fromkeys(("queue", "name"), str),
}
_ROUND = {"issued_at": int, "ordered_at": _MAYBE, "responded_at": _MAYBE, "response": _TEXT}
_REQUEST = {
    **dict.fromkeys(("id", "bytes"), int),
    **dict.fromkeys(("issuer", "unit", "kind"), str),
    "target": _TEXT,
    "rounds": [_ROUND],
    **dict.fromkeys(("command", "from", "to", "queued_at", "crossing_at", "crossed_at"), _MAYBE),
    **dict.fromkeys(("ready_at", "ring", "granted_at", "arrived_at", "done_at"), _MAYBE),
    "onward_of": _MAYBE,
}
_CALL = {"ppe": str, "thread": int, "name": str, "from": int, "to": _MAYBE}
_ACCESS = {
    "channel": int,
    "write": bool,
    "from": int,
    "to": int,
    "data_at": _MAYBE,
    "request": _MAYBE,
}
_TRACE = {
    **dict.fromkeys(("machine", "machine_hash"), str),
    **dict.fromkeys(("bus_hz", "triggered_at", "from", "to", "beats", "hop_bus_cycles"), int),
    **dict.fromkeys(("spu_cycles_per_bus_cycle", "chips", "memory_channels"), int),
    "elements": [str],
    "rings": [str],
    "programs": [_PROGRAM],
    "commands": [_COMMAND],
    "requests": [_REQUEST],
    "stalls": [{"spe": int, "channel": str, "from": int, "to": _MAYBE}],
    "accesses": [_ACCESS],
    "memory_queues": [{"channel": int, "write": bool, "at": int, "entries": int}],
    "waits": [{"request": int, "from": int, "to": _MAYBE, "reason": str, "by": _MAYBE}],
}
_POSITIONS = {
    "instructions": {
        "address": [int],
        "text": [str],
        "function": [_TEXT],
        "offset": [_MAYBE],
        "line": [_MAYBE],
        "changed": [bool],
    },
    "lines": {"file": [str], "number": [int], "text": [_TEXT]},
    "periods": {"after": [int], "instruction": [int], "cause": [int]},
    "causes": [str],
    "stretches": [int],
    "runs": {"spe": [int], "after": [int], "stretch": [int]},
    "to": _MAYBE,
}
_ELEMENT = re.compile(r"SPE\d{1,3}|(?!SPE)[A-Z]\w{0,15}(/\d)?", re.ASCII)
_CHANNELS_MAX = 256
"""Channels are numbered in one byte."""
_ON_A_RING = ("from", "to", "ready_at", "ring", "arrived_at")
"""The columns of a request whose data were granted a ring."""


def check_trace(data: Mapping[str, Any]) -> None:
    """Raise UsageError unless data have the shape of a trace, and its numbers fit together."""
    check(data, _TRACE, "a trace")
    _check_machine(data)
    for number, request in enumerate(data["requests"]):
        _check_request(request, f"requests[{number}]", data)
    for number, access in enumerate(data["accesses"]):
        _below(access["channel"], data["memory_channels"], f"accesses[{number}].channel")
    if "calls" in data:
        check(data["calls"], [_CALL], "a trace", "calls")
        for number, call in enumerate(data["calls"]):
            _element(call["ppe"], f"calls[{number}].ppe")
    if "positions" in data:
        check(data["positions"], _POSITIONS, "a trace", "positions")
        _check_positions(data["positions"])


def _check_machine(data: Mapping[str, Any]) -> None:
    for name in ("bus_hz", "beats", "spu_cycles_per_bus_cycle", "chips"):
        _holds(data[name] > 0, f"{name} is not above 0")
    _holds(0 <= data["from"] < data["to"], "the window from `from` to `to` is empty")
    _holds(0 <= data["memory_channels"] <= _CHANNELS_MAX, "no machine has that `memory_channels`")
    for name, many in (
        ("elements", len(data["elements"])),
        ("rings", len(data["rings"])),
        ("memory channels", data["memory_channels"]),
    ):
        _holds(many % data["chips"] == 0, f"the {name} do not divide among the chips")
    _holds(data["elements"] != [], "elements is empty")
    for number, name in enumerate(data["elements"]):
        _element(name, f"elements[{number}]")
    for name in ("requests", "commands"):
        _holds(len({row["id"] for row in data[name]}) == len(data[name]), f"two {name} have one id")


def _check_request(request: Mapping[str, Any], place: str, data: Mapping[str, Any]) -> None:
    for name, many in (("from", "elements"), ("to", "elements"), ("ring", "rings")):
        if request[name] is not None:
            _below(request[name], len(data[many]), f"{place}.{name}")
    _element(request["issuer"], f"{place}.issuer")
    if request["granted_at"] is not None:
        for name in _ON_A_RING:
            _holds(request[name] is not None, f"{place}.{name} is null, in spite of `granted_at`")
        _holds(request["granted_at"] < request["arrived_at"], f"{place} arrives before its grant")
    if request["from"] is not None:
        _holds(request["ready_at"] is not None, f"{place}.ready_at is null, in spite of `from`")
    if request["unit"] == "MFC":
        _holds(bool(request["rounds"]), f"{place}.rounds is empty")


def _check_positions(tables: Mapping[str, Any]) -> None:
    for name in ("instructions", "lines", "periods", "runs"):
        columns = tables[name].values()
        even = len({len(column) for column in columns}) == 1
        _holds(even, f"the columns of positions.{name} differ in length")
    periods, firsts = tables["periods"], tables["stretches"]
    for place, column, many in (
        ("instructions.line", tables["instructions"]["line"], len(tables["lines"]["file"])),
        ("periods.instruction", periods["instruction"], len(tables["instructions"]["address"])),
        ("periods.cause", periods["cause"], len(tables["causes"]) + 1),
        ("stretches", firsts, len(periods["after"])),
        ("runs.stretch", tables["runs"]["stretch"], len(firsts)),
    ):
        _all_below(column, many, f"positions.{place}")
    _holds(all(one < other for one, other in pairwise(firsts)), "positions.stretches do not rise")


def _element(name: str, place: str) -> None:
    _holds(_ELEMENT.fullmatch(name) is not None, f"{place} is no name of an element")


def _all_below(column: Sequence[int | None], many: int, place: str) -> None:
    for number, each in enumerate(column):
        if each is not None:
            _below(each, many, f"{place}[{number}]")


def _below(value: int, many: int, place: str) -> None:
    _holds(0 <= value < many, f"{place} is {value}, not a number from 0 to {many - 1}")


def _holds(condition: bool, otherwise: str) -> None:
    if not condition:
        raise UsageError(f"a trace: {otherwise}")
