"""Computes utilization of each ring, and average occupancy of each queue, from counters."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

Row: TypeAlias = tuple[str, float, int | None]
"""Name, average and maximum. For rings and lanes, the average is the share of time (0 to 1) in
which they are busy, and the maximum is None."""

_MIC_QUEUES = (
    ("reads", "read_queue_entry", "read_queue"),
    ("writes", "write_queue_entry", "write_queue"),
)
_SPE_QUEUES = (
    ("SPU queue", "spu_queue_command_bus_cycles", "spu_queue_commands_max"),
    ("proxy queue", "proxy_queue_command_bus_cycles", "proxy_queue_commands_max"),
    ("lines outstanding", "outstanding_line_bus_cycles", "outstanding_lines_max"),
    ("lines at on-ramp", "data_wait_bus_cycles", "data_waiting_max"),
)


def rows(counters: Mapping[str, Any]) -> Iterator[Row]:
    """A row for each ring, lane and queue that was used.

    >>> ring = {"busy_bus_cycles": 25, "grants": 5}
    >>> memory = {"data_wait_bus_cycles": 0, "data_waiting_max": 0}
    >>> command = {"command_wait_bus_cycles": 10, "commands_waiting_max": 2}
    >>> counters = {"bus_cycles": 100, "rings": [ring], "command": command, "mics": [memory]}
    >>> list(rows(counters | {"bif": [], "mic_channels": [], "spes": []}))
    [('ring 0', 0.25, None), ('commands waiting', 0.1, 2)]
    """
    cycles = max(counters["bus_cycles"], 1)
    for name, ring in _by_chip(counters, "ring {}", "rings"):
        if ring["busy_bus_cycles"]:
            yield name, ring["busy_bus_cycles"] / cycles, None
    for chip, end in enumerate(counters["bif"]):
        if end["lanes_busy_bus_cycles"]:
            yield f"lanes from Cell {chip}", end["lanes_busy_bus_cycles"] / cycles, None
    for name, total, most in _queues(counters):
        if most:
            yield name, total / cycles, most


def lines(counters: Mapping[str, Any]) -> list[str]:
    """A text line for each row, then the number of requests that waited for the interface.

    The text line of a ring also lists the reasons why cache lines waited for the ring.
    """
    table = list(rows(counters))
    width = max((len(name) for name, _, _ in table), default=0)
    more = {name: _why(ring) for name, ring in _by_chip(counters, "ring {}", "rings")}
    waits = [
        f"requests of Cell {chip} that waited for an entry of the interface: {end['place_waits']}"
        for chip, end in enumerate(counters["bif"])
        if end["place_waits"]
    ]
    return [
        f"{name.ljust(width)}  {_percent(average)} busy{more.get(name, '')}"
        if most is None
        else f"{name.ljust(width)}  {average:.3g} on average, {most} at most"
        for name, average, most in table
    ] + waits


def _by_chip(
    counters: Mapping[str, Any], name: str, key: str
) -> Iterator[tuple[str, Mapping[str, int]]]:
    """The rows of the counter group `key`, each with a name that is numbered chip by chip."""
    rows = counters[key]
    names = chip_by_chip(len(rows), len(counters["mics"]))
    return ((name.format(number), row) for number, row in zip(names, rows, strict=True))


def chip_by_chip(count: int, chips: int) -> list[str]:
    """The names of `count` units, numbered chip by chip, with `1/1` for unit 1 of the second chip.

    >>> chip_by_chip(4, 2)
    ['0', '1', '0/1', '1/1']
    """
    each = count // chips
    return [str(n) if n < each else f"{n % each}/{n // each}" for n in range(count)]


def _why(ring: Mapping[str, int]) -> str:
    """The reasons why cache lines waited for this ring, as shares of the waiting time."""
    reasons = {
        "path taken": ring.get("path_taken_bus_cycles", 0),
        "off-ramp busy": ring.get("off_ramp_busy_bus_cycles", 0),
        "start gap": ring.get("start_gap_bus_cycles", 0),
    }
    total = sum(reasons.values())
    parts = [f"{why} {_percent(part / total)}" for why, part in reasons.items() if part]
    return f"; waits for it: {', '.join(parts)}" if parts else ""


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _queues(counters: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
    command = counters["command"]
    yield "commands waiting", command["command_wait_bus_cycles"], command["commands_waiting_max"]
    for key, ramp in (("mics", "MIC"), ("bif", "IOIF0")):
        for chip, end in enumerate(counters[key]):
            name = f"{ramp}/{chip}" if chip else ramp
            yield f"{name} lines at on-ramp", end["data_wait_bus_cycles"], end["data_waiting_max"]
    for which, channel in _by_chip(counters, "MIC channel {}", "mic_channels"):
        for name, total, most in _MIC_QUEUES:
            taken = channel[f"{total}_bus_cycles"], channel[f"{most}_entries_max"]
            yield f"{which} {name}", *taken
    for number, spe in enumerate(counters["spes"]):
        for name, total, most in _SPE_QUEUES:
            yield f"SPE {number} {name}", spe[total], spe[most]
