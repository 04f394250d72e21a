"""What several files of tests need, made once."""

import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

import parts
from cellstats.reproduce.judging import Judged, judge
from cellstats.reproduce.published import paper, paper_keys
from cellstats.reproduce.store import Store

# How long an example takes depends on what else runs on the computer.
hypothesis.settings.register_profile("cellstats", deadline=None)
hypothesis.settings.load_profile("cellstats")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what needs a part that is not there, before its fixtures are made."""
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            parts.require(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out, and what to install for it."""
    for line in parts.left_out():
        terminalreporter.write_line(line)


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c() -> None:
    """What a script starts in the background ignores SIGINT; here is tested what that ends."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Results that all tests share."""
    path: Path = tmp_path_factory.mktemp("results") / "results.sqlite"
    with Store(path) as store:
        yield store


@pytest.fixture(scope="session")
def all_papers(store: Store) -> list[Judged]:
    """Every paper, measured and judged."""
    return judge([paper(key) for key in paper_keys()], store, progress=False)
