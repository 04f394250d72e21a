"""What a program of Linux has done, as text."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from cellstats.measure.quantities import format_latency

Known: TypeAlias = Mapping[str, Any]


def text(data: Known) -> str:
    """A line for the whole, for the PPE, and for each context, of a result's data."""
    return "".join(f"{line}\n" for line in _lines(data))


def _lines(data: Known) -> Iterator[str]:
    status = data["status"]
    end = "ended with the window" if status is None else f"exit status {status}"
    yield f"{format_latency(data['time_ns'])}, {end}"
    ppe = data["ppe"]
    calls = _count(sum(ppe["system_calls"].values()), "system call")
    instructions = _count(ppe["instructions"], "instruction")
    yield f"PPE: {instructions}, {_count(ppe['cycles'], 'cycle')}, {calls}"
    for number, context in enumerate(data["contexts"], 1):
        yield f"context {number}: {_context(context)}"


def _context(context: Known) -> str:
    if context["spe"] is None:
        return "never run"
    moved = f"{context['get_bytes']} B in, {context['put_bytes']} B out"
    parts = [
        f"SPE {context['spe']}",
        _count(context["runs"], "run"),
        format_latency(context["running_ns"]),
        _count(context["instructions"], "instruction"),
        f"{_count(context['dma_commands'], 'DMA command')} ({moved})",
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


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
