"""Traces: waveforms and trace events agree with the simulator's data."""

import io
import json
import sys
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats.measure import progress
from command_line import ROOT, cellstats

GOLDEN_MACHINE = ROOT / "crates/cell/tests/machines/golden.toml"

RUNS: list[tuple[str, dict[str, Any]]] = [
    ("dmaget", {"spes": 2, "size": "1k", "spe_to_spe": True}),
    ("dmaget", {"spes": 6, "size": 128, "window": 400}),
    ("dmaput", {"spes": 4, "private": True, "size": "2k", "skip": 300}),
    ("dmalistget", {"spes": 3, "size": 256, "list_elements": 4, "window": 2000}),
    ("fetchadd", {"spes": 3, "window": 600}),
    ("mailbox", {"spes": 2, "spe_to_spe": True, "window": 300}),
    ("signal", {"ppe": "mmio", "window": 500}),
    ("mkthread", {"window": 4_000_000}),
]


@pytest.fixture(params=RUNS, ids=lambda run: f"{run[0]}-{run[1].get('spes', 1)}")
def trace(request: pytest.FixtureRequest) -> cs.Trace:
    function, parameters = request.param
    return cs.machine("ps3").trace(function, **parameters)


def golden(window: int = 90) -> cs.Trace:
    machine = cs.machine(GOLDEN_MACHINE)
    return machine.trace("dmaget", spes=3, size=256, spe_to_spe=True, window=window)


def test_a_waveform_shows_lines_on_ramp_ring_and_off_ramp() -> None:
    assert golden().waveform() == (Path(__file__).parent / "waveform.txt").read_text()


def test_waveforms_fit_their_columns_and_are_ascii(trace: cs.Trace) -> None:
    scale = max(1, (trace.window[1] - trace.window[0]) // 500)
    for columns in (40, 77, 100, 200):
        text = trace.waveform(columns, scale)
        assert text.isascii()
        drawn = text.split("SPU: ")[0].splitlines()[2:]
        assert max(len(line) for line in drawn) <= columns


def test_every_letter_has_as_many_beats_on_its_ramps() -> None:
    lines = golden(window=400).waveform(columns=500).split("SPU: ")[0].splitlines()
    for row in lines:
        if " on " in row or " off " in row:
            cells = row.split(maxsplit=2)[2].replace("-", ".")
            # The traced window may cut off the first and the last cache line.
            inside = set(cells) - {".", cells[0], cells[-1]}
            assert all(cells.count(letter) == 8 for letter in inside - {"a", "b"}), row


def test_coarser_columns_show_the_same_lines() -> None:
    trace = golden(window=400)
    fine, coarse = (set(trace.waveform(columns=500, scale=scale)) for scale in (1, 5))
    assert fine == coarse


def test_trace_events_have_what_viewers_need(trace: cs.Trace) -> None:
    events = trace.to_trace_events()["traceEvents"]
    named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    processes = {e["pid"] for e in events if e["name"] == "process_name"}
    for event in events:
        assert {"name", "ph", "pid", "tid", "ts"} <= event.keys()
        assert event["ph"] in "XMCsf"
        assert event["pid"] in processes
        assert event["ts"] >= 0
        if event["ph"] in "Xsf":
            assert (event["pid"], event["tid"]) in named
        if event["ph"] == "X":
            assert event["dur"] > 0
    assert json.loads(json.dumps(events)) == events


def test_slices_of_a_track_never_overlap_and_come_in_order(trace: cs.Trace) -> None:
    tracks = defaultdict(list)
    for event in trace.to_trace_events()["traceEvents"]:
        if event["ph"] == "X":
            tracks[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    assert tracks
    for slices in tracks.values():
        for (_, end), (begin, _) in pairwise(slices):
            assert begin >= end - 1e-6


def test_the_slices_of_rings_are_the_transfers(trace: cs.Trace) -> None:
    events = trace.to_trace_events()["traceEvents"]
    transfers = trace.transfers()
    sizes = [event["args"]["bytes"] for event in events if event.get("cat") == "transfer"]
    assert len(sizes) == len(transfers)
    assert sum(sizes) == sum(row["bytes"] for row in transfers)
    ends = [event["id"] for event in events if event["ph"] == "f"]
    starts = [event["id"] for event in events if event["ph"] == "s"]
    assert sorted(starts) == sorted(ends)


def test_arrows_lead_from_commands_to_all_their_lines() -> None:
    events = golden(window=400).to_trace_events()["traceEvents"]
    commands = {
        (e["pid"], e["tid"], e["args"]["command"]): e for e in events if e.get("cat") == "command"
    }
    moved: dict[int, int] = defaultdict(int)
    for event in events:
        if event.get("cat") == "transfer":
            moved[event["args"]["command"]] += event["args"]["bytes"]
    whole = [key[2] for key, event in commands.items() if moved[key[2]] == 256]
    assert len(whole) >= 2
    assert sum(event["ph"] == "s" for event in events) >= 4


def test_times_are_those_of_the_chip() -> None:
    trace = golden()
    events = trace.to_trace_events()
    last = [e for e in events["traceEvents"] if e.get("cat") == "transfer"][-1]
    begin = last["args"]["from_bus_cycle"] - trace.window[0]
    assert begin > 0
    assert last["ts"] == pytest.approx(begin * events["otherData"]["bus_cycle_us_in_the_viewer"])


def test_a_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text("old")
    golden().save(path)
    assert json.loads(path.read_text()) == golden().to_trace_events()
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(cs.UsageError, match="cannot write"):
        golden().save(tmp_path / "nowhere" / "trace.json")
    with pytest.raises(cs.UsageError, match="cannot write"):
        golden().save(tmp_path)
    assert list(tmp_path.iterdir()) == [path]


def test_the_command_takes_the_flags_of_a_measurement(tmp_path: Path) -> None:
    flags = ("dmaget", "-n", "2", "-b", "1k", "-s", "--window", "60", "--skip", "90")
    done = cellstats("trace", *flags)
    trace = cs.machine("ps3").trace(
        "dmaget", spes=2, size="1k", spe_to_spe=True, window=60, skip=90
    )
    assert done == (0, trace.waveform(), "")
    path = tmp_path / "out.json"
    assert cellstats("trace", *flags, "--out", str(path)) == (0, "", "")
    assert json.loads(path.read_text()) == trace.to_trace_events()


def test_errors_of_the_package() -> None:
    with pytest.raises(cs.UsageError, match="did you mean size"):
        cs.machine("ps3").trace("dmaget", sise=128)  # type: ignore[call-arg]
    with pytest.raises(cs.UsageError, match="schema 7 cannot be read"):
        cs.Trace.from_json('{"schema": 7}')


def test_the_document_names_every_column() -> None:
    text = (ROOT / "docs/trace.md").read_text(encoding="utf-8")
    data = golden().data
    memory = cs.machine("ps3").trace("dmaget", window=400).data
    assert data["stalls"]
    for name in data:
        assert f"| `{name}` |" in text
    calls = cs.machine("ps3").trace("mailbox").data
    for some, name in (
        *((memory, name) for name in ("programs", "commands", "requests", "stalls", "accesses")),
        (calls, "calls"),
    ):
        paragraph = next(p for p in text.split("\n\n") if p.startswith(f"`{name}` has"))
        assert all(f"`{column}`" in paragraph for column in some[name][0])
    paragraph = next(p for p in text.split("\n\n") if p.startswith("`rounds` has"))
    assert all(f"`{column}`" in paragraph for column in data["requests"][0]["rounds"][0])


def test_a_trace_too_long_for_text_says_what_would_do() -> None:
    trace = cs.machine("ps3").trace("mkthread", window=1_000_000)
    with pytest.raises(cs.UsageError, match="give a scale of 5 or more, or a smaller window"):
        trace.waveform()
    assert trace.waveform(scale=50)


def test_what_takes_long_is_said_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "_ELAPSED_S", 0.01)
    with progress.Elapsed("simulating") as doing:
        wait_for(terminal, "simulating, 0:00")
        doing.now("writing x.json")
        wait_for(terminal, "writing x.json, 0:00")
    assert terminal.getvalue().endswith("\r\x1b[K")


def wait_for(terminal: io.StringIO, text: str) -> None:
    until = time.monotonic() + 30
    while text not in terminal.getvalue():
        assert time.monotonic() < until
        time.sleep(0.01)
