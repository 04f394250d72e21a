"""Patterns in files: CSV with a row for each transfer, a matrix (`pattern_matrices`), or JSON.

    phase,source,destination,bytes,repetitions
    1,0,1,16k,1
    1,1,memory,4k,2
    2,1,0,128,1

`repetitions` may be left out. A JSON file also contains the pattern's name and number of threads.
`cellstats pattern show` writes patterns in both formats.
"""

import csv
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from cellstats._native import UsageError
from cellstats.core.files import csv_table, whole_text
from cellstats.core.pattern import Pattern, Phase, Transfer, own_sizes
from cellstats.core.pattern_matrices import from_matrix, is_matrix
from cellstats.core.pattern_pairs import ENDINGS, MEMORY
from cellstats.core.quantities import parse_bytes, parse_count
from cellstats.core.refusal import refusal, verbatim
from cellstats.core.words import did_you_mean, file_name

SCHEMA_VERSION = 1
Made = TypeVar("Made")
COLUMNS = ("phase", "source", "destination", "bytes", "repetitions")
_NEEDED = COLUMNS[:4]
_ANY_ENDING = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
_COUNTS = re.compile(r"nb_messages|_msg_\w+\.mat$")
"""Names of matrices with numbers of messages, of EZTrace and of Open MPI's profile2mat.pl."""
_KEYS = ("schema", "name", "threads", "phases")


def read(path: str | Path, size: int | str | None = None) -> Pattern:
    """The pattern in a `.json` file, or in a text file with a table or a matrix.

    size: bytes of a message, if a matrix holds numbers of messages.

    Raises UsageError, which names the file and the line, for anything that is not a pattern.
    """
    path = Path(path)
    text = whole_text(path, f"pattern {path}", f"give a readable {_ANY_ENDING} file")
    ending, origin = path.suffix.lower(), file_name(path)
    if ending not in ENDINGS:
        raise UsageError(f"pattern {path}: the name ends in {_ANY_ENDING}; rename it")
    if ending != ".json" and is_matrix(text):
        bytes_ = None if size is None else parse_bytes(size, "{size}", least=1)
        if bytes_ is None and _COUNTS.search(path.name):
            raise refusal(
                f"{verbatim(origin)} holds numbers of messages, by its name; "
                "give the bytes of a message as {size}"
            )
        return from_matrix(text, origin, path.stem, bytes_)
    found = from_json(text, origin) if ending == ".json" else from_csv(text, origin)
    if size is not None:
        raise own_sizes(found.name, size)
    return found


def from_csv(text: str, origin: str) -> Pattern:
    """The pattern of a CSV text, with threads 0 to the greatest thread number in the text."""
    (_, header), *rows = _csv_rows(text, origin) or [(1, [])]
    header = [name.strip() for name in header]
    _check_names(header, COLUMNS, _NEEDED, f"{origin}, line 1: column")
    phases: dict[int, list[Transfer]] = {}
    for line, cells in rows:
        if not cells:
            continue
        where = f"{origin}, line {line}"
        if len(cells) != len(header):
            raise UsageError(f"{where} has {len(cells)} cells; the header has {len(header)}")
        row = dict(zip(header, map(str.strip, cells), strict=True))
        phase = _at(where, partial(parse_count, row["phase"], "phase"))
        phases.setdefault(phase, []).append(_transfer(row, where))
    listed = tuple(Phase(tuple(phases[number])) for number in sorted(phases))
    ends = [
        end
        for phase in listed
        for transfer in phase.transfers
        for end in (transfer.source, transfer.destination)
        if end != MEMORY
    ]
    return Pattern(Path(origin).stem, 1 + max(ends, default=0), listed)


def _csv_rows(text: str, origin: str) -> list[tuple[int, list[str]]]:
    """The fields of each row, with the number of the row's first line."""
    reader = csv.reader(text.splitlines(), strict=True)
    rows, line = [], 1
    try:
        for cells in reader:
            rows.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        opened = "end of data" in str(error)
        why = 'a quote " is opened and never closed' if opened else error
        raise UsageError(
            f"{origin}, line {line} is not CSV: {why}; see cellstats pattern show"
        ) from None
    return rows


def from_json(text: str, origin: str) -> Pattern:
    """The pattern of a JSON text."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "it"
        raise UsageError(f"{origin}: {where} is not JSON; see cellstats pattern show") from None
    if not isinstance(data, dict):
        raise UsageError(f"{origin} is not a JSON object; give one with {', '.join(_KEYS)}")
    _check_names(data, _KEYS, ("threads", "phases"), f"{origin}: key")
    if data.get("schema", SCHEMA_VERSION) != SCHEMA_VERSION:
        raise UsageError(f"{origin}: schema {data['schema']!r}; this version reads 1")
    phases = []
    for number, phase in enumerate(_list(data["phases"], f"{origin}: phases"), 1):
        transfers = []
        for place, row in enumerate(_list(phase, f"{origin}, phase {number}"), 1):
            where = f"{origin}, phase {number}, transfer {place}"
            if not isinstance(row, dict):
                raise UsageError(f"{where} is not an object; give {', '.join(COLUMNS[1:])}")
            _check_names(row, COLUMNS[1:], _NEEDED[1:], f"{where}: key")
            transfers.append(_transfer(row, where))
        phases.append(Phase(tuple(transfers)))
    name = data.get("name", Path(origin).stem)
    if not isinstance(name, str) or not name.isprintable():
        raise UsageError(f"{origin}: name {name!r} is not a text of one line; give one")
    return _at(origin, lambda: Pattern(name, data["threads"], tuple(phases)))


def to_csv(pattern: Pattern) -> str:
    """The pattern as CSV: a header, and a line for each transfer; `from_csv` reads it."""
    return csv_table(COLUMNS, [{"phase": n, **_plain(t)} for n, t in pattern.transfers()])


def to_json(pattern: Pattern) -> str:
    """The pattern as one line of JSON; `from_json` reads it."""
    phases = [[_plain(transfer) for transfer in phase.transfers] for phase in pattern.phases]
    values = (SCHEMA_VERSION, pattern.name, pattern.threads, phases)
    return json.dumps(dict(zip(_KEYS, values, strict=True)), ensure_ascii=False) + "\n"


def _plain(transfer: Transfer) -> dict[str, Any]:
    return {name: getattr(transfer, name) for name in COLUMNS[1:]}


def _transfer(row: Mapping[str, Any], where: str) -> Transfer:
    repetitions = row.get("repetitions", 1)
    if repetitions == "":
        repetitions = 1
    ends = row["source"], row["destination"]
    return _at(where, lambda: Transfer(*ends, row["bytes"], repetitions))


def _at(where: str, make: Callable[[], Made]) -> Made:
    """Call `make`; prefix the message of its UsageError with `where`."""
    try:
        return make()
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def _check_names(
    given: Iterable[str], known: tuple[str, ...], needed: tuple[str, ...], what: str
) -> None:
    names = list(given)
    for name in names:
        if name not in known:
            raise UsageError(f"{what} {name!r} is unknown; {did_you_mean(name, known)}")
        if names.count(name) > 1:
            raise UsageError(f"{what} {name!r} appears twice; leave one out")
    for name in needed:
        if name not in names:
            raise UsageError(f"{what} {name!r} is missing; there are {', '.join(known)}")


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise UsageError(f"{what} is not a list; see cellstats pattern show --format json")
    return value
