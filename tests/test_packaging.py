"""Releases: consistent metadata, complete manual pages, and the message if Rust is missing."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
import trove_classifiers

import backend
import changelog
import licences
import manual
import train
import wheels
from cellstats.cli.group import cellstats as group
from command_line import ROOT
from parts import needs

PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]
LABEL_LENGTH_MAX = 32
"""Maximum length of a link's label on PyPI's page."""
HOOKS = [
    f"{what}_{kind}"
    for kind in ("wheel", "editable", "sdist")
    for what in ("get_requires_for_build", "build", "prepare_metadata_for_build")
    if (what, kind) != ("prepare_metadata_for_build", "sdist")
]


def test_pypi_knows_the_classifiers() -> None:
    assert set(PROJECT["classifiers"]) <= trove_classifiers.classifiers
    assert not set(PROJECT["classifiers"]) & set(trove_classifiers.deprecated_classifiers)


def test_addresses_are_what_pypi_shows() -> None:
    assert PROJECT["urls"]
    for label, address in PROJECT["urls"].items():
        assert len(label) <= LABEL_LENGTH_MAX
        assert re.fullmatch(r"https://[\w.-]+/\S*", address)


def test_there_is_one_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    newest = changelog.newest_release()
    assert PROJECT["dynamic"] == ["version"]
    assert newest.version == WORKSPACE["version"]
    assert re.findall(r"^version: (\S+)$", citation, re.MULTILINE) == [newest.version]
    assert re.findall(r"^date-released: (\S+)$", citation, re.MULTILINE) == [newest.date]


def test_what_comes_next_has_a_heading_above_the_releases() -> None:
    headings = re.findall(r"^## (.*)$", changelog.CHANGELOG.read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", each) for each in headings[1:])


def test_the_source_distribution_brings_its_backend() -> None:
    assert PYPROJECT["build-system"]["backend-path"] == ["workshop/release"]
    included = {each["path"] for each in PYPROJECT["tool"]["maturin"]["include"]}
    assert {"workshop/release/*.py", "workshop/release/installed/**/*"} <= included
    assert PYPROJECT["tool"]["maturin"]["data"] == "workshop/release/installed"


def test_the_package_has_no_c_of_its_own_and_wheels_have_what_its_links_lead_to() -> None:
    package = ROOT / "python" / "cellstats"
    ours = [path for path in package.rglob("*") if not path.is_symlink()]
    assert [path for path in ours if path.suffix in (".c", ".h", ".S")] == []
    links = [path for path in package.rglob("*") if path.is_symlink() and path.is_dir()]
    listed = PYPROJECT["tool"]["maturin"]["include"]
    included = {each["path"] for each in listed if "wheel" in each["format"]}
    assert links
    for link in links:
        assert any(path.startswith(f"{link.relative_to(ROOT)}/") for path in included), link


def commands() -> dict[str, click.Command]:
    """All commands. The keys are the names of their manual pages."""

    def below(name: str, command: click.Command) -> dict[str, click.Command]:
        found = {name: command}
        if isinstance(command, click.Group):
            context = click.Context(command)
            for sub in command.list_commands(context):
                inner = command.get_command(context, sub)
                assert inner is not None
                found |= below(f"{name}-{sub}", inner)
        return found

    return below("cellstats", group)


PAGES = dict(manual.pages())


def test_each_command_has_a_page() -> None:
    assert set(PAGES) == set(commands())


@pytest.mark.parametrize("name", commands())
def test_a_page_has_all_flags_and_what_they_mean(name: str) -> None:
    for parameter in commands()[name].params:
        if isinstance(parameter, click.Option):
            assert parameter.help
            assert manual.roff(parameter.help) in PAGES[name]
            for flag in [*parameter.opts, *parameter.secondary_opts]:
                assert f"\\fB{manual.roff(flag)}\\fR" in PAGES[name]
    assert "\\fB\\-h\\fR, \\fB\\-\\-help\\fR" in PAGES[name]


def test_lines_that_stand_for_themselves_do_so() -> None:
    lines = PAGES["cellstats-machine-show"].splitlines()
    value = next(line for line in lines if line.startswith("  documented"))
    assert ".nf" in lines[: lines.index(value)]
    assert manual.roff(".so it's `a\\b` - ü") == r"\&.so it\(aqs \(gaa\eb\(ga \- \[u00FC]"


@needs("mandoc")
def test_pages_are_without_errors(tmp_path: Path) -> None:
    pages = [path for path in manual.write(tmp_path) if path.suffix == ".1"]
    found = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", *pages], capture_output=True, text=True
    )
    assert (found.stdout, found.returncode) == ("", 0)


def test_completions_are_what_the_command_prints() -> None:
    scripts = dict(manual.completions())
    assert set(scripts) == set(manual.COMPLETIONS.values())
    bash = scripts[manual.COMPLETIONS["bash"]]
    assert "_CELLSTATS_COMPLETE=bash_complete" in bash
    assert subprocess.run(["bash", "-n", "-c", bash], check=False).returncode == 0


@pytest.mark.parametrize("terms", ["MIT", "(Apache-2.0 OR MIT)", "Unlicense/MIT"])
def test_the_text_of_a_crate_s_mit_licence_goes_along(terms: str, tmp_path: Path) -> None:
    (tmp_path / "LICENSE-MIT").write_text("Copyright (c) A. Nobody\n", encoding="utf-8")
    assert licences.licence(crate(tmp_path, terms)) == "Copyright (c) A. Nobody"


@pytest.mark.parametrize("terms", ["GPL-3.0-only", "MIT AND Zlib", "MITNFA", None])
def test_a_crate_under_other_terms_is_refused(terms: str | None, tmp_path: Path) -> None:
    (tmp_path / "LICENSE").write_text("Pay me\n", encoding="utf-8")
    with pytest.raises(wheels.RefusedError, match=r"some 1\.0 has .*, and no text of the MIT"):
        licences.licence(crate(tmp_path, terms))


def crate(folder: Path, terms: str | None) -> dict[str, Any]:
    """An entry for a crate, as in the output of `cargo metadata`."""
    manifest = str(folder / "Cargo.toml")
    return {"name": "some", "version": "1.0", "license": terms, "manifest_path": manifest}


def test_wheels_are_refused_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert wheels.main(["sparc"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(
        "workshop/release/wheels.py: no wheels for 'sparc', only for linux-x86_64, linux-aarch64, "
    )
    assert said.count("\n") == 1


@pytest.mark.thirds
@pytest.mark.parametrize("command", train.COMMANDS)
def test_every_command_that_wheels_are_optimised_for_runs(command: str) -> None:
    train.run(command)


def test_cargo_sees_that_unpacked_files_may_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdist, source = tmp_path / "some-1.0.tar.gz", tmp_path / "lib.rs"
    source.touch()
    os.utime(source, (0, 0))
    with tarfile.open(sdist, "w:gz") as archive:
        archive.add(source, "some-1.0/lib.rs")
    monkeypatch.setattr(wheels, "TARGET", tmp_path)
    unpacked = wheels.unpacked(sdist) / "lib.rs"
    assert unpacked.stat().st_mtime >= sdist.stat().st_mtime - 1


def build(hook: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Call a hook of the build backend as pip does, with only one folder of programs in PATH."""
    code = f"import backend; backend.{hook}('dist')"
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PATH": str(path), "PYTHONPATH": str(ROOT / "workshop" / "release")},
    )


def cargo(folder: Path, script: str) -> Path:
    """Add an executable `cargo` with this shell script to a folder. Return the folder."""
    program = folder / "cargo"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    return folder


def test_the_backend_has_every_hook_of_maturin() -> None:
    assert all(callable(getattr(backend, hook)) for hook in HOOKS)


@pytest.mark.parametrize("hook", HOOKS)
def test_without_rust_a_line_says_to_install_it(hook: str, tmp_path: Path) -> None:
    done = build(hook, tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "cellstats: Rust is missing, of which CellStats is built; install Rust "
        f"{WORKSPACE['rust-version']} or newer, from https://rustup.rs, or a wheel: "
        "pip install --only-binary cellstats cellstats\n"
    )


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo cargo 1.63.0", "Rust 1.63 is too old to build CellStats; install Rust"),
        ("echo 'cargo 1.87.0 (abc 2025)'", "Rust 1.87 is too old to build CellStats; install"),
        ("echo error: no toolchain >&2; exit 1", "its version (error: no toolchain); install"),
    ],
)
def test_a_rust_that_does_not_do_is_named(script: str, said: str, tmp_path: Path) -> None:
    done = build("build_wheel", cargo(tmp_path, script))
    assert said in done.stderr
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The build backend's calls to maturin. A stand-in replaces maturin and builds nothing."""
    asked: list[tuple[Any, ...]] = []
    stand_in = type(sys)("maturin")
    monkeypatch.setattr(stand_in, "build_wheel", lambda *given: asked.append(given), raising=False)
    monkeypatch.setitem(sys.modules, "maturin", stand_in)
    return asked


@pytest.mark.parametrize("version", ["1.88.0", "1.95.0-nightly (abc 2026)", "2.0.0"])
def test_with_rust_all_else_is_maturins(
    version: str, asked: list[tuple[Any, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(cargo(tmp_path, f"echo 'cargo {version}'")))
    backend.build_wheel("dist", {"build-args": "--offline"}, None)
    assert asked == [("dist", {"build-args": "--offline"}, None)]


@pytest.mark.parametrize("status", [0, 2])
def test_a_wheel_of_a_checkout_gets_the_page_or_does_without(
    status: int,
    asked: list[tuple[Any, ...]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    make = cargo(tmp_path, "echo cargo 1.95.0") / "make"
    make.write_text(f'#!/bin/sh\necho "$*, $MAKEFLAGS" >&2\nexit {status}\n', encoding="utf-8")
    make.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("MAKEFLAGS", "--jobserver-auth=3,4")
    backend.build_wheel("dist")
    called, *said = capfd.readouterr().err.splitlines()
    assert called == f"--silent web VENV=target/page PYTHON={sys.executable}, "
    assert said == ["cellstats: the page was not built, and `cellstats watch` needs it"][:status]
    assert asked == [("dist",)]
