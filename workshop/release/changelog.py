"""Reads the newest release from CHANGELOG.md."""

import re
from pathlib import Path
from typing import NamedTuple

CHANGELOG = Path(__file__).resolve().parents[2] / "CHANGELOG.md"
_HEADING = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", re.MULTILINE)


class Release(NamedTuple):
    """A release: version and date, such as `0.1.0` and `2026-11-23`."""

    version: str
    date: str


def newest_release() -> Release:
    """The first release heading of the changelog; the heading [Unreleased] may be above it."""
    found = _HEADING.search(CHANGELOG.read_text(encoding="utf-8"))
    assert found, f"{CHANGELOG}: no heading '## [VERSION] - DATE'"
    return Release(found[1], found[2])
