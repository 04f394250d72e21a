"""Builds public programs for Cell with `cellstats sdk`, runs them, and compares what they say.

    python workshop/public_programs.py DIR                 all of public_programs.toml
    python workshop/public_programs.py DIR OWNER/NAME ...  some of its repositories
    python workshop/public_programs.py DIR --twice ...     runs programs twice, and compares records
    python workshop/public_programs.py DIR --table         the table of linux/docs/sdk.md

The repositories are cloned into DIR, or used there if they lie there as OWNER+NAME. Their Makefiles
stay as they are. Nothing of them belongs to CellStats; public_programs.toml has only their names,
and what the programs should say. Needs git, make and both cross compilers.
"""

import argparse
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from public_inputs import films, image, puzzle

HERE = Path(__file__).resolve().parent
LIST = HERE / "public_programs.toml"
_LIMIT_SECONDS = 900
# `cellstats` with a record of each run, for the comparison of two runs.
_RECORD = f"""\
[ "$1" = run ] || exec {sys.executable} -m cellstats "$@"
shift
exec {sys.executable} -m cellstats run --record "$RECORDS/$(ls "$RECORDS" | wc -l)" "$@"
"""


class Program(NamedTuple):
    """One program: how it is built and run, and what it should print.

    `missing` says why it cannot be built or run with this SDK; such a program is only listed.
    """

    repository: str
    commit: str
    name: str
    make: str
    run: str
    prints: tuple[str, ...]
    because: str
    missing: str


def programs(text: str) -> Iterator[Program]:
    """All programs of a list in TOML, for each build of their source.

    In an entry, `{name}` stands for each of its names, and `{options}` for the build's options.
    """
    for source in tomllib.loads(text)["source"]:
        for build, entry in product(source.get("build", [{}]), source["program"]):
            values = {"make": "", "run": "", "options": "", **source, **build, **entry}
            for name in entry["names"]:
                known = {"name": name, "options": values["options"]}
                yield Program(
                    values["repository"],
                    values["commit"],
                    name,
                    make=values["make"].format(**known),
                    run=values["run"].format(**known),
                    prints=tuple(line.format(**known) for line in values.get("prints", ())),
                    because=values.get("because", ""),
                    missing=values.get("missing", ""),
                )


def clone(repository: str, commit: str, folder: Path) -> Path:
    """The directory of a repository at a commit, cloned if it is not there."""
    path = folder / repository.replace("/", "+")
    if not path.exists():
        address = f"https://github.com/{repository}"
        subprocess.run(["git", "clone", "--quiet", address, str(path)], check=True)
        subprocess.run(["git", "-C", str(path), "checkout", "--quiet", commit], check=True)
    return path


def failure(what: str, script: str, place: Path, environment: dict[str, str]) -> tuple[str, str]:
    """Run a script of a program; returns what went wrong, or '', and what it printed."""
    done = subprocess.run(
        ["sh", "-e", "-c", script],
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_LIMIT_SECONDS,
        check=False,
    )
    if not done.returncode:
        return "", done.stdout
    lines = (done.stderr + done.stdout).strip().splitlines()
    return f"{what}: exit status {done.returncode}: {lines[-1] if lines else ''}", done.stdout


def outcome(program: Program, place: Path, environment: dict[str, str], twice: bool) -> str:
    """Run a program that was built; what went wrong first, or ''.

    The second run begins with the same files in the same directory.
    """
    records, saved = Path(environment["RECORDS"]), place.with_name("saved")
    written: list[list[bytes]] = []
    rmtree(saved, ignore_errors=True)
    if twice:
        copytree(place, saved, symlinks=True)
    for again in range(1 + twice):
        if again:
            rmtree(place)
            saved.rename(place)
        records.mkdir()
        what, printed = failure("run", program.run, place, environment)
        written.append([path.read_bytes() for path in sorted(records.iterdir())])
        rmtree(records)
        absent = [line for line in program.prints if line not in printed]
        if what or absent:
            return what or f"does not print {absent[0]!r}"
    return "" if written[0] == written[-1] else "the record of the second run differs"


def run(chosen: list[Program], folder: Path, twice: bool = False) -> int:
    """Build and run programs; prints a line for each, and returns the number that went wrong."""
    wrong = 0
    with TemporaryDirectory() as temporary:
        sdk, place = Path(temporary) / "sdk", Path(temporary) / "program"
        subprocess.run([sys.executable, "-m", "cellstats", "sdk", str(sdk)], check=True)
        environment = {
            **os.environ,
            "CELL_TOP": str(sdk),
            "PATH": f"{sdk}/usr/bin:{os.environ['PATH']}",
            "NATIVE": f"{sdk}/native/bin",
            "CELLSTATS": f"sh {temporary}/record.sh",
            "RECORDS": f"{temporary}/records",
            "TILES": f"{sys.executable} {HERE / 'public_inputs.py'}",
        }
        (Path(temporary) / "record.sh").write_text(_RECORD, encoding="utf-8")
        before = ("", "")
        for program in chosen:
            if program.missing:
                print(f"{program.repository} {program.name}: left out: {program.missing}")
                continue
            if (program.repository, program.make) != before:
                rmtree(place, ignore_errors=True)
                copytree(clone(program.repository, program.commit, folder), place, symlinks=True)
                image(place / "image.pgm", 256, 192, 1)
                image(place / "image.ppm", 256, 192, 3)
                puzzle(place)
                before = program.repository, program.make
            for width in (624, 640):
                if f"films-{width}" in program.run and not (place / f"films-{width}").exists():
                    films(place, width)
            what, _ = failure("make", program.make, place, environment)
            what = what or outcome(program, place, environment, twice)
            wrong += bool(what)
            print(f"{program.repository} {program.name}: {what or 'as expected'}", flush=True)
    return wrong


def table(chosen: list[Program]) -> str:
    """The list as a table in Markdown, one row for all programs that one reason concerns.

    Programs that are built in several ways have one row, too.
    """
    names: dict[tuple[str, ...], list[str]] = {}
    for each in chosen:
        key = (each.repository, each.commit[:7], "no" if each.missing else "yes")
        names.setdefault((*key, each.missing or each.because), []).append(each.name)
    rows: dict[tuple[str, ...], list[str]] = {}
    for (repository, commit, runs, why), those in names.items():
        rows.setdefault((repository, commit, ", ".join(those), runs), []).append(why)
    lines = [
        "| repository | commit | programs | right | how we know, or why not |",
        "|---|---|---|---|---|",
    ]
    for (repository, commit, listed, runs), reasons in rows.items():
        lines.append(f"| {repository} | `{commit}` | {listed} | {runs} | {'; '.join(reasons)} |")
    return "\n".join(lines)


def main() -> int:
    """Run as a script; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("repositories", nargs="*", metavar="OWNER/NAME")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--table", action="store_true")
    given: Any = parser.parse_args()
    chosen = [
        each
        for each in programs(LIST.read_text(encoding="utf-8"))
        if not given.repositories or each.repository in given.repositories
    ]
    if given.table:
        print(table(chosen))
        return 0
    return int(run(chosen, given.folder, given.twice) > 0)


if __name__ == "__main__":
    sys.exit(main())
