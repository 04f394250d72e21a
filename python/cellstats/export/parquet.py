"""Tables of results as Parquet. Needs pyarrow."""

import typing
from collections.abc import Sequence
from types import NoneType, UnionType
from typing import Any

from cellstats._native import UsageError
from cellstats.result import AnyResult, columns_of


def parquet(results: Sequence[AnyResult]) -> bytes:
    """The bytes of a file with the columns that are not nested, each with its type."""
    pyarrow, parquet = _pyarrow()
    rows = [result.row() for result in results]
    # Types by name, because a column without any value has a type too.
    fields = [(name, _arrow_type(pyarrow, name, results)) for name in columns_of(results)]
    written = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_pylist(rows, pyarrow.schema(fields)), written)
    data: bytes = written.getvalue().to_pybytes()
    return data


def check_library() -> None:
    """Raise UsageError if pyarrow is missing."""
    _pyarrow()


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
