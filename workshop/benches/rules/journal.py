"""A file of all measured machines, so that a later run does not measure them again.

The first line identifies the evidence. For each claim, this line has two numbers for the unchanged
machines: one from the figure's own runs, one from short runs. Each other line is a machine: its
changed values, and the numbers of its short runs or the reason why the machine is impossible.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benches.rules.evidence import Evidence
from benches.rules.machines import Override, Value
from benches.rules.measuring import Measured, Numbers
from cellstats._native import UsageError
from cellstats.measure.journal import locked, whole_lines


class Journal:
    """The open file. Raises UsageError if the file belongs to other evidence, or is in use."""

    def __init__(self, path: Path, evidence: Evidence) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._digest = evidence.digest
        self._file = locked(path, f"{path} is in use; give another --journal")
        self.full: Numbers | None = None
        """The numbers of the figures' own runs on the unchanged machines, or None in a new file."""
        self.short: Numbers = {}
        """The numbers of short runs on the unchanged machines."""
        self.found: dict[str, tuple[Override, Measured]] = {}
        """The measured machines; each key is `key_of` the machine's values."""
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def begin(self, full: Numbers, short: Numbers) -> None:
        """Write the first line."""
        self._write({"evidence": self._digest, "full": full, "short": short})
        self.full, self.short = full, short

    def add(self, override: Override, measured: Measured) -> None:
        """Store a machine in the file, which later processes read."""
        name = "refused" if isinstance(measured, str) else "numbers"
        self._write({"override": dict(override), name: measured})
        self.found[key_of(override)] = override, measured

    def corrected(self, numbers: Numbers) -> Numbers:
        """Numbers of short runs, corrected by the error of short runs on the unchanged machines."""
        full = self.full or {}
        return {name: each + full[name] - self.short[name] for name, each in numbers.items()}

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_why: object) -> None:
        """Close the file, and remove it if it has no first line."""
        self._file.close()
        if self.full is None:
            self._path.unlink()

    def _write(self, entry: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(entry).encode() + b"\n")

    def _read(self) -> None:
        lines = whole_lines(self._file)
        if not lines:
            return
        head, *entries = map(json.loads, lines)
        if head["evidence"] != self._digest:
            raise UsageError(
                f"{self._path} is of another simulator or of other claims; delete it, or give "
                "another --journal"
            )
        self.full, self.short = head["full"], head["short"]
        for entry in entries:
            override: dict[str, Value] = entry["override"]
            measured = entry.get("numbers", entry.get("refused"))
            self.found[key_of(override)] = override, measured


def key_of(override: Override) -> str:
    """A text that identifies values: equal texts mean equal values.

    >>> key_of({"b": 2, "a": 1}) == key_of({"a": 1, "b": 2})
    True
    """
    return json.dumps(dict(override), sort_keys=True)
