"""The calls of a PPE program; `cellstats.spu.ppe` defines them."""

from cellstats.spu.ppe import NO_ENTRY, SYSCALLS, Ppe

__all__ = ["NO_ENTRY", "SYSCALLS", "Ppe"]
