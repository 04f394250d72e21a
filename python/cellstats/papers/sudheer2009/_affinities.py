"""A pattern of eight threads on one Cell of the blade, under the affinities that have a name."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from cellstats.measure.best_placement import place_on_spes
from cellstats.measure.machine import Machine
from cellstats.placement.affinities import affinity
from cellstats.reproduce import Answers, Ask, Axis, Chart, measured, over_placements

NAMED = ("identity", "evenodd", "ring", "overlap", "leap2")
SIZES = ["1k", "4k", "16k", "64k"]
LARGEST = 65536
ITERATIONS = 4
DEFAULTS = 100
"""Random placements."""


def placement_of(name: str, pattern: str) -> str:
    """The SPEs of an affinity, as `--placement` has them."""
    machine = Machine.find("qs20")
    spes = _by_model(pattern) if name == "model" else affinity(machine, name, 8, cells="0")
    return ",".join(map(str, spes))


@cache
def _by_model(pattern: str) -> tuple[int, ...]:
    """The physical SPEs of eight threads, as the communication model places them."""
    placed = place_on_spes(pattern, "qs20", by="model", threads=8, size="64k", cells="0")
    return placed.rejected or placed.placement


def rows_of(pattern: str) -> Iterator[Ask]:
    """Every affinity, sizes of messages up to four DMAs; random ones at the longest."""
    common: dict[str, Any] = {"pattern": pattern, "iterations": ITERATIONS}
    for name in (*NAMED, "model"):
        placement = placement_of(name, pattern)
        yield from measured(
            "qs20", "exchange", size=SIZES, placement=placement, affinity=name, **common
        )
    yield from over_placements(
        "qs20", "exchange", DEFAULTS, size="64k", spes=8, cells="0", affinity="default", **common
    )
    few = {"size": SIZES[:-1], "spes": 8, "cells": "0"}
    yield from over_placements("qs20", "exchange", 20, affinity="default", **few, **common)


def charts(rows: Answers) -> Iterator[Chart]:
    """Bandwidth by size, and at the longest messages what an affinity is worth."""
    size = Axis("Message (bytes)", log=2, ticks="bytes")
    axis = Axis("Bandwidth, all SPEs (GB/s)", least=0)
    lines = Chart("By the length of a message", size, axis)
    for name, of in rows.groups("affinity"):
        ordered = sorted(of, key=lambda row: row["size_bytes"])
        x = [row["size_bytes"] for row in ordered]
        lines.line(name, x, [row["bandwidth_gb_s"] for row in ordered])
    yield lines

    longest = rows.where(size_bytes=LARGEST)
    [default] = longest.where(affinity="default")
    names = [*(row["affinity"] for row in longest if row is not default), "default"]
    bars = Chart("Messages of 64 KB", Axis(""), axis, names=names)
    bars.bar("bandwidth", [longest.where(affinity=name)[0]["bandwidth_gb_s"] for name in names])
    twice, last = 2 * default["bandwidth_gb_s"], len(names) - 1
    bars.published("good: close to twice the default", [0, last], [twice, twice])
    yield bars
    yield spread(default)


def spread(default: Any) -> Chart:
    """The least, the mean and the most of the random placements."""
    axis = Axis("Bandwidth, all SPEs (GB/s)", least=0)
    names = ["least", "mean", "most"]
    chart = Chart(f"{default['which']} random affinities, 64 KB", Axis(""), axis, names=names)
    values = [default[f"bandwidth_gb_s{end}"] for end in ("_min", "", "_max")]
    return chart.bar("bandwidth", values)
