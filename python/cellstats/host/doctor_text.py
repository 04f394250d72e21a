"""What would spoil a measurement of this computer, for people and for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from cellstats.export.documents import json_line
from cellstats.host.doctor import Finding
from cellstats.host.environment import digest
from cellstats.text.printable import printable


def doctor_text(findings: Sequence[Finding], environment: Mapping[str, Any]) -> str:
    """What this computer is, and each finding: what, why, and how to mend it."""
    lines = [digest(dict(environment))]
    for each in findings:
        head = "spoils" if each.spoils else "hint"
        lines += ["", f"{head}: {each.what}", f"  why:  {each.why}", f"  mend: {each.mend}"]
    if not findings:
        lines += ["", "Nothing was found that would spoil a measurement."]
    return printable("\n".join(lines) + "\n")


def doctor_json(findings: Sequence[Finding], environment: Mapping[str, Any]) -> str:
    """The same as one object."""
    return json_line({"findings": [asdict(each) for each in findings], "environment": environment})
