"""The user's files that an SPU executable can access. Links do not lead outside."""

import os
from pathlib import Path
from typing import Literal

import pytest

import cellstats as cs
from command_line import cellstats, usage_error

REACH = Path(__file__).resolve().parents[1] / "programs" / "tests" / "reach.elf"
OUTSIDE = ("../secret", "{base}/secret", "link", "absolute", "inner/../../secret", "out/secret")


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with `secret` and the current directory `work/`, which has links to outside."""
    work = tmp_path / "work"
    (work / "inner").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (work / "own").write_text("own")
    (work / "link").symlink_to("../secret")
    (work / "absolute").symlink_to(tmp_path / "secret")
    (work / "inside").symlink_to(work / "own")
    (work / "out").symlink_to("..")
    (work / "new").symlink_to("../made")
    os.mkfifo(work / "pipe")
    monkeypatch.chdir(work)
    return tmp_path


def reached(base: Path, files: Literal["none", "cwd", "all"], what: str, *paths: str) -> list[str]:
    """For each path, the program's output or the text of its errno."""
    names = [path.format(base=base) for path in paths]
    run = cellstats("spu", str(REACH), "--files", files, what, *names)
    assert run.status == 0
    printed = iter(run.out.splitlines())
    refused = dict(line.rsplit(": ", 1) for line in run.err.splitlines()[:-1])
    return [refused[name] if name in refused else next(printed) for name in names]


def test_what_leads_out_of_the_current_directory_is_not_reached(base: Path) -> None:
    outside = ["Permission denied"] * len(OUTSIDE)
    assert reached(base, "cwd", "r", *OUTSIDE) == outside
    assert reached(base, "cwd", "w", *OUTSIDE, "new", "../made") == [*outside, *outside[:2]]
    assert (base / "secret").read_text() == "secret"
    assert not (base / "made").exists()
    # The program may remove a link in the current directory, but not the link's target.
    assert reached(base, "cwd", "x", "../secret", "out/secret", "link") == [*outside[:2], "removed"]
    assert (base / "secret").exists()
    assert not (base / "work" / "link").is_symlink()


def test_what_is_in_the_current_directory_is_reached_by_any_path(base: Path) -> None:
    paths = ("own", "./inner/../own", "{base}/work/own", "inside", "../work/own", "out/work/own")
    assert reached(base, "cwd", "r", *paths) == ["own"] * len(paths)
    assert reached(base, "cwd", "w", "inner/made", "{base}/work/made") == ["wrote", "wrote"]
    assert (base / "work" / "inner" / "made").read_text() == "written"
    # Pipes and devices are refused, because a read might block or never end.
    assert reached(base, "cwd", "r", "pipe") == ["No such device or address"]
    assert reached(base, "cwd", "r", "/dev/zero") == ["Permission denied"]


def test_none_and_all(base: Path) -> None:
    refused = reached(base, "none", "r", "own", "{base}/work/own", "../secret")
    assert not any("own" in line or "secret" in line for line in refused)
    assert reached(base, "none", "w", "own")[0] != "wrote"
    assert (base / "work" / "own").read_text() == "own"
    assert reached(base, "all", "r", "own", *OUTSIDE) == ["own"] + ["secret"] * len(OUTSIDE)
    assert reached(base, "all", "w", "new") == ["wrote"]
    assert (base / "made").read_text() == "written"


@pytest.mark.usefixtures("base")
def test_the_current_directory_is_the_default(capfd: pytest.CaptureFixture[str]) -> None:
    assert cellstats("spu", str(REACH), "r", "own").out == "own\n"
    assert "Permission denied" in cellstats("spu", str(REACH), "r", "link").err
    program = cs.spu_program(REACH, ["r", "own", "link"])
    cs.run("ps3", {0: program})
    assert capfd.readouterr() == ("own\n", "link: Permission denied\n")
    cs.run("ps3", {0: program}, files="all")
    assert capfd.readouterr() == ("own\nsecret\n", "")


def test_another_word_is_refused() -> None:
    assert "--files 'home': known are none, cwd, all" in usage_error(
        "spu", str(REACH), "--files", "home"
    )
    with pytest.raises(cs.UsageError, match=r"^files 'al': did you mean all"):
        cs.run("ps3", {}, files="al")  # type: ignore[arg-type]
