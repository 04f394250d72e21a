"""`workshop/claims.py` writes current results into a claims file, and changes nothing else."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
import claims
from cellstats.reproduce.claims import read_claims

TEXT = """# What t says.

[paper]
about = "a"
measured = "m"
title = "T"
authors = "A"
published = "P"
machines = ["ps3"]

# A comment.

[[claim]]
id = "T001"
statement = "It is so."
place = "1"
figure = "figure1"
metric = { of = "latency_ns" }
published = 1
status = "reproduced"
disagreements = []

# Another comment.

[[claim]]
id = "T001.more"
statement = "It is not."
place = "1"
figure = "figure1"
metric = { of = "latency_ns" }
published = 2
status = "off"
simulated = 3.2
cause = "rings"
reason = "Why."
disagreements = []
"""
OFF = 'status = "off"\nsimulated = 1.235\ncause = "?"\nreason = "?"\n'


def after(*outcomes: tuple[str, str, float | None]) -> tuple[list[claims.Change], str]:
    rows = [{"id": name, "status": status, "simulated": n} for name, status, n in outcomes]
    found = list(claims.changes(tomllib.loads(TEXT)["claim"], rows))
    return found, claims.rewritten(TEXT, found)


@pytest.mark.parametrize(
    "outcomes",
    [
        [],
        [("T001", "reproduced", 1.04), ("T001.more", "off", 3.2)],
        [("T001.more", "off", 3.26)],
        [("T001", "out-of-reach", None)],
    ],
)
def test_a_file_that_is_right_stays_as_it_is(outcomes: list[tuple[str, str, float]]) -> None:
    assert after(*outcomes) == ([], TEXT)


def test_what_is_off_now_lacks_a_reason() -> None:
    [change], text = after(("T001", "off", 1.23456))
    assert str(change) == "lost    T001                1.235"
    assert text == TEXT.replace('status = "reproduced"\n', OFF)


def test_what_comes_out_again_loses_number_and_reason() -> None:
    [change], text = after(("T001.more", "reproduced", 2.0))
    assert str(change) == "gained  T001.more           3.2 to 2"
    gone = 'status = "off"\nsimulated = 3.2\ncause = "rings"\nreason = "Why."\n'
    assert text == TEXT.replace(gone, 'status = "reproduced"\n')


def test_a_number_that_has_moved_keeps_its_reason() -> None:
    [change], text = after(("T001.more", "off", 3.3))
    assert str(change) == "moved   T001.more           3.2 to 3.3"
    assert text == TEXT.replace("3.2", "3.3")


def test_nobody_forgets_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    path.write_text(after(("T001", "off", 1.23456))[1], encoding="utf-8")
    with pytest.raises(cs.UsageError, match=r"T001 is off now; replace '\?' by its cause"):
        read_claims(path, ["figure1"], {})
    assert len(read_claims(path, ["figure1"], {}, finished=False).claims) == 2


def test_saved_outcomes_are_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kistler2006" / "claims.toml"
    path.parent.mkdir()
    path.write_text(TEXT, encoding="utf-8")
    saved = tmp_path / "claims.json"
    outcome: dict[str, Any] = {"id": "T001", "status": "off", "simulated": 1.23456}
    saved.write_text(json.dumps(outcome) + "\n", encoding="utf-8")
    monkeypatch.setattr(claims, "FOLDER", tmp_path)
    arguments = ["kistler2006", "--from", str(saved)]
    assert claims.main(arguments) == 1
    assert path.read_text(encoding="utf-8") == TEXT
    assert claims.main([*arguments, "--write"]) == 0
    assert OFF in path.read_text(encoding="utf-8")
    assert capsys.readouterr().out.splitlines()[-1] == "0 gained, 1 lost, 0 moved"
