"""The SPE contexts of a Linux program as text: what each did, and why it stopped last.

Beyond `EACH_MAX` contexts, a text line stands for all contexts that ended alike: in the same
executable, by the same kind of stop at the same address. Their numbers are added up.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from cellstats.core.quantities import format_latency
from cellstats.core.words import counted

Record: TypeAlias = Mapping[str, Any]
"""A record of plain values."""
Numbered: TypeAlias = tuple[int, Record]
"""A context with its number, which is counted from 1."""
EACH_MAX = 16
"""Maximum number of contexts that have a text line each, and of lines for contexts that ended
alike."""
_RANGES_MAX = 4
"""Maximum number of ranges of numbers in a text line."""

_KINDS = {
    "exit": "exit status",
    "stop": "stop",
    "halt": "halted",
    "instruction": "no instruction",
    "channel": "a channel operation broke a rule",
    "dma": "its DMA broke a rule",
    "running": "still running",
}


def context_lines(contexts: Sequence[Record]) -> Iterator[str]:
    """The text lines of all contexts, with their faults."""
    several = len({context["program"] for context in contexts if context["program"]}) > 1
    numbered = list(enumerate(contexts, 1))
    if len(contexts) <= EACH_MAX:
        groups = [[each] for each in numbered]
    else:
        ordered = sorted(numbered, key=lambda each: (_end(each[1]), each[0]))
        alike = [list(group) for _, group in groupby(ordered, lambda each: _end(each[1]))]
        groups = sorted(alike, key=lambda group: group[0][0])
    for group in groups[:EACH_MAX]:
        yield from _group(group, several)
    left = sum(map(len, groups[EACH_MAX:]))
    if left:
        yield f"and {counted(left, 'context')} that ended in {len(groups) - EACH_MAX} other ways"


def moved(context: Record) -> str:
    """The number of bytes moved by a context's DMA commands, as text."""
    return f"{context['get_bytes']} B in, {context['put_bytes']} B out"


def stopped(stops: Sequence[Record], program: int | None = None) -> str:
    """Why contexts stopped that ended alike. program: the executable, if it has to be told.

    >>> stop = {"kind": "exit", "address": 512, "function": "_exit", "offset": 8, "reason": None}
    >>> stopped([stop | {"code": 3}])
    'exit status 3 at 0x200, _exit+0x8'
    >>> stopped([stop | {"code": code} for code in (2, 0, 1)], 2)
    'exit status 0-2 at 0x200, _exit+0x8, in program 2'
    >>> stopped([stop | {"code": code} for code in (0, 7, 7)])
    'exit status (2 different) at 0x200, _exit+0x8'
    >>> stopped([stop | {"kind": "halt", "code": None, "function": None}])
    'halted at 0x200'
    >>> stopped([stop | {"kind": "stop", "code": 7, "reason": "the stack is full"}])
    'stop 0x7 at 0x200, _exit+0x8: the stack is full'
    """
    first = stops[0]
    where = [f"at {first['address']:#x}"]
    if first["function"] is not None:
        offset = f"+{first['offset']:#x}" if first["offset"] else ""
        where.append(f"{first['function']}{offset}")
    if program is not None:
        where.append(f"in program {program}")
    words = [_KINDS[first["kind"]], _codes(first["kind"], {stop["code"] for stop in stops})]
    reason = f": {first['reason']}" if first["reason"] else ""
    return " ".join([*filter(None, words), ", ".join(where)]) + reason


def _codes(kind: str, codes: set[int | None]) -> str:
    """The exit statuses or the stop-and-signal types of contexts: one, a range, or their number."""
    numbers = sorted(code for code in codes if code is not None)
    if not numbers:
        return ""
    form: Callable[[int], str] = str if kind == "exit" else hex
    low, high = numbers[0], numbers[-1]
    if low == high:
        return form(low)
    if high - low + 1 == len(numbers):
        return f"{form(low)}-{form(high)}"
    return f"({len(numbers)} different)"


def _end(context: Record) -> tuple[int, str, int]:
    """What contexts that ended alike have in common; comparable."""
    stop = context["stop"]
    if stop is None:
        # A context without a stop never ran, but may have waited on an SPE for its start.
        return (0, "", int(context["spe"] is not None))
    return (context["program"] or 0, stop["kind"], stop["address"])


def _group(group: Sequence[Numbered], several: bool) -> Iterator[str]:
    contexts = [context for _, context in group]
    yield f"{_name([number for number, _ in group])}: {_done(contexts)}"
    stops = [context["stop"] for context in contexts if context["stop"] is not None]
    if stops:
        yield f"  {stopped(stops, contexts[0]['program'] if several else None)}"
    faulty = next((context for context in contexts if context["fault_count"]), None)
    if faulty is not None:
        yield from map(_fault, faulty["faults"])
        more = sum(context["fault_count"] for context in contexts) - len(faulty["faults"])
        if more:
            yield f"  and {counted(more, 'more fault')}"


def _name(numbers: Sequence[int]) -> str:
    """The contexts of a text line.

    >>> _name([4]), _name([1, 2, 3, 7])
    ('context 4', '4 contexts (1-3, 7)')
    >>> _name(range(1, 99, 2))
    '49 contexts (1, 3, 5, 7, ...)'
    """
    if len(numbers) == 1:
        return f"context {numbers[0]}"
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(numbers), lambda each: each[1] - each[0])
    ]
    ranges = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    shown = [*ranges[:_RANGES_MAX], *(["..."] if len(ranges) > _RANGES_MAX else [])]
    return f"{len(numbers)} contexts ({', '.join(shown)})"


def _done(contexts: Sequence[Record]) -> str:
    """What contexts that ended alike did, added up."""
    if contexts[0]["spe"] is None:
        return "never run"
    sums = {
        name: sum(context[name] for context in contexts)
        for name, value in contexts[0].items()
        if isinstance(value, int) and name not in ("spe", "program")
    }
    spes = sorted({context["spe"] for context in contexts})
    parts = [
        f"SPE{'s' if len(spes) > 1 else ''} {' '.join(map(str, spes))}",
        counted(sums["runs"], "run"),
        format_latency(sums["running_ns"]),
        counted(sums["instructions"], "instruction"),
        f"{counted(sums['dma_commands'], 'DMA command')} ({moved(sums)})",
        counted(sums["mailbox_entries"], "mailbox entry", "mailbox entries"),
    ]
    if sums["signals"]:
        parts.append(counted(sums["signals"], "signal"))
    if sums["atomic_commands"]:
        parts.append(counted(sums["atomic_commands"], "lock-line command"))
    if sums["waiting_ns"]:
        parts.append(f"waited {format_latency(sums['waiting_ns'])} for an SPE")
    if sums["preemptions"]:
        parts.append(f"preempted {counted(sums['preemptions'], 'time')}")
    return ", ".join(parts)


def _fault(fault: Record) -> str:
    location = f" at {fault['place']}" if fault["place"] else ""
    where = f"after {format_latency(fault['time_ns'])} on SPE {fault['spe']}{location}"
    return f"  fault {where}: {fault['what']}; reported by {fault['told']}"
