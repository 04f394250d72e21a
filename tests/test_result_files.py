"""Tables in files: every format contains the same numbers, and no file is incomplete."""

import csv
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats import Result
from cellstats.measure import workers
from cellstats.show.views import write_file

RESULTS = cs.sweep("dmaget,fetchadd", spes=[1, 3], private=[False, True], iterations=100)


def _from_csv(path: Path) -> list[dict[str, Any]]:
    kinds = {"True": True, "False": False, "": None}

    def value(name: str, text: str) -> Any:
        if text in kinds:
            return kinds[text]
        if name in ("function", "machine", "ppe", "spe_program", "memory", "placement"):
            return text
        return float(text) if "." in text else int(text)

    with path.open(newline="", encoding="utf-8") as file:
        return [{n: value(n, t) for n, t in row.items()} for row in csv.DictReader(file)]


def _from_parquet(path: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet

    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def _from_json(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [Result.from_json(line) for line in lines] == RESULTS
    return [Result.from_json(line).row() for line in lines]


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("r.csv", _from_csv),
        ("R.CSV", _from_csv),
        ("r.json", _from_json),
        ("r.jsonl", _from_json),
        ("r.parquet", _from_parquet),
    ],
)
def test_every_kind_of_file_gives_the_same_rows_back(name: str, read: Any, tmp_path: Path) -> None:
    write_file("sweep", RESULTS, tmp_path / name, "--out")
    assert read(tmp_path / name) == [result.row() for result in RESULTS]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_parquet_columns_have_their_types_even_where_they_are_empty(tmp_path: Path) -> None:
    import pyarrow.parquet

    fetched = [result for result in RESULTS if result.function == "fetchadd"]
    write_file("sweep", fetched, tmp_path / "r.parquet", "--out")
    schema = pyarrow.parquet.read_schema(tmp_path / "r.parquet")
    assert schema.names == Result.scalar_columns()
    types = {name: str(schema.field(name).type) for name in schema.names}
    assert (types["size_bytes"], types["bandwidth_gb_s"]) == ("int64", "double")
    assert (types["private"], types["function"], types["placement"]) == ("bool", "string", "string")


def test_a_file_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.csv"
    path.write_text("old")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(cs.RunError, match=r"cannot write '.*r\.csv': no space left on device"):
        write_file("sweep", RESULTS, path, "--out")
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["r.csv"]


@pytest.mark.parametrize(
    ("package", "line"),
    [
        (
            "pyarrow",
            "Parquet files need pyarrow; install it with: pip install 'cellstats[parquet]'",
        ),
        ("matplotlib", "plots need matplotlib; install it with: pip install 'cellstats[plot]'"),
    ],
)
def test_a_missing_package_is_named_before_anything_runs(
    package: str,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    import sys

    from cellstats.cli.sweep_command import sweep

    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(workers, "run_rows", lambda *_, **__: pytest.fail("it ran"))
    file = ["--out", "r.parquet"] if package == "pyarrow" else ["--plot", "r.png"]
    with pytest.raises(cs.UsageError) as error:
        sweep.main(["dmaget", "-n", "1..2", *file], standalone_mode=False)
    assert str(error.value) == line
    assert capsys.readouterr() == ("", "")


def test_whoever_reads_the_old_file_can_go_on(tmp_path: Path) -> None:
    path, reader = tmp_path / "r.csv", tmp_path / "reader"
    path.write_text("old")
    reader.hardlink_to(path)
    write_file("sweep", RESULTS, path, "--out")
    assert reader.read_text() == "old"
    assert len(path.read_text().splitlines()) == 1 + len(RESULTS)
