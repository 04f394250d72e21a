"""What Linux programs find in `cellstats run`, as the sources have it.

`workshop/generated.py` writes these texts into linux/docs/completeness.md.
"""

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINUX = ROOT / "linux" / "kernel" / "src"
INCLUDE = ROOT / "linux" / "sdk" / "ppu" / "include"
_ROW = re.compile(r'SystemCall::new\(\s*\d+,\s*"(\w+)".*?\),$', re.S | re.M)


def system_calls() -> str:
    """A Markdown table: what becomes of each system call that Linux has."""
    names = re.findall(r'\(\d+, "(\w+)"\)', (LINUX / "names.rs").read_text(encoding="utf-8"))
    table = (LINUX / "syscalls" / "table.rs").read_text(encoding="utf-8")
    [older] = re.findall(r"EXPECTED_ENOSYS[^;]*?= &\[(.*?)\];", table, re.S)
    absent = set(re.findall(r'"(\w+)"', older))
    there, failing, ending = set(), set(), set()
    for path in (LINUX / "syscalls").rglob("*.rs"):
        for row in _ROW.finditer(path.read_text(encoding="utf-8")):
            if path.name == "refused.rs" or "no_child" in row[0]:
                failing.add(row[1])
            elif "no_process" in row[0]:
                ending.add(row[1])
            else:
                there.add(row[1])
    ending |= set(names) - there - failing - absent
    rows = (
        ("there", there),
        ("fail, because there is no network, no other process and nothing to mount", failing),
        ("fail with `ENOSYS`, as in an older kernel; libraries then use other calls", absent),
        ("end the run with a line that names the call", ending),
    )
    return _table("system calls", rows)


def spufs_files() -> str:
    """The files of a context's directory in spufs."""
    text = (LINUX / "spufs" / "files.rs").read_text(encoding="utf-8")
    return _listed(re.findall(r'^    \("([\w-]+)", 0o', text, re.M)) + "\n"


def libspe_functions() -> str:
    """A Markdown table: the functions of libspe2 and libspe."""
    rows = ((f"`{name}`", _functions(INCLUDE / name)) for name in ("libspe2.h", "libspe.h"))
    return _table("header", rows)


def _functions(header: Path) -> set[str]:
    code = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.S)
    return set(re.findall(r"^[a-z].*?\b(spe_\w+)\(", code, re.M))


def _table(what: str, rows: Iterable[tuple[str, set[str]]]) -> str:
    lines = [f"| {what} | number | names |", "|---|---|---|"]
    lines += [f"| {name} | {len(known)} | {_listed(sorted(known))} |" for name, known in rows]
    return "\n".join(lines) + "\n"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
