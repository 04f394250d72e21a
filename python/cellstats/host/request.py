"""Checks the keywords of a measurement, and turns them into a request to `_native.host_measure`.

The keywords are those of `cellstats.Machine.measure`. Here, keywords for SPEs apply to cores, and
keywords for a Cell's memory apply to NUMA nodes. `cores` refuses the keywords that only a simulated
Cell has.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.parameters import HOST_NAMES, TRAFFIC, named
from cellstats.core.parameters import PARAMETERS as _ROWS
from cellstats.core.partners import partners
from cellstats.core.refusal import quoted, refusal, verbatim
from cellstats.core.words import did_you_mean
from cellstats.host.cores import (
    ACCESSES,
    ATOMIC,
    DMA,
    HELD,
    LEVELS,
    LISTS,
    MAIL,
    MOVES_DATA,
    WorkingSets,
    choose_cpus,
    refuse,
)
from cellstats.host.topology import Topology

_PATHS = {
    "library": "futex",
    "mmio": "memory",
    "futex": "futex",
    "eventfd": "eventfd",
    "pipe": "pipe",
    "memory": "memory",
    "lines": "lines",
    "oneway": "oneway",
}
_OF_MAILBOX = ("lines", "oneway")
_ORDERS, _PAGES = ("lines", "pages"), ("small", "huge")
_MIXES = {"1:1": 1, "2:1": 2, "3:1": 3}
_SIGNAL_MODES = ("overwrite", "or")
_ELEMENT_BYTES = (1, 2, 4, 8, 16, 32, 64)
_SIZE_BYTES, _TRAFFIC_BYTES, _ACCESS_BYTES = 128, 16384, 16  # as on a Cell
_SAMPLES = 180
_SAMPLES_MAX, _ITERATIONS_MAX = 1_000_000, 1_000_000_000_000
_VARIABLE_BYTES, _LINE_BYTES = 4, 64
# Prefetchers fetch pairs of cache lines, so private buffers are in different pairs.
_PAIR_OF_LINES_BYTES = 128
_SIZE_BYTES_MAX = 1 << 30


@dataclass(frozen=True, slots=True)
class Asked:
    """One measurement with checked keywords and all defaults."""

    function: str
    cpus: tuple[int, ...]
    private: bool
    core_to_core: bool
    size_bytes: int | None
    list_elements: int | None
    stride_bytes: int | None
    batch: int | None
    path: str | None
    signal_mode: str | None
    op: str | None
    target: str | None
    level: str | None
    working_set_bytes: int | None
    """Requested working set of each thread, or None to choose it by the level."""
    chase: str | None
    pages: str | None
    reads_per_write: int
    background: str | None
    rate_gb_s: float | None
    non_temporal: bool
    pattern: Any
    """The pattern in the form of `Pattern.to_native`."""
    memory: str | None
    seed: int
    iterations: int | None
    """Iterations of each thread in all samples, or None to choose the number by the clock."""
    samples: int
    """Number of samples in all repetitions together."""
    budget_ns: int | None

    def request(
        self, sets: WorkingSets, samples: int, warm_up_ns: int, budget_ns: int | None
    ) -> dict[str, Any]:
        """The request to `_native.host_measure` for one repetition."""
        memory, target = self.memory, self.target
        return {
            "function": self.function,
            "cpus": list(self.cpus),
            "private": self.private,
            "core_to_core": self.core_to_core,
            "size_bytes": self.size_bytes or 0,
            "list_elements": self.list_elements,
            "stride_bytes": self.stride_bytes,
            "batch": 1 if self.batch is None else self.batch,
            "path": self.path or "memory",
            "signal_mode": self.signal_mode or "overwrite",
            "op": self.op,
            "target": _plain_target(self.function, target),
            "level": self.level,
            "level_bytes": sets.own_bytes,
            "background_bytes": sets.background_bytes,
            "chase": self.chase,
            "pages": self.pages or "ordinary",
            "reads_per_write": self.reads_per_write,
            "background": self.background,
            "rate_gb_s": self.rate_gb_s,
            "non_temporal": self.non_temporal,
            "pattern": self.pattern,
            "memory_node": int(memory) if memory and memory.isdecimal() else memory,
            "seed": self.seed,
            "iterations": None if self.iterations is None else -(-self.iterations // self.samples),
            "samples": samples,
            "warm_up_ns": warm_up_ns,
            "budget_ns": budget_ns,
        }


def ask(topology: Topology, function: str, given: Mapping[str, Any]) -> Asked:
    """Check the keywords of a measurement. Raises UsageError if this computer cannot run it."""
    known = _native.function_names()
    if function not in known:
        raise UsageError(f"unknown function {function!r}; {did_you_mean(function, known)}")
    values = _values(given)
    refuse(function, values)
    cpus, pattern = choose_cpus(topology, function, values)
    samples, iterations = values["samples"] or _SAMPLES, values["iterations"]
    for name, most in (("samples", _SAMPLES_MAX), ("iterations", _ITERATIONS_MAX)):
        if (values[name] or 0) > most:
            raise refusal(f"give {most} at most", name, values[name])
    return Asked(
        function=function,
        cpus=cpus,
        private=values["private"],
        core_to_core=values["spe_to_spe"],
        size_bytes=None if values["chase"] else _size(function, values["size"], pattern),
        list_elements=values["list_elements"] or (1 if function in LISTS else None),
        stride_bytes=_stride(function, values),
        batch=_batch(function, values["batch"]),
        path=_path(function, values),
        signal_mode=_word(values, "signal_mode", _SIGNAL_MODES) if function == "signal" else None,
        op=_op(function, values),
        target=_target(function, values, len(cpus)),
        level=_level(function, values),
        working_set_bytes=values["working_set"],
        chase=_given_word(values, "chase", _ORDERS),
        pages=_given_word(values, "pages", _PAGES),
        reads_per_write=_MIXES[_word(values, "mix", tuple(_MIXES))],
        background=_given_word(values, "background", (*ACCESSES, *HELD)),
        rate_gb_s=_rate(values["rate"]),
        non_temporal=values["non_temporal"],
        pattern=pattern,
        memory=_memory(topology, values["memory"]),
        seed=values["seed"] or 0,
        iterations=iterations,
        # Each sample has at least one iteration.
        samples=samples if iterations is None else min(samples, iterations),
        budget_ns=parse_duration_ns(values["budget"], "{budget}"),
    )


def parse_duration_ns(value: str | float | None, what: str) -> int | None:
    """Convert a time such as `30s`, `500ms` or `2m` to ns; a number is in seconds. None stays None.

    Raises UsageError for an invalid time. The error names the parameter `what`.

    >>> parse_duration_ns("500ms", "{budget}"), parse_duration_ns(30, "{budget}")
    (500000000, 30000000000)
    """
    if value is None:
        return None
    text = str(value).strip().lower()
    number = text.rstrip("msinu")
    factor = {"": 1e9, "s": 1e9, "ms": 1e6, "m": 60e9, "min": 60e9}.get(text[len(number) :])
    try:
        nanoseconds = float(number) * (factor or float("nan"))
    except ValueError:
        nanoseconds = float("nan")
    if not 1e6 <= nanoseconds <= 86400e9:
        raise refusal(
            f"{what} {verbatim(value)}: give a time from 1ms to a day, such as 500ms, 30s or 2m"
        )
    return round(nanoseconds)


def _values(given: Mapping[str, Any]) -> dict[str, Any]:
    """The parsed value of every keyword, or its default."""
    for name in given:
        if name not in HOST_NAMES:
            named(name)
    values: dict[str, Any] = {
        "private": given.get("private", False),
        "fast_forward": given.get("fast_forward", True),
    }
    for row in _ROWS:
        value = given.get(row.name)
        value = row.default if value is None else value
        if row.is_number and value is not None:
            value = row.read(value, row.name)
        values[row.name] = value
    return values


def _size(function: str, size: int | None, pattern: Any) -> int | None:
    if function not in MOVES_DATA:
        return None
    if pattern is not None:
        _, _, phases = pattern
        return max((message[2] for phase in phases for message in phase), default=None)
    if function in ACCESSES:
        wanted = _ACCESS_BYTES if size is None else size
        if wanted not in _ELEMENT_BYTES:
            shown = ", ".join(map(str, _ELEMENT_BYTES))
            raise refusal(f"{{size}} {wanted}: an element has one of {shown} bytes")
        return wanted
    wanted = size if size is not None else _TRAFFIC_BYTES if function in TRAFFIC else _SIZE_BYTES
    if not 1 <= wanted <= _SIZE_BYTES_MAX:
        raise refusal(f"{{size}} {wanted}: give 1 to 1024m bytes")
    return wanted


def _stride(function: str, values: Mapping[str, Any]) -> int | None:
    """Distance of private buffers: the smallest multiple of the stride that holds one buffer.

    Of a chase, the distance of its elements.
    """
    if values["chase"]:
        return values["stride"] or _LINE_BYTES
    if not values["private"]:
        return None
    holds = _VARIABLE_BYTES
    if function not in ATOMIC:
        holds = _size(function, values["size"], None) or 0
        holds *= values["list_elements"] or 1
    stride = values["stride"] or _PAIR_OF_LINES_BYTES
    if function in ATOMIC and stride % _VARIABLE_BYTES:
        reason = "the stride of 32-bit variables is a multiple of 4 bytes"
        raise refusal(reason, "stride", stride)
    return int(-(-holds // stride) * stride)


def _batch(function: str, batch: int | None) -> int | None:
    if function in TRAFFIC:
        return batch or 0
    return (1 if batch is None else batch) if function in (*DMA, *LISTS) else None


def _path(function: str, values: Mapping[str, Any]) -> str | None:
    if function not in MAIL:
        return None
    word = values["ppe"]
    if word not in _PATHS:
        known = (*_PATHS,)
        raise refusal(f"{{ppe}} {quoted(word)}: no path between cores; {did_you_mean(word, known)}")
    if word in _OF_MAILBOX:
        if function != "mailbox":
            reason = "a signal has a line for each direction in any case, give memory"
            raise refusal(reason, "ppe", word)
        return _PATHS[word]
    if values["spe_to_spe"]:
        # On a Cell, -s excludes the PPE; on the host, -s excludes the kernel.
        if word not in ("library", "mmio", "memory"):
            reason = "{spe_to_spe} is through memory only, leave one out"
            raise refusal(reason, "ppe", word, with_="{spe_to_spe}")
        return "memory"
    return _PATHS[word]


def _level(function: str, values: Mapping[str, Any]) -> str | None:
    """The level that a working set is meant for, if its size is not given."""
    if function not in ACCESSES or values["working_set"]:
        return None
    return _word(values, "level", LEVELS)


def _rate(rate: Any) -> float | None:
    if rate is None:
        return None
    try:
        gb_s = float(rate)
    except ValueError:
        gb_s = 0.0
    if not 0 < gb_s < float("inf"):
        raise refusal(f"{{rate}} {verbatim(rate)}: give GB/s as a positive number, such as 2.5")
    return gb_s


def _op(function: str, values: Mapping[str, Any]) -> str | None:
    if function not in TRAFFIC:
        return None
    default = "copy" if function in ("couples", "cycle") else "get"
    return _word({"op": values["op"] or default}, "op", ("get", "put", "copy"))


def _plain_target(function: str, target: str | None) -> str | int | list[int] | None:
    if target is None or target == "memory":
        return target
    return list(map(int, target.split(","))) if function == "permutation" else int(target)


def _target(function: str, values: Mapping[str, Any], count: int) -> str | None:
    target = values["target"]
    if function == "permutation":
        return _partners(target, values["seed"] or 0, count)
    if function != "hotspot":
        return None
    text = "memory" if target is None else str(target)
    if text == "memory":
        return text
    if not text.isdecimal() or int(text) >= count or count < 2:
        shown = f"a thread from 0 to {count - 1}, or " if count > 1 else ""
        raise refusal(f"{{target}} {verbatim(text)}: give {shown}memory")
    return text


def _partners(target: Any, seed: int, count: int) -> str:
    """The partner of each thread, as given or in a random cycle through all threads."""
    if target is None:
        order = random.Random(seed).sample(range(count), count)
        following = dict(zip(order, [*order[1:], order[0]], strict=True))
        return ",".join(str(following[thread]) for thread in range(count))
    text = partners(str(target))
    if sorted(text.split(",")) != sorted(map(str, range(count))):
        each = "name the partner of each thread, and each thread once"
        raise refusal(f"{{target}} {verbatim(text)}: {each}; there are {count} threads")
    return text


def _memory(topology: Topology, memory: Any) -> str | None:
    if memory is None:
        return None
    text = str(memory)
    if text != "interleave" and text not in map(str, topology.nodes):
        shown = ", ".join(map(str, topology.nodes)) or "0"
        raise refusal(
            f"{{memory}} {verbatim(text)}: NUMA nodes with memory are {shown}; or give interleave"
        )
    return text


def _given_word(values: Mapping[str, Any], name: str, known: Sequence[str]) -> str | None:
    return None if values[name] is None else _word(values, name, known)


def _word(values: Mapping[str, Any], name: str, known: Sequence[str]) -> str:
    word = known[0] if values[name] is None else str(values[name])
    if word not in known:
        raise refusal(did_you_mean(word, known), name, repr(word))
    return word
