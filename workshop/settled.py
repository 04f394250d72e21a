"""Compare all claims with settled runs and with exact ones.

    .venv/bin/python workshop/settled.py            # claims whose number differs
    .venv/bin/python workshop/settled.py --all      # all claims with a number

The tool judges each claim twice: as `cellstats reproduce` does, with runs that end once they have
settled, and as `cellstats reproduce --exact` does. Both use the stored results in out/, or in the
folder given by --out. Without stored results, the exact runs take some minutes. The exit status is
1 if a verdict differs, or a number by more than 1 %.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from cellstats.reproduce.runs import Store
from cellstats.reproduce.verdicts import Outcome, judge, paper, paper_keys

MOST = 0.01
"""A settled number may deviate from its exact one by this much."""


def judged(out: Path, *, exact: bool) -> list[Outcome]:
    """The outcome of each claim of all papers; `out` stores the results."""
    out.mkdir(parents=True, exist_ok=True)
    with Store(out / "results.sqlite") as store:
        papers = judge([paper(key) for key in paper_keys()], store, exact=exact)
    return [outcome for each in papers for outcome in each.outcomes]


def compared(settled: Outcome, exact: Outcome) -> tuple[float, bool]:
    """The relative deviation of the settled number, and whether the comparison is passed."""
    one, other = settled.simulated, exact.simulated
    if one is None or other is None:
        return 0.0, settled.verdict == exact.verdict
    deviation = abs(one - other) / abs(other) if other else abs(one)
    return deviation, settled.verdict == exact.verdict and deviation <= MOST


def main(arguments: Sequence[str]) -> int:
    """Print a line for each claim that differs. Return the exit status."""
    known = argparse.ArgumentParser(description="Settled numbers beside exact ones.")
    known.add_argument("--all", action="store_true", help="also the claims whose numbers are equal")
    known.add_argument("--out", type=Path, default=Path("out"), metavar="DIR", help="kept results")
    given = known.parse_args(arguments)
    pairs = zip(judged(given.out, exact=False), judged(given.out, exact=True), strict=True)
    numbers, differing, failed, most = 0, 0, 0, 0.0
    for settled, exact in pairs:
        deviation, passed = compared(settled, exact)
        numbers += exact.simulated is not None
        differing += deviation > 0
        failed += not passed
        most = max(most, deviation)
        if (given.all and exact.simulated is not None) or deviation > 0 or not passed:
            shown = [f"{each.simulated:.6g} {each.verdict}" for each in (settled, exact)]
            print(f"{exact.claim.id:16} {shown[0]:24} {shown[1]:24} {deviation:8.3%}")
    print(
        f"{numbers} numbers: {differing} differ, by {most:.3%} at most; "
        f"{failed} differ by more than {MOST:.0%}, or in their verdict"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
