"""What a program of Linux has done, as text."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from cellstats.measure.quantities import format_latency

Known: TypeAlias = Mapping[str, Any]


def text(data: Known) -> str:
    """A line for the whole, for the PPE, and for each context, of a result's data."""
    return "".join(f"{line}\n" for line in _lines(data))


def profile(rows: Iterable[Known]) -> str:
    """The PPE's functions, those that took a thousandth of its time or more.

    >>> print(profile([{"file": "p", "function": "main", "cycles": 2018}]), end="")
    PPE, by a look every 1009 cycles
        cycles   share  function
          2018  100.0%  main, p
    """
    rows = list(rows)
    cycles = sum(row["cycles"] for row in rows)
    lines = ["PPE, by a look every 1009 cycles", f"{'cycles':>10}  {'share':>6}  function"]
    for row in rows:
        if row["cycles"] * 1000 >= cycles > 0:
            share = f"{100 * row['cycles'] / cycles:.1f}%"
            place = f"{row['function'] or '?'}, {row['file'] or 'no file'}"
            lines.append(f"{row['cycles']:>10}  {share:>6}  {place}")
    return "".join(f"{line}\n" for line in lines)


def _lines(data: Known) -> Iterator[str]:
    yield from head(data)
    for number, context in enumerate(data["contexts"], 1):
        yield f"context {number}: {_context(context)}"
        yield from map(_fault, context["faults"])
        if context["fault_count"] > len(context["faults"]):
            yield f"  and {context['fault_count'] - len(context['faults'])} more faults"


def head(data: Known) -> Iterator[str]:
    """The line for the whole, and the one for the PPE."""
    status = data["status"]
    end = "ended with the window" if status is None else f"exit status {status}"
    yield f"{format_latency(data['time_ns'])}, {end}"
    ppe = data["ppe"]
    calls = _count(sum(ppe["system_calls"].values()), "system call")
    instructions = _count(ppe["instructions"], "instruction")
    yield f"PPE: {instructions}, {_count(ppe['cycles'], 'cycle')}, {calls}"


def moved(context: Known) -> str:
    """The bytes that a context's DMA commands moved."""
    return f"{context['get_bytes']} B in, {context['put_bytes']} B out"


def _context(context: Known) -> str:
    if context["spe"] is None:
        return "never run"
    parts = [
        f"SPE {context['spe']}",
        _count(context["runs"], "run"),
        format_latency(context["running_ns"]),
        _count(context["instructions"], "instruction"),
        f"{_count(context['dma_commands'], 'DMA command')} ({moved(context)})",
        _count(context["mailbox_entries"], "mailbox entry", "mailbox entries"),
    ]
    if context["signals"]:
        parts.append(_count(context["signals"], "signal"))
    if context["atomic_commands"]:
        parts.append(_count(context["atomic_commands"], "lock-line command"))
    if context["waiting_ns"]:
        parts.append(f"waited {format_latency(context['waiting_ns'])} for an SPE")
    if context["preemptions"]:
        parts.append(f"preempted {_count(context['preemptions'], 'time')}")
    return ", ".join(parts)


def _fault(fault: Known) -> str:
    place = f" at {fault['place']}" if fault["place"] else ""
    where = f"after {format_latency(fault['time_ns'])} on SPE {fault['spe']}{place}"
    return f"  fault {where}: {fault['what']}; told by {fault['told']}"


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
