"""Programs other than the FUNCTIONs, for figures (`cellstats.reproduce.programmed`).

Each program is a function that takes a machine and keywords, and returns measured numbers as
columns. The program's threads are placed in the machine's default order of SPEs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellstats import linux
from cellstats._native import RunError
from cellstats.architecture import Command
from cellstats.core.machine import value_of
from cellstats.measure.machine import Machine
from cellstats.spu import Spu
from cellstats.spu.executable import SpuProgram, spu_program
from cellstats.spu.simulation import Program, RunResult
from cellstats.spu.simulation import run as run_programs

BUFFERS_LSA, BUFFERS_EA = 0x1_0000, 0x100_0000
_LOOPS = Path(__file__).parent.parent / "papers" / "loops"
LOOPS_ELF, KERNELS_ELF = _LOOPS / "loops.elf", _LOOPS / "kernels.elf"
BOUNCE_ELF = _LOOPS / "bounce.elf"
_LIMIT_BUS_CYCLES = 400_000_000
"""Length at which a loop has failed; no loop is a tenth as long."""
SLICE_BYTES = 1 << 20
"""Size in bytes of each SPE's part of main memory."""


@dataclass(frozen=True)
class Columns:
    """Numbers that a program measured, as columns."""

    numbers: Mapping[str, float]

    def columns(self) -> dict[str, Any]:
        """The columns of a table."""
        return dict(self.numbers)


def stream(
    machine: Machine, *, spes: int, op: str, size: int, depth: int, total: int = 1 << 18
) -> Columns:
    """Stream each SPE's slice of memory through a ring of `depth` buffers of `size` bytes.

    An SPE waits only for its oldest DMA before it starts the next one. `total` is the number of
    bytes that each SPE transfers. `bandwidth_gb_s` is the total bandwidth of all SPEs, from the
    first start to the last end.
    """

    def of(thread: int) -> Program:
        async def program(spu: Spu) -> int:
            transfer = spu.mfc_get if op == "get" else spu.mfc_put
            for nth in range(total // size):
                tag = nth % depth
                await spu.mfc_write_tag_mask(1 << tag)
                await spu.mfc_read_tag_status_all()
                ea = BUFFERS_EA + thread * SLICE_BYTES + nth * size % SLICE_BYTES
                await transfer(BUFFERS_LSA + tag * size, ea, size, tag)
            await spu.mfc_write_tag_mask((1 << depth) - 1)
            await spu.mfc_read_tag_status_all()
            return 0

        return program

    done = run_programs(machine, {thread: of(thread) for thread in range(spes)})
    return Columns({"bandwidth_gb_s": spes * total / _ns(machine, done)})


def issue(machine: Machine, *, commands: int = 16) -> Columns:
    """Issue puts of 16 bytes by `spu_mfcdma32`, each into an empty queue. Issuing one of them takes
    `spu_cycles`.
    """
    pause_spu_cycles = 1_000

    def bus_cycles(commands: int) -> int:
        async def program(spu: Spu) -> int:
            for _ in range(commands):
                await spu.compute(pause_spu_cycles)
                await spu.spu_mfcdma32(BUFFERS_LSA, BUFFERS_EA, 16, 0, Command.PUT)
            return 0

        return int(run_programs(machine, {0: program}).record["bus_cycles"])

    per_bus_cycle = value_of(machine, "chip.processor_cycles_per_bus_cycle")
    spu_cycles = (bus_cycles(2 * commands) - bus_cycles(commands)) * per_bus_cycle / commands
    return Columns({"spu_cycles": spu_cycles - pause_spu_cycles})


def bounce(machine: Machine, *, turns: int) -> Columns:
    """Two SPEs alternately add 1 to a word in a lock line. One addition takes `latency_ns`.

    The waiting SPE polls with `getllar`. The parity of the word determines which SPE is next. The
    C program is simulated instruction by instruction.
    """

    def bus_cycles(turns: int) -> int:
        return _bus_cycles(
            machine, BOUNCE_ELF, *({"parity": each, "turns": turns} for each in range(2))
        )

    cycles = (bus_cycles(2 * turns) - bus_cycles(turns)) / (2 * turns)
    return Columns({"latency_ns": cycles * 1e9 / machine.native.bus_hz})


LOOPS = ("single", "double", "commands", "commands_unrolled", "loads", "loads_unrolled")
"""Loops in `programs/loops/loops.c`, ordered by their numbers in that file."""


def loop(machine: Machine, *, kind: str, turns: int = 50) -> Columns:
    """Run a C loop on one SPE, simulated instruction by instruction. One iteration takes
    `spu_cycles`.

    kind: one of `LOOPS`.
    """
    return Columns({"spu_cycles": _cycles_of_a_turn(machine, LOOPS_ELF, LOOPS.index(kind), turns)})


KERNELS = {
    "single": 64 * 6 * 8,
    "double": 16 * 13 * 4,
    "integer": 32 * 7 * 8,
    "shuffle": 64 * 9 * 4,
    "both": 64 * 12 * 6,
    "estimates": 8 * 66 * 4,
    "hinted": 0,
    "unhinted": 0,
}
"""Loops in `programs/loops/kernels.c`, ordered by their numbers there. Each loop is mapped to
its number of operations per iteration, counted as in cellmark: an instruction works on four words
or two doubles, and a multiply-add counts as two operations."""


def kernel(machine: Machine, *, kind: str, spes: int = 6, turns: int = 100) -> Columns:
    """Run a loop without memory accesses on one SPE, simulated instruction by instruction.

    One iteration takes `spu_cycles`. `gops` is the number of operations that `spes` independent
    SPEs execute in a nanosecond. kind: one of `KERNELS`.
    """
    number = list(KERNELS).index(kind)
    cycles = _cycles_of_a_turn(machine, KERNELS_ELF, number, turns)
    clock_ghz = value_of(machine, "chip.processor_clock_hz") / 1e9
    return Columns({"spu_cycles": cycles, "gops": spes * KERNELS[kind] * clock_ghz / cycles})


def timed(machine: Machine, *, executable: str, loop: str, part: str | None = None) -> Columns:
    """Run one loop of a Linux program in `programs/loops`, which times itself by the time base.

    Each line of its output has a name, a number of operations, and the ticks that they took. `part`
    is the name of the line that counts; by default, it is the loop's. One operation takes `ns`, and
    there are `per_second` and `giga_per_s` of them.
    """
    done = linux.run(
        _LOOPS / f"{executable}.elf",
        loop.split(),
        machine=machine,
        limit_bus_cycles=_LIMIT_BUS_CYCLES,
        capture=True,
        name="/tmp/ps/run",
    )
    lines = [line.split() for line in (done.stdout or b"").decode().splitlines()]
    numbers = {line[0]: line[1:] for line in lines if len(line) == 3}
    if (name := part or loop.split()[0]) not in numbers:
        raise RunError(f"{executable} {loop}: its output has no line for {name}")
    operations, ticks = map(int, numbers[name])
    rate = operations / ticks * machine.timebase_hz
    return Columns({"ns": 1e9 / rate, "per_second": rate, "giga_per_s": rate / 1e9})


def _cycles_of_a_turn(machine: Machine, executable: Path, kind: int, turns: int) -> float:
    def bus_cycles(turns: int) -> int:
        return _bus_cycles(machine, executable, {"kind": kind, "turns": turns})

    per_bus_cycle = value_of(machine, "chip.processor_cycles_per_bus_cycle")
    return float((bus_cycles(2 * turns) - bus_cycles(turns)) * per_bus_cycle / turns)


def _bus_cycles(machine: Machine, executable: Path, *variables: Mapping[str, int]) -> int:
    """Run the executable on one SPE for each mapping, which sets the program's variables."""

    def of(values: Mapping[str, int]) -> SpuProgram:
        patches: dict[int | str, bytes] = {
            name: value.to_bytes(4, "big") for name, value in values.items()
        }
        return spu_program(executable, local_store=patches)

    done = run_programs(machine, {spe: of(values) for spe, values in enumerate(variables)})
    return int(done.record["bus_cycles"])


def _ns(machine: Machine, done: RunResult) -> float:
    return float(done.record["bus_cycles"]) * 1e9 / machine.native.bus_hz
