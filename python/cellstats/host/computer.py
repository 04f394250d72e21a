"""This computer as nested boxes: packages, NUMA nodes, dies, shared caches, cores, CPUs."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellstats.host.environment import read_environment
from cellstats.host.topology import Cache, Cpu, Topology, Tree

CORE = "core"
_SHARED_LEVELS = (4, 3, 2)
_Level = tuple[str, Callable[[Cpu], object]]


@dataclass(frozen=True, slots=True)
class Part:
    """A box: a package, NUMA node, die, shared cache or core, with the boxes inside."""

    kind: str
    """`package`, `NUMA node`, `die`, `L4` to `L2` (a cache that cores share), or `core`."""
    number: int | None
    """Number that the operating system gives the box, or None for caches."""
    cpus: tuple[int, ...]
    """The CPUs of the box that this process may use."""
    size_bytes: int | None
    """Size of a cache, or None for other boxes."""
    core_kind: str | None
    """Kind of a core (`P`, `E`, `LP-E` or its capacity), or None if the machine is not hybrid."""
    caches: tuple[tuple[int, int], ...]
    """Level and size in bytes of each data cache that only one core uses, highest level first."""
    parts: tuple["Part", ...]
    """The boxes inside this one; empty for a core."""

    def to_dict(self) -> dict[str, Any]:
        """The box in plain dicts, lists and numbers, without absent values."""
        found: dict[str, Any] = {"kind": self.kind, "number": self.number, "cpus": list(self.cpus)}
        found |= {"size_bytes": self.size_bytes, "core_kind": self.core_kind}
        found["caches"] = [{"level": level, "size_bytes": size} for level, size in self.caches]
        found["parts"] = [part.to_dict() for part in self.parts]
        return {name: value for name, value in found.items() if value not in (None, [])}


@dataclass(frozen=True, slots=True)
class Computer:
    """The CPUs that this process may use, in nested boxes."""

    topology: Topology
    environment: Mapping[str, Any]
    """The environment, from `read_environment`."""
    parts: tuple[Part, ...]
    """The packages of the computer."""

    def to_dict(self) -> dict[str, Any]:
        """The computer in plain dicts, lists and numbers."""
        names = ("cpu_model", "architecture", "cpus_online", "cpus_allowed", "cores_allowed")
        return {
            "schema": 1,
            "machine": "host",
            **{name: self.environment[name] for name in names},
            "unknown": list(self.topology.unknown),
            "parts": [part.to_dict() for part in self.parts],
        }

    def rows(self) -> list[dict[str, Any]]:
        """A table row for each CPU, in the order of the boxes."""
        return [self._row(cpu) for cpu in self.topology.cpus]

    def _row(self, cpu: Cpu) -> dict[str, Any]:
        caches = {level: self.topology.cache(cpu.number, level) for level in range(1, 5)}
        return {
            "cpu": cpu.number,
            "package": cpu.package,
            "node": cpu.node,
            "die": cpu.die,
            "core": min(cpu.siblings),
            "core_kind": cpu.kind,
            **{
                f"l{level}_bytes": each.size_bytes if each else None
                for level, each in caches.items()
            },
            "l3_first_cpu": None if caches[3] is None else min(caches[3].cpus),
        }


def computer(tree: Tree, topology: Topology) -> Computer:
    """The computer that the operating system's tables describe."""
    cpus = topology.cpus
    levels: list[_Level] = [("package", lambda cpu: cpu.package)]
    if len({cpu.node for cpu in cpus}) > 1:
        levels.append(("NUMA node", lambda cpu: cpu.node))
    if len({(cpu.package, cpu.die) for cpu in cpus}) > len({cpu.package for cpu in cpus}):
        levels.append(("die", lambda cpu: cpu.die))
    levels += [(f"L{level}", _shared(topology, level)) for level in _SHARED_LEVELS]
    levels.append((CORE, lambda cpu: min(cpu.siblings)))
    return Computer(topology, read_environment(tree, topology), _parts(topology, cpus, levels))


def _shared(topology: Topology, level: int) -> Callable[[Cpu], Cache | None]:
    """A function that returns a CPU's cache at this level, or None if no other core shares it."""

    def cache_of(cpu: Cpu) -> Cache | None:
        found = topology.cache(cpu.number, level)
        return found if found and not _is_own(found, cpu) else None

    return cache_of


def _parts(topology: Topology, cpus: Sequence[Cpu], levels: Sequence[_Level]) -> tuple[Part, ...]:
    if not levels:
        return ()
    (kind, key), *inner = levels
    found: list[Part] = []
    for value, group in itertools.groupby(cpus, key):
        members = list(group)
        inside = _parts(topology, members, inner)
        if value is None:
            # These CPUs share no cache of this level, so the inner boxes go into the outer box.
            found += inside
            continue
        first = members[0]
        core = kind == CORE
        found.append(
            Part(
                kind,
                value if isinstance(value, int) else None,
                tuple(cpu.number for cpu in members),
                value.size_bytes if isinstance(value, Cache) else None,
                first.kind if core else None,
                _own_caches(topology, first) if core else (),
                inside,
            )
        )
    return tuple(found)


def _own_caches(topology: Topology, cpu: Cpu) -> tuple[tuple[int, int], ...]:
    caches = [topology.cache(cpu.number, level) for level in (4, 3, 2, 1)]
    own = [each for each in caches if each and _is_own(each, cpu)]
    return tuple((each.level, each.size_bytes) for each in own)


def _is_own(cache: Cache, cpu: Cpu) -> bool:
    """Whether no other core uses the cache."""
    return set(cache.cpus) <= set(cpu.siblings)
