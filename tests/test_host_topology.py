"""Topology of recorded computers: packages, nodes, caches, cores, and the permitted CPUs."""

import itertools
import json
from collections.abc import Callable

import pytest

import recorded
from cellstats._native import UsageError
from cellstats.host.cores import LEVELS, working_set_bytes
from cellstats.host.environment import digest, read_environment, read_limits
from cellstats.host.topology import Cpu, Files, Topology, as_list, read_topology


def topology(name: str) -> Topology:
    return read_topology(recorded.tree(name))


@pytest.mark.parametrize(
    ("name", "cpus", "cores", "nodes", "packages"),
    [
        ("aarch64", 64, 64, 1, 1),
        ("big-little", 6, 6, 1, 1),
        ("chiplets", 32, 16, 1, 1),
        ("container", 2, 2, 8, 1),
        ("desktop", 8, 4, 1, 1),
        ("eight-nodes", 256, 128, 8, 2),
        ("hybrid", 24, 16, 1, 1),
        ("smt-off", 8, 8, 1, 1),
        ("two-sockets", 72, 36, 2, 2),
        ("virtual-machine", 4, 4, 1, 1),
    ],
)
def test_what_is_counted(name: str, cpus: int, cores: int, nodes: int, packages: int) -> None:
    found = topology(name)
    assert (len(found.cpus), found.cores(), len(found.nodes)) == (cpus, cores, nodes)
    assert len({cpu.package for cpu in found.cpus}) == packages


def test_every_record_is_of_a_test_and_has_a_source() -> None:
    assert len(recorded.NAMES) == 10
    for name in recorded.NAMES:
        text = (recorded.DIRECTORY / f"{name}.json").read_text(encoding="utf-8")
        assert len(json.loads(text)["source"]) > 40


@pytest.mark.parametrize("name", recorded.NAMES)
def test_the_order_keeps_together_what_belongs_together(name: str) -> None:
    """In this order, the CPUs of a package, node, shared cache or core are consecutive."""
    found = topology(name)
    keys: list[Callable[[Cpu], object]] = [
        lambda cpu: cpu.package,
        lambda cpu: cpu.node,
        lambda cpu: found.cache(cpu.number, 3) or cpu.package,
        lambda cpu: cpu.siblings,
    ]
    for key in keys:
        seen = [key(cpu) for cpu in found.cpus]
        entered = 1 + sum(a != b for a, b in itertools.pairwise(seen))
        assert entered == len(set(seen))


@pytest.mark.parametrize("name", recorded.NAMES)
def test_a_placement_takes_cores_before_second_threads(name: str) -> None:
    found = topology(name)
    every = found.placement(len(found.cpus))
    assert sorted(every) == sorted(found.numbers)
    firsts = every[: found.cores()]
    assert len({found.cpu(number).siblings for number in firsts}) == found.cores()


@pytest.mark.parametrize(
    ("name", "a", "b", "relation"),
    [
        ("desktop", 0, 4, "same core"),
        ("desktop", 0, 1, "same L3"),
        ("chiplets", 0, 16, "same core"),
        ("chiplets", 0, 3, "same L3"),
        ("chiplets", 0, 4, "same package"),
        ("eight-nodes", 0, 16, "other node"),
        ("eight-nodes", 0, 4, "same package"),
        ("eight-nodes", 0, 64, "other package"),
        ("two-sockets", 17, 18, "other package"),
        ("hybrid", 16, 19, "same L2"),
        ("hybrid", 16, 20, "same L3"),
        ("hybrid", 0, 23, "same L3"),
        ("big-little", 0, 4, "same package"),
        ("virtual-machine", 0, 3, "same package"),
    ],
)
def test_what_two_cpus_have_in_common(name: str, a: int, b: int, relation: str) -> None:
    found = topology(name)
    assert found.relation(a, b) == found.relation(b, a) == relation


@pytest.mark.parametrize(
    ("name", "boundaries"),
    [
        ("desktop", []),
        ("smt-off", []),
        ("aarch64", []),
        ("container", []),
        ("virtual-machine", []),
        ("two-sockets", [(36, "package")]),
        ("chiplets", [(8, "L3"), (16, "L3"), (24, "L3")]),
        ("hybrid", [(16, "kind of core")]),
        ("big-little", [(2, "kind of core")]),
    ],
)
def test_where_something_ends(name: str, boundaries: list[tuple[int, str]]) -> None:
    found = topology(name)
    assert found.boundaries(found.numbers) == boundaries


def test_kinds_of_cores_come_fastest_first() -> None:
    assert [cpu.kind for cpu in topology("hybrid").cpus] == ["P"] * 16 + ["E"] * 8
    assert [cpu.kind for cpu in topology("big-little").cpus] == ["1024"] * 2 + ["485"] * 4
    assert {cpu.kind for cpu in topology("aarch64").cpus} == {None}


def test_cores_that_are_merely_favoured_are_of_one_kind() -> None:
    where = "sys/devices/system/cpu/cpu0/cpu_capacity"
    found = read_topology(recorded.tree("aarch64", {where: "1004"}))
    assert {cpu.kind for cpu in found.cpus} == {None}


def test_only_cpus_of_the_mask_are_used() -> None:
    mask = {"proc/self/status": "Cpus_allowed_list:\t18-20,54,90"}
    found = read_topology(recorded.tree("two-sockets", mask))
    # CPU 90 is not online; CPUs 18 and 54 are on one core.
    assert (found.numbers, found.cores()) == ((18, 54, 19, 20), 3)


def test_what_a_container_may() -> None:
    limits = read_limits(recorded.tree("container"))
    assert (limits.cpu_quota, limits.memory_bytes) == (1.5, 4 << 30)
    assert limits.throttled == 7
    assert topology("container").numbers == (4, 5)


def test_limits_of_groups_above_and_of_version_1() -> None:
    changes = {
        "proc/self/cgroup": "4:cpu,cpuacct:/a/b\n3:memory:/a",
        "sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us": "-1",
        "sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us": "100000",
        "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "50000",
        "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000",
        "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": "1048576",
    }
    limits = read_limits(recorded.tree("desktop", changes))
    assert (limits.cpu_quota, limits.memory_bytes) == (0.5, 1 << 20)


def test_a_machine_that_hides_its_topology_says_so() -> None:
    found = topology("virtual-machine")
    assert len(found.unknown) == 2
    with pytest.raises(UsageError, match=r"shows no such cache of CPU 0.*give level memory"):
        working_set_bytes(found, recorded.tree("virtual-machine"), [0], "l2")
    assert working_set_bytes(found, recorded.tree("virtual-machine"), [0], "memory") >= 1 << 29


@pytest.mark.parametrize("name", ["desktop", "two-sockets", "chiplets", "hybrid", "aarch64"])
@pytest.mark.parametrize("share", [1.0, 0.5, 0.0])
def test_a_working_set_is_in_its_level_and_in_none_below(name: str, share: float) -> None:
    found, tree = topology(name), recorded.tree(name)
    if name == "aarch64":
        share /= 4  # with more cores, each core's share of the L3 would be smaller than an L2
    cpus = found.placement(max(1, round(share * found.cores())))
    sizes = [working_set_bytes(found, tree, cpus, level) for level in LEVELS]
    assert sizes == sorted(set(sizes))
    for cpu in cpus:
        below = 0
        for level, size in enumerate(sizes[:3], 1):
            cache = found.cache(cpu, level)
            assert cache is not None
            mine = cache.size_bytes // len(set(cache.cpus) & set(cpus))
            assert below < size <= mine
            below = mine
    last = {found.last_level(cpu) for cpu in cpus}
    assert sizes[3] * len(cpus) >= 2 * sum(cache.size_bytes for cache in last if cache)


def test_a_level_that_is_smaller_than_the_one_below() -> None:
    found = topology("aarch64")
    with pytest.raises(UsageError, match=r"share of it, 512 KB, is not more than its 1024 KB"):
        working_set_bytes(found, recorded.tree("aarch64"), found.numbers, "l3")


def test_too_little_memory_is_said_in_a_line() -> None:
    little = {"proc/meminfo": "MemAvailable: 20000 kB"}
    tree = recorded.tree("desktop", little)
    with pytest.raises(UsageError, match=r"16 MB are needed.*free some, or use fewer cores"):
        working_set_bytes(read_topology(tree), tree, [0], "memory")


@pytest.mark.parametrize("name", recorded.NAMES)
def test_the_environment_is_plain_and_in_one_line(name: str) -> None:
    tree = recorded.tree(name)
    environment = read_environment(tree, topology(name))
    assert json.loads(json.dumps(environment)) == environment
    assert "\n" not in digest(environment)


def test_what_the_environments_say() -> None:
    def of(name: str) -> dict[str, object]:
        return read_environment(recorded.tree(name), topology(name))

    assert of("virtual-machine")["virtual_machine"] == "QEMU"
    assert of("container")["container"] == "docker"
    # The vendor of this computer is Amazon, but it is not a virtual machine.
    assert of("aarch64")["virtual_machine"] is None
    assert (of("smt-off")["smt"], of("desktop")["smt"], of("aarch64")["smt"]) == (
        "off",
        "on",
        "none",
    )
    assert (of("chiplets")["turbo"], of("smt-off")["turbo"]) == (True, False)
    assert of("hybrid")["frequency_mhz_max"] == 5200
    assert of("smt-off")["isolated_cpus"] == "4-7"
    assert of("two-sockets")["transparent_huge_pages"] == "always"


def test_a_record_of_this_computer_is_read_as_the_computer_is() -> None:
    texts = recorded.record(Files())
    again = {
        path: text for each, text in recorded.compact(texts) for path in recorded._expanded(each)
    }
    assert again == texts
    here = read_topology(Files())
    assert as_list(here.numbers)
