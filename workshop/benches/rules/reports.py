"""The output of the bench."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median

from benches.rules import screening as screened
from benches.rules import validation
from benches.rules.bench import Bench
from benches.rules.evidence import Evidence
from benches.rules.factors import Factor
from benches.rules.intervals import Interval
from benches.rules.measuring import Numbers
from benches.rules.residuals import loss, objective, reproduced, residual, scale
from benches.rules.search import Step
from cellstats.core.files import csv_table
from cellstats.reproduce.claims import Claim
from cellstats.show.claims import published
from cellstats.show.tables import aligned

WORST = 30
"""Maximum number of claims in a list."""
NO_MACHINE = "there can be no machine with these values"


def check(bench: Bench, full_there: Numbers | None, short_there: Numbers | None) -> str:
    """Compare short runs with full runs; on changed machines, short runs are corrected first."""
    full = bench.journal.full or {}
    short = bench.journal.short
    if full_there is not None and short_there is not None:
        full, short = full_there, short_there
    claims = bench.evidence.claims
    away = {claim.id: _away(claim, short[claim.id], full[claim.id]) for claim in claims}
    turned = [c for c in claims if c.agrees(short[c.id]) != c.agrees(full[c.id])]
    worst = sorted(claims, key=lambda claim: -away[claim.id])[:WORST]
    table = [["claim", "published", "full", "short", "apart, in tolerances"]]
    table += [
        [c.id, published(c), f"{full[c.id]:.4g}", f"{short[c.id]:.4g}", f"{away[c.id]:.2f}"]
        for c in worst
    ]
    ordered = sorted(away.values())
    lines = [
        aligned(table),
        f"{len(claims)} claims; half are apart by {median(ordered):.2f} tolerances or less, nine "
        f"of ten by {ordered[len(ordered) * 9 // 10]:.2f} or less",
        f"full:  {_summary(claims, full)}",
        f"short: {_summary(claims, short)}",
        f"other verdicts: {' '.join(claim.id for claim in turned) or 'none'}",
    ]
    return "\n".join(lines)


def score(evidence: Evidence, numbers: Numbers | None) -> str:
    """One machine: the claims with the largest loss, and summaries by paper and for all papers."""
    if numbers is None:
        return NO_MACHINE
    claims = evidence.claims
    worst = sorted(claims, key=lambda claim: -loss(claim, numbers[claim.id]))[:WORST]
    table = [["claim", "published", "simulated", "residual", "statement"]]
    table += [
        [
            c.id,
            published(c),
            f"{numbers[c.id]:.4g}",
            f"{residual(c, numbers[c.id]):.1f}",
            c.statement,
        ]
        for c in worst
    ]
    lines = [_with_text(table), ""]
    for paper in evidence.papers:
        lines.append(f"{paper.key}: {_summary(paper.claims, numbers)}")
    return "\n".join([*lines, f"all: {_summary(claims, numbers)}"])


def screening(found: Sequence[screened.Effect], refused: int, csv: Path | None) -> str:
    """Effects of the factors; the effects on all claims go to a file."""
    if csv is not None:
        csv.write_text(csv_table(["factor", "claim", "effect"], list(screened.rows(found))))
    note = [f"{refused} runs were refused; the design is not balanced"] if refused else []
    return "\n".join([_with_text(list(screened.lines(found))), *note])


def step(found: Step) -> str:
    """A machine on the path of a search."""
    return f"{found.tried:5} tried, objective {found.objective:.4f}"


def changed(best: Step, factors: Iterable[Factor]) -> str:
    """The values of a search's best machine that differ from the machine files."""
    there = best.override
    table = [["factor", "file", "best"]]
    table += [
        [each.name, str(each.value), str(there[each.name])]
        for each in factors
        if there[each.name] != each.value
    ]
    return aligned(table) if len(table) > 1 else "no machine is better than the files say"


def validate(bench: Bench, splits: int, seed: int) -> str:
    """The predictive error and the fit, by random splits and by papers."""
    journal, claims = bench.journal, bench.evidence.claims
    others = [numbers for _, (values, numbers) in sorted(journal.found.items()) if values]
    kept = (journal.short, *(each for each in others if not isinstance(each, str)))
    machines = [journal.corrected(each) for each in kept]
    groups = validation.by_row(claims)
    chance = validation.validate(claims, machines, validation.random_splits(groups, splits, seed))
    papers = validation.validate(claims, machines, validation.papers(claims))
    head = ["left out", "fit", "predicted", "unchanged", "best possible"]
    table = [head, _split(f"a third, {splits} times", validation.means(chance))]
    for each in papers:
        table.append(_split(each.left_out, validation.means([each])))
    chosen = Counter(each.machine for each in chance)
    note = (
        f"{len(machines)} machines, {len(claims)} claims of {len(groups)} statements; "
        f"{len(chosen)} machines were chosen, one of them {max(chosen.values())} times"
    )
    return "\n".join([aligned(table), note])


def intervals(found: Sequence[Interval], threshold: float) -> str:
    """Each value with its interval, and a better value if the search found one."""
    table = [["value", "file", "interval", "range", "note"]]
    for each in found:
        factor = each.factor
        low, high = factor.ends
        best, place = each.best
        notes = ["no claim speaks against any of it"] if each.is_open else []
        if factor.grid[place] != factor.value:
            notes.append(f"better at {factor.grid[place]}: {best:.4f}")
        interval = f"{each.low} to {each.high}"
        row = [factor.name, str(factor.value), interval, f"{low} to {high}", "; ".join(notes)]
        table.append(row)
    return "\n".join([_with_text(table), f"as good is what costs {threshold:.4f} at most"])


def _with_text(rows: Sequence[Sequence[str]]) -> str:
    """A table with text in its last column."""
    lines = aligned([row[:-1] for row in rows]).splitlines()
    return "\n".join(f"{line}  {row[-1]}" for line, row in zip(lines, rows, strict=True))


def _split(name: str, numbers: Mapping[str, float]) -> list[str]:
    return [name, *(f"{each:.3f}" for each in numbers.values())]


def _summary(claims: Sequence[Claim], numbers: Numbers) -> str:
    ours = reproduced(claims, numbers)
    return f"objective {objective(claims, numbers):.4f}, {ours} of {len(claims)} reproduced"


def _away(claim: Claim, one: float, other: float) -> float:
    return abs(one - other) / (scale(claim, other) or 1.0)
