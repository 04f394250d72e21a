"""Data from JSON: what has another shape is refused at once, in one line; all else can be used."""

import contextlib
import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import cellstats as cs
from cellstats.core.shape import check
from cellstats.measure.breakdown import Breakdown, Component
from command_line import ROOT

BARRIER = ROOT / "programs" / "samples" / "barrier.elf"
ODD: list[Any] = [
    *(None, True, -1, 0, 7, 10**9, 2**64, 10**400, 1.5, float("nan")),
    *("", "x", "SPE", "SPE3", "MFC", "\x1b[31m", [], {}, [1], {"a": 1}),
]


def with_positions() -> cs.Trace:
    """Two SPEs that meet at a barrier, with their instructions."""
    programs = {rank: cs.spu_program(BARRIER, argp=rank, envp=2) for rank in range(2)}
    found = cs.run("ps3", programs, window=(0, 300)).trace
    assert found is not None
    return found


GOOD: dict[str, Callable[[], cs.Trace]] = {
    "memory": lambda: cs.machine("ps3").trace("dmaput", spes=2, size="1k"),
    "chips": lambda: cs.machine("qs20").trace("dmaget", spes=2, size=256, window=400),
    "atomic": lambda: cs.machine("ps3").trace("fetchadd", spes=2, window=300),
    "positions": with_positions,
}


def places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value in some data."""
    rows = value.items() if isinstance(value, dict) else enumerate(value)
    for name, inner in rows:
        yield (*before, name)
        if isinstance(inner, dict | list):
            yield from places(inner, (*before, name))


def mutated(data: Any, chance: random.Random) -> Any:
    """A copy of data with one to three changes."""
    data = copy.deepcopy(data)
    for _ in range(chance.choice([1, 1, 1, 3])):
        # All tables are changed equally often, not only the longest one.
        top = chance.choice(list(data))
        inner = places(data[top], (top,)) if isinstance(data[top], dict | list) else ()
        *way, last = chance.choice([(top,), *inner])
        holder = data
        for name in way:
            holder = holder[name]
        what = chance.random()
        if what < 0.2:
            del holder[last]
        elif what < 0.3 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[last]))
        elif what < 0.5 and type(holder[last]) is int:
            holder[last] += chance.choice([-1000, -1, 1, 1000])
        else:
            holder[last] = copy.deepcopy(chance.choice(ODD))
    return data


def refused(read: Callable[[str], object], text: str) -> Any:
    """What was read, or None if it was refused in one line."""
    try:
        return read(text)
    except cs.UsageError as error:
        line = str(error)
        assert line.isprintable()
        assert len(line) < 200
        return None


def use(trace: cs.Trace) -> None:
    """Use a trace in all ways; a window of too many columns may be refused."""
    for way in (repr, str, cs.Trace.to_trace_events, cs.Trace.transfers, cs.Trace.watch):
        with contextlib.suppress(cs.UsageError):
            way(trace)


@pytest.mark.parametrize("kind", GOOD)
def test_a_changed_trace_is_refused_or_can_be_used(kind: str, chance: random.Random) -> None:
    trace = GOOD[kind]()
    use(cs.Trace.from_json(json.dumps(trace.data)))
    outcomes = []
    for _ in range(100):
        found = refused(cs.Trace.from_json, json.dumps(mutated(trace.data, chance)))
        outcomes.append(found is None)
        if found is not None:
            use(found)
    assert {True, False} == set(outcomes)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", r"a trace is not JSON: line 1, column 2: Expecting property name"),
        ("", r"a trace is not JSON: line 1, column 1: "),
        ("[" * 100_000, "a trace is not JSON of this program: it is nested too deeply"),
        ('{"schema": ' + "1" * 5000 + "}", "a trace is not JSON .*: a number is too long"),
        ("[]", "a trace of schema None cannot be read; this version reads 1"),
        ('{"schema": true}', "a trace of schema True cannot be read"),
        ('{"schema": 1}', "a trace: machine is missing"),
    ],
)
def test_a_text_that_is_no_trace(text: str, line: str) -> None:
    with pytest.raises(cs.UsageError, match=line):
        cs.Trace.from_json(text)


def test_a_refusal_names_the_place() -> None:
    data = json.loads(json.dumps(GOOD["memory"]().data))
    data["requests"][3]["rounds"][0]["issued_at"] = "soon"
    with pytest.raises(cs.UsageError) as error:
        cs.Trace.from_json(json.dumps(data))
    line = "a trace: requests[3].rounds[0].issued_at is a text, not a whole number"
    assert str(error.value) == line


def test_changed_results_and_breakdowns_are_refused(chance: random.Random) -> None:
    machine = cs.machine("ps3")
    result = machine.measure("dmaget", spes=2, iterations=10, histogram=True).to_dict()
    components = [{"component": "dma_issue", "spu_cycles": 4}]
    breakdown = {
        **dict.fromkeys(("function", "machine", "machine_hash"), "x"),
        "schema": 1,
        "spe_to_spe": True,
        "size_bytes": 8,
        "list_elements": None,
        "memory": None,
        "placement": [0],
        "components": components,
        "spu_cycles_per_bus_cycle": 2,
        "spu_hz": 3_200_000_000,
    }
    for data, read in ((result, cs.Result.from_json), (breakdown, Breakdown.from_json)):
        assert read(json.dumps(data)) is not None
        found = [refused(read, json.dumps(mutated(data, chance))) for _ in range(100)]
        assert None in found


def test_shapes_of_dataclasses_know_their_members() -> None:
    check({"component": "x", "bus_cycles": 1, "spu_cycles": 2, "ns": 0.5}, Component, "it")
    for data, line in (
        ({"component": "x"}, "it: (bus_cycles|spu_cycles|ns) is missing"),
        ({"component": "x", "bus_cycles": 1, "spu_cycles": 2, "ns": 1, "a": 1}, "it: a is unknown"),
        ([], "it: it is a list, not an object"),
    ):
        with pytest.raises(cs.UsageError, match=line):
            check(data, Component, "it")
