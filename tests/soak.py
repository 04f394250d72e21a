"""Every property test again and again, on cases that no run had before, until the time is over.

    make soak                 ten minutes, on all cores
    make soak MINUTES=60      an hour
    make soak SEED=5          the numbers of the run that had this seed
    make soak SKIP='a b'      without tests whose names have a or b in them

Property tests are found, not listed: in Rust the functions of `proptest!` blocks, in Python the
tests that hypothesis or the fixture `chance` gives their numbers. They take turns; each turn has a
seed of its own, and as many cases as fit into its share of the time. A test that fails is not run
again; the command that shows its failure is printed, and the exit status is 1. No test fails
because it is slow, and no turn is stopped before it ends.
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

ROOT = Path(__file__).resolve().parent.parent
PROPERTIES = re.compile(r"^( *)proptest! \{$(.*?)^\1\}$", re.M | re.S)
PROPERTY = re.compile(r"#\[test\]\s+fn (\w+)")
PASSING = re.compile(r"(\d+) passing")
CASES_FIRST = 16
"""What a test begins with, as nobody knows yet how long a case takes."""
CASES_MAX = 20_000
"""Of one turn: tests whose cases take no time leave theirs to others."""
GROWTH_MAX = 32
TURN_FIRST_S = 1.0
TURN_MAX_S = 30.0
LINES_MAX, LETTERS_MAX = 150, 2000
"""What is printed of a failure."""
IN_RUST = ("PROPTEST_RNG_SEED", "PROPTEST_CASES")
IN_PYTHON = ("SOAK_SEED", "SOAK_CASES")
ALWAYS = {
    "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "true",
    "PROPTEST_MAX_SHRINK_TIME": "60000",
    "RUST_BACKTRACE": "0",
}
"""A case that fails is made smaller for a minute; hypothesis has such a limit of its own."""


@dataclass(eq=False)
class Test:
    """A property test, and how its turns went."""

    name: str
    command: list[str]
    folder: Path
    shown: str
    """The command that people type."""
    variables: tuple[str, str]
    """Their names tell it its seed and its number of cases."""
    turns: int = 0
    cases: int = 0
    """Of all turns that passed."""
    next_cases: int = CASES_FIRST
    verdict: str = ""
    """Why it has no more turns, if that is so."""


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
        """Until the time is over; Ctrl-C ends it before."""
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
        """For a minute, or until all workers are done; says then what is going on."""
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
            except IndexError:  # the others have what is left
                return
            self.turn(test)
            if not test.verdict:
                self.waiting.append(test)

    def turn(self, test: Test) -> None:
        """One run of a test, and how many cases the next one has."""
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
        # Of a short turn nobody knows how much of it was the start of the program.
        least = 1.0 if took_s < TURN_MAX_S else 0.0
        growth = max(least, min(aim_s / took_s, GROWTH_MAX))
        test.next_cases = max(1, min(int(growth * test.next_cases), CASES_MAX))


def smallest(output: str) -> str:
    """The end of what a test says that fails, without all that failed before the smallest case."""
    lines = output.rstrip().splitlines()
    begins = [nth for nth, line in enumerate(lines) if line.startswith("Test failed: ")]
    lines = lines[begins[-1] :] if begins else lines[-LINES_MAX:]
    return "\n".join(line[:LETTERS_MAX] for line in lines[:LINES_MAX])


def numbers(test: Test, seed: int) -> dict[str, str]:
    """What tells a test its seed and its number of cases."""
    return dict(zip(test.variables, (str(seed), str(test.next_cases)), strict=True))


def shown(test: Test, seed: int) -> str:
    """The command that runs a turn again."""
    return (
        " ".join(f"{name}={value}" for name, value in numbers(test, seed).items())
        + " "
        + test.shown
    )


def rust_tests(packages: list[str]) -> Iterator[Test]:
    """Those in `proptest!` blocks. What `cargo test` builds is built, and nothing else."""
    build = ["cargo", "test", "--no-run", "--message-format=json-render-diagnostics", *packages]
    for message in map(json.loads, said_by(build, ROOT).splitlines()):
        if message.get("executable") and message["profile"]["test"]:
            yield from tests_of(message["executable"], message["manifest_path"], message["target"])


def tests_of(executable: str, manifest: str, target: dict[str, Any]) -> Iterator[Test]:
    """The property tests in a test executable, by the sources it is made of."""
    main, folder = Path(target["src_path"]), Path(manifest).parent
    is_alone = target["kind"] == ["test"] and main.stem != "main"
    properties = {
        (None if path == main else path.parent.name if path.stem == "mod" else path.stem, name)
        for path in ([main] if is_alone else main.parent.rglob("*.rs"))
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
                f"{folder.name} {target['name']} {name}",
                [executable, "--show-output", "--exact", name],
                folder,
                f"cargo test -p {folder.name} {which} -- --exact {name}",
                IN_RUST,
            )


def python_tests() -> Iterator[Test]:
    """Those that conftest.py marks."""
    pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    collect = [*pytest, "--collect-only", "-m", "by_chance"]
    collected = said_by(collect, ROOT)
    for name in re.findall(r"^(\S+\.py::.+)$", collected, re.M):
        yield Test(
            name.removeprefix("tests/python/"),
            [*pytest, "--hypothesis-show-statistics", name],
            ROOT,
            f".venv/bin/python -m pytest {shlex.quote(name)}",
            IN_PYTHON,
        )


def said_by(command: list[str], folder: Path) -> str:
    """What a command prints; the end of all if it fails."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        said = (line for line in done.stdout.splitlines() if not line.startswith("{"))
        print(*said, sep="\n", file=sys.stderr)
        sys.exit(f"make soak: {shlex.join(command)} failed with status {done.returncode}")
    return done.stdout


def table(tests: list[Test]) -> str:
    """How many cases each test had."""
    width = max((len(test.name) for test in tests), default=0)
    rows = [
        f"{test.name:{width}}  {test.cases:13,}  {test.verdict}".rstrip()
        for test in sorted(tests, key=lambda test: test.name)
    ]
    total = f"{len(tests):,} tests, {sum(test.cases for test in tests):,} cases"
    return "\n".join([f"{'':{width}}  {'cases':>13}", *rows, total])


def say(text: str) -> None:
    """At once, also where the output is a file."""
    print(text, flush=True)


def main() -> int:
    """Run all, and tell what came of it; 1 if a test failed."""
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
