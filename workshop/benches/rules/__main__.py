"""The command line of the bench: `python -m benches.rules`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benches.rules import reports
from benches.rules.bench import Bench
from benches.rules.evidence import CHOICES, Evidence
from benches.rules.factors import factors, settings
from benches.rules.intervals import intervals
from benches.rules.journal import Journal
from benches.rules.machine_files import write_interval
from benches.rules.machines import file_and_key
from benches.rules.screening import screen
from benches.rules.search import search
from benches.rules.short import Shortening
from cellstats._native import UsageError
from cellstats.core.processors import usable_cpus

COMMANDS = {
    "check": "short runs beside those of the figures",
    "score": "one machine, claim by claim",
    "screen": "what each factor does, by a two-level design",
    "search": "a better machine, by a pattern search over a few factors",
    "validate": "fit by some claims, predict the others",
    "intervals": "how far each fitted value may move",
}
INTERRUPTED = 130


def main() -> int:
    """Run the command line, and return the exit status."""
    options = read_options()
    evidence = Evidence(options.claims, tuple(options.only), shortening_of(options))
    try:
        with Journal(journal_path(options, evidence), evidence) as journal:
            print(do(Bench(evidence, journal, options.jobs), options))
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    return 0


def do(bench: Bench, options: argparse.Namespace) -> str:
    """Run a command, and return the command's output."""
    machines = bench.evidence.machines
    there = settings(getattr(options, "set", ()), machines)
    if options.command == "check":
        [short] = bench.numbers([there])
        return reports.check(bench, bench.full(there) if there else None, short)
    if options.command == "score":
        [short] = bench.numbers([there])
        return reports.score(bench.evidence, short)
    if options.command == "validate":
        return reports.validate(bench, options.splits, options.seed)
    chosen = factors(options.factors, machines)
    if options.command == "screen":
        found, refused = screen(bench, chosen, folded=options.folded)
        return reports.screening(found, refused, options.csv)
    if options.command == "search":
        best = None
        for best in search(bench.objectives, chosen, there, options.budget):
            print(reports.step(best), flush=True)
        return "" if best is None else reports.changed(best, chosen)
    fitted = [each for each in chosen if each.basis == "fitted" and not each.is_word]
    threshold = options.threshold or 1 / len(bench.evidence.claims)
    every = intervals(bench.objectives, fitted, threshold)
    if options.write:
        for each in every:
            write_interval(*file_and_key(each.factor.name), each.low, each.high)
    return reports.intervals(every, threshold)


def read_options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benches.rules", description="A bench for rules."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    each = {name: commands.add_parser(name, help=says) for name, says in COMMANDS.items()}
    for name, one in each.items():
        add_common(one)
        if name in ("check", "score", "search"):
            one.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
        if name in ("screen", "search", "intervals"):
            help_ = "a pattern of names of guesses, eib.*, or a value and its levels, NAME=A,B"
            one.add_argument("factors", nargs="+", metavar="FACTOR", help=help_)
    each["screen"].add_argument("--folded", action="store_true", help="each run's mirror image too")
    each["screen"].add_argument("--csv", type=Path, help="file for the effects on all claims")
    each["search"].add_argument("--budget", type=int, default=200, help="machines to try (200)")
    each["validate"].add_argument("--splits", type=int, default=200, help="random splits (200)")
    each["validate"].add_argument("--seed", type=int, default=0)
    add = each["intervals"].add_argument
    add("--threshold", type=float, help="by how much the objective may rise (one claim)")
    add("--write", action="store_true", help="write them into the files in machines/")
    return parser.parse_args(arguments)


def add_common(parser: argparse.ArgumentParser) -> None:
    """Flags of all commands: the claims, the length of runs, the journal."""
    add = parser.add_argument
    add("--claims", choices=CHOICES, default="bus", help="which claims count (bus)")
    add("--only", action="append", default=[], metavar="ID", help="those with such ids: 'K0*'")
    add("--lines", type=int, metavar="N", help="lines that an SPE moves in a short run")
    add("--journal", type=Path, metavar="FILE", help="by default out/rules/CLAIMS.jsonl")
    add("--jobs", type=int, default=usable_cpus(), metavar="N", help="processes")


def shortening_of(options: argparse.Namespace) -> Shortening:
    """The length of short runs; random placements have a quarter of the lines."""
    lines = options.lines
    return Shortening() if lines is None else Shortening(lines=lines, lines_placed=lines // 4)


def journal_path(options: argparse.Namespace, evidence: Evidence) -> Path:
    """The path of the journal; each set of evidence has its own file."""
    if options.journal is not None:
        return Path(options.journal)
    plain = not options.only and options.lines is None
    name = options.claims if plain else f"{options.claims}-{evidence.digest}"
    return Path("out", "rules", f"{name}.jsonl")


if __name__ == "__main__":
    sys.exit(main())
