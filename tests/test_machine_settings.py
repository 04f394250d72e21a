"""Values of a machine that are changed for an experiment: `--set` and `cellstats.machine`."""

import csv
import io
import pickle
from pathlib import Path
from typing import Any

import click
import pytest

import cellstats as cs
from cellstats.cli.group import cellstats as group
from command_line import cellstats, usage_error

MINE = 'base = "qs20"\nname = "mine"\n[mfc]\noutstanding_reads = 8\n'
LINES = "mfc.outstanding_reads"


def test_every_command_that_takes_a_machine_takes_settings() -> None:
    context = click.Context(group)
    commands = [group, *(group.get_command(context, name) for name in group.list_commands(context))]
    flags = {
        command.name: {flag for each in command.params for flag in each.opts}
        for command in commands
        if command is not None and command.name != "doctor"
    }
    with_machine = {name for name, given in flags.items() if "--machine" in given}
    assert with_machine == {name for name, given in flags.items() if "--set" in given}
    assert len(with_machine) > 6


def test_settings_are_in_the_name_in_the_rows_and_in_the_pickle(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    for base, name in ((path, "mine"), ("qs20", "qs20")):
        machine = cs.machine(base, {LINES: 4, "chip.spes": [0, 9]})
        assert machine.name == f"{name} chip.spes=[0,9] {LINES}=4"
        assert machine.spes == (0, 9)
        again = pickle.loads(pickle.dumps(machine))
        assert (again.name, again.hash) == (machine.name, machine.hash)
        row = machine.measure("dmaget", iterations=10).row()
        assert (row["machine"], row[LINES], row["chip.spes"]) == (machine.name, 4, "[0,9]")
    assert cs.machine(machine.name).hash == machine.hash
    assert cs.machine(f"{path} {LINES}=8").hash == cs.machine(path).hash


def test_a_sweep_over_a_value_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "my machine.toml"
    path.write_text(MINE, encoding="utf-8")
    asked = ("sweep", "dmaget", "-b", "16k", "-i", "1k", "--format", "csv", "--jobs", "1")
    text = cellstats(*asked, "--set", f"{LINES}=4..16:*2", "--machine", str(path)).out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row[LINES] for row in rows] == ["4", "8", "16"]
    assert [row["machine"] for row in rows] == [f"mine {LINES}={lines}" for lines in (4, 8, 16)]
    rates = [float(row["bandwidth_gb_s"]) for row in rows]
    # The time between two lines of one place in the queue is constant.
    assert rates[1] == pytest.approx(2 * rates[0], rel=0.05)


def test_settings_that_cannot_be_are_refused_in_one_line() -> None:
    for settings, message in (
        ([f"{LINES}=x"], f"ps3: {LINES}: value is x; must be an integer"),
        ([f"{LINES}=65"], f"ps3: {LINES}: value is 65; must be 1 to 64 (lines)"),
        ([f"{LINES}s=8"], f"ps3: {LINES}s: unknown key; did you mean {LINES}?"),
        ([f"{LINES}=8,16"], f"--set '{LINES}=8,16': several values are for cellstats sweep"),
        ([LINES], f"--set '{LINES}': give KEY=VALUE, as in eib.hop_bus_cycles=2"),
        (["mfc.spu_queue_entries=4", "x=1"], "--set 'x=1': give KEY=VALUE, as in"),
    ):
        flags = [word for setting in settings for word in ("--set", setting)]
        assert message in usage_error("-f", "dmaget", *flags)
    of_host = usage_error("matrix", "--set", f"{LINES}=8", "--machine", "host")
    assert "host is this computer" in of_host
    values: tuple[Any, ...] = (8.5, None, {}, True, "", [8])
    for value in values:
        with pytest.raises(cs.UsageError, match=f"ps3: {LINES}: value is ") as info:
            cs.machine("ps3", {LINES: value})
        assert "\n" not in str(info.value)
