"""Fixtures and settings of all tests."""

import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import is_hypothesis_test

import parts
from cellstats.reproduce.judging import Judged, judge, paper, paper_keys
from cellstats.reproduce.running import Store
from chance import CASES, SEED

# Every run has the same examples, except `make soak`. There is no deadline, because the time of an
# example depends on what else runs on the computer.
_ALWAYS: dict[str, Any] = {
    "deadline": None,
    "database": None,
    "suppress_health_check": [hypothesis.HealthCheck.too_slow],
}
hypothesis.settings.register_profile("cellstats", derandomize=True, **_ALWAYS)
hypothesis.settings.register_profile("soak", max_examples=CASES or 100, **_ALWAYS)
hypothesis.settings.load_profile("soak" if SEED else "cellstats")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        if is_hypothesis_test(item.obj) or "chance" in item.fixturenames:
            item.add_marker("by_chance")
        if SEED and is_hypothesis_test(item.obj):
            hypothesis.seed(int(SEED))(item.obj)


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Random numbers for a test: different for each test, the same in every run but `make soak`."""
    return random.Random(f"{request.node.nodeid} {SEED}")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests with missing parts before their fixtures are made."""
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            parts.require(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the missing parts, with the number of skipped tests and what to install."""
    for line in parts.left_out():
        terminalreporter.write_line(line)


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c() -> None:
    """Make SIGINT work: processes that a script starts in the background ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _sigpipe() -> Iterator[None]:
    """Ignore SIGPIPE again: the command sets its default action, which would end the test run."""
    before = signal.getsignal(signal.SIGPIPE)
    yield
    signal.signal(signal.SIGPIPE, before)


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
