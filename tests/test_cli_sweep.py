"""`cellstats sweep` and `cellstats matrix` as a user runs them."""

import csv
import io
import json
import re
from pathlib import Path
from shlex import split

import cellstats as cs
from cellstats import Result
from cellstats.cli.flags import measurement_flags
from cellstats.core.parameters import NAMES, PARAMETERS
from command_line import cellstats


def test_json_rows_are_what_a_plain_measurement_prints() -> None:
    done = cellstats(*split("sweep -f dmaget -N 1,2 -b 1k -i 1k -t 2k --format json"))
    assert (done.status, done.err) == (0, "")
    plain = [
        cellstats(*f"-f dmaget -N {spes} -b 1k -i 1k -t 2k --format json".split()).out
        for spes in (1, 2)
    ]
    assert done.out == "".join(plain)


def test_the_flags_nest_as_they_are_listed() -> None:
    done = cellstats(
        *split("sweep dmaget,dmaput -b 128..512 -n 1..2 -i 10 --machine ps3,eval-board"),
        *split("--format csv"),
    )
    assert (done.status, done.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert list(rows[0]) == Result.scalar_columns()
    assert [(r["machine"], r["function"], r["spes"], r["size_bytes"]) for r in rows] == [
        (machine, function, spes, size)
        for machine in ("ps3", "eval-board")
        for function in ("dmaget", "dmaput")
        for spes in "12"
        for size in ("128", "256", "512")
    ]


def test_several_placements() -> None:
    flags = "sweep dmaget -n 2 -i 10 --placement 0,1 --placement 0,5 --format csv"
    rows = list(csv.DictReader(io.StringIO(cellstats(*flags.split()).out)))
    assert [row["placement"] for row in rows] == ["0,1", "0,5"]


def test_the_number_of_jobs_changes_nothing(tmp_path: Path) -> None:
    flags = split("sweep dmaget -n 1..4 -b 128..1k -i 100")
    one, four = tmp_path / "1.csv", tmp_path / "4.csv"
    for jobs, out in (("1", one), ("4", four)):
        done = cellstats(*flags, "--jobs", jobs, "--out", str(out))
        assert done == (0, "", "")
    assert one.read_bytes() == four.read_bytes()


def test_progress_is_asked_for_where_stderr_is_no_terminal() -> None:
    done = cellstats(*split("sweep dmaget -n 1..3 -i 10 --progress"))
    assert done.status == 0
    assert "3 of 3 rows" in done.err
    assert "\r" not in done.err
    assert len(done.out.splitlines()) == 4


def test_a_matrix_as_table_csv_and_json() -> None:
    flags = split("matrix -f dmaput -b 1k -i 100 --y bandwidth")
    table, text, one = (cellstats(*flags, "--format", form) for form in ("table", "csv", "json"))
    assert {done.status for done in (table, text, one)} == {0}
    head, labels, *rows, extremes = table.out.splitlines()
    assert "dmaput on ps3, bandwidth_gb_s" in head
    assert labels.split() == ["SPE", *"012345"]
    assert [row.split()[1 + i] for i, row in enumerate(rows)] == ["-"] * 6
    values = cs.matrix("dmaput", size="1k", iterations=100, y="bandwidth").values
    cells = list(csv.reader(io.StringIO(text.out)))
    assert cells[0] == ["initiator", *"012345"]
    read = [[float(cell) if cell else None for cell in row[1:]] for row in cells[1:]]
    assert read == values
    data = json.loads(one.out)
    low, high = (pick(v for row in values for v in row if v is not None) for pick in (min, max))
    assert re.fullmatch(
        rf"lowest {low:.2f} GB/s \(SPE \d to SPE \d\), highest {high:.2f} GB/s .*", extremes
    )
    assert (data["values"], data["unit"], data["labels"]) == (values, "GB/s", list(range(6)))
    assert data["recipe"]["parameters"]["size_bytes"] == 1024


def test_the_command_measure_and_sweeps_have_the_same_parameters() -> None:
    import inspect

    measure = inspect.signature(cs.Machine.measure).parameters
    assert set(measure) - {"self", "function"} == set(NAMES)
    on_host = set(inspect.signature(cs.HostMachine.measure).parameters) - {"self", "function"}
    own = {row.name for row in PARAMETERS if row.host_only}
    assert on_host - set(NAMES) == own
    assert set(NAMES) - on_host == {
        "cells",
        "threads",
        "histogram",
        "injection",
        "spe_program",
        "settle",
        "fast_forward",
    }

    def options(*, host: bool) -> set[str]:
        @measurement_flags(host=host)
        def command() -> None:
            pass

        return {option.name for option in command.__click_params__}  # type: ignore[attr-defined]

    every = {row.name for row in PARAMETERS} | {"machine", "settings", "private_spes"}
    assert options(host=True) == every
    assert options(host=False) == every - own
