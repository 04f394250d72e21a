"""Recorded computers as nested boxes, in text and pictures."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import recorded
from cellstats.host.computer import Computer, Part, computer
from cellstats.many_runs import place
from cellstats.show.computer import (
    computer_csv,
    computer_figure,
    computer_json,
    computer_text,
    placed_figure,
)
from command_line import cellstats, usage_error
from host_answers import Answers


def read(name: str) -> Computer:
    host = recorded.host(name)
    return computer(host.tree, host.topology)


def every(parts: tuple[Part, ...]) -> Iterator[Part]:
    for part in parts:
        yield part
        yield from every(part.parts)


@pytest.mark.parametrize(
    ("name", "boxes"),
    [
        ("aarch64", {"package": 1, "L3": 1, "core": 64}),
        ("big-little", {"package": 1, "L2": 2, "core": 6}),
        ("chiplets", {"package": 1, "L3": 4, "core": 16}),
        ("container", {"package": 1, "L3": 1, "core": 2}),
        ("desktop", {"package": 1, "L3": 1, "core": 4}),
        ("eight-nodes", {"package": 2, "NUMA node": 8, "L3": 32, "core": 128}),
        ("hybrid", {"package": 1, "L3": 1, "L2": 2, "core": 16}),
        ("smt-off", {"package": 1, "L3": 1, "core": 8}),
        ("two-sockets", {"package": 2, "NUMA node": 2, "L3": 2, "core": 36}),
        ("virtual-machine", {"package": 1, "core": 4}),
    ],
)
def test_what_there_is(name: str, boxes: dict[str, int]) -> None:
    kinds = [part.kind for part in every(read(name).parts)]
    assert {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)} == boxes


@pytest.mark.parametrize("name", recorded.NAMES)
def test_a_box_holds_what_its_parts_hold_and_each_cpu_is_in_one_core(name: str) -> None:
    found = read(name)
    for part in every(found.parts):
        assert (part.kind == "core") == (not part.parts)
        if part.parts:
            assert part.cpus == tuple(cpu for inner in part.parts for cpu in inner.cpus)
    cores = [cpu for part in every(found.parts) if part.kind == "core" for cpu in part.cpus]
    assert tuple(cores) == found.topology.numbers


def test_text_of_two_kinds_of_cores() -> None:
    assert (
        computer_text(read("hybrid")).partition("\n\n")[2]
        == """\
package 0
  L3 30 MB
    8 P cores: CPU 0+1, 2+3, 4+5, 6+7, 8+9, 10+11, 12+13, 14+15; each L2
        1.25 MB, L1 48 KB
    L2 2 MB
      4 E cores: CPU 16-19; each L1 32 KB
    L2 2 MB
      4 E cores: CPU 20-23; each L1 32 KB
"""
    )
    # If the kinds of cores have no names, their capacities are shown.
    assert "2 1024/1024 cores: CPU 4-5; each L1 32 KB" in computer_text(read("big-little"))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("virtual-machine", "not known here: caches, and who shares them"),
        ("container", "254 more online CPUs are not available to this process"),
    ],
)
def test_text_says_what_is_not_shown(name: str, line: str) -> None:
    assert line in computer_text(read(name)).splitlines()


@pytest.mark.parametrize("name", recorded.NAMES)
@pytest.mark.parametrize("width", [60, 120])
def test_lines_are_as_long_as_asked_for(name: str, width: int) -> None:
    _, *lines = computer_text(read(name), width).splitlines()
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize("name", recorded.NAMES)
def test_json_and_csv_have_every_cpu(name: str) -> None:
    found = read(name)
    data = json.loads(computer_json(found))
    assert data["machine"] == "host"
    assert [cpu for part in data["parts"] for cpu in part["cpus"]] == list(found.topology.numbers)
    rows = list(csv.DictReader(computer_csv(found).splitlines()))
    assert [int(row["cpu"]) for row in rows] == list(found.topology.numbers)
    if name == "hybrid":
        assert {row["core_kind"] for row in rows} == {"P", "E"}
        assert {row["l2_bytes"] for row in rows} == {str(1280 << 10), str(2 << 20)}


@pytest.mark.parametrize("name", recorded.NAMES)
def test_boxes_are_drawn_in_their_boxes_and_none_on_another(name: str) -> None:
    found = read(name)
    (axes,) = computer_figure(found, "a computer").axes
    places = [patch.get_window_extent() for patch in axes.patches]
    count = sum(1 for _ in every(found.parts)) + len(found.topology.cpus)
    assert len(places) == count
    for nth, one in enumerate(places):
        for other in places[nth + 1 :]:
            inside = one.x0 <= other.x0 and other.x1 <= one.x1
            inside &= one.y0 <= other.y0 and other.y1 <= one.y1
            beside = one.x1 < other.x0 or other.x1 < one.x0
            beside |= one.y1 < other.y0 or other.y1 < one.y0
            assert inside or beside
    shown = {text.get_text() for text in axes.texts}
    assert {str(cpu) for cpu in found.topology.numbers} <= shown


def test_a_placement_is_drawn_on_its_cpus() -> None:
    answers = Answers()
    host = answers.on(recorded.host("chiplets", answers))
    placed = place("ring", machine=host, threads=4, size="64k", budget="100ms")
    (axes,) = placed_figure(placed, host).axes
    texts = [text.get_text() for text in axes.texts]
    for thread, cpu in enumerate(placed.placement):
        assert f"{cpu}\nT{thread}" in texts
    arrows = [patch for patch in axes.patches if type(patch).__name__ == "FancyArrowPatch"]
    assert len(arrows) == 4
    assert "widest arrow: 64K bytes" in texts


@pytest.mark.skipif(not Path("/sys/devices/system/cpu").is_dir(), reason="only Linux is read")
def test_the_command(tmp_path: Path) -> None:
    picture = tmp_path / "computer.svg"
    done = cellstats("machine", "show", "host", "--plot", str(picture))
    assert (done.status, done.err) == (0, "")
    assert "package 0" in done.out
    assert picture.read_text().startswith("<?xml")
    assert json.loads(cellstats("machine", "show", "host", "--format", "json").out)["schema"] == 1
    assert "--plot draws host" in usage_error("machine", "show", "ps3", "--plot", str(picture))
    assert "--basis with host" in usage_error("machine", "show", "host", "--basis", "fitted")
    assert "did you mean qs20" in usage_error("machine", "show", "qs21")
