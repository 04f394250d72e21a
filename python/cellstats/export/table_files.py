"""Tables of results as files: CSV, JSON lines, Parquet. A file is there whole, or not at all."""

import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any

from cellstats._native import UsageError
from cellstats.export.csv_table import csv_table
from cellstats.export.results import writer
from cellstats.refusal import refusal
from cellstats.result import AnyResult, columns_of
from cellstats.text.reasons import reason


def _write_text(form: str) -> Callable[[Sequence[AnyResult], Path], None]:
    def write(results: Sequence[AnyResult], path: Path) -> None:
        path.write_text(writer(form)(results), encoding="utf-8", newline="\n")

    return write


def _write_parquet(results: Sequence[AnyResult], path: Path) -> None:
    pyarrow, parquet = _pyarrow()
    rows = [result.row() for result in results]
    # Typed by hand: a column that is empty throughout has a type too.
    fields = [(name, _arrow_type(pyarrow, name, results)) for name in columns_of(results)]
    parquet.write_table(pyarrow.Table.from_pylist(rows, pyarrow.schema(fields)), path)


_WRITERS: dict[str, Callable[[Sequence[AnyResult], Path], None]] = {
    ".csv": _write_text("csv"),
    ".json": _write_text("json"),
    ".jsonl": _write_text("json"),
    ".parquet": _write_parquet,
}


def check_table_file(path: Path) -> None:
    """Raise UsageError if `write_table` could not write this kind of file."""
    if path.suffix.lower() not in _WRITERS:
        raise refusal(f"{{out}} {path}: the name ends in {', '.join(_WRITERS)}; choose one of them")
    check_place(path, "--out")
    if path.suffix.lower() == ".parquet":
        _pyarrow()


def write_table(results: Sequence[AnyResult], path: Path) -> None:
    """Write all results; the ending of the name says how. Replaces a file that is there.

    CSV and Parquet hold the columns that are not nested, JSON all of them, an object on each line.
    Raises UsageError if that cannot be.
    """
    check_table_file(path)
    replace(path, lambda part: _WRITERS[path.suffix.lower()](results, part))


def write_csv(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write rows of any columns, those of the first one, as CSV."""
    path.write_text(csv_table(list(rows[0]), rows), encoding="utf-8", newline="\n")


def check_place(path: Path, flag: str) -> None:
    """Raise UsageError if there can be no file of this name."""
    if path.is_dir() or not path.parent.is_dir():
        what = "is a directory" if path.is_dir() else "there is no such directory"
        raise refusal(f"{flag} {path}: {what}; give another file")


def replace(path: Path, write: Callable[[Path], None]) -> None:
    """Let `write` write another file beside `path`, then give it this name."""
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        write(part)
        part.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: {reason(error)}; give another file") from None
    finally:
        part.unlink(missing_ok=True)


def _arrow_type(pyarrow: Any, name: str, results: Sequence[AnyResult]) -> Any:
    kind = next(type(each) for each in results if name in each.scalar_columns())
    hint = typing.get_type_hints(kind)[name]
    kinds = [kind for kind in typing.get_args(hint) if kind is not NoneType]
    plain = kinds[0] if isinstance(hint, UnionType) else hint
    types = {bool: pyarrow.bool_(), int: pyarrow.int64(), float: pyarrow.float64()}
    return types.get(plain, pyarrow.string())


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError(
            "Parquet files need pyarrow; install it with: pip install 'cellstats[parquet]'"
        ) from None
    return pyarrow, pyarrow.parquet
