"""Finds the CPUs that this process may use, and the cores, caches, dies and nodes they share.

Linux describes the topology in /sys/devices/system (Documentation/admin-guide/cputopology.rst and
Documentation/ABI/testing/sysfs-devices-system-cpu of the kernel). The package reads the files of
/proc and /sys through a `Tree`, so that tests can use records of other computers. The paths of a
`Tree` have no leading slash.

No library is used: psutil and py-cpuinfo do not report shared caches, dies or kinds of cores. The C
library hwloc reports all of these, but must be installed separately, or from wheels (pyhwloc) that
need a recent glibc. Also, hwloc records machines in its own format. Eight small files for each CPU
are enough here.

Devices, NUMA distances from firmware, and NUMA nodes without CPUs are left out. Facts that need
system calls or special instructions come from `_native`.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

_CPU = "sys/devices/system/cpu"
_NODE = "sys/devices/system/node"
_KINDS = (("cpu_core", "P"), ("cpu_atom", "E"), ("cpu_lowpower", "LP-E"))
# Cores are of different kinds if the smallest capacity is below this share of the largest.
# Favoured cores of the same kind have only 1-2 % more capacity.
_OTHER_KIND = 0.9


class Tree(Protocol):
    """A tree of files; paths start at the root."""

    def text(self, path: str) -> str | None:
        """The content of a file without surrounding white space, or None if unreadable."""

    def names(self, directory: str) -> list[str]:
        """The sorted names in a directory; empty if there is no such directory."""


class Files:
    """The real files below a root directory."""

    __slots__ = ("root",)

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def text(self, path: str) -> str | None:
        """See `Tree`."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            # The file is absent, or only the administrator may read it.
            return None

    def names(self, directory: str) -> list[str]:
        """See `Tree`."""
        try:
            return sorted(entry.name for entry in (self.root / directory).iterdir())
        except OSError:
            return []


class Recorded:
    """A recorded tree: the text of the file at each path.

    >>> Recorded({"sys/devices/system/cpu/online": "0-3"}).names("sys/devices/system")
    ['cpu']
    """

    __slots__ = ("_directories", "_texts")

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(texts)
        self._directories: dict[str, set[str]] = {}
        for path in self._texts:
            while path:
                path, _, name = path.rpartition("/")
                self._directories.setdefault(path, set()).add(name)

    def text(self, path: str) -> str | None:
        """See `Tree`."""
        found = self._texts.get(path)
        return None if found is None else found.strip()

    def names(self, directory: str) -> list[str]:
        """See `Tree`."""
        return sorted(self._directories.get(directory.strip("/"), ()))


def whole_number(tree: Tree, path: str) -> int | None:
    """The number in a file, or None if the file has any other content."""
    text = tree.text(path)
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def field(text: str | None, name: str) -> str | None:
    r"""The value of the first line `NAME: VALUE`, as in /proc/cpuinfo, or None without such a line.

    >>> field("processor : 0\nmodel name : i7", "model name")
    'i7'
    """
    for line in (text or "").splitlines():
        key, colon, value = line.partition(":")
        if colon and key.strip() == name:
            return value.strip()
    return None


def cpu_list(text: str | None) -> tuple[int, ...]:
    """Parse a CPU list in the kernel's format. Parsing stops at any other text.

    >>> cpu_list("0-2,8"), cpu_list(""), cpu_list(None)
    ((0, 1, 2, 8), (), ())
    """
    numbers: list[int] = []
    for item in (text or "").split(","):
        first, _, last = item.strip().partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            return tuple(numbers)
        numbers += range(int(first), int(last or first) + 1)
    return tuple(numbers)


def as_list(cpus: tuple[int, ...] | list[int]) -> str:
    """Format CPUs as the shortest list in the kernel's format.

    >>> as_list((0, 1, 2, 8))
    '0-2,8'
    """
    spans: list[list[int]] = []
    for cpu in sorted(cpus):
        if spans and cpu == spans[-1][1] + 1:
            spans[-1][1] = cpu
        else:
            spans.append([cpu, cpu])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)


@dataclass(frozen=True, slots=True)
class Cache:
    """One data cache and the CPUs that share it."""

    level: int
    size_bytes: int
    line_bytes: int | None
    cpus: tuple[int, ...]
    """All online CPUs that share the cache, whether or not this process may use them."""


@dataclass(frozen=True, slots=True)
class Cpu:
    """One CPU of the operating system: a core, or one of its SMT threads."""

    number: int
    package: int
    die: int
    node: int
    """NUMA node; 0 on a computer with one node."""
    siblings: tuple[int, ...]
    """All CPUs of the same core, including this one."""
    kind: str | None
    """Kind of core (`P`, `E`, `LP-E` or its capacity), or None if all cores are alike."""


@dataclass(frozen=True)
class Topology:
    """The CPUs that this process may use, in topological order."""

    cpus: tuple[Cpu, ...]
    """The CPUs sorted by package, node, die, shared cache and core."""
    caches: tuple[Cache, ...]
    online: tuple[int, ...]
    """All online CPUs, whether or not this process may use them."""
    nodes: tuple[int, ...]
    """All NUMA nodes that have CPUs."""
    unknown: tuple[str, ...]
    """Names of the facts that the operating system does not report."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of `cpus`."""
        return tuple(cpu.number for cpu in self.cpus)

    def cpu(self, number: int) -> Cpu:
        """The CPU of this number, which must be one of `numbers`."""
        return self._by_number[number]

    def cores(self) -> int:
        """The number of physical cores to which the allowed CPUs belong."""
        return len({cpu.siblings for cpu in self.cpus})

    def cache(self, number: int, level: int) -> Cache | None:
        """The cache of this level that serves a CPU, or None if unknown."""
        index = self._caches_of[number].get(level)
        return None if index is None else self.caches[index]

    def last_level(self, number: int) -> Cache | None:
        """The last-level cache that serves a CPU, or None if unknown."""
        own = self._caches_of[number]
        return self.caches[own[max(own)]] if own else None

    def placement(self, count: int) -> tuple[int, ...]:
        """Choose `count` CPUs in topological order: one of each core first, then SMT siblings."""
        seen: dict[tuple[int, ...], int] = {}
        ranks = []
        for cpu in self.cpus:
            seen[cpu.siblings] = seen.get(cpu.siblings, -1) + 1
            ranks.append((seen[cpu.siblings], cpu.number))
        # The sort is stable, so CPUs of equal rank stay in topological order.
        return tuple(number for _, number in sorted(ranks, key=lambda pair: pair[0])[:count])

    def relation(self, a: int, b: int) -> str:
        """The closest relation between two CPUs, such as `same L3`."""
        one, other = self.cpu(a), self.cpu(b)
        if b in one.siblings:
            return "same core"
        theirs = self._caches_of[b]
        shared = [
            level for level, index in self._caches_of[a].items() if theirs.get(level) == index
        ]
        if shared:
            return f"same L{min(shared)}"
        if one.package != other.package:
            return "other package"
        if one.node != other.node:
            return "other node"
        # Different dies show that CPUs are apart, even if caches are not reported.
        return "other die" if one.die != other.die else "same package"

    def boundaries(self, numbers: Sequence[int]) -> list[tuple[int, str]]:
        """The boundaries in a sequence of CPUs: next CPU's index, and the property that differs."""
        found = []
        for index, (one, other) in enumerate(itertools.pairwise(numbers), 1):
            what = self._difference(self.cpu(one), self.cpu(other))
            if what:
                found.append((index, what))
        return found

    # These tables are cached, because a matrix of hundreds of CPUs reads them for every pair.

    @cached_property
    def _by_number(self) -> dict[int, Cpu]:
        return {cpu.number: cpu for cpu in self.cpus}

    @cached_property
    def _caches_of(self) -> dict[int, dict[int, int]]:
        """The index into `caches` of each online CPU's cache, by CPU and level."""
        found: dict[int, dict[int, int]] = {number: {} for number in self.online}
        for index, cache in enumerate(self.caches):
            for number in cache.cpus:
                found.setdefault(number, {})[cache.level] = index
        return found

    def _difference(self, one: Cpu, other: Cpu) -> str | None:
        for what in ("package", "node", "die", "kind"):
            if getattr(one, what) != getattr(other, what):
                return {"node": "NUMA node", "kind": "kind of core"}.get(what, what)
        last = self.last_level(one.number), self.last_level(other.number)
        if last[0] and last[1] and last[0].level >= 3 and last[0] != last[1]:
            return f"L{last[0].level}"
        return None


def read_topology(tree: Tree) -> Topology:
    """Read the topology from the operating system's tables."""
    online = cpu_list(tree.text(f"{_CPU}/online")) or (0,)
    mask = cpu_list(field(tree.text("proc/self/status"), "Cpus_allowed_list"))
    allowed = [cpu for cpu in online if cpu in set(mask)] or list(online)
    nodes = _nodes(tree)
    kinds = _kinds(tree, allowed)
    caches = _caches(tree, online)
    cpus = [_cpu(tree, number, nodes, kinds) for number in allowed]
    unknown = []
    if not caches:
        unknown.append("caches, and who shares them")
    if all(tree.text(f"{_CPU}/cpu{number}/topology/core_id") is None for number in allowed):
        unknown.append("which CPUs share a core")
    if len(cpus) > 1 and len({cpu.package for cpu in cpus}) == len(cpus):
        # Virtual machines without a topology report one package per CPU; current hardware does not.
        unknown.append("packages: each CPU claims to be one")
        cpus = [replace(cpu, package=0) for cpu in cpus]
    found = Topology((), tuple(caches), online, tuple(sorted(set(nodes.values()))), tuple(unknown))
    cpus.sort(key=lambda cpu: _order(found, cpu))
    return replace(found, cpus=tuple(cpus))


def _order(topology: Topology, cpu: Cpu) -> tuple[object, ...]:
    ranks = [kind for _, kind in _KINDS]
    shared = [
        min(cache.cpus) if (cache := topology.cache(cpu.number, level)) else 0
        for level in (4, 3, 2)
    ]
    # A kind without a name is a capacity; CPUs with the largest capacity come first.
    kind = ranks.index(cpu.kind) if cpu.kind in ranks else -int(cpu.kind or 0)
    return cpu.package, cpu.node, cpu.die, kind, *shared, min(cpu.siblings), cpu.number


def _cpu(tree: Tree, number: int, nodes: dict[int, int], kinds: dict[int, str]) -> Cpu:
    where = f"{_CPU}/cpu{number}/topology"
    # The kernel writes -1 for unknown numbers.
    package, die = (
        max(0, whole_number(tree, f"{where}/{name}") or 0)
        for name in ("physical_package_id", "die_id")
    )
    listed = tree.text(f"{where}/core_cpus_list") or tree.text(f"{where}/thread_siblings_list")
    return Cpu(
        number, package, die, nodes.get(number, 0), cpu_list(listed) or (number,), kinds.get(number)
    )


def _nodes(tree: Tree) -> dict[int, int]:
    """The NUMA node of each CPU."""
    found = {}
    for name in tree.names(_NODE):
        if name.startswith("node") and name[4:].isdecimal():
            for cpu in cpu_list(tree.text(f"{_NODE}/{name}/cpulist")):
                found[cpu] = int(name[4:])
    return found


def _kinds(tree: Tree, cpus: Sequence[int]) -> dict[int, str]:
    """The kind of each CPU, from its PMU driver or its capacity; empty if all kinds are equal."""
    units = {kind: cpu_list(tree.text(f"sys/devices/{unit}/cpus")) for unit, kind in _KINDS}
    found = {cpu: kind for kind, members in units.items() for cpu in members if cpu in cpus}
    if not found:
        capacities = {cpu: whole_number(tree, f"{_CPU}/cpu{cpu}/cpu_capacity") for cpu in cpus}
        known = {cpu: capacity for cpu, capacity in capacities.items() if capacity}
        if known and min(known.values()) < _OTHER_KIND * max(known.values()):
            found = {cpu: str(capacity) for cpu, capacity in known.items()}
    return found if len(set(found.values())) > 1 else {}


def _caches(tree: Tree, cpus: Sequence[int]) -> list[Cache]:
    found: dict[Cache, None] = {}
    for cpu in cpus:
        for index in tree.names(f"{_CPU}/cpu{cpu}/cache"):
            where = f"{_CPU}/cpu{cpu}/cache/{index}"
            level = whole_number(tree, f"{where}/level")
            if level is None or tree.text(f"{where}/type") == "Instruction":
                continue
            size = _size(tree.text(f"{where}/size"))
            if size:
                sharing = cpu_list(tree.text(f"{where}/shared_cpu_list")) or (cpu,)
                line = whole_number(tree, f"{where}/coherency_line_size")
                found[Cache(level, size, line, sharing)] = None
    return list(found)


def _size(text: str | None) -> int:
    """Convert a size such as `48K` to bytes; 0 for other text."""
    factor = {"K": 1024, "M": 1024**2, "G": 1024**3}.get((text or "")[-1:], 1)
    digits = (text or "").rstrip("KMG")
    return int(digits) * factor if digits.isdecimal() else 0
