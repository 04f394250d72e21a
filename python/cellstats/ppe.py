"""The calls of a PPE program; `cellstats.spu.ppe` defines them."""

from cellstats.spu.ppe import (
    NO_ENTRY,
    SPE_EVENT_ALL_EVENTS,
    SPE_EVENT_IN_MBOX,
    SPE_EVENT_OUT_INTR_MBOX,
    SPE_EVENT_SPE_STOPPED,
    SPE_EVENT_TAG_GROUP,
    SPE_TAG_ALL,
    SPE_TAG_ANY,
    SPE_TAG_IMMEDIATE,
    SYSCALLS,
    Ppe,
)

__all__ = [
    "NO_ENTRY",
    "SPE_EVENT_ALL_EVENTS",
    "SPE_EVENT_IN_MBOX",
    "SPE_EVENT_OUT_INTR_MBOX",
    "SPE_EVENT_SPE_STOPPED",
    "SPE_EVENT_TAG_GROUP",
    "SPE_TAG_ALL",
    "SPE_TAG_ANY",
    "SPE_TAG_IMMEDIATE",
    "SYSCALLS",
    "Ppe",
]
