"""Engine names and refusals. These tests do not need an installed engine."""

import sys
from pathlib import Path

import pytest

import cellstats as cs
from cellstats.measure.engines import engine
from command_line import cellstats, usage_error


@pytest.mark.parametrize(
    "name",
    ["", "dask", "dask://", "dask://head", "dask://:8786", "dask://head:x", "mpi://a:1", "slurm"],
)
def test_what_is_no_engine(name: str) -> None:
    with pytest.raises(cs.UsageError, match="give dask://HOST:PORT or mpi"):
        engine(name).__enter__()


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("dask://a:1", "distributed", "dask"), ("mpi", "mpi4py", "mpi")],
)
def test_what_is_not_installed_is_named_with_the_command_that_installs_it(
    name: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(cs.UsageError) as error:
        engine(name).__enter__()
    assert f"needs the package {package}" in str(error.value)
    assert str(error.value).endswith(f"pip install 'cellstats[{extra}]'")


def test_every_engine_has_its_extra() -> None:
    import tomllib

    from command_line import ROOT

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert {"dask", "mpi"} <= set(extras)


@pytest.mark.skipif(sys.platform != "linux", reason="the host is measured on Linux only")
def test_the_host_is_measured_elsewhere_only_if_that_is_meant() -> None:
    flags = "sweep mailbox --machine host --on mpi"
    assert "give --hosts-of-workers if that is meant" in usage_error(*flags.split())


def test_a_finished_sweep_needs_no_engine(tmp_path: Path) -> None:
    # The engine is used only if some rows have not been measured yet.
    out = tmp_path / "r.csv"
    flags = ["sweep", "dmaget", "-n", "1..2", "-i", "10", "--out", str(out)]
    assert cellstats(*flags).status == 0
    assert usage_error(*flags, "--on", "dask:") != ""
