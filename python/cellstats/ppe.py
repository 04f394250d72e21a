"""What a program of the PPE has in its hands; it lies in `cellstats.spu.ppe`."""

from cellstats.spu.ppe import NO_ENTRY, SYSCALLS, Ppe

__all__ = ["NO_ENTRY", "SYSCALLS", "Ppe"]
