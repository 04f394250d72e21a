"""Check what the crates may use: each other, Python, and the computer.

`workshop/tidy.py` calls this. ARCHITECTURE.md draws what is allowed.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
USES = {
    "crates/cell": "",
    "crates/spu": "cell",
    "crates/ppu": "cell spu",
    "crates/cellstats": "cell place spu",
    "crates/host": "",
    "crates/place": "",
    "linux/files": "",
    "linux/kernel": "cell files ppu spu",
    "linux/gdb": "cell linux ppu spu",
    "page/simulator": "cell cellstats",
    "crates/python": "cell cellstats files gdb host linux place spu",
}
"""The crates of ours that each crate uses. Only `crates/python` may use the crate of Python."""
DETERMINISTIC = ("cell", "spu", "ppu", "cellstats", "place")
"""Crates whose results depend on their inputs alone."""
OUTSIDE = re.compile(
    r"\bstd::(?:env|fs|net|process|thread|time)\b|\be?println!|\bstatic mut\b|\bthread_local!"
    r"|\b(?:LazyLock|Mutex|OnceLock|RwLock|Atomic(?:Bool|[IU]\d+|[IU]size))\b"
)
"""Files, terminals, clocks, threads and globals."""
NOT_FRACTIONAL = re.compile(r"\bf(?:32|64)\b")
FRACTIONAL = {"machine/error.rs", "described.rs"}
"""Files of `crates/cell` with floating-point numbers: a similarity of words, a schema."""


def offences() -> Iterator[str]:
    """A message for each border that is crossed."""
    members = manifest(ROOT)["workspace"]["members"]
    if sorted(members) != sorted(USES):
        yield f"Cargo.toml: the members are not those of {Path(__file__).name}"
    names = {manifest(ROOT / member)["package"]["name"] for member in members}
    for member in members:
        of_systems = manifest(ROOT / member).get("target", {}).values()
        tables = [manifest(ROOT / member), *of_systems]
        used = {name for table in tables for name in table.get("dependencies", {})}
        if sorted(used & names) != USES[member].split():
            yield f"{member}/Cargo.toml: uses {sorted(used & names)}, not {USES[member]}"
        if "pyo3" in used and member != "crates/python":
            yield f"{member}/Cargo.toml: only crates/python knows Python"
    for crate in DETERMINISTIC:
        yield from _found(f"crates/{crate}/src", OUTSIDE)
    for offence in _found("crates/cell/src", NOT_FRACTIONAL):
        if not any(f"src/{name}:" in offence for name in FRACTIONAL):
            yield offence


def manifest(folder: Path) -> dict[str, Any]:
    """The Cargo.toml of a crate, or of the workspace."""
    return tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))


def _found(folder: str, words: re.Pattern[str]) -> Iterator[str]:
    for path in sorted((ROOT / folder).rglob("*.rs")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            code = line.partition("//")[0]
            if found := words.search(code):
                yield f"{path.relative_to(ROOT)}:{number}: {found[0]} has no place here"
