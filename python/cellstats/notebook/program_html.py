"""What programs leave behind, in a notebook: programs of Linux, and programs of one's own."""

from typing import TYPE_CHECKING

from cellstats.notebook.parts import paragraph, table
from cellstats.text.linux_text import head, moved

if TYPE_CHECKING:
    from cellstats.linux.result import LinuxResult
    from cellstats.spu.simulation import RunResult


def linux(of: "LinuxResult") -> str:
    """The line for the whole and for the PPE, and a row for each context."""
    lines = [paragraph(line) for line in (of.line, *head(of.data)) if line]
    rows = list(enumerate(of.data["contexts"], 1))
    if rows:
        names = ("spe", "runs", "running_ns", "instructions", "dma_commands")
        columns = ["context", *names, "moved"]
        lines.append(
            table(
                columns,
                rows,
                lambda row: [str(row[0]), *(_word(row[1][name]) for name in names), moved(row[1])],
            )
        )
    return "".join(lines)


def _word(value: object) -> str:
    return "-" if value is None else str(value)


def run(of: "RunResult") -> str:
    """The length of the run, and a row for each thread."""
    threads = of.record["threads"]
    names = ("thread", "spe", "stop_code", "stopped_at_spu_cycle")
    head = f"{of.record['machine']}: {len(threads)} threads, {of.record['bus_cycles']} bus cycles"
    return paragraph(head) + table(names, threads, lambda row: [str(row[name]) for name in names])
