"""Ctrl-C prints nothing during imports, and waits for calls into an executor."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from cellstats.measure.ctrl_c import ctrl_c_calls
from cellstats.measure.workers import run_calls

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")

# A start-up hook for Python, which sends Ctrl-C when the module named by INTERRUPTED is imported.
HOOK = """
import os, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPTED"]:
            os.kill(os.getpid(), signal.SIGINT)
        return None

sys.meta_path.insert(0, Interrupts())
"""
# The script that pip generates for an entry point.
SCRIPT = "import sys\nfrom cellstats.cli import main\nsys.exit(main())\n"
MODULES = [
    "cellstats._native",
    "cellstats.measure.machine",
    "cellstats.core.refusal",
    "cellstats.cli.exit_status",
    "click",
    "cellstats.cli.group",
    "cellstats.cli.matrix_command",
]


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("way", ["-m", "script"])
def test_an_interrupt_while_importing_is_quiet(tmp_path: Path, way: str, module: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
    script = tmp_path / "cellstats"
    script.write_text(SCRIPT, encoding="utf-8")
    ours = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    path = os.pathsep.join(filter(None, [str(tmp_path), *ours]))
    done = subprocess.run(
        [sys.executable, *(["-m", "cellstats"] if way == "-m" else [str(script)]), "matrix", "-h"],
        env={**os.environ, "PYTHONPATH": path, "INTERRUPTED": module},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


def test_whoever_imports_the_package_keeps_their_handler() -> None:
    code = "import signal, cellstats; print(signal.getsignal(signal.SIGINT).__name__)"
    prepare = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    done = subprocess.run(
        [sys.executable, "-c", prepare + code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "default_int_handler\n"


def double(number: int, _stop: threading.Event | None = None) -> int:
    return 2 * number


class Interrupted(Executor):
    """Makes calls at once. During the call number `nth`, the user presses Ctrl-C."""

    def __init__(self, nth: int) -> None:
        self.nth, self.left = nth, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        if self.left + 1 == self.nth:
            signal.raise_signal(signal.SIGINT)
        future.set_result(fn(*args, **kwargs))
        self.left += 1
        return future


def test_ctrl_c_waits_until_the_executor_has_taken_the_call() -> None:
    executor, kept = Interrupted(3), dict[int, int]()
    calls = {each: (each,) for each in range(1000)}
    with pytest.raises(KeyboardInterrupt):
        run_calls(double, calls, kept.__setitem__, executor=executor)
    assert executor.left >= 3  # the call that was being sent ended
    assert kept.keys() >= {0, 1, 2}  # and its result is kept
    assert len(kept) < len(calls)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_counts_even_if_nobody_waits_for_it() -> None:
    woken: list[bool] = []

    def pressed() -> None:
        with ctrl_c_calls(lambda: woken.append(True)):
            signal.raise_signal(signal.SIGINT)
            woken.append(False)

    with pytest.raises(KeyboardInterrupt):
        pressed()
    assert woken == [True, False]


def test_ctrl_c_stays_with_the_callers_handler() -> None:
    noted: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: noted.append(number))
    try:
        with ctrl_c_calls(lambda: pytest.fail("called")):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert noted == [signal.SIGINT]


def test_threads_may_wait_for_results_too() -> None:
    kept = dict[int, int]()
    thread = threading.Thread(target=run_calls, args=(double, {1: (2,)}, kept.__setitem__))
    thread.start()
    thread.join()
    assert kept == {1: 4}
