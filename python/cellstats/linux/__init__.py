"""Run unmodified Linux programs for Cell, on the PPE and the SPEs.

    import cellstats as cs

    done = cs.linux.run("./hello", ["6"], machine="ps3")
    done.status, done.time_ns
    for context in done.contexts:
        print(context)

A program is a PowerPC executable for the PPE, of 32 or 64 bits. The executable starts its own SPE
programs, with or without libspe2. The simulated Linux has one process, with files, threads, signals
and spufs.
"""

from cellstats.linux.program import run
from cellstats.linux.result import LinuxResult, SpeContext, SpeFault, SpeStop, UnfinishedRun

__all__ = ["LinuxResult", "SpeContext", "SpeFault", "SpeStop", "UnfinishedRun", "run"]
