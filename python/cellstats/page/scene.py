"""What a page shows: a machine, a measurement and a part of it, as the page reads them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote, urlencode

from cellstats import _native
from cellstats._native import UsageError
from cellstats.measure.quantities import parse_count
from cellstats.measure.request import plain_parameters
from cellstats.parameters import PARAMETERS, PLAIN_DEFAULTS
from cellstats.refusal import refusal

BUS_CYCLES = 4000
"""The length of a part that nobody chose."""
BUS_CYCLES_MAX = 200_000
"""The longest part: beyond, a browser is short of memory."""
_DEFAULTS: Mapping[str, Any] = PLAIN_DEFAULTS | {row.name: row.default for row in PARAMETERS}


class Described(Protocol):
    """What of a machine is needed here, of a `cellstats.Machine` that is."""

    @property
    def native(self) -> _native.Machine:
        """The machine in the compiled simulator."""

    @property
    def source(self) -> tuple[str, ...]:
        """Its name if it is built in, else text and name of its file."""


class BuiltIn(NamedTuple):
    """A built-in machine."""

    native: _native.Machine
    source: tuple[str, ...]

    @classmethod
    def named(cls, name: str) -> "BuiltIn":
        """The one with this name."""
        return cls(_native.Machine.builtin(name), (name,))


class Part(NamedTuple):
    """The part of a run that is shown, in bus cycles since what is measured began."""

    skip: int
    """What is left out before it."""
    window: int
    """Its length."""
    at: int | None
    """What is shown first; None where the page chooses."""

    def words(self) -> dict[str, int]:
        """It as the page reads it."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def part(skip: int | str = 0, window: int | str = BUS_CYCLES, at: int | str | None = None) -> Part:
    """A part from the keywords of `Machine.watch`. Raises UsageError for what cannot be.

    >>> part("1k", at=1500)
    Part(skip=1000, window=4000, at=1500)
    """
    first = parse_count(skip, "{skip}", least=0)
    length = parse_count(window, "{window}")
    if length > BUS_CYCLES_MAX:
        raise refusal(f"give 1 to {BUS_CYCLES_MAX}", "window", length)
    shown = None if at is None else parse_count(at, "{at}", least=0)
    if shown is not None and not first <= shown < first + length:
        raise refusal(f"give {first} to {first + length - 1}, which is shown", "at", shown)
    return Part(first, length, shown)


def scene(
    machine: Described, function: str, parameters: Mapping[str, Any], shown: Part | None = None
) -> dict[str, Any]:
    """A measurement as the page reads it: the machine, the request, and the part that is shown.

    parameters: keywords of `Machine.measure`.

    Raises UsageError for parameters that cannot be read.

    >>> scene(BuiltIn.named("ps3"), "couples", {"spes": 4, "size": "1k"})["request"]
    {'function': 'couples', 'spes': 4, 'size': 1024}
    """
    plain = plain_parameters(machine.native, function, parameters)
    # It decides how long the simulator takes, and nothing that can be seen.
    del plain["fast_forward"]
    given = {
        name: value
        for name, value in plain.items()
        if value is not None and value != _DEFAULTS[name]
    }
    return {
        "title": f"{function} on {machine.native.name}",
        "machine": _machine(machine),
        "request": {"function": function, **given},
        **({} if shown is None else shown.words()),
    }


def scene_of_trace(data: Mapping[str, Any], title: str) -> dict[str, Any]:
    """A trace that was recorded, as the page reads it; then it simulates nothing.

    data: `Trace.data`.
    """
    # Of no request: a program's run is not of one, and nothing is measured again.
    return {"title": title, "machine": {"name": data["machine"]}, "request": {}, "trace": data}


def scene_link(scene: Mapping[str, Any]) -> str:
    """A scene as the part of an address behind `#`.

    Raises UsageError where it has no room there: a machine file, or a recorded trace.

    >>> scene_link(scene(BuiltIn.named("ps3"), "couples", {"placement": "0,2,4,5"}))
    'machine=ps3&function=couples&placement=0.2.4.5'
    """
    if "name" not in scene["machine"] or "trace" in scene:
        what = "a recorded trace" if "trace" in scene else "a machine file of your own"
        raise UsageError(f"no link holds {what}; save the page instead")
    words: dict[str, Any] = {"machine": scene["machine"]["name"], **scene["request"]}
    words |= {f"value.{key}": value for key, value in scene["machine"].get("values", {}).items()}
    usual = Part(0, BUS_CYCLES, None)._asdict()
    words |= {key: scene[key] for key in usual if scene.get(key, usual[key]) != usual[key]}
    return urlencode({key: _word(value) for key, value in words.items()}, quote_via=quote)


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ".".join(str(spe) for spe in value)
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _machine(machine: Described) -> dict[str, Any]:
    """A built-in machine by its name, with the numbers in which this one differs; or its file."""
    name = machine.native.name
    if name in _native.machine_names():
        both = zip(_native.Machine.builtin(name).values(), machine.native.values(), strict=True)
        values = {row["key"]: row["value"] for own, row in both if own["value"] != row["value"]}
        if all(isinstance(value, int) for value in values.values()):
            return {"name": name, "values": values} if values else {"name": name}
    text, path = machine.source
    # Where the file lies is nothing for others, whom the page may be sent to.
    return {"toml": text, "origin": Path(path).name}
