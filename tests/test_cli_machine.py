"""`cellstats machine` shows a complete machine file, or all differences between two."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats.show.machine import BASES, differences, drawing, listing, value_text
from command_line import ROOT, cellstats

SIXTEEN = str(ROOT / "machines" / "examples" / "sixteen-spes.toml")
MACHINES = [*cs.machine_names(), SIXTEEN]
VALUES = len(cs.machine("ps3").values())
ELEMENT = re.compile("[A-Z]+[0-9]*")


def one_line(text: str) -> str:
    return " ".join(text.split())


def parts(text: str) -> dict[str, tuple[str, str]]:
    """The mark and the text of each displayed value, by the value's key."""
    section, shown = "", {}
    # A value begins in the third column; its continuation lines are indented further.
    for part in re.split(r"\n(?=\[|[* ] \w)", text):
        if part.startswith("["):
            section = part[1 : part.index("]")]
        elif match := re.match(r"([* ]) (\w+)  ", part):
            key = f"{section}.{match[2]}"
            assert key not in shown
            shown[key] = match[1], one_line(part)
    return shown


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("width", [80, 120])
def test_every_value_is_shown_once(name: str, width: int) -> None:
    machine = cs.machine(name)
    text = listing(machine, BASES, width)
    assert max(map(len, text.splitlines())) <= width
    shown = parts(text)
    rows = machine.values()
    assert list(shown) == [row["key"] for row in rows]
    for row in rows:
        mark, said = shown[row["key"]]
        assert mark == (" " if row["base"] else "*")
        limits = row["range"]
        known = f"{row['basis']}, {limits[0]:_} to {limits[1]:_}" if limits else row["basis"]
        for word in (value_text(row["value"]), f" {row['unit']} ", known):
            assert word in said
        assert said.endswith(f"{row['meaning']} Source: {one_line(row['source'])}")


@pytest.mark.parametrize("name", MACHINES)
def test_the_drawing_has_every_element_clockwise(name: str) -> None:
    machine = cs.machine(name)
    values = {row["key"]: row["value"] for row in machine.values()}
    ring = values["eib.ring"]
    lines = drawing(machine)
    sides = [ELEMENT.findall(line) for line in lines if "PPE" in line or "MIC" in line]
    assert len(sides) == 2 * machine.chips
    for chip in range(machine.chips):
        upper, lower = sides[2 * chip : 2 * chip + 2]
        spes = sum(element.startswith("SPE") for element in ring)
        physical = {f"SPE{spe}": f"SPE{chip * spes + spe}" for spe in range(spes)}
        assert [*upper, *reversed(lower)] == [physical.get(element, element) for element in ring]
        for spe in range(chip * spes, (chip + 1) * spes):
            assert (f"(SPE{spe})" in "".join(lines)) == (spe not in machine.spes)
    each = values["eib.clockwise_rings"], values["eib.counterclockwise_rings"]
    said = "rings: {} clockwise, {} counter-clockwise,".format(*each)
    assert "\n".join(lines).count(said) == machine.chips


@pytest.mark.parametrize("spes", [None, [0, 3, 9], [5, 15], list(range(8))])
def test_two_chips_are_joined_at_ioif0(tmp_path: Path, spes: list[int] | None) -> None:
    name = tmp_path / "mine.toml"
    name.write_text('base = "qs20"\n' + (SPES.format(spes) if spes else ""))
    lines = drawing(cs.machine(name))
    first, last = (number for number, line in enumerate(lines) if re.search(r"IOIF0 ===+\+$", line))
    column = len(lines[first]) - 1
    assert last == len(lines) - 1
    assert len(lines[last]) - 1 == column
    assert {line[column:] for line in lines[first + 1 : last]} == {"|"}
    text = "\n".join(lines)
    assert "to Cell 1: 6 lanes, 30 GB/s" in text
    assert "to Cell 0: 4 lanes, 20 GB/s" in text
    assert not any("===" in line for line in drawing(cs.machine("ps3")))


SPES = 'chip.spes = {{ value = {}, unit = "SPEs", basis = "assumed", source = "what if" }}\n'


@pytest.mark.parametrize(
    "ring",
    [
        ["PPE", "SPE0", "MIC"],
        ["MIC", "PPE", "IOIF0", "SPE0", "SPE1"],
        ["IOIF1", "SPE1", "PPE", "SPE0", "MIC", "SPE2"],
    ],
)
def test_other_rings_can_be_drawn(tmp_path: Path, ring: list[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'base = "ps3"\n' + SPES.format([0]) + f"[eib.ring]\nvalue = {json.dumps(ring)}\n"
        'unit = "elements"\nbasis = "assumed"\nsource = "what if"\n'
    )
    upper, *_, lower = drawing(cs.machine(path))
    drawn = ELEMENT.findall(upper) + ELEMENT.findall(lower)[::-1]
    start = drawn.index(ring[0])
    assert drawn[start:] + drawn[:start] == ring
    assert "IOIF0" not in ring or lower.endswith("IOIF0")


def test_an_interval_is_shown_beside_the_range(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'base = "ps3"\n[mfc]\nspu_queue_entries = { value = 16, unit = "entries", '
        'basis = "fitted", range = [8, 32], interval = [12, 16], source = "what if" }\n'
    )
    text = parts(cellstats("machine", "show", str(path)).out)["mfc.spu_queue_entries"]
    assert "fitted, 8 to 32, as good from 12 to 16" in text[1]
    shown = json.loads(cellstats("machine", "show", str(path), "--format", "json").out)
    intervals = {row["key"]: row["interval"] for row in shown["values"] if row["interval"]}
    assert intervals["mfc.spu_queue_entries"] == [12, 16]
    csv_text = cellstats("machine", "show", str(path), "--format", "csv").out
    [row] = [
        r for r in csv.DictReader(io.StringIO(csv_text)) if r["key"] == "mfc.spu_queue_entries"
    ]
    assert (row["range"], row["interval"]) == ("8,32", "12,16")


def test_only_the_guesses() -> None:
    done = cellstats("machine", "show", "qs20", "--basis", "assumed,fitted")
    assert (done.status, done.err) == (0, "")
    guesses = [row for row in cs.machine("qs20").values() if row["basis"] in {"fitted", "assumed"}]
    assert f"{len(guesses)} of {VALUES} values: " in done.out
    assert done.out.count("      Source: ") == len(guesses)
    assert list(parts(done.out)) == [row["key"] for row in guesses]
    assert "PPE ---" not in done.out
    none = cellstats("machine", "show", "qs20", "--basis", "measured")
    assert none.out.splitlines()[2:] == [f"none of {VALUES} values has such a basis"]


def test_formats_of_show_say_the_same() -> None:
    flags = ("machine", "show", "ps3", "--basis", "fitted", "--format")
    rows = [row for row in cs.machine("ps3").values() if row["basis"] == "fitted"]
    data = json.loads(cellstats(*flags, "json").out)
    assert data.pop("values") == as_json(rows)
    assert data.pop("spes") == list(cs.machine("ps3").spes)
    assert list(data) == ["schema", "machine", "description", "machine_hash", "chips"]
    assert list(csv.DictReader(io.StringIO(cellstats(*flags, "csv").out))) == as_cells(rows)


def as_json(rows: list[dict[str, Any]]) -> Any:
    return json.loads(json.dumps(rows))


def as_cells(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    def cell(value: Any) -> str:
        several = isinstance(value, list | tuple)
        return ",".join(map(str, value)) if several else "" if value is None else str(value)

    return [{name: cell(value) for name, value in row.items()} for row in rows]


def test_the_list_has_every_machine() -> None:
    machines = [cs.machine(name) for name in cs.machine_names()]
    lines = cellstats("machine", "list").out.splitlines()
    assert [line.split(maxsplit=1) for line in lines] == [[m.name, m.description] for m in machines]
    objects = map(json.loads, cellstats("machine", "list", "--format", "json").out.splitlines())
    table = csv.DictReader(io.StringIO(cellstats("machine", "list", "--format", "csv").out))
    columns = ("machine", "description", "machine_hash")
    expected = [dict(zip(columns, (m.name, m.description, m.hash), strict=True)) for m in machines]
    assert list(objects) == list(table) == expected


@pytest.mark.parametrize("a", cs.machine_names())
@pytest.mark.parametrize("b", MACHINES)
def test_a_difference_is_complete_and_symmetric(tmp_path: Path, a: str, b: str) -> None:
    one, other = cs.machine(a), cs.machine(b)
    rows = one.diff(other)
    swap = {"_a": "_b", "_b": "_a"}
    turned = [
        {name[:-2] + swap.get(name[-2:], name[-2:]): row[name] for name in row} for row in rows
    ]
    assert other.diff(one) == turned
    assert bool(rows) == (one.hash != other.hash)
    # With the shown differences, a machine file based on A must describe B.
    path = tmp_path / "made.toml"
    path.write_text(f'base = "{a}"\n' + "".join(map(entry, rows)))
    assert cs.machine(path).hash == other.hash


def entry(row: dict[str, Any]) -> str:
    says = {"value": row["value_b"], "unit": row["unit"], "basis": row["basis_b"]}
    says |= {"range": row["range_b"], "source": row["source_b"]}
    said = (f"{name} = {json.dumps(part)}" for name, part in says.items() if part is not None)
    return f"{row['key']} = {{ {', '.join(said)} }}\n"


def test_a_difference_as_text() -> None:
    done = cellstats("machine", "diff", "ps3", "qs20")
    rows = cs.machine("ps3").diff(cs.machine("qs20"))
    head, *lines = done.out.split("\n\n")[1].splitlines()
    assert head.split() == ["ps3", "qs20", "unit"]
    assert [re.split(r"  +", line) for line in lines] == [
        [row["key"], value_text(row["value_a"]), value_text(row["value_b"]), row["unit"]]
        for row in rows
    ]
    assert done.out.endswith(f"\n\n{len(rows)} of {VALUES} values differ\n")
    assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize("b", MACHINES)
def test_a_difference_with_its_sources(b: str) -> None:
    one, other = cs.machine("ps3"), cs.machine(b)
    text = differences(one, other, True, 80)
    assert max(map(len, text.splitlines())) <= 80
    for row in one.diff(other):
        for machine, side in ((one, "a"), (other, "b")):
            said = f"{row[f'basis_{side}']}, " if row[f"range_{side}"] else row[f"basis_{side}"]
            assert f" {machine.name}: {said}" in one_line(text)
            assert one_line(row[f"source_{side}"]) in one_line(text)


def test_formats_of_diff_say_the_same() -> None:
    rows = cs.machine("ps3").diff(cs.machine("qs20"))
    flags = ("machine", "diff", "ps3", "qs20", "--format")
    data = json.loads(cellstats(*flags, "json").out)
    assert data["values"] == as_json(rows)
    assert (data["machine_a"], data["machine_hash_b"]) == ("ps3", cs.machine("qs20").hash)
    assert list(csv.DictReader(io.StringIO(cellstats(*flags, "csv").out))) == as_cells(rows)


def test_equal_machines_say_so() -> None:
    done = cellstats("machine", "diff", "ps3", "ps3")
    assert (done.status, done.out.splitlines()[-1]) == (0, f"all {VALUES} values are the same")
    assert (
        json.loads(cellstats("machine", "diff", "ps3", "ps3", "--format", "json").out)["values"]
        == []
    )
    table = cellstats("machine", "diff", "ps3", "ps3", "--format", "csv").out
    assert table.count("\n") == 1


def test_two_machines_of_one_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'base = "ps3"\nname = "ps3"\n[mfc.issue_bus_cycles]\nvalue = 16\nunit = "bus cycles"\n'
        'basis = "measured"\nsource = "µ"\n'
    )
    done = cellstats("machine", "diff", "ps3", str(path), "-v")
    assert done.out.splitlines()[1:5] == [
        "B is ps3",
        "",
        "                       A   B  unit",
        "mfc.issue_bus_cycles  15  16  bus cycles",
    ]
    assert "    B: measured; µ\n" in done.out
    assert "* from its own file; all others from cell-be and ps3\n" in listing(
        cs.machine(path), BASES, 80
    )


def test_text_fits_an_ascii_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "ps3"\ndescription = "Abellán, 5 µs"\n', encoding="utf-8")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = cellstats("machine", "show", str(path))
    assert done.out.startswith("mine: Abell\\xe1n, 5 us\n")


def test_a_machine_file_cannot_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "ps3"\nname = "ab"\ndescription = "one\\ntwo\\u009b"\n')
    assert listing(cs.machine(path), BASES, 80).startswith("ab: one two\nhash ")
    text = differences(cs.machine(path), cs.machine("qs20"), True, 80)
    assert all(letter.isprintable() for letter in text.replace("\n", ""))
