"""Writes intervals into machine files: changes one line and no other byte."""

import re
from pathlib import Path

MACHINES = Path(__file__).resolve().parents[3] / "machines"
_SECTION = re.compile(r"\[(\w+)\]\s*(?:#.*)?")
_INTERVAL = re.compile(r", interval = \[[^\]]*\]")
_RANGE = re.compile(r"range = \[[^\]]*\]")


def with_interval(text: str, key: str, low: int, high: int) -> str:
    r"""The text of a machine file with a new or replaced interval for `section.key`.

    Raises ValueError if the file has no such line with a range.

    >>> line = 'hop = { value = 2, range = [1, 5], source = "x" }  # why'
    >>> print(with_interval("[eib]\n" + line, "eib.hop", 1, 1000))
    [eib]
    hop = { value = 2, range = [1, 5], interval = [1, 1_000], source = "x" }  # why
    """
    wanted, _, name = key.partition(".")
    section = ""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if match := _SECTION.fullmatch(line.strip()):
            section = match[1]
        elif section == wanted and re.match(rf"{re.escape(name)}\s*=", line):
            plain = _INTERVAL.sub("", line)
            found = _RANGE.search(plain)
            if found is None:
                break
            interval = f", interval = [{low:_}, {high:_}]"
            lines[number] = plain[: found.end()] + interval + plain[found.end() :]
            return "\n".join(lines)
    raise ValueError(f"no line with a range is called {key}")


def write_interval(file: str, key: str, low: int, high: int) -> None:
    """Write the interval of a value into `machines/<file>.toml`."""
    path = MACHINES / f"{file}.toml"
    before = path.read_bytes().decode()
    path.write_bytes(with_interval(before, key, low, high).encode())
