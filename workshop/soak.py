"""Run all property tests repeatedly, on new cases, until the time limit.

    make soak                 ten minutes, on all cores
    make soak MINUTES=60      an hour
    make soak SEED=5          with the random numbers of an earlier run with this seed
    make soak SKIP='a b'      without tests whose names contain a or b

Property tests are found automatically. In Rust, they are the functions in `proptest!` blocks. In
Python, they are the tests that take random numbers from hypothesis or from the fixture `chance`.
The tests run in turns. Each turn has its own seed, and its number of cases is adapted to the time
for a turn. After a failure, a test is not run again. The command that reproduces the failure is
printed, and the exit status is 1. No test fails because it is slow, and no turn is stopped before
it ends.
"""

import argparse
import json
import math
import os
import re
import secrets
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import borders

ROOT = Path(__file__).resolve().parent.parent
PROPERTIES = re.compile(r"^( *)proptest! \{$(.*?)^\1\}$", re.M | re.S)
PROPERTY = re.compile(r"#\[test\]\s+fn (\w+)")
PASSING = re.compile(r"(\d+) passing")
CASES_FIRST = 16
"""Number of cases in a test's first turn, when the duration of a case is not yet known."""
CASES_MAX = 20_000
"""Maximum number of cases in one turn: tests with short cases must leave time for others."""
GROWTH_MAX = 32
TURN_FIRST_S = 1.0
TURN_MAX_S = 30.0
LINES_MAX, LETTERS_MAX = 150, 2000
"""Limits for the output of a failure."""
IN_RUST = ("PROPTEST_RNG_SEED", "PROPTEST_CASES")
IN_PYTHON = ("SOAK_SEED", "SOAK_CASES")
ALWAYS = {
    "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "true",
    "PROPTEST_MAX_SHRINK_TIME": "60000",
    "RUST_BACKTRACE": "0",
}
"""Environment variables of all tests. Shrinking a failing case is limited to a minute in proptest;
hypothesis has its own limit."""


@dataclass(eq=False)
class Test:
    """A property test and the results of its turns."""

    name: str
    command: list[str]
    folder: Path
    shown: str
    """The command, in the form that a user types."""
    variables: tuple[str, str]
    """Names of the environment variables for the seed and the number of cases."""
    turns: int = 0
    cases: int = 0
    """Number of cases in all turns that passed."""
    next_cases: int = CASES_FIRST
    verdict: str = ""
    """Reason why the test has no further turns, or empty if it has more."""


@dataclass
class Soak:
    """Tests that take turns."""

    tests: list[Test]
    seed: int
    seconds: float
    end: float = math.inf
    running: dict[Test, subprocess.Popen[str]] = field(default_factory=dict)
    stopped: bool = False

    def run(self) -> None:
        """Run the tests until the time limit or until Ctrl-C is pressed."""
        self.waiting = deque(self.tests)
        self.end = time.monotonic() + self.seconds
        workers = [threading.Thread(target=self._work) for _ in os.sched_getaffinity(0)]
        for worker in workers:
            worker.start()
        try:
            while any(worker.is_alive() for worker in workers):
                self._wait(workers)
        except KeyboardInterrupt:
            self.stopped = True
            for process in list(self.running.values()):
                os.killpg(process.pid, signal.SIGKILL)
            for worker in workers:
                worker.join()

    def _wait(self, workers: list[threading.Thread]) -> None:
        """Wait for a minute or until all workers are done, then print the progress."""
        minute = time.monotonic() + 60
        for worker in workers:
            worker.join(max(0.0, minute - time.monotonic()))
        left_s = self.end - time.monotonic()
        if left_s > 0:
            cases = sum(test.cases for test in self.tests)
            say(f"{left_s / 60:.0f} minutes left, {cases:,} cases so far")
        for test in list(self.running) if left_s <= 0 else []:
            say(f"waiting for the end of {shown(test, self.seed + test.turns)}")

    def _work(self) -> None:
        while not self.stopped and time.monotonic() < self.end:
            try:
                test = self.waiting.popleft()
            except IndexError:  # the other workers run the remaining tests
                return
            self.turn(test)
            if not test.verdict:
                self.waiting.append(test)

    def turn(self, test: Test) -> None:
        """Run one turn of a test, and set the number of cases for its next turn."""
        seed = self.seed + test.turns
        began = time.monotonic()
        process = subprocess.Popen(
            test.command,
            cwd=test.folder,
            env=os.environ | ALWAYS | numbers(test, seed),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self.running[test] = process
        output = process.communicate()[0]
        took_s = time.monotonic() - began
        del self.running[test]
        if self.stopped:
            return
        if process.returncode:
            test.verdict = "failed: " + shown(test, seed)
            say(f"\n{smallest(output)}\n\n{test.name} {test.verdict}\n")
            return
        if not re.search(r"\b1 passed", output) or "left out: " in output:
            test.verdict = "left out"
            return
        examples = sum(map(int, PASSING.findall(output)))
        test.cases += examples or (test.next_cases if test.variables is IN_RUST else 1)
        test.turns += 1
        aim_s = min(TURN_FIRST_S * 2**test.turns, TURN_MAX_S)
        # A short turn never reduces the number of cases, because most of it may be start-up time.
        least = 1.0 if took_s < TURN_MAX_S else 0.0
        growth = max(least, min(aim_s / took_s, GROWTH_MAX))
        test.next_cases = max(1, min(int(growth * test.next_cases), CASES_MAX))


def smallest(output: str) -> str:
    """The end of a failing test's output, starting at the smallest failing case."""
    lines = output.rstrip().splitlines()
    begins = [nth for nth, line in enumerate(lines) if line.startswith("Test failed: ")]
    lines = lines[begins[-1] :] if begins else lines[-LINES_MAX:]
    return "\n".join(line[:LETTERS_MAX] for line in lines[:LINES_MAX])


def numbers(test: Test, seed: int) -> dict[str, str]:
    """The environment variables that give a test its seed and its number of cases."""
    return dict(zip(test.variables, (str(seed), str(test.next_cases)), strict=True))


def shown(test: Test, seed: int) -> str:
    """The command that repeats a turn."""
    return (
        " ".join(f"{name}={value}" for name, value in numbers(test, seed).items())
        + " "
        + test.shown
    )


def rust_tests(packages: list[str]) -> Iterator[Test]:
    """Find the tests in `proptest!` blocks. The build is the same as that of `cargo test`."""
    build = ["cargo", "test", "--no-run", "--message-format=json-render-diagnostics", *packages]
    for message in map(json.loads, said_by(build, ROOT).splitlines()):
        if message.get("executable") and message["profile"]["test"]:
            yield from tests_of(message["executable"], message["manifest_path"], message["target"])


def tests_of(executable: str, manifest: str, target: dict[str, Any]) -> Iterator[Test]:
    """The property tests of a test executable, found in its sources."""
    main, folder = Path(target["src_path"]), Path(manifest).parent
    package = borders.manifest(folder)["package"]["name"]
    properties = {
        (None if path == main else path.parent.name if path.stem == "mod" else path.stem, name)
        for path in main.parent.rglob("*.rs")
        for block in PROPERTIES.finditer(path.read_text("utf-8"))
        for name in PROPERTY.findall(block[2])
    }
    if not properties:
        return
    listed = said_by([executable, "--list", "--format=terse"], folder)
    for name in re.findall(r"^(.+): test$", listed, re.M):
        *modules, last = name.split("::")
        if any((module in (None, *modules)) and last == each for module, each in properties):
            which = f"--test {target['name']}" if target["kind"] == ["test"] else "--lib"
            yield Test(
                f"{package} {target['name']} {name}",
                [executable, "--show-output", "--exact", name],
                folder,
                f"cargo test -p {package} {which} -- --exact {name}",
                IN_RUST,
            )


def python_tests() -> Iterator[Test]:
    """The tests marked by conftest.py."""
    pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    collect = [*pytest, "--collect-only", "-m", "by_chance"]
    collected = said_by(collect, ROOT)
    for name in re.findall(r"^(\S+\.py::.+)$", collected, re.M):
        yield Test(
            name.removeprefix("tests/"),
            [*pytest, "--hypothesis-show-statistics", name],
            ROOT,
            f".venv/bin/python -m pytest {shlex.quote(name)}",
            IN_PYTHON,
        )


def said_by(command: list[str], folder: Path) -> str:
    """Return the output of a command, or exit if the command fails."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        said = (line for line in done.stdout.splitlines() if not line.startswith("{"))
        print(*said, sep="\n", file=sys.stderr)
        sys.exit(f"make soak: {shlex.join(command)} failed with status {done.returncode}")
    return done.stdout


def table(tests: list[Test]) -> str:
    """A table of the number of cases of each test."""
    width = max((len(test.name) for test in tests), default=0)
    rows = [
        f"{test.name:{width}}  {test.cases:13,}  {test.verdict}".rstrip()
        for test in sorted(tests, key=lambda test: test.name)
    ]
    total = f"{len(tests):,} tests, {sum(test.cases for test in tests):,} cases"
    return "\n".join([f"{'':{width}}  {'cases':>13}", *rows, total])


def say(text: str) -> None:
    """Print without buffering, even if the output is a file."""
    print(text, flush=True)


def main() -> int:
    """Run all tests and print the results. Return 1 if a test failed."""
    parser = argparse.ArgumentParser(description="Run all property tests on new cases.")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (10)")
    parser.add_argument("--seed", type=int, help="of an earlier run")
    parser.add_argument("--skip", default="", help="parts of names of tests that are left out")
    options, packages = parser.parse_known_args()
    seed = secrets.randbits(32) if options.seed is None else options.seed
    say(f"make soak SEED={seed}")
    tests = [
        test
        for test in (*rust_tests(packages), *python_tests())
        if not any(part in test.name for part in options.skip.split())
    ]
    soak = Soak(tests, seed, 60 * options.minutes)
    soak.run()
    say(table(tests))
    failed = [test for test in tests if test.verdict.startswith("failed")]
    for test in failed:
        say(f"{test.name} {test.verdict}")
    return min(len(failed), 1)


if __name__ == "__main__":
    sys.exit(main())
