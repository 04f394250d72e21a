"""Fixtures and settings of all tests."""

import fcntl
import os
import random
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import is_hypothesis_test
from playwright.sync_api import Browser, BrowserContext, Page

import parts
from browser import Open, driven
from cellstats.reproduce.runs import Store
from cellstats.reproduce.verdicts import Judged, judge, paper, paper_keys
from chance import CASES, SEED, SHORT, is_in_a_third
from command_line import ROOT

# Commands under test must not take their output for a screen: pytest-xdist sets the width of one.
os.environ.pop("COLUMNS", None)

# Every run except `make soak` has the same examples.
# There is no deadline, because the time of an example depends on the computer's load.
_ALWAYS: dict[str, Any] = {
    "deadline": None,
    "database": None,
    "suppress_health_check": [hypothesis.HealthCheck.too_slow],
}
hypothesis.settings.register_profile("cellstats", derandomize=True, **_ALWAYS)
hypothesis.settings.register_profile("soak", max_examples=CASES or 100, **_ALWAYS)
hypothesis.settings.load_profile("soak" if SEED else "cellstats")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        if is_hypothesis_test(item.obj) or "chance" in item.fixturenames:
            item.add_marker("by_chance")
        if SEED and is_hypothesis_test(item.obj):
            hypothesis.seed(int(SEED))(item.obj)
    if SHORT:
        left_out = set(two_thirds(items))
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=[*left_out])


def two_thirds(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """The cases that `make test` leaves out, of all tests with the mark `thirds`."""
    marked = (item for item in items if item.get_closest_marker("thirds"))
    tests = groupby(marked, lambda item: item.nodeid.partition("[")[0])
    for turn, (_, cases) in enumerate(tests):
        for nth, case in enumerate(cases):
            if not is_in_a_third(nth, turn):
                yield case


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Random numbers that differ between tests, but not between runs, except in `make soak`."""
    return random.Random(f"{request.path.name}::{request.node.name} {SEED}")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the repetitions of a measurement follow each other at once."""
    monkeypatch.setattr("cellstats.host.repetitions.SPREAD_NS", 0)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests with missing parts before their fixtures are set up."""
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            parts.require(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the missing parts, each with the number of skipped tests and how to install the part."""
    skipped = terminalreporter.getreports("skipped")
    for line in parts.left_out(report.longrepr[2] for report in skipped):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c() -> None:
    """Restore SIGINT, which is ignored if a script has started the tests in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _sigpipe() -> Iterator[None]:
    """Restore SIGPIPE, because the default action, which the command sets, would end pytest."""
    before = signal.getsignal(signal.SIGPIPE)
    yield
    signal.signal(signal.SIGPIPE, before)


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the results that all tests share, in whichever process they run."""
    folder: Path = tmp_path_factory.getbasetemp()
    return (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "results.sqlite"


def copy_results(source: Path, to: Path) -> None:
    """Copy a file of results, to which another process may be adding some."""
    with (
        closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as ours,
        closing(sqlite3.connect(to)) as copy,
    ):
        ours.backup(copy)


@contextmanager
def alone(results: Path) -> Iterator[None]:
    """Keep all other processes of this run away from the shared results."""
    with results.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def all_papers(results: Path) -> list[Judged]:
    """The judged claims of all papers. The first process measures what `make run` has not measured
    with this simulator, and the others wait.
    """
    with alone(results):
        if not results.exists():
            # The results of `make run` may be missing or damaged.
            with suppress(sqlite3.DatabaseError):
                copy_results(ROOT / "out" / "results.sqlite", results)
        with Store(results) as store:
            return judge([paper(key) for key in paper_keys()], store, progress=False)


@pytest.fixture(scope="session")
def store(
    results: Path, all_papers: list[Judged], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """A store with the measurements of all papers. It is this process's own, because whoever adds
    pictures to it would keep the others waiting.
    """
    assert all_papers
    own = tmp_path_factory.mktemp("store") / "results.sqlite"
    with alone(results):
        copy_results(results, own)
    with Store(own) as store:
        yield store


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The installed Chromium."""
    with driven() as browser:
        yield browser


@pytest.fixture
def visited(browser: Browser) -> Iterator[Open]:
    """A function that opens a page of runs, given its address and the settings of a browser's
    window. Finally, the browser's console must have no messages."""
    said: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(address: str, **settings: Any) -> Page:
        contexts.append(browser.new_context(**settings))
        page = contexts[-1].new_page()
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.goto(address)
        page.evaluate("cellstats.ready")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []
