"""Matrices of the host as costs of messages: read from a file, or measured a moment ago.

The latency of a message is half of a round trip of `mailbox` or `signal` through memory. The time
per byte comes from copies between cores, by `dmaget` or `dmaput`.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from cellstats._native import UsageError
from cellstats.core.files import whole_text
from cellstats.core.refusal import refusal, verbatim
from cellstats.host.disturbances import DO_NOT_USE, GRADES, TRUST, is_bad

Rows: TypeAlias = list[list[float]]
"""Matrix of values from one CPU (row) to another (column), in the order of a list of CPUs."""
_LATENCY, _COPY = ("mailbox", "signal"), ("dmaget", "dmaput")
_WRONG = "give what cellstats matrix --machine host --format json wrote"


@dataclass(frozen=True, slots=True)
class Measured:
    """Message costs from one measured matrix."""

    function: str
    cpus: tuple[int, ...]
    """The CPUs in topological order."""
    latency_ns: Rows | None
    """Latency of one message, or None in a matrix of copies."""
    byte_ns: Rows | None
    """Time per byte of a message, or None in a matrix of mailboxes or signals."""
    size_bytes: int | None
    """Size of the measured copies."""
    relations: list[list[str | None]]
    """Relation of every two CPUs, such as `same L3`."""
    nodes: Mapping[int, int]
    """The NUMA node of each CPU; empty if unknown."""
    environment: Mapping[str, Any]
    grade: str
    """The worst grade of the pairs whose numbers are used."""
    unusable: Mapping[tuple[int, int], str]
    """Pairs without a usable number, with the reason."""
    disturbed: tuple[str, ...]
    """Reasons to distrust the matrix."""

    def relation(self, a: int, b: int) -> str | None:
        """Relation of two CPUs of the matrix."""
        return self.relations[self.cpus.index(a)][self.cpus.index(b)]


def read_matrix(path: Path | str) -> Measured:
    """Read a matrix from a file that `cellstats matrix --machine host --format json` wrote.

    Raises UsageError for a file of any other kind.
    """
    try:
        text = whole_text(Path(path), f"{{matrices}} {verbatim(path)}", _WRONG)
    except UsageError as error:
        raise refusal(str(error)) from None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise refusal(f"{{matrices}} {path} is not JSON; {_WRONG}") from None
    if not isinstance(data, dict) or data.get("machine") != "host":
        raise refusal(f"{{matrices}} {path} is no matrix of the host; {_WRONG}")
    return measured(data, str(path))


def measured(data: Mapping[str, Any], name: str) -> Measured:
    """Turn the data of `HostMatrix.to_dict` into costs of messages.

    name: name of the matrix in error messages.

    Raises UsageError for a function that measures no messages, and for damaged data.
    """
    function = data.get("function")
    if function not in (*_LATENCY, *_COPY):
        raise refusal(f"{{matrices}} {name}: {function!r} is no mailbox, signal, dmaget or dmaput")
    try:
        values, cpus = _rows(data["values"]), tuple(int(cpu) for cpu in data["labels"])
        if not len(values) == len(set(cpus)) == len(cpus):
            raise ValueError
        relations = [list(row) for row in data["relations"]]
        if [len(row) for row in relations] != [len(cpus)] * len(cpus):
            raise ValueError
        latency, copies, size = _by_kind(function, data, values)
        return Measured(
            function,
            cpus,
            latency,
            copies,
            size,
            relations,
            {int(cpu): int(node) for cpu, node in data.get("nodes", {}).items()},
            dict(data["environment"]),
            *_trust(cpus, data),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise refusal(f"{{matrices}} {name} lacks something or is damaged; {_WRONG}") from None


def _by_kind(
    function: str, data: Mapping[str, Any], values: Rows
) -> tuple[Rows | None, Rows | None, int | None]:
    """Latencies for mailbox and signal; for DMA, time per byte and size of the copies."""
    if function in _LATENCY:
        if data["means"]["latency"] == "one way":
            return values, None, None
        there_and_back = data["means"]["latency"] == "round trip"
        # MODEL: a message takes half of a round trip in either direction, whichever CPU initiates
        # it; a round trip does not tell which direction takes longer.
        share = 0.5 if there_and_back else 1.0
        both = zip(values, _turned(values), strict=True)
        rows = [[share * (a + b) / 2 for a, b in zip(*each, strict=True)] for each in both]
        return rows, None, None
    size = int(data["recipe"]["parameters"]["size_bytes"])
    if data["unit"] == "GB/s":
        # One byte per nanosecond is one GB per second.
        moved = float(data["means"]["bytes_per_iteration"])
        values = [[moved / value if value else 0.0 for value in row] for row in values]
    # The row is the initiator; in a get, data move from the partner to the initiator.
    from_row = values if function == "dmaput" else _turned(values)
    return None, [[value / size for value in row] for row in from_row], size


def _rows(values: Iterable[Iterable[Any]]) -> Rows:
    """Check that rows have 0 on the diagonal and positive numbers elsewhere.

    Raises ValueError or TypeError for other values.
    """
    rows = [[0.0 if value is None else float(value) for value in row] for row in values]
    for nth, row in enumerate(rows):
        if len(row) != len(rows) or row[nth]:
            raise ValueError
        if not all(math.isfinite(each) and (each > 0 or i == nth) for i, each in enumerate(row)):
            raise ValueError
    return rows


def _turned(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def _trust(
    cpus: Sequence[int], data: Mapping[str, Any]
) -> tuple[str, dict[tuple[int, int], str], tuple[str, ...]]:
    """The worst grade of usable pairs, the unusable pairs, and reasons to distrust the matrix."""
    pairs = data.get("pairs")
    if pairs is None:
        return "10 %", {}, ("an older version measured it, without grades",)
    grades = [each["grade"] for each in pairs.values()]
    used = [grade for grade in grades if grade != DO_NOT_USE]
    unusable = {
        (a, b): pairs.get(f"{a},{b}", {}).get("why") or "not measured"
        for a, row in zip(cpus, data["sources"], strict=True)
        for b, source in zip(cpus, row, strict=True)
        if source == "unusable"
    }
    bad = {pair: each for pair, each in pairs.items() if is_bad(each["grade"])}
    disturbed = []
    if bad:
        pair, worst = max(bad.items(), key=lambda item: GRADES[item[1]["grade"]])
        where = f"{len(bad)} pair{'s' * (len(bad) != 1)}, such as CPUs {pair.replace(',', ' and ')}"
        disturbed.append(f"{where}: {TRUST[worst['grade']]}, {worst['why']}")
    return max(used, key=GRADES.__getitem__, default="1 %"), unusable, tuple(disturbed)
