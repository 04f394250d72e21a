"""Find and install the missing optional parts (`parts.toml`) that tests need.

    python workshop/parts.py              list the missing parts, and how to get them
    python workshop/parts.py --install   install them, as root; exit status 1 if some remain missing

A test whose part is missing is skipped. With CELLSTATS_PARTS=all in the environment, the test fails
instead if a command could have installed the part. A test process looks for a part once, so a part
that is installed meanwhile is missing until the process ends.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Part:
    """A row of the table in `parts.toml`, which explains the fields."""

    what: str
    commands: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)
    install: str | None = None
    how: str = ""

    def programs(self) -> list[str] | None:
        """The paths of the part's commands, or None if this computer lacks a component."""
        paths = [
            next(filter(None, map(shutil.which, either.split("|"))), "") for either in self.commands
        ]
        is_there = (
            all(paths)
            and all((ROOT / file).exists() for file in self.files)
            and all(find_spec(module) for module in self.modules)
        )
        return paths if is_there else None


def read_table() -> dict[str, Part]:
    """Read the table of parts, by name."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return {name: Part(**row) for name, row in tomllib.loads(text).items()}


PARTS = read_table()


@cache
def programs(name: str) -> list[str] | None:
    """The paths of a part's commands, or None if the part was missing when first asked for."""
    return PARTS[name].programs()


def needs(*names: str) -> pytest.MarkDecorator:
    """Return a mark for tests that need these parts."""
    assert set(names) <= set(PARTS), names
    return pytest.mark.needs(*names)


def require(name: str) -> None:
    """Skip the running test if a part is missing, or fail it if CELLSTATS_PARTS=all is set."""
    if programs(name) is not None:
        return
    part = PARTS[name]
    said = f"needs {part.what}: {part.install or part.how}"
    if part.install and os.environ.get("CELLSTATS_PARTS") == "all":
        pytest.fail(said, pytrace=False)
    pytest.skip(said)


def left_out(reasons: Iterable[str]) -> list[str]:
    """A text line for each missing part, given the reasons for which tests were skipped."""
    parts = Counter(part for reason in reasons for part in reason.split("needs ", 1)[1:])
    return [f"{count} left out for want of {part}" for part, count in parts.most_common()]


def main(arguments: list[str]) -> int:
    """List or install the missing parts. Return 1 if an installable part is missing at the end."""
    if arguments not in ([], ["--install"]):
        print("usage: python workshop/parts.py [--install]", file=sys.stderr)
        return 2
    missing = [part for part in PARTS.values() if part.programs() is None]
    commands = [part.install for part in missing if arguments and part.install]
    if any(command.startswith("apt-get") for command in commands):
        commands.insert(0, "apt-get update")
    for command in commands:
        print(command, flush=True)
        # These settings prevent the package manager from asking questions.
        silent = command.replace("apt-get ", "apt-get --yes --no-install-recommends ")
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(silent, shell=True, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    for part in (still := [part for part in missing if part.programs() is None]):
        print(f"{part.what}: {part.install or part.how}")
    return int(any(part.install for part in still))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
