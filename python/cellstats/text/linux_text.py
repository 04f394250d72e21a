"""What a program of Linux has done, as text."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cellstats.measure.quantities import format_latency

if TYPE_CHECKING:
    from cellstats.linux.result import LinuxResult, SpeContext


def text(result: "LinuxResult") -> str:
    """A line for the whole, for the PPE, and for each context."""
    return "".join(f"{line}\n" for line in _lines(result))


def _lines(result: "LinuxResult") -> Iterator[str]:
    end = "ended with the window" if result.status is None else f"exit status {result.status}"
    yield f"{format_latency(result.time_ns)}, {end}"
    calls = _count(sum(result.system_calls.values()), "system call")
    instructions = _count(result.ppe_instructions, "instruction")
    yield f"PPE: {instructions}, {_count(result.ppe_cycles, 'cycle')}, {calls}"
    for number, context in enumerate(result.contexts, 1):
        yield f"context {number}: {_context(context)}"


def _context(context: "SpeContext") -> str:
    if context.spe is None:
        return "never run"
    parts = [
        f"SPE {context.spe}",
        _count(context.runs, "run"),
        format_latency(context.running_ns),
        _count(context.instructions, "instruction"),
        f"{_count(context.dma_commands, 'DMA command')} "
        f"({context.get_bytes} B in, {context.put_bytes} B out)",
        _count(context.mailbox_entries, "mailbox entry", "mailbox entries"),
    ]
    if context.signals:
        parts.append(_count(context.signals, "signal"))
    if context.atomic_commands:
        parts.append(_count(context.atomic_commands, "lock-line command"))
    if context.waiting_ns:
        parts.append(f"waited {format_latency(context.waiting_ns)} for an SPE")
    if context.preemptions:
        parts.append(f"{_count(context.preemptions, 'time')} preempted")
    return ", ".join(parts)


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
