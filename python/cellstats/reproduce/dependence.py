"""Machine values that cannot affect a figure's row, because the row's run never uses them.

The sensitivity analysis changes one machine value at a time, and measures each row again unless the
row is known not to depend on the value. In case of doubt, a row counts as dependent. To check these
rules, `tests/test_sensitivity.py` compares rows of every kind byte by byte.
"""

from collections.abc import Callable, Mapping
from typing import Any

from cellstats.reproduce.experiments import Experiment

_ACCESSES = ("load", "store", "copy")
_BETWEEN_LOCAL_STORES = ("couples", "cycle")
_PROGRAMS_OF_LINUX = ("linux", "ppe_core")
"""Machine file sections that only Linux programs use. No FUNCTION runs a Linux program."""
_TRANSLATION_BY_THE_MFC = ("page_bytes", "function_page_bytes", "mfc_")
"""Beginnings of the names of the values of translation that FUNCTIONs use."""
_SEEN_OF_THE_PPE = ("ppe_memory.store_spu_cycles", "ppe_memory.l2_load_spu_cycles")
"""Values of the PPE's caches that affect measurements on SPEs: the PPE stores the SPEs' control
blocks, and the SPEs read the blocks from the PPE's L2. All other work of the PPE ends long before
an SPE starts, because creating an SPE's thread takes a millisecond."""


def may_depend(key: str, ask: Experiment, chips: int) -> bool:
    """Whether an experiment's row may depend on a value of a machine that has `chips` Cells.

    key: the machine value, as `section.field`.

    >>> from cellstats.reproduce.experiments import measured
    >>> [ask] = measured("ps3", "dmaget", spes=1)
    >>> [may_depend(key, ask, 1) for key in ("mic.bank_busy_bus_cycles", "linux.futex_ns")]
    [True, False]
    """
    section, _, name = key.partition(".")
    if section in _PROGRAMS_OF_LINUX or (section == "bif" and chips == 1):
        return False
    if section == "translation" and not name.startswith(_TRANSLATION_BY_THE_MFC):
        return False
    if ask.kind == "program":
        return True  # a program may use any value
    given = dict(ask.given)
    if ask.function in _ACCESSES and given.get("level") != "ls":
        return section not in _OF_SPES
    if section == "ppe_memory" and ask.function not in _ACCESSES and given.get("ppe") != "mmio":
        return key in _SEEN_OF_THE_PPE
    if ask.function in _BETWEEN_LOCAL_STORES and section == "mic":
        return False
    if key in _CROSSINGS and given.get("memory", 0) == 0 and given.get("cells") in (0, "0"):
        return False
    if key.startswith("bif.interleave") and given.get("memory") != "interleave":
        return False
    rule = _USERS.get(key) or _USERS.get(section)
    return rule is None or rule(ask.function, given)


_OF_SPES = ("translation", "mfc", "spu", "spu_pipeline", "atomic", "os", "ppe", "software")
"""Sections that do not affect measurements of PPE loads and stores, because no SPE is started."""
_CROSSINGS = ("bif.latency_bus_cycles", "bif.outstanding_lines")
"""Values that affect only transfers from one Cell to the other."""


def _atomic(function: str, _given: Mapping[str, Any]) -> bool:
    return function.startswith("fetch")


def _in_c(_function: str, given: Mapping[str, Any]) -> bool:
    return given.get("spe_program") == "c"


def _signal(function: str, _given: Mapping[str, Any]) -> bool:
    return function == "signal"


def _message(function: str, _given: Mapping[str, Any]) -> bool:
    return function in ("mailbox", "signal")


def _list(function: str, given: Mapping[str, Any]) -> bool:
    return function.startswith("dmalist") or given.get("list_elements") is not None


_USERS: Mapping[str, Callable[[str, Mapping[str, Any]], bool]] = {
    "atomic": _atomic,
    "spu_pipeline": _in_c,
    "mfc.list_element_bus_cycles": _list,
    "os.file_open_ns": _signal,
    "os.file_close_ns": _signal,
    "software.atomic_call_spu_cycles": _atomic,
    "software.atomic_return_spu_cycles": _atomic,
    "software.list_spu_cycles": _list,
    "software.ppe_call_spu_cycles": _in_c,
    "software.ppe_exchange_spu_cycles": _message,
}
"""Conditions under which a FUNCTION uses a section or a value. Any FUNCTION may use unlisted
sections and values."""
