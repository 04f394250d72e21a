"""Programs of Linux on Cell, PPE side included, as they are.

    import cellstats as cs

    done = cs.linux.run("./hello", ["6"], machine="ps3")
    done.status, done.time_ns
    for context in done.contexts:
        print(context)

A program is an executable for the PPE, 32-bit PowerPC; it starts its own SPEs, with libspe2 or
without. What lies around it is a small Linux with one process: files, threads, signals and spufs.
"""

from cellstats.linux.program import run
from cellstats.linux.result import LinuxResult, SpeContext, SpeFault

__all__ = ["LinuxResult", "SpeContext", "SpeFault", "run"]
