"""Section 3.2: what the printed commands print."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from cellstats.core.parameters import NAMES
from cellstats.core.plain_flags import plain_flags, which_spes
from cellstats.reproduce import Answers, Ask, Axis, Chart

COMMANDS = tuple((Path(__file__).parent / "commands.txt").read_text(encoding="utf-8").splitlines())
"""As they are printed."""
BY_REGISTER = tuple(f"{COMMANDS[nth]} --ppe mmio" for nth in (1, 4))
"""Where the paper has a second number, of direct writes: the command with our flag for them."""
DRAWN = {
    "mailbox, SPEs": (COMMANDS[2], 160),
    "signal, SPEs": (COMMANDS[3], 160),
    "fetchadd, private": (COMMANDS[5], 135),
    "mailbox, registers": (BY_REGISTER[0], 362),
    "signal, registers": (BY_REGISTER[1], 290),
}
"""Those of less than a microsecond, and what they print in the paper; claims.toml has all."""


def rows() -> Iterator[Ask]:
    """Every command, read as the command line reads it."""
    return map(_asked, (*COMMANDS, *BY_REGISTER))


def draw(rows: Answers) -> Iterator[Chart]:
    """What is printed in nanoseconds, published beside simulated."""
    chart = Chart("As printed", Axis(""), Axis("Latency (ns)", least=0), names=list(DRAWN))
    simulated = [rows.where(command=command)[0]["latency_ns"] for command, _ in DRAWN.values()]
    chart.bar("simulated", simulated)
    for place, (_, published) in enumerate(DRAWN.values()):
        chart.published("as printed", [place], [published])
    yield chart


def _asked(command: str) -> Ask:
    flags = plain_flags(shlex.split(command)[1:])
    assert flags is not None, command
    given = flags | which_spes(flags["spes"], flags.pop("private_spes"))
    # What is left out and what is off are no columns.
    parameters = {name: given[name] for name in NAMES if given.get(name)}
    labels = (("command", command),)
    machine, function = flags["machine"], flags["function"]
    return Ask("measurement", machine, function, tuple(parameters.items()), labels)
