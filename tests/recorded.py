"""Recorded computers: the files of /proc and /sys that `cellstats.host` reads, in a compact form.

A record is a list of pairs [path, text]. In a path, `{0-3,8}` stands for each of these CPUs. To
record this computer:

    python tests/recorded.py "description" > tests/recorded/NAME.json

A record does not identify the computer or its user.
"""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from cellstats.host.host_machine import HostMachine
from cellstats.host.repetitions import Native
from cellstats.host.topology import Files, Recorded, Tree, as_list, cpu_list, field

DIRECTORY = Path(__file__).parent / "recorded"
NAMES = sorted(path.stem for path in DIRECTORY.glob("*.json"))
_CPU = re.compile(r"(?<=/cpu/cpu)[0-9]+(?=/)")
_SINGLE = (
    "proc/cpuinfo",
    "proc/self/status",
    "proc/self/cgroup",
    "proc/1/cgroup",
    "proc/stat",
    "proc/meminfo",
    "proc/loadavg",
    "proc/sys/kernel/osrelease",
    ".dockerenv",
    "run/.containerenv",
    "run/systemd/container",
    "sys/devices/cpu_core/cpus",
    "sys/devices/cpu_atom/cpus",
    "sys/devices/cpu_lowpower/cpus",
    "sys/devices/system/cpu/online",
    "sys/devices/system/cpu/isolated",
    "sys/devices/system/cpu/nohz_full",
    "sys/devices/system/cpu/smt/active",
    "sys/devices/system/cpu/smt/control",
    "sys/devices/system/cpu/intel_pstate/no_turbo",
    "sys/devices/system/cpu/cpufreq/boost",
    "sys/kernel/mm/transparent_hugepage/enabled",
    "sys/class/dmi/id/product_name",
    "sys/class/dmi/id/sys_vendor",
    "sys/class/dmi/id/board_vendor",
    "sys/hypervisor/type",
    "sys/fs/cgroup/cpu.max",
    "sys/fs/cgroup/cpu.stat",
    "sys/fs/cgroup/memory.max",
)
_PER_CPU = (
    "topology/physical_package_id",
    "topology/die_id",
    "topology/core_id",
    "topology/core_cpus_list",
    "cpu_capacity",
    "cpufreq/scaling_governor",
    "cpufreq/scaling_cur_freq",
    "cpufreq/cpuinfo_max_freq",
    "thermal_throttle/core_throttle_count",
)
_PER_CACHE = ("level", "type", "size", "coherency_line_size", "shared_cpu_list")


def tree(name: str, changes: Mapping[str, str] | None = None) -> Recorded:
    """The files of a recorded computer, after these changes."""
    record = json.loads((DIRECTORY / f"{name}.json").read_text(encoding="utf-8"))
    texts = {path: text for each, text in record["files"] for path in _expanded(each)}
    return Recorded({**texts, **(changes or {})})


def host(name: str, native: Native | None = None) -> HostMachine:
    """A recorded computer as a host machine."""
    return HostMachine(tree(name), native)


def _expanded(path: str) -> list[str]:
    before, brace, rest = path.partition("{")
    if not brace:
        return [path]
    cpus, _, after = rest.partition("}")
    return [f"{before}{cpu}{after}" for cpu in cpu_list(cpus)]


def compact(texts: Mapping[str, str]) -> list[list[str]]:
    """Join equal texts of several CPUs into one row."""
    alike: dict[tuple[str, str], list[int]] = {}
    for path, text in texts.items():
        found = _CPU.search(path)
        members = alike.setdefault((_CPU.sub("{}", path), text), [])
        members += [int(found[0])] if found else []
    return [
        [path.replace("{}", "{" + as_list(cpus) + "}"), text]
        for (path, text), cpus in alike.items()
    ]


def record(here: Tree) -> dict[str, str]:
    """Read the existing files of a computer, without long unneeded parts."""
    system = "sys/devices/system"
    paths = list(_SINGLE)
    for node in here.names(f"{system}/node"):
        paths.append(f"{system}/node/{node}/cpulist")
    for cpu in cpu_list(here.text(f"{system}/cpu/online")):
        where = f"{system}/cpu/cpu{cpu}"
        paths += [f"{where}/{name}" for name in _PER_CPU]
        for index in here.names(f"{where}/cache"):
            paths += [f"{where}/cache/{index}/{name}" for name in _PER_CACHE]
    read = {path: here.text(path) for path in paths}
    texts = {path: text for path, text in read.items() if text is not None}
    if "proc/cpuinfo" in texts:
        # Keep only the first processor, because this file would otherwise be most of the record.
        texts["proc/cpuinfo"] = texts["proc/cpuinfo"].split("\n\n")[0]
    # Keep only one field. The rest of the file describes the process and its user.
    allowed = "Cpus_allowed_list"
    texts["proc/self/status"] = f"{allowed}: {field(texts.get('proc/self/status'), allowed)}"
    return texts


def written(source: str, texts: Mapping[str, str]) -> str:
    """The text of a record's file, with one text line for each row."""
    rows = ",\n".join("  " + json.dumps(row) for row in compact(texts))
    return f'{{"source": {json.dumps(source)},\n "files": [\n{rows}\n ]}}\n'


if __name__ == "__main__":
    print(written(sys.argv[1], record(Files())), end="")
