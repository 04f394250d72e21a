"""A simulated machine as data: its name, its file, its values, its SPEs."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.words import did_you_mean, file_name

if TYPE_CHECKING:
    from pathlib import Path

NONE: Mapping[str, Any] = MappingProxyType({})
"""No values that are changed."""
_SETTINGS = re.compile(r"\s+(?=[a-z_]+\.\w+=)")


class Hardware:
    """A machine's data. `cellstats.Machine` adds the measurements."""

    __slots__ = ("native", "source")

    def __init__(self, native: _native.Machine, source: tuple[str, ...]) -> None:
        self.native = native
        # The arguments of `from_source`; used for pickling.
        self.source = source

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_source, self.source

    @classmethod
    def from_source(cls, name_or_text: str, file: str = "", *settings: str) -> Self:
        """The machine of a name, or of the text of a file that has the name `file`.

        settings: texts such as `eib.hop_bus_cycles=2`, which change values of the machine.
        """
        if file:
            native = _native.Machine.parse(name_or_text, file, settings)
        else:
            native = _native.Machine.builtin(name_or_text, settings)
        return cls(native, (name_or_text, file, *settings))

    @classmethod
    def find(
        cls, name_or_path: "str | Path", values: Mapping[str, int | str | Sequence[Any]] = NONE
    ) -> Self:
        """A built-in machine by name, or a machine described by a TOML file.

        A name that contains a slash or ends in `.toml` is a file. Behind the name, values of the
        machine can be changed, as in `ps3 eib.hop_bus_cycles=2`, which is then its name.

        values: values to change, by their keys.

        Raises UsageError if there is no such machine, if the file is invalid or cannot be read, if
        a key is unknown, or if a value exceeds its limits or contradicts another.

        >>> Hardware.find("eval-board").name
        'eval-board'
        >>> other = Hardware.find("ps3", {"eib.hop_bus_cycles": 2})
        >>> other.name, [row["key"] for row in Hardware.find("ps3").diff(other)]
        ('ps3 eib.hop_bus_cycles=2', ['eib.hop_bus_cycles'])
        """
        text, settings = apart(str(name_or_path))
        settings += [f"{key}={_notation(value)}" for key, value in values.items()]
        if text in _native.machine_names():
            return cls.from_source(text, "", *settings)
        if isinstance(name_or_path, os.PathLike) or is_file(text):
            # Imported here because few runs need a machine file, and importing pathlib is slow.
            from pathlib import Path

            from cellstats.core.files import whole_text

            path = Path(text)
            wanted = f"give a readable .toml file, or one of {', '.join(_native.machine_names())}"
            source = whole_text(path, f"machine file {str(path)!r}", wanted)
            return cls.from_source(source, file_name(text), *settings)
        if text in _native.machine_bases():
            _native.Machine.builtin(text)  # raises an error that explains base machines
        if text == "host":
            names = ", ".join(_native.machine_names())
            raise UsageError(f"host is this computer and cannot be simulated; give one of {names}")
        known = (*_native.machine_names(), "host")
        raise UsageError(f"unknown machine {text!r}; {did_you_mean(text, known)}, or a .toml file")

    def __repr__(self) -> str:
        return f"<Machine {self.name}: {len(self.spes)} SPEs, bus at {self.bus_hz / 1e9:g} GHz>"

    @property
    def name(self) -> str:
        """The name from the machine's file, such as `ps3`."""
        return self.native.name

    @property
    def description(self) -> str:
        """One line for people."""
        return self.native.description

    @property
    def hash(self) -> str:
        """A digest of all values. Two machines with the same hash give the same results."""
        return self.native.hash

    @property
    def spes(self) -> tuple[int, ...]:
        """The physical SPEs that programs may use, in the order in which threads occupy them."""
        return tuple(self.native.spes)

    @property
    def chips(self) -> int:
        """Number of Cells."""
        return self.native.chips

    def chip_of(self, spe: int) -> int:
        """The Cell that a physical SPE is on.

        >>> Hardware.find("qs20").chip_of(7), Hardware.find("qs20").chip_of(8)
        (0, 1)
        """
        return self.native.chip_of(spe)

    def memory_ea(self, memory: Literal["0", "1", "interleave"] | str | int = "0") -> int:
        """The first effective address of a Cell's memory, or of both Cells' interleaved memory.

        >>> hex(Hardware.find("qs20").memory_ea(1))
        '0x20000000'
        """
        return self.native.memory_ea(str(memory))

    @property
    def bus_hz(self) -> int:
        """Bus cycles per second (half the processor clock)."""
        return self.native.bus_hz

    @property
    def timebase_hz(self) -> int:
        """Ticks per second of the SPU decrementers and of the PPE's time base."""
        return self.native.timebase_hz

    def values(self) -> list[dict[str, Any]]:
        """Every hardware value: key, value, unit, basis, range, interval, source and meaning.

        `range` is the range of plausible values. `interval` is a part of that range: all values in
        the interval reproduce the published results equally well. Range and interval are None if
        the machine's file does not give them.
        `base` is the machine from which the value is inherited, or None if the machine's own file
        defines the value.
        """
        return self.native.values()

    def diff(self, other: "Hardware") -> list[dict[str, Any]]:
        """The values that differ between the machines; empty if both have the same hash.

        Each row has `key`, `unit`, and each machine's value, basis, range and source: `value_a` for
        this machine, `value_b` for the other machine, and so on.

        >>> for row in Hardware.find("ps3").diff(Hardware.find("eval-board")):
        ...     print(row["key"])
        chip.timebase_hz
        chip.main_memory_bytes
        chip.spes
        eib.halfway_clockwise_only
        mic.write_complete_bus_cycles
        """
        rows = []
        for a, b in zip(self.values(), other.values(), strict=True):
            if a["value"] != b["value"]:
                both = {
                    f"{name}_{side}": value[name]
                    for name in ("value", "basis", "range", "source")
                    for side, value in (("a", a), ("b", b))
                }
                rows.append({"key": a["key"], "unit": a["unit"], **both})
        return rows


def apart(text: str) -> tuple[str, list[str]]:
    """A machine's name or file, and the settings behind it.

    >>> apart("my machine.toml eib.hop_bus_cycles=2 chip.spes=[0,2]")
    ('my machine.toml', ['eib.hop_bus_cycles=2', 'chip.spes=[0,2]'])
    """
    name, *settings = _SETTINGS.split(text)
    return name, settings


def settings_of(name: str) -> dict[str, int | str]:
    """The values that a machine's name says were changed.

    >>> settings_of("ps3 chip.spes=[0,2] eib.hop_bus_cycles=2")
    {'chip.spes': '[0,2]', 'eib.hop_bus_cycles': 2}
    """
    changed = (setting.split("=", 1) for setting in apart(name)[1])
    return {key: int(value) if value.isdigit() else value for key, value in changed}


def _notation(value: object) -> str:
    """A value in the notation of machine files. The simulator refuses what is no value."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return json.dumps(list(value), default=str)
    return str(value)


def is_file(name: str) -> bool:
    """Whether `name` names a machine file rather than a built-in machine."""
    return "/" in name or os.sep in name or name.endswith(".toml")


def value_of(machine: Hardware, key: str) -> int:
    """The machine's value for this key of `Hardware.values`."""
    return next(int(row["value"]) for row in machine.values() if row["key"] == key)
